"""A sample of the rows that their content makes, in any order of rows, names and units."""

import numpy as np
import pytest
from frames import told_frame

from hetsel import MIKNN, ReliefF, Table
from hetsel.resampling.row_parts import content_sample, nested_subsets
from hetsel.selection import Problem
from hetsel.selection.problem import read_asked_target
from hetsel.tables import Classes
from hetsel.tables.canonical_table import content_order_of_rows


def asked(values, y, nominal):
    table = Table.read(values, nominal=nominal)
    return Problem(table, read_asked_target(y, len(values), None), (1,))


def mixed(n=300, seed=0, decimals=6):
    """Cells with two nominal columns, and three classes of unequal size."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, 4)), decimals)
    values[:, 2:] = rng.integers(0, 4, (n, 2))
    return values, np.minimum(rng.integers(0, 6, n), 2)


def rows_of(problem):
    """The rows of a sample as they are in no order."""
    return sorted(map(tuple, problem.table.values[:, :2].round(3).tolist()))


def test_as_many_as_asked_each_class_with_its_share():
    values, y = mixed()
    whole = asked(values, y, [2, 3])
    found = content_sample(whole, 60)
    assert 60 <= found.n <= 62
    np.testing.assert_allclose(found.classes.counts, whole.classes.counts / 5, atol=1.0)
    assert content_sample(whole, 300) is whole
    assert content_sample(whole, None) is whole


@pytest.mark.parametrize("decimals", [6, 0])  # many rows are alike with none
def test_order_names_and_units_change_no_row(decimals):
    values, y = mixed(decimals=decimals)
    found = content_sample(asked(values, y, [2, 3]), 50)
    turn = np.random.default_rng(1).permutation(len(y))
    other = values[turn] * [-2.0, 8.0, 1.0, 1.0] + [3.0, 0.0, 0.0, 0.0]
    other[:, 2] = 3.0 - other[:, 2]
    other = other[:, [1, 3, 0, 2]]
    moved = content_sample(asked(other, np.array([7, 3, 5])[y[turn]], [1, 3]), 50)
    cells = moved.table.values[:, [2, 0]]
    same = np.column_stack([(cells[:, 0] - 3.0) / -2.0, cells[:, 1] / 8.0]) + 0.0
    assert sorted(map(tuple, same.round(3).tolist())) == rows_of(found)


def test_rows_that_differ_in_names_of_equally_frequent_levels_alone_are_told_apart_too():
    # colors of a row's own cells are all equal: the order is that of the canonical form
    values = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3)
    table = Table.read(values, nominal=[0, 1])
    codes = Classes.of([0, 0, 0, 1] * 3).codes
    order = content_order_of_rows(table, codes)
    assert sorted(order.tolist()) == list(range(12))


def test_a_sample_is_spread_evenly():
    values, _ = mixed(n=20_000)
    y = np.arange(20_000) % 2
    found = content_sample(asked(values, y, [2, 3]), 2000).table.values[:, 0]
    quarters = np.quantile(values[:, 0], [0.25, 0.5, 0.75])
    counts = np.bincount(np.searchsorted(quarters, found), minlength=4)
    assert np.abs(counts - 500).max() < 100  # five standard deviations


@pytest.mark.parametrize("target", ["numbers", "survival"])
def test_of_other_targets(target):
    frame, y = told_frame(target, n=200)
    problem = Problem(Table.read(frame), read_asked_target(y, 200, None), (1,))
    found = content_sample(problem, 40)
    assert 40 <= found.n <= 42
    assert len(found.target) == found.n


def test_relieff_of_a_large_table_is_that_of_its_sample():
    values, y = mixed()
    problem = asked(values, y, [2, 3])
    one = ReliefF(neighbors=3, sample=100).solve(problem)
    alone = ReliefF(neighbors=3, sample=None).solve(content_sample(problem, 100))
    np.testing.assert_array_equal(one.importance, alone.importance)
    assert (one.sampled, alone.sampled) == (content_sample(problem, 100).n, 0)
    turn = np.random.default_rng(2).permutation(len(y))
    moved = ReliefF(neighbors=3, sample=100).solve(asked(values[turn], y[turn], [2, 3]))
    np.testing.assert_array_equal(moved.importance, one.importance)


def test_mi_knn_samples_beside_numbers_only():
    frame, y = told_frame("numbers", n=200)
    problem = Problem(Table.read(frame), read_asked_target(y, 200, None), (1,))
    one = MIKNN(sample=90).solve(problem)
    alone = MIKNN(sample=None).solve(content_sample(problem, 90))
    np.testing.assert_array_equal(one.importance, alone.importance)
    assert (one.sampled, alone.sampled) == (90, 0)
    values, classes = mixed()
    problem = asked(values, classes, [2, 3])
    every = MIKNN(sample=None).solve(problem)
    np.testing.assert_array_equal(MIKNN(sample=90).solve(problem).importance, every.importance)


SIZES = (25, 35, 50, 71, 100)


@pytest.mark.parametrize("seed", range(5))
def test_each_is_within_the_next_and_has_its_rows_and_shares(seed):
    strata = np.repeat([0, 1, 2], [70, 25, 5])
    found = nested_subsets(strata, SIZES, np.random.default_rng(seed))
    assert found.sum(axis=1).tolist() == list(SIZES)
    assert (found[:-1] <= found[1:]).all()
    for rows, size in zip(found, SIZES, strict=True):
        expected = np.array([70, 25, 5]) * size / 100
        assert (np.abs(np.bincount(strata[rows], minlength=3) - expected) <= 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_whole_and_no_more_than_one_is_too_many(seed):
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(30, size=100))
    strata = (groups % 3 == 0).astype(np.int64)
    found = nested_subsets(strata, SIZES, rng, groups)
    largest = np.bincount(groups).max()
    for rows, size in zip(found, SIZES, strict=True):
        inside = np.array([rows[groups == g].mean() for g in np.unique(groups)])
        assert set(inside) <= {0.0, 1.0}
        assert size <= rows.sum() < size + largest
    assert (found[:-1] <= found[1:]).all()


def test_another_draw_is_another_subset_and_each_row_has_its_chance():
    strata = np.repeat([0, 1], [60, 40])
    rng = np.random.default_rng(0)
    drawn = np.mean([nested_subsets(strata, [50], rng)[0] for _ in range(2000)], axis=0)
    np.testing.assert_allclose(drawn, 0.5, atol=0.06)
