"""Naive Bayes: the log-likelihoods of a column, against scikit-learn and by hand."""

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from hetsel.ground.equal_numbers import GRID
from hetsel.models.naive_bayes import (
    add_level_likelihoods,
    add_number_likelihoods,
    first_likely,
    log_odds,
    log_priors,
)

NAN = float("nan")


def of_numbers(train, codes, test, *, smoothing=1.0, var_smoothing=1e-9, missing=False):
    out = np.zeros((len(test), int(codes.max()) + 1))
    add_number_likelihoods(train, codes, test, smoothing, var_smoothing, missing, out)
    return out


def of_levels(train, codes, test, n_levels, smoothing=1.0):
    out = np.zeros((len(test), int(codes.max()) + 1))
    add_level_likelihoods(train, codes, test, n_levels, smoothing, out)
    return out


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("var_smoothing", [1e-9, 0.3])
def test_numbers_equal_the_gaussian_naive_bayes_of_scikit_learn(n_classes, var_smoothing):
    rng = np.random.default_rng(n_classes)
    codes = rng.permutation(np.arange(60) % n_classes)
    train = rng.normal(size=(60, 3)) * (1 + codes[:, None]) + codes[:, None]
    test = 3 * rng.normal(size=(20, 3))
    for f in range(3):
        model = GaussianNB(var_smoothing=var_smoothing).fit(train[:, [f]], codes)
        expected = model.predict_joint_log_proba(test[:, [f]]) - np.log(model.class_prior_)
        found = of_numbers(
            train[:, f].copy(), codes, test[:, f].copy(), var_smoothing=var_smoothing
        )
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("smoothing", [1.0, 0.1, 2.5])
def test_levels_equal_the_categorical_naive_bayes_of_scikit_learn(n_classes, smoothing):
    rng = np.random.default_rng(1)
    codes = rng.permutation(np.arange(50) % n_classes)
    train = rng.integers(0, 4, size=50)  # the fifth level has no training row
    model = CategoricalNB(alpha=smoothing, min_categories=5).fit(train[:, None], codes)
    found = of_levels(train.astype(float), codes, np.arange(5.0), 5, smoothing)
    np.testing.assert_allclose(found, model.feature_log_prob_[0].T, atol=1e-9)


def test_a_level_that_no_one_knows_has_the_share_of_the_smoothing():
    codes = np.array([0, 0, 0, 1])
    found = of_levels(np.array([0.0, 0.0, 1.0, 1.0]), codes, np.array([7.0]), 2)
    np.testing.assert_allclose(np.exp(found), [[1 / 5, 1 / 3]], atol=1e-9)


def test_missing_numbers_by_hand():
    train = np.array([0.0, 2.0, NAN, 3.0, 5.0])
    codes = np.array([0, 0, 0, 1, 1])
    found = of_numbers(train, codes, np.array([1.0, NAN]), missing=True)

    # class 0: 1 of 3 is missing, mean 1, variance 1; class 1: none of 2, mean 4, variance 1
    def density(away):
        return np.exp(-(away**2) / 2) / np.sqrt(2 * np.pi)

    expected = [[3 / 5 * density(0), 3 / 4 * density(3)], [2 / 5, 1 / 4]]
    np.testing.assert_allclose(np.exp(found), expected, rtol=1e-6)


def test_where_nothing_is_missing_a_later_gap_tells_nothing():
    codes = np.array([0, 0, 1, 1])
    found = of_numbers(np.arange(4.0), codes, np.array([NAN, 1.0]))
    assert found[0].tolist() == [0.0, 0.0]
    assert found[1, 0] != found[1, 1]


def test_a_class_without_a_value_is_described_by_all_rows():
    train, codes = np.array([1.0, 3.0, NAN, NAN]), np.array([0, 0, 1, 1])
    found = of_numbers(train, codes, np.array([2.0]), missing=True)
    gauss = -0.5 * np.log(2 * np.pi)  # mean 2, variance 1 in the class and in all rows
    expected = np.log([3 / 4, 1 / 4]) + gauss
    np.testing.assert_allclose(found[0], expected, atol=1e-8)


def test_a_constant_column_and_one_without_any_value_tell_no_class():
    codes = np.array([0, 0, 1, 1, 1])
    for value in (0.25, NAN):
        found = of_numbers(np.full(5, value), codes, np.array([0.25, 0.5]))
        assert (found == found[:, :1]).all()
        assert np.isfinite(found).all()


def test_sums_do_not_depend_on_their_order():
    rng = np.random.default_rng(0)
    codes = np.arange(40) % 3
    parts = [of_numbers(x, codes, x[::-1].copy()) for x in rng.normal(size=(12, 40))]
    assert (np.array(parts) * GRID % 1 == 0).all()
    forward, backward = np.zeros((40, 3)), np.zeros((40, 3))
    for part in parts:
        forward += part
    for part in reversed(parts):
        backward += part
    np.testing.assert_array_equal(forward, backward)


def test_they_are_added_to_what_is_there():
    codes = np.array([0, 1, 1, 0])
    column = np.array([0.5, 0.25, 1.0, 0.0])
    out = np.full((4, 2), -2.0)
    add_number_likelihoods(column, codes, column, 1.0, 1e-9, False, out)
    np.testing.assert_array_equal(out + 2.0, of_numbers(column, codes, column))


def test_priors_by_hand():
    found = log_priors(np.array([3, 1, 4]))
    np.testing.assert_allclose(np.exp(found), [3 / 8, 1 / 8, 1 / 2], rtol=1e-9)
    assert (found * GRID % 1 == 0).all()


def test_products_of_shares_that_are_equal_on_paper_tie():
    """Class 0 has the shares 1/4, 1/3 and 6/10 where class 1 has 1/2, 1/5 and 1/2: both 1/20."""
    train = {(1, 4): (1, 2), (1, 3): (1, 5), (6, 10): (1, 2)}
    logs = [[float(np.log(a / b)) for a, b in pair] for pair in train.items()]
    steps = np.rint(np.array(logs) * GRID) / GRID
    totals = np.array([steps.sum(axis=0), steps.sum(axis=0)[::-1]])
    assert first_likely(totals).tolist() == [0, 0]
    assert log_odds(totals).tolist() == [[0.0], [0.0]]
    # of three classes two that tie have one value, and the first of them wins
    third = np.hstack([np.full((2, 1), -9.0), totals])
    assert first_likely(third).tolist() == [1, 1]
    found = log_odds(third)
    assert (found[:, 1] == found[:, 2]).all()
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1.0)
    np.testing.assert_allclose(found, third - logsumexp(third, axis=1, keepdims=True), atol=1e-6)


def test_rows_whose_odds_are_equal_on_paper_tie():
    step = 1.0 / GRID
    totals = np.array([[0.0, 0.5], [0.0, 0.5 + step], [0.0, 0.25], [0.0, 0.5 - step]])
    found = log_odds(totals)[:, 0]
    assert found[0] == found[1] == found[3] != found[2]
