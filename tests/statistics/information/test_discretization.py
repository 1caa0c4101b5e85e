"""Columns as whole numbers: against loops by definition, the same in every unit."""

import numpy as np
import pandas as pd
import pytest
from twins import counted_information as twin

from hetsel import Table
from hetsel.ground.errors import TableError
from hetsel.search.criteria.partition_criteria import discrete_codes
from hetsel.statistics.information.discretization import default_bins, discretize

NUMBER, LEVEL = np.array([False]), np.array([True])


def codes(column, bins, rule="frequency"):
    """Codes of one column of numbers."""
    found = discretize(np.asarray(column, dtype=float)[:, None], NUMBER, bins, rule)
    assert found.levels[0] == len(np.unique(found.cells[0])) == found.cells[0].max() + 1
    return found.cells[0]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("rule", ["frequency", "width"])
def test_bins_by_definition(seed, rule):
    rng = np.random.default_rng(seed)
    n, top, bins = rng.integers(2, 60), rng.integers(1, 80), int(rng.integers(2, 9))
    column = rng.integers(-top, top, size=n).tolist()
    by_definition = twin.bins_by_frequency if rule == "frequency" else twin.bins_by_width
    found = codes(column, bins, rule).tolist()
    assert twin.same_partition(found, by_definition(column, bins))
    assert twin.ascending(found, column)


@pytest.mark.parametrize("rule", ["frequency", "width"])
def test_missing_cells_are_a_level_of_their_own(rule):
    rng = np.random.default_rng(0)
    column = rng.integers(0, 50, size=40).astype(float)
    column[rng.random(40) < 0.2] = np.nan
    gaps = [None if np.isnan(x) else int(x) for x in column]
    by_definition = twin.bins_by_frequency if rule == "frequency" else twin.bins_by_width
    assert twin.same_partition(codes(column, 4, rule).tolist(), by_definition(gaps, 4))
    assert codes([np.nan, np.nan, np.nan], 3).tolist() == [0, 0, 0]
    assert codes([np.nan, 3.0, 1.0, np.nan, 2.0, 4.0], 2).tolist() == [2, 1, 0, 2, 0, 1]


@pytest.mark.parametrize("rule", ["frequency", "width"])
@pytest.mark.parametrize("bins", [2, 5, 10])
@pytest.mark.parametrize("whole", [False, True])
def test_units_and_direction_change_nothing(rule, bins, whole):
    rng = np.random.default_rng(1)
    for n in (11, 30, 101):
        x = rng.normal(size=n)
        x = np.rint(6 * x) if whole else x
        here = codes(x, bins, rule).tolist()
        for a, b in ((3.7, -11.3), (-3.7, 2.1), (-1e-9, 1.0), (-1.0, 0.0)):
            assert twin.same_partition(here, codes(a * x + b, bins, rule).tolist())


def test_bins_of_equal_frequency_hold_equally_many():
    rng = np.random.default_rng(2)
    assert np.bincount(codes(rng.normal(size=1000), 5)).tolist() == [200] * 5
    # the median of an odd number of rows lies on the middle edge of two bins
    assert np.bincount(codes(rng.normal(size=101), 2)).tolist() == [50, 1, 50]


@pytest.mark.parametrize("bins", [2, 3, 5, 10])
def test_distinct_numbers_are_cut_as_by_pandas(bins):
    x = np.random.default_rng(bins).normal(size=120)
    np.testing.assert_array_equal(codes(x, bins), pd.qcut(x, bins, labels=False))


def test_levels_stay_apart_and_are_numbered_without_gaps():
    values = np.array([[7.0], [2.0], [np.nan], [7.0], [300.0]])
    found = discretize(values, LEVEL, 2)
    assert found.cells.tolist() == [[1, 0, 3, 1, 2]]
    assert found.levels.tolist() == [4]


def test_ordered_levels_of_a_table_are_kept_and_numbers_are_cut():
    grades = pd.Categorical([f"g{k}" for k in range(8)] * 2, ordered=True)
    frame = pd.DataFrame({"x": np.arange(16.0), "g": grades, "s": list("abcdefgh") * 2})
    found = discrete_codes(Table.read(frame), 4)
    assert found.shape == (3, 16)
    assert found.max(axis=1).tolist() == [3, 7, 7]


def test_a_column_with_a_level_for_each_of_many_rows():
    n = 70_000
    found = discretize(np.arange(n, dtype=float)[:, None], LEVEL)
    assert found.levels[0] == n
    assert found.cells.dtype == np.uint32
    assert (found.cells[0] == np.arange(n)).all()


def test_more_columns_than_are_worked_on_together():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 150))
    levels = np.arange(150) % 3 == 0
    values[:, levels] = rng.integers(0, 4, size=(30, 50))
    found = discretize(values, levels, 4)
    for j in range(150):
        alone = discretize(values[:, [j]], levels[[j]], 4)
        assert (found.cells[j] == alone.cells[0]).all()
        assert found.levels[j] == alone.levels[0]


def test_the_default_number_of_bins_is_odd_and_near_the_cube_root():
    for n in range(2, 5000, 7):
        bins = default_bins(n)
        assert bins % 2 == 1
        assert bins == 3 or abs(bins - n ** (1 / 3)) <= 1 + 1e-9


@pytest.mark.parametrize("bins", [1, 0, 2.5, True])
def test_refused_bins(bins):
    with pytest.raises(TableError, match=r"bins must be a whole number, 2 or larger\. Got"):
        discretize(np.zeros((4, 1)), NUMBER, bins)


def test_refused_rule():
    with pytest.raises(TableError, match=r"rule must be one of frequency, width\. Got 'kmeans'"):
        discretize(np.zeros((4, 1)), NUMBER, 3, "kmeans")
