"""Every registered method, the same demands; a new method is tested by being there."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from hetsel import ClinicalSVC, Ranking, SubsetSearch, get_method, method_keys
from hetsel.ground.errors import TableError

KEYS = method_keys()


def make(key, **options):
    """A quick selector: the demands are about form, not about precision."""
    method = get_method(key)
    return method(**method.about.trial, **options)


def kind_of(column):
    return "nominal" if isinstance(column.dtype, pd.CategoricalDtype) else "continuous"


def fitting(key, frame, target="classes"):
    """The columns of the frame that the method takes beside a kind of target."""
    takes = get_method(key).about.takes_for(target)
    return frame[[name for name in frame if kind_of(frame[name]) in takes]]


def accepts(key, kind):
    return kind in get_method(key).about.takes


def blind(key):
    """Whether the class has no part in the answer: its own test shows that flaw."""
    return "blind" in get_method(key).about.flaws


def content(selector, columns=None):
    """All that the answer says, by the column's place or by what the places are renamed to."""
    answer = selector.answer_
    columns = np.arange(selector.n_features_in_) if columns is None else columns
    if isinstance(answer, Ranking):
        ranks, importances = np.empty_like(answer.ranks), np.empty_like(answer.importance)
        ranks[columns], importances[columns] = answer.ranks, answer.importance
        return ranks.tolist(), importances.tolist()
    subsets = {size: sorted(columns[answer.signature(size)].tolist()) for size in answer.sizes}
    return subsets, {size: answer.score(size) for size in answer.sizes}, answer.best_size


def complete(selector):
    """Whether the answer is one for all columns: a rank for each, or signatures of some size."""
    answer = selector.answer_
    if isinstance(answer, Ranking):
        return sorted(selector.ranking_) == list(range(1, selector.n_features_in_ + 1))
    return len(selector.signature()) == answer.best_size in answer.sizes


def front(selector):
    """Names of the first feature of a ranking, of the best subset of a search."""
    answer = selector.answer_
    best = answer.signature(1 if isinstance(answer, Ranking) else answer.best_size)
    return [selector.schema_.names[j] for j in best]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_full_answer_with_the_signal_on_top(key, classes):
    frame, y = mixed_frame(90, 6, 4, classes=classes)
    frame = fitting(key, frame)
    selector = make(key).fit(frame, y)
    p = frame.shape[1]
    assert complete(selector)
    np.testing.assert_array_equal(
        np.sort(selector.signature()), np.flatnonzero(selector.get_support())
    )
    if not blind(key):
        assert set(front(selector)) & {"c0", "n0"}
    if not isinstance(selector.answer_, Ranking):
        assert selector.get_support().sum() == selector.answer_.best_size
        return
    assert sorted(selector.ranking_) == list(range(1, p + 1))
    assert selector.importances_.shape == (p,)
    assert np.isfinite(selector.importances_).all()
    assert selector.get_support().sum() == p // 2


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("continuous", "nominal"), [(5, 0), (0, 5), (1, 0), (0, 1)])
def test_one_kind_only_and_one_column_only(key, continuous, nominal):
    frame, y = mixed_frame(40, continuous, nominal)
    wanted = "continuous" if continuous else "nominal"
    if not accepts(key, wanted):
        with pytest.raises(TableError, match=wanted):
            make(key).fit(frame, y)
        return
    selector = make(key).fit(frame, y)
    assert complete(selector)
    if not blind(key):
        assert frame.columns[0] in front(selector)


# a method that draws may give copies one importance by chance only; a search takes one of them
@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        key
        for key in KEYS
        if not (get_method(key).about.draws or issubclass(get_method(key), SubsetSearch))
    ],
)
def test_duplicates_keep_the_order_of_the_columns(key):
    frame, y = mixed_frame(60, 3, 3)
    doubled = pd.concat([frame, frame.add_suffix(" again")], axis=1)
    doubled = fitting(key, doubled)
    ranks = pd.Series(make(key).fit(doubled, y).ranking_, index=doubled.columns)
    for name in fitting(key, frame):
        assert ranks[name] < ranks[f"{name} again"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", ["continuous", "nominal"])
def test_the_same_rows_in_every_class(key, classes, kind):
    if not accepts(key, kind):
        return
    values = pd.Series([-3.0, 3.0] if kind == "continuous" else ["a", "b"])
    rows = pd.concat([pd.DataFrame({"x": values, "z": values[::-1].array})] * classes)
    selector = make(key).fit(rows, np.repeat(np.arange(classes), 2))
    assert complete(selector)
    if isinstance(selector.answer_, Ranking):
        assert np.isfinite(selector.importances_).all()


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_missing_cells(key, missing):
    frame, y = mixed_frame(80, 4, 3, missing=0.1)
    frame = fitting(key, frame)
    selector = make(key, missing=missing).fit(frame, y)
    assert complete(selector)
    with pytest.raises(TableError, match="values are missing, in .*missing='impute' to impute"):
        make(key, missing="error").fit(frame, y)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:a support vector machine on all features predicts no row")
@pytest.mark.parametrize("key", KEYS)
def test_a_rare_class(key):
    frame, y = mixed_frame(60, 3, 2)
    frame = fitting(key, frame)
    y = np.where(np.arange(60) < 3, 2, y)
    assert complete(make(key).fit(frame, y))
    y = np.where(np.arange(60) < 1, 2, np.arange(60) % 2)
    with pytest.raises(TableError, match="Class 2 has one"):
        make(key).fit(frame, y)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("missing", [0.0, 0.08])
def test_permuting_columns_permutes_the_result(key, missing):
    frame, y = mixed_frame(70, 8, 4, seed=3, missing=missing)
    frame = fitting(key, frame)
    order = np.random.default_rng(1).permutation(frame.shape[1])
    here, there = make(key).fit(frame, y), make(key).fit(frame.iloc[:, order], y)
    assert content(here) == content(there, order)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_other_names_levels_and_units_change_nothing(key):
    frame, y = mixed_frame(70, 6, 4, seed=4)
    frame = fitting(key, frame)
    other = frame.copy()
    for j, name in enumerate(frame):
        if kind_of(frame[name]) == "nominal":
            levels = list(frame[name].cat.categories)
            other[name] = frame[name].map(
                dict(zip(levels, ["é", "b", "ä", "a", "0"], strict=False))
            )
        else:
            other[name] = frame[name] * 2.0 ** (j - 3)
    other = other.rename(columns=lambda name: f"{name} ñ")
    here, there = make(key).fit(frame, y), make(key).fit(other, y)
    assert content(here)[0] == content(there)[0]
    for name in other:
        if kind_of(other[name]) == "continuous":
            other[name] = 3.7 * other[name] - 11.3
    assert content(here)[0] == content(make(key).fit(other, y))[0]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("classes", "rows"), [(2, 60), (3, 55)])
def test_other_names_of_the_classes_change_nothing(key, classes, rows):
    frame, y = mixed_frame(60, 4, 3, seed=2, classes=classes)
    frame, y = fitting(key, frame)[:rows], y[:rows]
    here = content(make(key).fit(frame, y))
    assert content(make(key).fit(frame, np.array(["b", "a", "B"][:classes])[y])) == here
    ordered = pd.Categorical.from_codes(y, ["z", "y", "x"][:classes], ordered=True)
    assert content(make(key).fit(frame, ordered)) == here


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_same_seed_same_result(key):
    frame, y = mixed_frame(50, 5, 3)
    frame = fitting(key, frame)
    first = make(key, random_state=7).fit(frame, y)
    again = clone(first).fit(frame, y)
    assert content(first) == content(again)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_in_a_pipeline_with_search_and_data_frames(key):
    frame, y = mixed_frame(60, 4, 3)
    frame = fitting(key, frame)
    p = frame.shape[1]
    pipeline = make_pipeline(make(key), ClinicalSVC(C=1.0))
    step = pipeline.steps[0][0]
    search = GridSearchCV(pipeline, {f"{step}__size": [1, p]}, cv=2).fit(frame, y)
    selector = search.best_estimator_[0]
    chosen = selector.transform(frame)
    assert chosen.columns.tolist() == selector.get_feature_names_out().tolist()
    assert chosen.dtypes.tolist() == [frame.dtypes[name] for name in chosen]
    as_frame = selector.set_output(transform="pandas").transform(frame)
    pd.testing.assert_frame_equal(as_frame, chosen)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_size_out_of_range(key):
    frame, y = mixed_frame(40, 3, 3)
    frame = fitting(key, frame)
    p = frame.shape[1]
    for size in (0, p + 1):
        with pytest.raises(ValueError, match=rf"size must be in 1\.\.{p} .*Got {size}"):
            make(key, size=size).fit(frame, y)
    with pytest.raises(ValueError, match=r"size must be a whole number in 1\.\..*Got 0.5"):
        make(key, size=0.5).fit(frame, y)
