"""Information by counts: against scikit-learn and loops, exact in whatever order."""

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.metrics import mutual_info_score
from twins import counted_information as twin
from twins.parzen_information import information as by_definition

from hetsel.ground.errors import TableError
from hetsel.statistics.information import mutual_information as module
from hetsel.statistics.information.discretization import discretize
from hetsel.statistics.information.mutual_information import (
    Information,
    SubsetInformation,
    crossed,
    entropy,
    mutual_information,
    parzen_information,
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


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("bandwidth", [None, 0.03, 0.5, 40.0])
def test_loops_over_all_pairs_agree(seed, bandwidth):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 90))
    y = np.resize(np.arange(2 + seed % 3), n)
    x = rng.normal(size=n) + y * (seed % 4)
    if seed % 2:
        x = np.rint(4 * x)
    h = 1 / np.log(n) if bandwidth is None else bandwidth
    found = parzen_information(x, y, bandwidth=bandwidth)
    assert abs(found - max(0.0, by_definition(x, y, h))) < 2e-7


def test_the_densities_are_those_of_scipy():
    rng = np.random.default_rng(0)
    y = np.resize([0, 0, 1], 120)
    x = rng.normal(size=120) * (1 + y)
    width = 0.4 * np.std(x)
    density = [
        stats.gaussian_kde(x[y == c], width / np.std(x[y == c], ddof=1))(x) * (y == c).mean()
        for c in (0, 1)
    ]
    shares = np.array(density) / np.sum(density, axis=0)
    wanted = stats.entropy(np.bincount(y)) - stats.entropy(shares).mean()
    assert abs(parzen_information(x, y, bandwidth=0.4) - wanted) < 1e-6


@pytest.mark.seconds
def test_it_comes_near_the_information_of_two_normal_classes():
    rng = np.random.default_rng(1)
    y = np.resize([0, 1], 4000)
    for shift in (0.0, 1.0, 2.0, 4.0):
        x = rng.normal(size=4000) + shift * y

        def part(t, shift=shift):
            one, two = stats.norm.pdf(t), stats.norm.pdf(t, shift)
            p = np.array([one, two]) / (one + two)
            return (one + two) / 2 * stats.entropy(p)

        wanted = np.log(2) - integrate.quad(part, -9, 9 + shift, limit=200)[0]
        assert abs(parzen_information(x, y) - wanted) < 0.03


@pytest.mark.slow
def test_on_a_thousand_mixed_columns_it_stays_below_the_entropies_and_order_changes_nothing():
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 40))
        y = np.resize([0, 1, 2][: 2 + seed % 2], n)
        levels = seed % 4 == 3
        x = rng.integers(0, n, size=n).astype(float) if seed % 2 else rng.normal(size=n)
        if seed % 3 == 0:
            x[rng.random(n) < 0.2] = np.nan
        found = parzen_information(x, y, levels=levels)
        cells = np.unique(x, return_inverse=True)[1]
        assert 0 <= found <= min(entropy(cells), entropy(y))
        rows = rng.permutation(n)
        classes = rng.permutation(y.max() + 1)[y[rows]]
        assert parzen_information(x[rows], classes, levels=levels) == found
        if levels:
            assert abs(found - mutual_info_score(cells, y)) < 1e-7
            names = np.append(rng.permutation(n), n)[np.nan_to_num(x, nan=n).astype(int)]
            names = np.where(np.isnan(x), np.nan, names)
            assert parzen_information(names, y, levels=True) == found
        else:
            assert abs(parzen_information(-3.7 * x + 11.3, y) - found) < 1e-6


def test_missing_cells_say_what_they_say_and_the_others_go_on():
    rng = np.random.default_rng(2)
    y = np.resize([0, 1], 60)
    x = rng.normal(size=60) + y
    gone = np.where(rng.random(60) < 0.3 + 0.4 * y, np.nan, x)
    there = ~np.isnan(gone)
    wanted = mutual_info_score(there, y) + there.mean() * by_definition(
        gone[there], y[there], 1 / np.log(60)
    )
    assert abs(parzen_information(gone, y) - wanted) < 1e-6
    assert parzen_information(np.full(60, np.nan), y) == 0
    assert parzen_information(np.full(60, 7.0), y) == 0


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.inf, np.nan, "wide", True])
def test_refused_bandwidths(bandwidth):
    with pytest.raises(TableError, match=r"bandwidth must be a positive number\. Got"):
        parzen_information(np.arange(4.0), np.array([0, 0, 1, 1]), bandwidth=bandwidth)


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("skewed", [False, True])
def test_near_numbers_that_are_put_together_move_the_information_by_little(
    seed, skewed, monkeypatch
):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 3000)
    x = rng.normal(size=3000) + 0.3 * seed * y
    x = np.exp(2.0 * x) if skewed else x  # most rows in a small part of the range
    exact = parzen_information(x, y)
    monkeypatch.setattr(module, "MOST_DISTINCT_NUMBERS", 100)
    near = parzen_information(x, y)
    assert abs(near - exact) < 1e-3 * exact + 2e-5
    assert parzen_information(-2.0 * x + 1.0, y) == pytest.approx(near, abs=1e-6)
