"""Posteriors from decision values against scikit-learn's sigmoid and scipy's minimum."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV

from hetsel.solvers.svm.two_class_svm import class_pairs, couple, fit_sigmoid


class Given(ClassifierMixin, BaseEstimator):
    """A classifier whose decision value is its one column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, 0]

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_the_sigmoid_is_that_of_scikit_learn(seed, scale):
    rng = np.random.default_rng(seed)
    positive = rng.random(60) < 0.3
    values = rng.normal(size=60) + 1.5 * positive - 0.4
    outside = CalibratedClassifierCV(Given(), method="sigmoid", ensemble=False)
    outside.fit(values[:, None], positive.astype(int))
    expected = outside.predict_proba(values[:, None])[:, 1]
    found = fit_sigmoid(scale * values, positive).of(scale * values)
    np.testing.assert_allclose(found, expected, atol=2e-4)


def test_classes_that_are_apart_stay_off_0_and_1():
    values = np.array([-2.0, -1.0, 1.0, 2.0, 3.0])
    found = fit_sigmoid(values, values > 0).of(values)
    assert 0.01 < found.min() < 0.25
    assert 0.75 < found.max() < 0.99


def test_values_that_tell_nothing_give_the_mean_target():
    positive = np.array([True, False, False, False])
    found = fit_sigmoid(np.full(4, 0.3), positive).of(np.array([0.3]))
    assert found == pytest.approx((2 / 3 + 3 / 5) / 4)


@pytest.mark.parametrize("count", [3, 5])
def test_coupled_posteriors_are_the_minimum(count):
    rng = np.random.default_rng(count)
    pairs = class_pairs(count)
    pairwise = rng.uniform(0.05, 0.95, size=(4, len(pairs)))

    def misfit(p, own):
        return sum(((1 - r) * p[a] - r * p[b]) ** 2 for r, (a, b) in zip(own, pairs, strict=True))

    for own, found in zip(pairwise, couple(pairwise, count), strict=True):
        assert found.sum() == pytest.approx(1.0)
        best = minimize(
            misfit,
            np.full(count, 1 / count),
            args=(own,),
            method="SLSQP",
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1.0},
            options={"ftol": 1e-14},
        )
        np.testing.assert_allclose(found, best.x, atol=1e-5)


def test_pairs_that_agree_give_the_posteriors_back():
    p = np.random.default_rng(0).dirichlet(np.ones(4), size=10)
    pairwise = np.column_stack([p[:, a] / (p[:, a] + p[:, b]) for a, b in class_pairs(4)])
    np.testing.assert_allclose(couple(pairwise, 4), p, atol=1e-9)
    np.testing.assert_allclose(couple(p[:, :1], 2), np.column_stack([p[:, 0], 1 - p[:, 0]]))


def test_no_warning_where_the_middle_is_the_likeliest():
    values = np.array([-0.95280347983866, 0.0, 0.0, 0.95280347983866])
    found = fit_sigmoid(values, np.array([False, True, True, False]))
    np.testing.assert_allclose(found.of(values), 0.5, atol=1e-12)
