"""Information by nearest neighbors: against scikit-learn, loops over all pairs, and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from twins import neighbor_information as twin

from hetsel.ground.errors import TableError
from hetsel.statistics.information.mutual_information import entropy
from hetsel.statistics.information.neighbor_information import target_information


def neighbor_information(x, y, *, x_levels=False, y_levels=False, neighbors=3):
    """Of two columns (n,)."""
    levels = np.array([x_levels])
    return target_information(x[:, None], levels, y, neighbors, y_levels=y_levels)[0][0]


def column(rng, n, repeats, gaps):
    """Whole numbers from 0, few of them distinct if cells repeat, some missing."""
    top = int(rng.integers(1, n)) if repeats else 2**20
    cells = rng.integers(0, top + 1, size=n).astype(float)
    if gaps:
        cells[rng.random(n) < 0.15] = np.nan
    return cells


def scaled(cells):
    """Cells in 0..1, exactly."""
    whole = [None if np.isnan(c) else int(c) for c in cells]
    present = [c for c in whole if c is not None] or [0]
    width = max(present) - min(present) or 1
    return [None if c is None else Fraction(c - min(present), width) for c in whole]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kinds", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_loops_over_all_pairs_agree_and_so_do_swapped_arguments(seed, kinds):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 60)), int(rng.integers(1, 6))
    x, y = (column(rng, n, kind or rng.random() < 0.7, seed % 3 == 0) for kind in kinds)
    if seed % 2 and not (kinds[0] or kinds[1]):
        y = x + rng.integers(-2, 3, size=n)
    options = {"neighbors": k, "x_levels": bool(kinds[0]), "y_levels": bool(kinds[1])}
    found = neighbor_information(x, y, **options)
    wanted = twin.information(scaled(x), scaled(y), *map(bool, kinds), k)
    most = min(entropy(np.unique(c, return_inverse=True)[1]) for c in (x, y))
    np.testing.assert_allclose(found, min(max(wanted, 0.0), most), atol=2e-7)
    swapped = {"neighbors": k, "x_levels": bool(kinds[1]), "y_levels": bool(kinds[0])}
    assert neighbor_information(y, x, **swapped) == found


@pytest.mark.parametrize("neighbors", [1, 3, 7])
def test_scikit_learn_agrees_where_no_cell_repeats(neighbors):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=300)
    values = rng.normal(size=(300, 8)) + 0.4 * y[:, None] * np.arange(8)
    found, _ = target_information(values, np.zeros(8, dtype=bool), y, neighbors)
    theirs = mutual_info_classif(values, y, n_neighbors=neighbors, random_state=0)
    np.testing.assert_allclose(found, theirs, atol=1e-4)  # it adds noise of 1e-10
    # of unit range, so that both scales, theirs of unit variance, compare distances alike
    x = (values[:, 1] - values[:, 1].min()) / np.ptp(values[:, 1])
    z = rng.permutation(x) + 0.0
    pair = mutual_info_regression(x[:, None], z, n_neighbors=neighbors, random_state=0)
    assert abs(neighbor_information(x, z, neighbors=neighbors) - pair[0]) < 1e-4


@pytest.mark.slow
def test_on_a_thousand_mixed_tables_it_stays_below_the_entropies_and_order_changes_nothing():
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 60))
        levels = np.arange(4) % 2 == 1
        repeats = (False, True, True, True)
        values = np.array([column(rng, n, r, seed % 2) for r in repeats]).T
        y = np.resize([0, 1, 2], n)
        found, estimates = target_information(values, levels, y)
        kept = (found > 0) & (estimates == found)
        assert ((estimates <= 0) | kept | (estimates > found)).all()
        codes = [np.unique(c, return_inverse=True)[1] for c in values.T]
        assert (found >= 0).all()
        assert (found <= [min(entropy(c), entropy(y)) for c in codes]).all()
        rows, names = rng.permutation(n), rng.permutation(n + 1).astype(float)
        other = values[rows]
        for j in np.flatnonzero(levels):
            gaps = np.isnan(other[:, j])
            other[~gaps, j] = names[other[~gaps, j].astype(int)]
        there = target_information(other, levels, np.array([2, 0, 1])[y[rows]])
        assert (there[0] == found).all()
        assert (there[1] == estimates).all()


@pytest.mark.parametrize("unit", [(3.7, -11.3), (-2.0, 0.0), (-1e-7, 4.0)])
def test_units_and_direction_change_nothing(unit):
    rng = np.random.default_rng(1)
    x = np.array([rng.normal(size=90), rng.integers(0, 40, 90), rng.integers(0, 5, 90)]).T
    y, numbers = np.resize([0, 1], 90), np.zeros(3, dtype=bool)
    a, b = unit
    here, there = (target_information(v, numbers, y)[1] for v in (x, a * x + b))
    np.testing.assert_array_equal(here[1:], there[1:])
    assert abs(here[0] - there[0]) < 1e-6


def test_levels_take_off_the_bias_of_the_counts():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 10, size=(2000, 100)), rng.integers(0, 3, size=2000)
    psi = [
        neighbor_information(c.astype(float), y, x_levels=True, y_levels=True) for c in x.T[:100]
    ]
    assert np.mean(psi) < 0.002 < (10 - 1) * (3 - 1) / (2 * 2000)  # what counts alone would give
    four = neighbor_information(
        np.array([0, 0, 1, 1.0]), np.array([0, 1, 0, 0]), x_levels=True, y_levels=True
    )
    by_hand = digamma(4) + (2 * digamma(1) + 2 * digamma(2)) / 4
    by_hand -= digamma(2) + (3 * digamma(3) + digamma(1)) / 4
    assert abs(four - max(0.0, by_hand)) < 1e-7


def test_noise_in_whole_numbers_is_hardly_any_information():
    rng = np.random.default_rng(3)
    y = np.resize([0, 1], 600)
    for top in (3, 30, 100, 300, 1000, 10_000):
        x = rng.integers(0, top, size=(600, 40)).astype(float)
        assert target_information(x, np.zeros(40, dtype=bool), y)[0].mean() < 0.06


def test_two_normal_numbers_by_the_closed_form():
    rng = np.random.default_rng(4)
    x = rng.normal(size=4000)
    for r in (0.0, 0.6, 0.9):
        y = r * x + np.sqrt(1 - r * r) * rng.normal(size=4000)
        assert abs(neighbor_information(x, y) + 0.5 * np.log(1 - r * r)) < 0.05


@pytest.mark.parametrize("neighbors", [0, 1.5, True])
def test_refused_neighbors(neighbors):
    with pytest.raises(TableError, match=r"neighbors must be a whole number, 1 or larger\. Got"):
        neighbor_information(np.arange(4.0), np.arange(4.0), neighbors=neighbors)
