"""Inner products of clinical kernels by sorting are the sums over all pairs of rows."""

from fractions import Fraction

import numpy as np
import pytest
from frames import mixed_frame, told_frame

from hetsel import SubsetSearch, Table
from hetsel.search.criteria import alignment
from hetsel.search.criteria.alignment import Alignment, products_of_distances, sorted_products
from hetsel.selection import Problem
from hetsel.selection.problem import read_asked_target


def kernel(a, b, nominal):
    """k_f of two cells, as a fraction."""
    if np.isnan(a) or np.isnan(b):
        return Fraction(int(np.isnan(a) and np.isnan(b)))
    return Fraction(int(a == b)) if nominal else 1 - abs(Fraction(a) - Fraction(b))


def by_pairs(cells, nominal, g):
    """The products in exact arithmetic, one pair of rows after the other."""
    n = cells.shape[1]
    return [
        float(
            sum(
                kernel(row[i], row[j], level) * kernel(cells[g, i], cells[g, j], False)
                for i in range(n)
                for j in range(n)
            )
        )
        for row, level in zip(cells, nominal, strict=True)
    ]


def some(n, gaps, seed=0):
    """Cells of numbers, of few numbers, of levels, of one number and one turned around."""
    rng = np.random.default_rng(seed)
    cells = np.rint(rng.random((6, n)) * 2**24) / 2**24
    cells[1] = rng.integers(0, 3, n) / 2.0
    cells[2] = rng.integers(0, 4, n)
    cells[3] = rng.integers(0, 2, n)
    cells[4] = 0.0
    cells[5] = 1.0 - cells[0]
    return np.where(rng.random(cells.shape) < gaps, np.nan, cells), np.arange(6) // 2 == 1


@pytest.mark.seconds
@pytest.mark.parametrize("gaps", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 2, 3, 17, 40])
def test_products_are_those_of_exact_arithmetic(n, gaps):
    cells, nominal = some(n, gaps)
    for g in np.flatnonzero(~nominal).tolist():
        found = sorted_products(cells, nominal, g)
        np.testing.assert_allclose(found, by_pairs(cells, nominal, g), rtol=1e-13)


def test_a_column_in_order_and_one_in_reverse_are_told_apart():
    x = np.arange(9.0) / 8.0
    pairs = sum((j - i) ** 2 for j in range(9) for i in range(j)) / 64.0
    assert products_of_distances(x, x.copy()) == pairs
    assert products_of_distances(x, x[::-1].copy()) == pairs
    assert products_of_distances(x, np.ones(9)) == 0.0


@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_products_of_many_rows_are_those_of_the_loop(gaps):
    cells, nominal = some(3000, gaps)
    for g in (0, 1):
        loop = alignment.products_with(cells, nominal, g)
        np.testing.assert_allclose(sorted_products(cells, nominal, g), loop, rtol=1e-12)


@pytest.mark.parametrize("target", ["classes", "numbers", "survival"])
def test_the_alignment_of_many_rows_is_that_of_all_pairs(target, monkeypatch):
    if target == "classes":
        frame, y = mixed_frame(150, 4, 2, missing=0.1)
    else:
        frame, y = told_frame(target, n=150, missing=0.1)
    table = Table.read(frame).resolve_missing("separate")
    problem = Problem(table, read_asked_target(y, 150, None), ())
    pairs = Alignment().start(problem, [0, 1, 4])
    searched = SubsetSearch(criterion="alignment", missing="separate").fit(frame, y).answer_
    monkeypatch.setattr(alignment, "ROWS_BY_PAIRS", 100)
    many = Alignment().start(problem, [0, 1, 4])
    np.testing.assert_allclose(many.values_with([2, 3, 5]), pairs.values_with([2, 3, 5]), atol=1e-9)
    np.testing.assert_allclose(many.value, pairs.value, atol=1e-9)
    again = SubsetSearch(criterion="alignment", missing="separate").fit(frame, y).answer_
    for size in searched.sizes:
        np.testing.assert_array_equal(again.signature(size), searched.signature(size))
