"""Tables in place of Gram matrices: the same sums, whatever the number of rows."""

import itertools

import numpy as np
import pytest
from binned_cells import binned
from twins.binned_sums import image

from hetsel.ground.errors import TableError
from hetsel.kernels.binned.binned_columns import BinnedColumns, join_into_bins
from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.kernels.feature_kernels import FeatureKernels

STEPS = 2**24


def cells_of(seed, n=60, gaps=True):
    """Two columns of numbers, one of few values, two of levels, a constant one; some missing."""
    rng = np.random.default_rng(seed)
    numbers = np.rint(rng.random((2, n)) * STEPS) / STEPS
    few = rng.integers(0, 5, size=n) / 4
    levels = rng.integers(0, [[3], [7]], size=(2, n)).astype(float)
    cells = np.vstack([numbers, few, np.zeros(n), levels])
    if gaps:
        cells[[0, 2, 4], [3, 5, 7]] = np.nan
    return cells, np.array([False] * 4 + [True] * 2)


@pytest.mark.parametrize("gaps", [True, False])
def test_with_a_bin_for_every_cell_sums_are_those_of_the_kernels(gaps):
    cells, nominal = cells_of(0, gaps=gaps)
    kernels = BinnedKernels(binned(cells, nominal))
    plain = FeatureKernels(cells, nominal)
    beta = np.random.default_rng(1).normal(size=(2, 60))
    np.testing.assert_allclose(kernels.energies(beta), plain.energies(beta), rtol=1e-12, atol=1e-11)
    np.testing.assert_allclose(kernels.spreads(), plain.spreads(), atol=1e-12)
    images = plain.images(beta)[0]
    for own, slow in zip(
        kernels.images(np.array([kernels.sums(b) for b in beta]))[0], images, strict=True
    ):
        np.testing.assert_allclose(kernels.look_up(own), slow.sum(axis=0), atol=1e-11)
    off = np.full(6, 1e-3)
    np.testing.assert_allclose(kernels.moved(beta, off), plain.moved(beta, off), rtol=1e-12)
    pull = np.random.default_rng(2).normal(size=(2, 60))
    np.testing.assert_allclose(kernels.margins(beta, pull), plain.margins(beta, pull), atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_images_are_those_of_the_loops(seed):
    rng = np.random.default_rng(seed)
    columns = binned(*cells_of(seed))
    factors = rng.random(6) + 0.5
    kernels = BinnedKernels(columns, factors)
    sums = rng.normal(size=(1, columns.starts[-1]))
    rests = sums * 2.0**-54
    fast, energies = kernels.images(sums)
    precise, precise_energies = kernels.precise_images(sums, rests)
    for f in range(6):
        own = slice(columns.starts[f], columns.starts[f + 1])
        slow, energy = image(
            sums[0, own], columns.positions[own], columns.nominal[f], columns.gaps[f]
        )
        slow = factors[f] * np.array([float(value) for value in slow])
        np.testing.assert_allclose(fast[0, own], slow, atol=1e-13)
        assert energies[f] == pytest.approx(factors[f] * float(energy), rel=1e-13)
        # with the rests, all is 1 + 2^-54 times as large
        np.testing.assert_allclose(precise[0, own], slow * (1 + 2.0**-54), rtol=5e-16)
        assert precise_energies[f] == pytest.approx(factors[f] * float(energy), rel=6e-16)


def test_a_subset_and_the_first_rows_are_those_of_the_cells():
    cells, nominal = cells_of(3)
    kernels = BinnedKernels(binned(cells, nominal))
    beta = np.random.default_rng(4).normal(size=(1, 60))
    some = np.array([1, 2, 5])
    part = kernels.subset(some)
    np.testing.assert_array_equal(part.energies(beta), kernels.energies(beta)[some])
    assert part.columns.codes.flags.c_contiguous
    assert kernels.bins_of(some).tolist() == [
        k for f in some for k in range(*kernels.columns.starts[f : f + 2])
    ]
    first = kernels.head(40)
    padded = np.where(np.arange(60) < 40, beta, 0.0)
    np.testing.assert_array_equal(first.energies(beta[:, :40]), kernels.energies(padded))


@pytest.mark.parametrize("rows", [1, 7, 60, 200])
def test_kernels_that_are_narrowed_are_those_of_the_columns_left(rows, monkeypatch):
    monkeypatch.setattr("hetsel.kernels.binned.binned_columns.ROWS", rows)
    cells, nominal = cells_of(3)
    kernels = BinnedKernels(binned(cells, nominal), 1.0 + np.arange(len(cells)))
    for places in ([0, 1, 2, 4, 5], [1, 2, 4], [0, 2], [1]):
        part = kernels.subset(np.array(places))
        memory = kernels.columns.codes
        narrowed = kernels.narrowed(np.array(places))
        for one, other in zip(narrowed.columns, part.columns, strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(narrowed.factors, part.factors)
        assert np.shares_memory(narrowed.columns.codes, memory)
        assert narrowed.columns.codes.flags.c_contiguous
        kernels = narrowed
    assert kernels.narrowed(np.array([0])) is kernels


@pytest.mark.parametrize("bins", [4, 16, 256])
@pytest.mark.parametrize("power", [1, 6])
def test_bins_hold_cells_that_are_near(bins, power):
    n = 20_000
    cells = np.rint(np.random.default_rng(bins).random(n) ** power * STEPS)[None] / STEPS
    columns = binned(cells, np.array([False]), bins)
    positions, codes = columns.positions, columns.codes[:, 0]
    assert len(positions) == bins
    assert codes.dtype == np.uint8
    assert (np.diff(positions) > 0).all()
    away = np.abs(cells[0] - positions[codes])
    assert columns.rounding[0] == pytest.approx(away.max(), rel=1e-9)
    assert away.max() <= 3.0 / bins
    np.testing.assert_allclose(
        positions, [cells[0, codes == k].mean() for k in range(bins)], atol=1e-9
    )
    # cells are nearer than in as many bins of one width, and not much further at most
    even = np.abs(cells[0] - (np.minimum(np.floor(cells[0] * bins), bins - 1) + 0.5) / bins)
    assert np.square(away).mean() < 1.2 * np.square(even).mean()


def test_cells_are_joined_as_by_trying_all_neighbors():
    """Against a loop that joins the cheapest pair, all prices found anew each time."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        m = int(rng.integers(2, 40))
        most = int(rng.integers(1, m + 1))
        means, rows = np.sort(rng.random(m)), rng.integers(1, 9, size=m).astype(float)
        cells = [
            (w + rows.sum() / m, x, [k]) for k, (x, w) in enumerate(zip(means, rows, strict=True))
        ]
        while len(cells) > most:
            prices = [
                a[0] * b[0] / (a[0] + b[0]) * (b[1] - a[1]) ** 2
                for a, b in itertools.pairwise(cells)
            ]
            k = int(np.argmin(prices))
            (v, x, one), (w, z, two) = cells[k], cells[k + 1]
            cells[k : k + 2] = [(v + w, (v * x + w * z) / (v + w), one + two)]
        slow = [name for name, cell in enumerate(cells) for _ in cell[2]]
        assert join_into_bins(means, rows, most).tolist() == slow


def test_cells_in_narrow_bins_have_their_own():
    """Two values nearer than the steps in which cells are counted, beside many others."""
    cells = np.concatenate([np.arange(100) / 128, [0.5 + 2 / STEPS, 0.5 + 1 / STEPS]])[None]
    columns = binned(cells, np.array([False]))
    np.testing.assert_array_equal(columns.positions[columns.codes[:, 0]], cells[0])
    assert columns.rounding[0] == 0.0


def test_columns_of_many_levels_take_two_bytes_and_too_many_are_refused():
    levels = np.arange(300.0)[None]
    assert binned(levels, np.array([True])).codes.dtype == np.uint16
    with pytest.raises(TableError, match="a column must have at most 65,535 levels. Got 70,000"):
        binned(np.arange(70_000.0)[None], np.array([True]))
    for bins in (3, 65_536, 20.5, True, "all"):
        with pytest.raises(TableError, match="bins must be a whole number from 4 to 65,535. Got"):
            binned(levels, np.array([False]), bins)


def test_columns_are_taken_with_their_bins():
    columns = binned(*cells_of(5))
    taken = columns.take(np.array([4, 0]))
    assert isinstance(taken, BinnedColumns)
    for place, f in enumerate([4, 0]):
        np.testing.assert_array_equal(taken.codes[:, place], columns.codes[:, f])
        own = slice(*taken.starts[place : place + 2])
        np.testing.assert_array_equal(
            taken.positions[own], columns.positions[slice(*columns.starts[f : f + 2])]
        )
    assert taken.gaps.tolist() == [True, True]
