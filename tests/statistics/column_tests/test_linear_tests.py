"""Tests of a number on each column, against scipy and scikit-learn."""

import numpy as np
import pytest
from scipy import stats
from sklearn.feature_selection import f_regression

from hetsel.statistics.column_tests.linear_tests import (
    correlation,
    levels_f,
    rank_slope_f,
    slope_f,
)

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 4)) * [1.0, 1e-3, 1e5, 1.0] + [0.0, 5.0, -1e6, 0.0]
Y = 40.0 + 2.0 * X[:, 0] - 1e-5 * X[:, 2] + RNG.normal(size=60)
GAPS = X.copy()
GAPS[[3, 7, 9], [0, 2, 0]] = np.nan


def test_the_slope_as_in_scikit_learn_and_scipy():
    test = slope_f(X, Y)
    statistic, pvalue = f_regression(X, Y)
    np.testing.assert_allclose(test.statistic, statistic, 1e-6)  # its sums cancel
    np.testing.assert_allclose(test.pvalue, pvalue, 1e-6)
    for x, r, p in zip(X.T, correlation(test), test.pvalue, strict=True):
        known = stats.pearsonr(x, Y)
        assert r == pytest.approx(abs(known.statistic), rel=1e-9)
        assert p == pytest.approx(known.pvalue, rel=1e-8)


def test_ranks_as_in_scipy_with_ties():
    coarse, y = np.round(X / [1.0, 1e-3, 1e5, 1.0]), np.round(Y)
    test = rank_slope_f(coarse, y)
    for x, r, p in zip(coarse.T, correlation(test), test.pvalue, strict=True):
        known = stats.spearmanr(x, y)
        assert r == pytest.approx(abs(known.statistic), rel=1e-9)
        assert p == pytest.approx(known.pvalue, rel=1e-8)


@pytest.mark.parametrize(
    ("test", "twin"), [(slope_f, stats.pearsonr), (rank_slope_f, stats.spearmanr)]
)
def test_missing_values_are_left_out_of_their_own_column(test, twin):
    found = test(GAPS, Y)
    for x, r, p in zip(GAPS.T, correlation(found), found.pvalue, strict=True):
        there = ~np.isnan(x)
        known = twin(x[there], Y[there])
        assert r == pytest.approx(abs(known.statistic), rel=1e-9)
        assert p == pytest.approx(known.pvalue, rel=1e-8)


def test_levels_as_in_scipy_missing_as_one_of_them():
    levels = RNG.integers(0, 4, (60, 3)).astype(float)
    levels[levels[:, 1] == 2, 1] = np.nan
    test = levels_f(levels, Y)
    for j, column in enumerate(levels.T):
        groups = [Y[column == k] for k in np.unique(column[~np.isnan(column)])]
        if np.isnan(column).any():
            groups.append(Y[np.isnan(column)])
        known = stats.f_oneway(*groups)
        assert test.statistic[j] == pytest.approx(known.statistic, rel=1e-9)
        assert test.pvalue[j] == pytest.approx(known.pvalue, rel=1e-8)


def test_of_two_levels_the_slope_and_the_levels_are_one_test():
    binary = (X[:, [0]] > 0) * 1.0
    np.testing.assert_allclose(slope_f(binary, Y).log_pvalue, levels_f(binary, Y).log_pvalue, 1e-9)


def test_exact_constant_and_short_columns():
    y = np.array([1.0, 2.0, 4.0, 8.0])
    x = np.array([3.3 - 0.1 * y, [5.0] * 4, [1.0, np.nan, np.nan, 2.0]]).T
    for test in (slope_f, rank_slope_f):
        found = test(x, y)
        assert found.statistic.tolist() == [np.inf, 0.0, 0.0]
        assert found.pvalue.tolist() == [0.0, 1.0, 1.0]
        assert correlation(found).tolist() == [1.0, 0.0, 0.0]
    assert levels_f(np.array([[0.0], [0.0], [1.0], [1.0]]), y[[0, 0, 2, 2]]).pvalue == [0.0]
    assert levels_f(np.zeros((4, 1)), y).pvalue == [1.0]


def test_p_values_that_underflow_have_logarithms():
    x = np.linspace(0.0, 1.0, 4000)
    y = x + 1e-3 * np.sin(np.arange(4000.0))
    found = slope_f(x[:, None], y)
    assert found.pvalue[0] == 0.0
    assert -np.inf < found.log_pvalue[0] < -1000.0
