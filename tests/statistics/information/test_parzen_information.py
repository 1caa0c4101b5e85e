"""Information by Parzen windows: against scipy's kernel densities and a mixture in closed form."""

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.metrics import mutual_info_score
from twins.parzen_information import information as by_definition

from hetsel.ground.errors import TableError
from hetsel.statistics.information import mutual_information as module
from hetsel.statistics.information.mutual_information import entropy, parzen_information


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
    monkeypatch.setattr(module, "MANY", 100)
    near = parzen_information(x, y)
    assert abs(near - exact) < 1e-3 * exact + 2e-5
    assert parzen_information(-2.0 * x + 1.0, y) == pytest.approx(near, abs=1e-6)
