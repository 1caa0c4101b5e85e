"""p-values of drawn permutations: R's statmod, exact fractions, all draws of a small test."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from hetsel.statistics.permutation_p_values import (
    permutation_pvalue,
    sequential_pvalue,
)

# R 4.2.2, permp of statmod 1.5.0 (github.com/cran/statmod, f85e320), method = "exact", 15 digits:
# x, nperm, total.nperm, value
EXACT = [
    (0, 99, 462, 0.00895637208113656),
    (5, 99, 462, 0.0589177489179266),
    (0, 1000, 20, 2.64591137387249e-24),
    (3, 10, 35, 0.349350647179346),
    (10, 10, 35, 1.0),
    (999, 1000, 9999, 0.998950160638969),
    (0, 999, 9999, 0.000950827527945196),
    (2, 7, 2, 0.11328125),
    (0, 100_000, 92_378, 5.54532264221143e-06),
    (12, 999, 92_378, 0.0129945874558878),
]
# the same with method = "approximate", which permp takes for more than 10,000 in all
APPROXIMATE = [
    (12, 999, 92_378, 0.0129945874558878, 1e-12),
    (40, 100_000, 1_000_000, 0.000409495900041, 1e-11),
    (3, 10_000, 10**9, 0.0003999595039996, 1e-12),
    (0, 999, 10**15, 0.0009999999999995, 1e-12),
]
SIX_AND_SIX = [  # permp(0:5, 99, n1 = 6, n2 = 6)
    0.00895637208113656,
    0.0189178061814506,
    0.0289177204022894,
    0.0389177488015957,
    0.04891774894649,
    0.0589177489179266,
]


def by_definition(b, m, total):
    """Equation 2 in fractions."""
    values = Fraction(0)
    for k in range(1, total + 1):
        u = Fraction(k, total)
        values += sum(comb(m, j) * u**j * (1 - u) ** (m - j) for j in range(b + 1))
    return values / total


@pytest.mark.parametrize(
    ("b", "m", "total", "value", "digits"), [(*row, 1e-12) for row in EXACT] + APPROXIMATE
)
def test_values_are_those_of_statmod(b, m, total, value, digits):
    assert permutation_pvalue(b, m, total) == pytest.approx(value, rel=digits)


def test_arrays_have_the_values_of_statmod():
    found = permutation_pvalue(np.array([[0, 1, 2], [3, 4, 5]]), 99, 462)
    np.testing.assert_allclose(found, np.reshape(SIX_AND_SIX, (2, 3)), rtol=1e-12)
    np.testing.assert_array_equal(permutation_pvalue([0, 0, 9], 9), [0.1, 0.1, 1.0])
    assert permutation_pvalue(np.array([], dtype=int), 9, 20).shape == (0,)


def test_exact_values_are_those_of_fractions():
    for b, m, total in [(0, 5, 3), (2, 9, 10), (4, 20, 7), (19, 20, 70), (3, 40, 252)]:
        exact = float(by_definition(b, m, total))
        assert permutation_pvalue(b, m, total) == pytest.approx(exact, rel=1e-12)


def test_sum_and_integral_meet_where_one_takes_over_from_the_other():
    """More terms than are summed: Euler and Maclaurin's formula to the third derivative."""
    for b, m, total in [(0, 1000, 10**7), (0, 50, 10**6), (3, 200, 10**7)]:
        slope = m / 12 / total**2 if b == 0 else 0.0
        series = (b + 1) / (m + 1) - 0.5 / total + slope
        assert permutation_pvalue(b, m, total) == pytest.approx(series, rel=1e-8)


def test_each_value_is_rejected_at_with_the_probability_that_it_names():
    """All draws of 3 out of 4 equally likely permutations, each the observed one in turn."""
    total, m = 4, 3
    values = []
    for observed, draws in product(range(total), product(range(total), repeat=m)):
        values.append(permutation_pvalue(sum(draw >= observed for draw in draws), m, total))
    for value in set(values):
        assert np.mean(np.array(values) <= value) == pytest.approx(value, rel=1e-12)


def test_without_the_total_the_value_is_a_little_too_large():
    for b in range(20):
        exact = permutation_pvalue(b, 20, 5000)
        assert 0 < permutation_pvalue(b, 20) - exact < 1.001 / (2 * 5000)
        assert permutation_pvalue(b, 20) == (b + 1) / 21


def test_each_sequential_value_is_rejected_at_with_the_probability_that_it_names():
    """All orders of 5 draws and the observed one."""
    for enough in (1, 2, 3):
        values = []
        for order in permutations(range(6)):
            observed, drawn = order[0], order[1:]
            reached = np.cumsum([draw > observed for draw in drawn])
            stop = int(np.argmax(reached >= enough)) + 1 if reached[-1] >= enough else 5
            given = {"enough": enough, "most": 5}
            values.append(sequential_pvalue(int(reached[stop - 1]), stop, **given))
        for value in set(values):
            assert np.mean(np.array(values) <= value + 1e-12) == pytest.approx(value)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"exceedances must be whole numbers.*permutations=9.*10"):
        permutation_pvalue(10, 9)
    for wrong in (-1, 0.5, True):
        with pytest.raises(ValueError, match="exceedances must be whole numbers from 0"):
            permutation_pvalue(wrong, 9)
    with pytest.raises(ValueError, match="permutations must be a whole number, 1 or larger. Got 0"):
        permutation_pvalue(0, 0)
    with pytest.raises(ValueError, match="total must be 2 or larger"):
        permutation_pvalue([3, 1], 3, 1)
    assert permutation_pvalue(3, 3, 1) == 1.0
    with pytest.raises(ValueError, match="Got 4 .* of 20"):
        sequential_pvalue(4, 20, enough=10, most=99)
    with pytest.raises(ValueError, match="Got 11 .* of 20"):
        sequential_pvalue(11, 20, enough=10, most=99)
    with pytest.raises(ValueError, match="most must be a whole number, 10 or larger"):
        sequential_pvalue(1, 5, enough=10, most=5)
