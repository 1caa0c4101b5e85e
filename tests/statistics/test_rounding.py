"""Equal on paper is equal: against fractions, whatever the unit and the order of a sum."""

from fractions import Fraction

import numpy as np

from hetsel.statistics.rounding import reaches, rounded

TENTHS = [Fraction(k, 10) for k in range(-9, 10)]
SUMS = [(one, other) for one in TENTHS for other in TENTHS]


def test_sums_that_are_equal_fractions_are_equal_and_no_others():
    exact = [one + other for one, other in SUMS]
    floats = np.array([float(one) + float(other) for one, other in SUMS])
    assert len(set(floats)) > len(set(exact))  # there is something to repair
    for unit in (1.0, 1e-200, 3.7e150):
        assert_same_order(rounded(floats * unit), exact)


def assert_same_order(grid, exact):
    _, places = np.unique(grid, return_inverse=True)
    levels = sorted(set(exact))
    assert places.tolist() == [levels.index(value) for value in exact]


def test_a_bound_is_reached_where_the_fraction_reaches_it():
    floats = np.array([float(one) + float(other) for one, other in SUMS])
    for bound in TENTHS:
        expected = [one + other >= bound for one, other in SUMS]
        assert reaches(floats, float(bound)).tolist() == expected
        assert reaches(floats * 1e-200, float(bound) * 1e-200).tolist() == expected


def test_each_row_has_its_own_scale_and_zeros_stay():
    rows = np.array([[1e-20, 2e-20, 2e-20 * (1 + 1e-15)], [1.0, 1e-20, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_array_equal(rounded(rows), [[0.5, 1, 1], [1, 0, 0], [0, 0, 0]])


def test_the_twelfth_digit_counts():
    assert rounded([1.0, 1 - 1e-11])[1] < 1
    assert not reaches([1 - 1e-11], 1.0)[0]
