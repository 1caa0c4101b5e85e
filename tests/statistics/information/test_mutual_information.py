"""Information by counts: against scikit-learn and loops, exact in whatever order."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import mutual_info_score
from twins import counted_information as twin

from hetsel.statistics.information.discretization import discretize
from hetsel.statistics.information.mutual_information import (
    Information,
    SubsetInformation,
    crossed,
    entropy,
    mutual_information,
)


def mixed(seed, n=None, p=6):
    """A random mixed table, its mask of levels, and classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 120)) if n is None else n
    values = rng.normal(size=(n, p))
    levels = rng.random(p) < 0.5
    for j in np.flatnonzero(levels):
        values[:, j] = rng.integers(0, rng.integers(1, n), size=n)
    if rng.random() < 0.5:
        values[rng.random((n, p)) < 0.1] = np.nan
    classes = int(rng.integers(2, 5))
    return values, levels, np.resize(rng.permutation(np.resize(np.arange(classes), n)), n)


def information(values, levels, bins=None):
    return Information.of(discretize(values, levels, bins))


@pytest.mark.slow
def test_on_a_thousand_mixed_tables_it_stays_below_the_entropies_and_order_changes_nothing():
    for seed in range(1000):
        values, levels, y = mixed(seed)
        rng = np.random.default_rng(seed + 10_000)
        here = information(values, levels)
        found = here.with_column(y)
        assert (found >= 0).all()
        assert (found <= np.minimum(here.entropies, entropy(y))).all()
        # rows, and levels of the columns and of the class
        rows = rng.permutation(len(y))
        other = values[rows]
        for j in np.flatnonzero(levels):
            names = rng.permutation(int(np.nanmax(other[:, j], initial=0.0)) + 1)
            gaps = np.isnan(other[:, j])
            other[~gaps, j] = names[other[~gaps, j].astype(int)]
        classes = rng.permutation(y.max() + 1)[y[rows]]
        there = information(other, levels)
        assert (there.with_column(classes) == found).all()
        # arguments
        for f in range(len(found)):
            assert mutual_information(y, here.column(f)) == found[f]
            assert here.with_column(here.column(f))[f] == here.entropies[f]
        pairs = np.array([here.with_column(here.column(f)) for f in range(len(found))])
        assert (pairs == pairs.T).all()


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [9, 64, 200])
def test_scikit_learn_and_loops_agree(seed, n):
    values, levels, y = mixed(seed, n=n)
    here = information(values, levels, 4)
    found = here.with_column(y)
    columns = [here.column(f).tolist() for f in range(len(found))]
    np.testing.assert_allclose(found, [mutual_info_score(c, y) for c in columns], atol=1e-7)
    np.testing.assert_allclose(found, [twin.information(c, y.tolist()) for c in columns], atol=1e-7)
    np.testing.assert_allclose(
        here.entropies, [stats.entropy(np.bincount(c)) for c in columns], atol=1e-7
    )
    for other in (0, 3):
        np.testing.assert_allclose(
            here.given(here.column(other), y),
            [twin.conditional(c, y.tolist(), columns[other]) for c in columns],
            atol=2e-7,
        )
        np.testing.assert_allclose(
            here.uncertainty(here.column(other)),
            [twin.uncertainty(c, columns[other]) for c in columns],
            atol=1e-6,
        )


@pytest.mark.parametrize("widths", [(2, 3), (15, 16), (16, 17), (40, 30), (700, 2), (2, 700)])
@pytest.mark.parametrize("n", [1000, 1001, 1007])
def test_every_size_of_table_of_counts(widths, n):
    rng = np.random.default_rng(4)
    a, b = (rng.integers(0, width, size=n) for width in widths)
    assert abs(mutual_information(a, b) - mutual_info_score(a, b)) < 1e-7


def test_features_that_are_not_wanted_are_left_out():
    values, levels, y = mixed(5, n=50)
    here = information(values, levels)
    some = here.with_column(y, np.array([1, 4]))
    assert (some[[1, 4]] == here.with_column(y)[[1, 4]]).all()
    assert (some[[0, 2, 3, 5]] == 0).all()


def test_independence_is_exactly_zero_and_exclusive_or_is_told_by_the_pair():
    a, b = np.array([0, 0, 1, 1] * 6), np.array([0, 1, 0, 1] * 6)
    assert mutual_information(a, b) == 0
    assert mutual_information(a, a ^ b) == 0
    assert mutual_information(crossed(a, b), a ^ b) == entropy(a) == entropy(a ^ b)


@pytest.mark.parametrize("seed", range(10))
def test_information_of_a_subset_with_one_feature_less(seed):
    values, levels, y = mixed(seed, n=40, p=4)
    here = information(values, levels, 2)
    columns = [here.column(f).tolist() for f in range(4)]
    subset = SubsetInformation(here, y)
    left = [0, 1, 2, 3]
    for dropped in (2, 0):
        for f in left:
            rest = twin.both(*[columns[s] for s in left if s != f])
            assert abs(subset.without(f) - twin.information(rest, y.tolist())) < 1e-7
        subset.remove(dropped)
        left.remove(dropped)
        kept = twin.both(*[columns[s] for s in left])
        assert abs(subset.value - twin.information(kept, y.tolist())) < 1e-7


@pytest.mark.parametrize("most", [2, 30, 5000])  # counted, or sorted
def test_codes_of_pairs_are_the_ranks_of_those_that_occur(most):
    rng = np.random.default_rng(most)
    a, b = rng.integers(0, most, (2, 300))
    pairs = sorted(set(zip(a.tolist(), b.tolist(), strict=True)))
    wanted = [pairs.index(pair) for pair in zip(a.tolist(), b.tolist(), strict=True)]
    assert crossed(a, b).tolist() == wanted
