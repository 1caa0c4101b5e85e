"""How many features: the rules by hand, the inner scores against scikit-learn and against leaks."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier

import hetsel
from hetsel import Ranking, SubsetSearch, Table, choose_size, get_method
from hetsel.evaluation import size_rules
from hetsel.evaluation.size_rules import (
    inner_scores,
    knee,
    one_standard_error,
    treated_as_equal,
)
from hetsel.search.subsets.nearly_best import Pivots, fewer_features
from hetsel.selection import About, BaseSelector, Problem
from hetsel.tables import Classes


def problem(x, y, **options):
    return Problem(Table.read(pd.DataFrame(x)), Classes.of(y, len(y)), (), **options)


def test_one_standard_error_by_hand():
    best = np.array([0.9, 0.8, 0.7, 0.8])  # mean 0.8, s = 0.0816, standard error 0.0408
    scores = np.column_stack([np.full(4, 0.7591), np.full(4, 0.7593), best])
    assert one_standard_error([1, 3, 9], scores) == 3
    assert one_standard_error([1, 3, 9], scores[:1]) == 9  # of one resampling nothing is known
    assert one_standard_error([2, 5], np.full((3, 2), 0.1 + 0.2)) == 2


def test_the_knee_by_hand():
    # chord from (1, 0.5) to (9, 0.9): on unit axes 3 is at (0.25, 0.75), 5 at (0.5, 0.875)
    scores = np.array([[0.5, 0.8, 0.85, 0.9, 0.7]])
    assert knee([1, 3, 5, 9, 20], scores) == 3
    assert knee([1, 2, 3], np.array([[0.5, 0.6, 0.9]])) == 3  # below the chord: no knee
    assert knee([1, 2, 3], np.array([[0.9, 0.6, 0.8]])) == 1
    assert knee([1, 2, 3], np.array([[0.3, 0.6, 0.9]])) == 3  # on the chord but for rounding


def test_treated_as_equal_by_hand():
    scores = np.array([[0.7, 0.88, 1.0, 0.9], [0.7, 0.92, 1.0, 0.9]])
    taken = [treated_as_equal([1, 2, 3, 4], scores, tau) for tau in (0.0, 0.1, 0.3, 1.0)]
    assert taken == [3, 2, 1, 1]
    with pytest.raises(ValueError, match=r"tau must be a number in \[0, 1\]\. Got 2"):
        treated_as_equal([1], scores[:, :1], 2)


def test_inner_scores_are_those_of_scikit_learn(monkeypatch):
    draw = np.random.default_rng(1)
    x, y = draw.normal(size=(90, 4)), draw.permutation(90) % 3
    x[:, 0] += y
    fold = draw.permutation(90) % 5
    monkeypatch.setattr(size_rules, "in_canonical_order", lambda given, *_: given)
    monkeypatch.setattr(size_rules, "draw_folds", lambda *given: fold[None])
    found = inner_scores(get_method("anova-f")(), problem(x, y), [1, 3])
    wanted = np.empty((5, 2))
    for k in range(5):
        train, test = fold != k, fold == k
        ranking = get_method("anova-f")().fit(x[train], y[train]).answer_
        low, high = x[train].min(axis=0), x[train].max(axis=0)
        scaled = ((x - low) / (high - low)).clip(0, 1)
        for place, size in enumerate((1, 3)):
            chosen = ranking.signature(size)
            model = KNeighborsClassifier(5).fit(scaled[train][:, chosen], y[train])
            nearest = model.kneighbors(scaled[test][:, chosen], return_distance=False)
            votes = np.array([np.bincount(y[train][row], minlength=3) for row in nearest])
            for row, vote in zip(nearest, votes, strict=True):  # of equals the class of the nearest
                vote[next(c for c in y[train][row] if vote[c] == vote.max())] += 1
            wanted[k, place] = balanced_accuracy_score(y[test], votes.argmax(axis=1))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_the_held_out_rows_take_no_part_in_the_selection():
    """Noise: features chosen on all rows would be judged far above chance."""
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(60, 400)), draw.permutation(60) % 2
    scores = inner_scores(get_method("anova-f")(), problem(x, y), [5, 20])
    assert scores.shape == (10, 2)
    assert (abs(scores.mean(axis=0) - 0.5) < 0.15).all()


def test_levels_that_only_held_out_rows_have_are_not_known_to_the_selection():
    seen = []

    class Recorder(BaseSelector):
        about = About("records levels")

        def _select(self, problem):
            seen.append((problem.n, problem.table.schema.columns[0].levels))
            return Ranking.from_importance(np.arange(2.0))

    frame = pd.DataFrame({"grade": np.arange(20.0), "x": np.arange(20) % 3})
    y = np.arange(20) % 2
    selector = Recorder(ordinal=["grade"]).fit(frame, y)
    choose_size(selector, frame, y, folds=5, repeats=1)
    assert [len(levels) for _, levels in seen] == [20] + [16] * 5
    declared = Recorder(schema=selector.schema_).fit(frame, y)
    choose_size(declared, frame, y, folds=5, repeats=1)
    assert [len(levels) for _, levels in seen[6:]] == [20] * 6


def test_rows_of_a_group_are_held_out_together():
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(40, 3)), draw.permutation(40) % 2
    twice, labels = np.concatenate([x, x]), np.concatenate([y, y])
    nearest = {"classifier": "5nn", "folds": 4}
    mixed = inner_scores(get_method("anova-f")(), problem(twice, labels), [3], **nearest)
    grouped = problem(twice, labels, row_groups=np.arange(80) % 40)
    whole = inner_scores(get_method("anova-f")(), grouped, [3], **nearest)
    assert mixed.mean() > whole.mean() + 0.1


@pytest.mark.parametrize("classifier", ["5nn", "naive-bayes"])
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_mixed_tables_with_gaps_and_a_rare_class(classifier, missing):
    draw = np.random.default_rng(2)
    y = np.repeat(["a", "b", "c"], [30, 27, 3])
    frame = pd.DataFrame({"x": draw.normal(size=60), "noise": draw.normal(size=60)})
    frame["level"] = pd.Categorical(np.where(draw.random(60) < 0.9, y, "a"))
    frame.loc[::7, "x"] = np.nan
    frame.loc[::11, "level"] = np.nan
    selector = get_method("relieff")(missing=missing).fit(frame, y)
    choice = choose_size(selector, frame, y, classifier=classifier)
    assert choice.sizes == (1, 2, 3)
    assert choice.scores.shape == (6, 3)  # no more folds than rows of the rarest class
    assert choice.inner_score > 0.5


def test_the_order_of_the_rows_changes_nothing():
    data = hetsel.datasets.load("heart")
    frame, y = data.X.iloc[:120], data.y.iloc[:120]
    order = np.random.default_rng(0).permutation(120)
    selector = get_method("hsic")()
    first = choose_size(selector.fit(frame, y), frame, y, "equal")
    other, labels = frame.iloc[order], y.iloc[order]
    second = choose_size(selector.fit(other, labels), other, labels, "equal")
    np.testing.assert_array_equal(first.scores, second.scores)
    assert (first.size, first.rule) == (second.size, "equal")


def test_a_search_is_judged_at_the_sizes_that_it_visited(tmp_path):
    draw = np.random.default_rng(3)
    x = draw.normal(size=(80, 5))
    y = x[:, 1] + x[:, 3] > 0
    archive = tmp_path / "a.txt"
    search = SubsetSearch(search="dos", criterion="ridge", archive=archive).fit(x, y)
    kept = archive.read_bytes()
    choice = choose_size(search, x, y)
    assert choice.sizes == search.answer_.sizes
    assert choice.size == 2
    assert set(search.signature(choice.size)) == {1, 3}
    assert archive.read_bytes() == kept
    assert search.size is None  # nothing of the selector has changed


def test_the_seed_draws_the_folds():
    draw = np.random.default_rng(4)
    x, y = draw.normal(size=(50, 3)), draw.permutation(50) % 2
    method = get_method("anova-f")()
    one, again, other = (inner_scores(method, problem(x, y, seed=k), [1, 2]) for k in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_what_cannot_be_used_is_refused():
    x, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 2
    selector = get_method("anova-f")().fit(x, y)
    with pytest.raises(
        ValueError, match=r"rule must be one of one-se, quarter-se, knee, equal\. Got 'kne'"
    ):
        choose_size(selector, x, y, "kne")
    with pytest.raises(ValueError, match="classifier must be one of 5nn, naive-bayes"):
        choose_size(selector, x, y, classifier="svm")
    with pytest.raises(ValueError, match="folds must be a whole number, 2 or larger"):
        choose_size(selector, x, y, folds=1)
    with pytest.raises(hetsel.ground.errors.TableError, match=r"Class . occurs in 1 row group"):
        choose_size(selector, x, y, groups=y)


def test_one_comparison_decides_which_sizes_and_which_subsets_are_treated_as_equal():
    """All a/n at their exact bound: 24 right of 44 against 25 at tau = 0.04, say."""
    for n in range(1, 101):
        for percent in range(1, 31):
            for best in range(1, n + 1):
                if (100 - percent) * best % 100:
                    continue
                right, tau = (100 - percent) * best // 100, percent / 100
                for fewer, within in ((right, True), (right - 1, False)):
                    assert (
                        treated_as_equal([1, 2], np.array([[fewer, best]]) / n, tau) == 2 - within
                    )
                    pivots = Pivots(tau, fewer_features)
                    pivots.update(0b11, best / n)
                    pivots.update(0b01, fewer / n)
                    assert (pivots.selected == 0b01) == within, (fewer, best, n, tau)
