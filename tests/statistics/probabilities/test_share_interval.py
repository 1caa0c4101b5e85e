"""Intervals of shares and of their differences are those of textbooks and statsmodels."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import logit
from statsmodels.stats.proportion import confint_proportions_2indep

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.rate_intervals import wilson_interval
from hetsel.statistics.probabilities.pooled_rows import (
    difference_interval,
    logits,
    pooled_rows,
    share_interval,
    share_of_rows,
)
from hetsel.statistics.probabilities.prevalence import class_weights_for, shifted


def test_of_independent_shares_the_difference_is_newcombes():
    """Newcombe (1998) Statistics in Medicine 17, 873-890, example a, method 10."""
    found = difference_interval(wilson_interval(56 / 70, 70), wilson_interval(48 / 80, 80), 1, 0)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    known = confint_proportions_2indep(9, 10, 3, 10, method="newcomb")
    found = difference_interval(wilson_interval(0.9, 10), wilson_interval(0.3, 10), 1, 0)
    assert (found.low, found.high) == pytest.approx(known)


def test_of_one_share_and_the_rest_the_difference_is_that_of_twice_the_share():
    """a - (1 - a) = 2 a - 1; the correlation is -1."""
    one = wilson_interval(0.7, 40)
    found = difference_interval(one, wilson_interval(0.3, 40), 1, -1)
    assert (found.low, found.high) == pytest.approx((2 * one.low - 1, 2 * one.high - 1))


def test_units_of_equal_rows_count_as_one_row_each_with_students_quantile():
    """(t / z)^2 times the variance: of 30 units of two, with t by tables 2.0452."""
    y = np.repeat(np.arange(30) % 3 == 0, 2).astype(float)
    share, unit = y.mean(), np.repeat(np.arange(30), 2)
    found = share_interval(share, np.full(60, 1 / 60), y - share, unit)
    known = wilson_interval(share, 29 * (1.95996 / 2.04523) ** 2)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-5)


def test_one_unit_with_all_the_weight_tells_nothing():
    y, units = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 2])
    found = share_interval(0.5, np.array([0.5, 0.5, 0.0, 0.0]), y - 0.5, units)
    assert (found.low < 0.05, found.high > 0.95) == (True, True)


def test_the_names_of_units_and_the_unit_of_weights_have_no_part():
    y, p = np.array([1, 0, 1, 1, 0, 1]), np.array([0.1, 0.7, 0.6, 0.8, 0.2, 0.9])
    w = np.array([1.0, 2, 1, 3, 1, 2])
    one = pooled_rows(y, p, w, ["b", "b", "a", "c", "d", "d"])
    other = pooled_rows(y, p, 4 * w, [9, 9, 1, 5, 7, 7])
    every = np.ones(6, dtype=bool)
    assert share_of_rows(one, p > 0.5, every) == share_of_rows(other, p > 0.5, every)


def test_a_probability_of_0_or_1_has_a_logit():
    assert logits([0.0, 1.0]) == pytest.approx(np.log(1e-8) * np.array([1, -1]))


def test_weights_give_the_rows_the_wanted_shares():
    y = np.repeat([0, 1, 2], [50, 30, 20])
    weights = class_weights_for([0.9, 0.08, 0.02], [0.5, 0.3, 0.2])[y]
    shares = np.bincount(y, weights) / weights.sum()
    np.testing.assert_allclose(shares, [0.9, 0.08, 0.02], atol=1e-12)
    assert weights.mean() == pytest.approx(1)


def test_shifted_probabilities_are_bayes_rule():
    """A finding of 3 of 4 cases and 1 of 5 others."""

    def after(prevalence):
        found = Fraction(3, 4) * prevalence
        return found / (found + Fraction(1, 5) * (1 - prevalence))

    for prevalence in (Fraction(1, 50), Fraction(9, 10)):
        p = shifted([float(after(Fraction(1, 2)))], 0.5, float(prevalence))
        assert p[0] == pytest.approx(float(after(prevalence)), rel=1e-12)


def test_of_more_classes_they_are_bayes_rule_too():
    chance = np.array([[0.2, 0.5, 0.9], [0.8, 0.5, 0.1]])  # of two findings in each class
    before, after = np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.3, 0.5])
    p, known = (chance * share / (chance @ share)[:, None] for share in (before, after))
    np.testing.assert_allclose(shifted(p, before, after), known, atol=1e-12)


def test_it_moves_the_logit_and_there_and_back_is_nothing():
    p = np.array([0.0, 0.1, 0.5, 1.0])
    there = shifted(p, 0.4, 0.02)
    np.testing.assert_allclose(shifted(there, 0.02, 0.4), p, atol=1e-12)
    np.testing.assert_allclose(logit(there[1:3]) - logit(p[1:3]), logit(0.02) - logit(0.4))
    assert there[[0, 3]].tolist() == [0.0, 1.0]
    two = shifted(np.column_stack([1 - p, p]), [0.6, 0.4], [0.98, 0.02])
    np.testing.assert_allclose(two[:, 1], there, atol=1e-12)


def test_what_are_no_shares_is_refused():
    for wrong in (0.0, 1.0, [0.5, 0.4], [1.0], [0.5, np.nan]):
        with pytest.raises(TableError, match="prevalence must be between 0 and 1"):
            class_weights_for(wrong, [0.5, 0.5])
    with pytest.raises(TableError, match="prevalence must be of 3 classes. Got 2"):
        class_weights_for(0.1, [0.2, 0.3, 0.5])
    with pytest.raises(TableError, match="probability must be of 3 classes"):
        shifted([0.2], [0.2, 0.3, 0.5], [0.2, 0.3, 0.5])
