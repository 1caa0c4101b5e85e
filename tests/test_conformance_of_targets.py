"""Every method with every target that is no class: the same demands; a new one is tested by it."""

import numpy as np
import pandas as pd
import pytest
from frames import told_frame
from sklearn.base import clone
from test_conformance import KEYS, blind, complete, content, fitting, front, kind_of, make

from hetsel import Ranking, SubsetSearch, get_method, survival
from hetsel.ground.errors import TableError

TAKEN = [
    pytest.param(key, target, id=f"{key}-{target}")
    for key in KEYS
    for target in get_method(key).about.targets
    if target != "classes"
]
SEARCHES = {key for key in KEYS if issubclass(get_method(key), SubsetSearch)}
EVERY = pytest.mark.parametrize(("key", "target"), TAKEN)
# a method that draws may give copies one importance by chance only; a search takes one of them
PLAIN = pytest.mark.parametrize(
    ("key", "target"),
    [
        one
        for one in TAKEN
        if not (get_method(one.values[0]).about.draws or one.values[0] in SEARCHES)
    ],
)


def in_unit(target, y, factor):
    """The same outcome in another unit."""
    if target == "numbers":
        return factor * y - (11.3 if 1 < abs(factor) < 100 else 0.0)
    return survival(abs(factor) * y["time"], y["event"])


def coarse(target, y):
    """The outcome with many ties."""
    if target == "numbers":
        return np.round(y / 20.0)
    steps = np.sort(y["time"])[[10, 20, 30, 40, 50]]
    return survival(1.0 + np.searchsorted(steps, y["time"]), y["event"])


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("missing", ["none", "impute", "separate"])
def test_a_full_answer_with_the_signal_on_top(key, target, missing):
    frame, y = told_frame(target, missing=0.0 if missing == "none" else 0.05)
    frame = fitting(key, frame, target)
    selector = make(key, target_kind=target, missing="error" if missing == "none" else missing).fit(
        frame, y
    )
    assert complete(selector)
    if not blind(key):
        assert set(front(selector)) & {"c0", "n0"}
    if isinstance(selector.answer_, Ranking):
        assert selector.importances_.shape == (frame.shape[1],)
        assert np.isfinite(selector.importances_).all()


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize(("continuous", "nominal"), [(5, 0), (0, 4), (1, 0), (0, 1)])
def test_one_kind_only_and_one_column_only(key, target, continuous, nominal):
    frame, y = told_frame(target, 80, continuous, nominal)
    wanted = "continuous" if continuous else "nominal"
    if wanted not in get_method(key).about.takes_for(target):
        with pytest.raises(TableError, match=wanted):
            make(key, target_kind=target).fit(frame, y)
        return
    selector = make(key, target_kind=target).fit(frame, y)
    assert complete(selector)
    if not blind(key):
        # a few steps of an ascent, as `sas` takes on trial, may leave the signal second
        first = front(selector) if key != "sas" else frame.columns[selector.ranking_ <= 2]
        assert frame.columns[0] in first


@pytest.mark.slow
@PLAIN
def test_duplicates_keep_the_order_of_the_columns(key, target):
    frame, y = told_frame(target, 60, 3, 3)
    doubled = pd.concat([frame, frame.add_suffix(" again")], axis=1)
    doubled = fitting(key, doubled, target)
    ranks = pd.Series(make(key, target_kind=target).fit(doubled, y).ranking_, index=doubled.columns)
    for name in fitting(key, frame, target):
        assert ranks[name] < ranks[f"{name} again"]


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("missing", [0.0, 0.08])
def test_order_of_rows_and_columns_changes_nothing(key, target, missing):
    frame, y = told_frame(target, 70, 6, 4, missing, seed=3)
    frame = fitting(key, frame, target)
    rng = np.random.default_rng(1)
    columns, rows = rng.permutation(frame.shape[1]), rng.permutation(len(frame))
    here = make(key, target_kind=target, missing="separate").fit(frame, y)
    there = make(key, target_kind=target, missing="separate").fit(frame.iloc[:, columns], y)
    assert content(here) == content(there, columns)
    if not get_method(key).about.draws:  # what is drawn is drawn by the place of the row
        there = make(key, target_kind=target, missing="separate").fit(frame.iloc[rows], y[rows])
        assert content(here)[0] == content(there)[0]


@pytest.mark.slow
@EVERY
def test_other_names_levels_and_units_change_nothing(key, target):
    frame, y = told_frame(target, 70, 5, 4, seed=4)
    frame = fitting(key, frame, target)
    other = frame.rename(columns=lambda name: f"{name} ñ")
    for name in other:
        if kind_of(other[name]) == "nominal":
            other[name] = other[name].cat.rename_categories(lambda level: f"z {level[::-1]}")
        else:
            other[name] = 3.7 * other[name] - 11.3
    here, there = (
        make(key, target_kind=target).fit(frame, y),
        make(key, target_kind=target).fit(other, y),
    )
    assert content(here)[0] == content(there)[0]


@pytest.mark.slow
@EVERY
def test_the_unit_of_the_target_changes_nothing(key, target):
    frame, y = told_frame(target, 70)
    frame = fitting(key, frame, target)
    here = make(key, target_kind=target).fit(frame, y)
    # what is drawn, such as folds, knows which values are large
    turned = [] if get_method(key).about.draws or key in SEARCHES else [-3.7]
    for factor in (*turned, 3.7, 2.0**-40, 1e12):
        there = make(key, target_kind=target).fit(frame, in_unit(target, y, factor))
        assert content(here)[0] == content(there)[0], factor


@pytest.mark.slow
@EVERY
def test_a_target_of_few_values(key, target):
    frame, y = told_frame(target, 60, 3, 2)
    frame = fitting(key, frame, target)
    assert complete(make(key, target_kind=target).fit(frame, coarse(target, y)))


@pytest.mark.slow
@EVERY
def test_same_seed_same_result(key, target):
    frame, y = told_frame(target, 50)
    frame = fitting(key, frame, target)
    first = make(key, target_kind=target, random_state=7).fit(frame, y)
    assert content(first) == content(clone(first).fit(frame, y))


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_a_target_that_is_not_named_is_refused_in_a_sentence(key, target):
    about = get_method(key).about
    if target in about.targets:
        return
    frame, y = told_frame(target, 40)
    frame = fitting(key, frame, target)
    with pytest.raises(TableError, match="as its target") as caught:
        get_method(key)(target_kind=target).fit(frame, y)
    for part in about.why_not.get(target, "").split("; use "):
        assert part in str(caught.value)
    told = str(caught.value)
    assert f"method {key} needs " in told or f"{about.line} needs " in told  # of R
