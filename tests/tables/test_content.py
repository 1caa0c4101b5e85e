"""The content of columns: ranks and orders by hand, and what does not change them."""

import numpy as np
import pytest
from frames import NAN, same

from hetsel.tables.content import LONG, ascending_rows, content_order, content_ranks


def test_ranks_by_hand():
    values = np.array([[2.0, 2.0], [NAN, 0.0], [5.0, 2.0], [2.0, NAN], [-1.0, 1.0]])
    ranks = content_ranks(values, np.array([False, True]))
    # numbers by value, levels by their first appearance; missing is -1 and last
    same(ranks, [[1, -1, 2, 1, 0], [0, 1, 0, -1, 2]])
    for cells in (values.T, values.T + 0.1):  # on the grid and off it
        same(ascending_rows(cells), [[4, 0, 3, 2, 1], [1, 4, 0, 2, 3]])


@pytest.mark.parametrize("scale", [2.0**-24, 1 / 3, 1e300])
def test_ascending_rows_are_those_of_a_stable_sort(scale):
    """Many columns, so in several parts; with ties and missing cells."""
    cells = scale * np.random.default_rng(0).integers(-50, 50, size=(300, 200)).astype(float)
    cells[np.random.default_rng(1).random(cells.shape) < 0.05] = NAN
    same(ascending_rows(cells), np.argsort(cells, axis=1, kind="stable"))


@pytest.mark.parametrize("seed", range(4))
def test_names_of_levels_and_units_change_no_rank(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 9, size=(30, 2)) / 7
    levels = rng.integers(0, 4, size=(30, 2)).astype(float)
    values = np.column_stack([numbers, levels])
    values[rng.random(values.shape) < 0.1] = NAN
    nominal = np.array([False, False, True, True])
    other = values * 2.54 + 3
    names = np.append(rng.permutation(4) + 5.0, NAN)
    other[:, 2:] = names[np.nan_to_num(values[:, 2:], nan=4).astype(int)]
    same(content_ranks(other, nominal), content_ranks(values, nominal))


@pytest.mark.parametrize("n", [LONG - 1, LONG + 1])
def test_ranks_of_few_and_of_many_rows_are_those_by_definition(n):
    rng = np.random.default_rng(n)
    values = rng.integers(0, 7, size=(n, 5)) * np.array([1, 0.1, 1, 1, 1])
    values[rng.random(values.shape) < 0.1] = NAN
    values[:, 4] = NAN
    nominal = np.array([True, False, False, True, True])
    expected = np.empty((5, n), dtype=int)
    for j, cells in enumerate(values.T):
        known = cells[~np.isnan(cells)].tolist()
        order = list(dict.fromkeys(known)) if nominal[j] else sorted(set(known))
        expected[j] = [order.index(v) if v in order else -1 for v in cells.tolist()]
    same(content_ranks(values, nominal), expected)


def test_columns_are_ordered_by_kind_then_ranks_then_scaled_values():
    values = np.array(
        [[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.3, 1.0, 0.9, 0.3], [0.0, 1.0, 1.0, 1.0, 1]]
    )
    nominal = np.array([False, False, True, False, False])
    ranks = content_ranks(values, nominal)
    # 1, 3 and 4 have the same ranks; 1 and 4 the same values
    assert content_order(ranks, nominal).tolist() == [1, 3, 4, 0, 2]
    by_value = content_order(ranks, nominal, values.T.copy())
    assert by_value[-2:].tolist() == [0, 2]
    places = {int(j): place for place, j in enumerate(by_value)}
    assert places[4] == places[1] + 1  # equal columns keep their order
    flipped = [4, 3, 2, 1, 0]
    there = content_order(ranks[flipped], nominal[flipped], values.T[flipped].copy())
    same(values[:, flipped][:, there], values[:, by_value])
