"""Products, exponentials and logarithms, against loops and decimal numbers of fifty digits."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from hetsel.compiling.arithmetic import (
    column_products,
    exponentiate,
    gram,
    logarithms,
    product,
    squared_lengths,
)


def added_in_order(left, right):
    """Left times right transposed, one addition after the other."""
    out = np.zeros((len(left), len(right)))
    for i, row in enumerate(left.tolist()):
        for j, other in enumerate(right.tolist()):
            total = 0.0
            for a, b in zip(row, other, strict=True):
                total += a * b
            out[i, j] = total
    return out


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (70, 9, 131), (5, 270, 66), (2, 3, 0)])
def test_products_are_added_in_the_order_of_the_terms(shape):
    m, n, k = shape
    rng = np.random.default_rng(m)
    left, right = rng.normal(size=(m, k)), rng.normal(size=(n, k))
    np.testing.assert_array_equal(product(left, right), added_in_order(left, right))
    np.testing.assert_array_equal(gram(left), added_in_order(left, left))
    np.testing.assert_array_equal(squared_lengths(left), np.diagonal(gram(left)))
    doubled = np.hstack([left, left]), np.hstack([right, right])
    added = product(left, right, add_to=product(left, right))
    np.testing.assert_array_equal(added, added_in_order(*doubled))
    np.testing.assert_array_equal(column_products(left.T, left.T), squared_lengths(left))
    # of any layout and type
    np.testing.assert_array_equal(product(np.asfortranarray(left), right), product(left, right))
    whole = rng.integers(-9, 9, size=(m, k))
    np.testing.assert_array_equal(gram(whole), whole @ whole.T)


def units_off(found, exact):
    """How many units in the last place a number is off."""
    return float(abs(Decimal(float(found)) - exact) / Decimal(float(np.spacing(abs(float(exact))))))


def test_exponentials_and_logarithms_are_right_to_a_unit_in_the_last_place():
    rng = np.random.default_rng(0)
    powers = np.concatenate([rng.uniform(-707, 709, 500), rng.normal(size=500), [0.0, -0.0]])
    found = powers[None].copy()
    exponentiate(found)
    numbers = np.concatenate([rng.lognormal(0, 100, 500), 1 + 0.1 * rng.normal(size=500)])
    numbers = np.append(numbers, [5e-324, 1.7e308, 2.0, np.nextafter(1.0, 0.0)])
    logs = logarithms(numbers)
    with localcontext(prec=50):
        assert max(map(units_off, found[0], [Decimal(float(x)).exp() for x in powers])) <= 1.0
        assert max(map(units_off, logs, [Decimal(float(x)).ln() for x in numbers])) <= 1.0


def test_exponentials_and_logarithms_at_their_ends():
    ends = np.array([[-np.inf, -1e9, -708.5, 709.0, 1e9, np.inf]])
    exponentiate(ends)
    largest = ends[0, 3]
    assert largest == pytest.approx(np.exp(709.0), rel=1e-15)
    np.testing.assert_array_equal(ends, [[0.0, 0.0, 0.0, largest, largest, largest]])
    found = logarithms(np.array([0.0, 1.0, np.inf, np.nan]))
    np.testing.assert_array_equal(found, [-np.inf, 0.0, np.inf, np.nan])
