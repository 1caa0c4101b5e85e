"""Folds by hand, and the balanced rate and stratified group folds of scikit-learn."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold
from twins.held_out_rates import balanced_rate

from hetsel.ground.errors import TableError
from hetsel.resampling.folds import draw_folds, group_folds, stratified_folds
from hetsel.search.criteria.rates.held_out_rates import RateOfRows
from hetsel.selection import Problem
from hetsel.tables import Classes, Schema


class Unchanged:
    """Stands in for a generator whose permutations change nothing."""

    def permutation(self, rows):
        return rows


def test_folds_by_hand():
    fold = stratified_folds(np.array([0, 1, 0, 1, 0, 1, 0]), 3, Unchanged())
    assert fold.tolist() == [0, 1, 1, 2, 2, 0, 0]


@pytest.mark.parametrize(("counts", "used"), [((20, 30), 5), ((3, 40), 3), ((2, 2), 2)])
def test_folds_spread_every_class_and_are_limited_by_the_rarest(counts, used):
    y = np.repeat([0, 1], counts)
    fold = stratified_folds(y, 5, np.random.default_rng(1))
    assert sorted(set(fold.tolist())) == list(range(used))
    for c, count in enumerate(counts):
        sizes = np.bincount(fold[y == c], minlength=used)
        assert set(sizes.tolist()) <= {count // used, -(-count // used)}
    sizes = np.bincount(fold)
    assert sizes.max() - sizes.min() <= 1


def test_folds_are_drawn():
    y = np.arange(40) % 2
    draws = [stratified_folds(y, 5, np.random.default_rng(s)).tolist() for s in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_the_rate_is_that_of_scikit_learn(n_classes):
    rng = np.random.default_rng(n_classes)
    y = rng.permutation(np.arange(50) % n_classes)
    predicted = np.where(rng.random(50) < 0.6, y, rng.integers(0, n_classes, 50))
    found = RateOfRows(y, "bcr").of(predicted[None])
    assert found == pytest.approx(balanced_accuracy_score(y, predicted), abs=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_mean_rates_over_repeats_are_the_nearest_to_the_fractions(n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, 60))
    predicted = np.where(rng.random((20, 3, len(y))) < 0.6, y, 0)
    found = RateOfRows(y, "bcr").of(predicted)
    exact = [sum(balanced_rate(row, y) for row in rows) / 3 for rows in predicted]
    assert found.tolist() == [float(rate) for rate in exact]


def test_many_classes_of_odd_sizes_are_rated_as_near_as_floats_are():
    counts = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43])
    y = np.repeat(np.arange(len(counts)), counts)
    predicted = np.where(np.random.default_rng(0).random(len(y)) < 0.5, y, 0)
    found = RateOfRows(y, "bcr").of(predicted[None])
    assert found == pytest.approx(float(balanced_rate(predicted, y)), abs=1e-9)
    assert RateOfRows(y, "bcr").of(y[None]) == 1.0


def test_rates_that_are_equal_on_paper_are_equal():
    """(3/5 + 3/10) / 2 and (3/10 + 3/5) / 2, whose sums differ in the last bit."""
    y = np.repeat([0, 1], 10)
    one, other = y.copy(), y.copy()
    one[:4], one[10:17] = 1, 0
    other[:7], other[10:14] = 1, 0
    bcr = RateOfRows(y, "bcr")
    assert bcr.of(one[None]) == bcr.of(other[None]) == 0.45


def problem(y, row_groups=None):
    table = Schema.infer(x := np.arange(len(y), dtype=float)[:, None]).encode(x)
    return Problem(table, Classes.of(y, len(y)), (1,), seed=5, row_groups=row_groups)


def test_repeats_draw_again_and_the_first_draw_is_that_of_one():
    one, three = (
        draw_folds(problem(np.arange(40) % 2), 5),
        draw_folds(problem(np.arange(40) % 2), 5, 3),
    )
    assert one.shape == (1, 40)
    assert three.shape == (3, 40)
    np.testing.assert_array_equal(one[0], three[0])
    assert (three[1] != three[0]).any()


def test_rows_of_one_group_are_held_out_together_and_folds_are_even():
    groups = np.random.default_rng(0).permutation(np.repeat(np.arange(20) * 3, 5))
    y = (groups // 3) % 2
    for fold in draw_folds(problem(y, groups), 4, repeats=3):
        for group in np.unique(groups):
            assert len(set(fold[groups == group])) == 1
        assert np.bincount(fold).tolist() == [25] * 4
        for c in (0, 1):
            assert np.ptp(np.bincount(fold[y == c], minlength=4)) <= 5


def test_groups_of_any_sizes_are_dealt_anew_at_every_repeat():
    sizes = np.random.default_rng(1).permutation(np.arange(1, 25))  # no two alike
    groups = np.repeat(np.arange(24), sizes)
    folds = draw_folds(problem(groups % 2, groups), 4, repeats=12)
    first = np.array([fold[np.cumsum(sizes) - 1] for fold in folds])
    agreement = [adjusted_rand_score(*pair) for pair in combinations(first, 2)]
    assert np.mean(agreement) < 0.15  # 0 is that of chance, 1 that of the largest first
    for fold in folds:
        assert np.ptp(np.bincount(fold)) <= 24  # rows, of 75 a fold


@pytest.mark.parametrize("mixed", [False, True])
def test_group_folds_are_as_even_as_those_of_scikit_learn_to_half_a_row_of_a_class(mixed):
    rng = np.random.default_rng(int(mixed))
    spreads = np.zeros(2)
    for seed in range(12):
        sizes = 1 + rng.poisson(4, 60)
        shares = np.eye(3)[np.arange(60) % 3] if not mixed else rng.dirichlet(np.ones(3), 60)
        members = np.array([rng.multinomial(n, p) for n, p in zip(sizes, shares, strict=True)])
        y = np.concatenate([np.repeat(np.arange(3), row) for row in members])
        groups = np.repeat(np.arange(60), sizes)
        theirs = np.empty(60, dtype=int)
        splitter = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
        for k, (_, test) in enumerate(splitter.split(y, y, groups)):
            theirs[groups[test]] = k
        ours = group_folds(members, 5, np.random.default_rng(seed))
        for k, fold in enumerate((ours, theirs)):
            parts = np.array([members[fold == j].sum(axis=0) for j in range(5)])
            spreads[k] += (parts / members.sum(axis=0)).std(axis=0).mean() / 12
    assert spreads[0] < spreads[1] + 0.005  # of the 100 rows of a class


def test_one_group_cannot_be_held_out():
    with pytest.raises(ValueError, match="row groups must be at least 2"):
        draw_folds(problem(np.arange(10) % 2, np.zeros(10)), 5)


def test_accuracy_is_the_share_of_rows():
    assert RateOfRows(np.array([0, 1, 0, 0]), "accuracy").of(np.array([[0, 1, 1, 0]])) == 0.75


def test_a_class_of_one_group_cannot_be_learned_when_it_is_held_out():
    groups = np.repeat(np.arange(6), 10)
    with pytest.raises(TableError, match="Class 1 occurs in 1 row group, so one fold has all"):
        draw_folds(problem((groups == 0).astype(int), groups), 5)
