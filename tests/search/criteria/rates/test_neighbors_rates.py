"""Many candidates, several numbers of neighbors and threads, against one at a time."""

import numpy as np
import pytest

from hetsel.models.neighbors import DISTANCE_UNIT
from hetsel.search.criteria.rates import neighbors_rate
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Schema, Table

CANDIDATES = [7, 3, 0, 5, 6, 8, 9, 3]


def problem(n=90, p=10, seed=0):
    """Numbers, whole numbers with ties, and levels, with missing cells; three classes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3)
    values = rng.normal(size=(n, p)) + y[:, None] * rng.random(p)
    values[:, 1::3] = np.round(values[:, 1::3])
    values[:, 2::3] = (rng.integers(0, 4, values[:, 2::3].shape) + y[:, None]) % 4
    values[rng.random((n, p)) < 0.05] = np.nan
    columns = tuple(
        Column(f"x{j}", "nominal", (0, 1, 2, 3)) if j % 3 == 2 else Column(f"x{j}", "continuous")
        for j in range(p)
    )
    table = Table(values, Schema(columns)).resolve_missing("separate")
    return Problem(table, Classes.of(y, n), (1,), seed=3)


@pytest.mark.parametrize("rate", ["bcr", "accuracy"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_many_candidates_equal_one_by_one_from_the_start(repeats, rate):
    """One by one there are too few candidates to settle rows without a search."""
    criterion, data = NeighborsRate(3, repeats=repeats, rate=rate), problem()
    for subset in ((), (1,), (1, 2, 4)):
        state = criterion.start(data, subset)
        one_by_one = [criterion.start(data, (*subset, f)).value for f in CANDIDATES]
        assert state.values_with(CANDIDATES).tolist() == one_by_one
        rest = [criterion.start(data, [g for g in subset if g != f]).value for f in subset]
        assert state.values_without(subset).tolist() == rest
        assert state.values_with([]).shape == (0,)


def test_candidates_in_parts_equal_all_at_once(monkeypatch):
    state = NeighborsRates((3, 1)).start(problem(), (1,))
    expected = state.values_with(CANDIDATES)
    monkeypatch.setattr(neighbors_rate, "AT_ONCE", 90 * 2 * 3)
    np.testing.assert_array_equal(state.values_with(CANDIDATES), expected)


@pytest.mark.parametrize("repeats", [1, 2])
def test_several_numbers_of_neighbors_equal_each_alone(repeats):
    numbers, data = (5, 1, 200, 3, 3), problem()
    state = NeighborsRates(numbers, repeats=repeats).start(data, (0, 2))
    alone = [NeighborsRate(k, repeats=repeats).start(data, (0, 2)) for k in numbers]

    def same():
        assert state.subset == alone[0].subset
        assert state.value.tolist() == [one.value for one in alone]
        expected = np.transpose([one.values_with(CANDIDATES) for one in alone])
        np.testing.assert_array_equal(state.values_with(CANDIDATES), expected)
        expected = np.transpose([one.values_without(one.subset) for one in alone])
        np.testing.assert_array_equal(state.values_without(state.subset), expected)

    same()
    for one in (state, *alone):
        one.add(4)
        one.add(1)
        one.remove(0)
    same()
    assert len(set(state.value.tolist())) > 1


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr(neighbors_rate, "WORTH_A_THREAD", 1)
    data = problem(n=101)
    one, two = (NeighborsRates((1, 5), n_jobs=jobs).start(data, (0, 1, 2)) for jobs in (1, 2))
    for state in (one, two):
        state.add(4)
        state.remove(1)
    np.testing.assert_array_equal(one._distances, two._distances)
    np.testing.assert_array_equal(one.value, two.value)
    np.testing.assert_array_equal(one.values_with(CANDIDATES), two.values_with(CANDIDATES))
    np.testing.assert_array_equal(one.values_without([0, 2]), two.values_without([0, 2]))


def test_distances_of_more_features_than_an_int32_counts():
    """Two levels that never agree: each feature adds a whole unit, 128 of them reach 2^31."""
    n, p = 12, 130
    y = np.arange(n) % 2
    values = np.tile(np.arange(n, dtype=float)[:, None], (1, p))
    table = Table(values, Schema(tuple(Column(f"x{j}", "nominal", range(n)) for j in range(p))))
    data = Problem(table, Classes.of(y, n), (1,))
    state = NeighborsRate(1, folds=3).start(data, range(126))
    assert state._distances.dtype == np.int32
    away = (1 - np.eye(n)) * DISTANCE_UNIT
    for size in range(126, 130):
        np.testing.assert_array_equal(state._distances, size * away)
        fresh = NeighborsRate(1, folds=3).start(data, range(size + 1))
        assert state.values_with([size, size, size, size]).tolist() == [fresh.value] * 4
        state.add(size)
        assert state.value == fresh.value
    assert state._distances.dtype == np.int64
    state.remove(0)
    np.testing.assert_array_equal(state._distances, 129 * away)


@pytest.mark.parametrize("neighbors", [(), (0,), (3, 1.5)])
def test_numbers_of_neighbors_are_checked(neighbors):
    with pytest.raises(ValueError, match="neighbors must be"):
        NeighborsRates(neighbors).start(problem())
