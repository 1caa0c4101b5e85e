"""Classes of other shares: by Bayes' rule in fractions, and by a logistic model of drawn rows."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import logit

from hetsel.ground.errors import TableError
from hetsel.statistics.probabilities.pooled_rows import class_weights_for, shifted


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
