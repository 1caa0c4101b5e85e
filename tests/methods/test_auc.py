"""The area of a column against scikit-learn's and scipy's, and over all orders of levels."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, mannwhitneyu
from sklearn.metrics import roc_auc_score

from hetsel import AUCSelector
from hetsel.statistics.column_tests.roc_areas import areas_of_levels, areas_of_numbers

RNG = np.random.default_rng(8)
Y = np.arange(70) % 3 == 0
X = np.round(RNG.normal(size=(70, 6)) + np.outer(Y, np.linspace(-2, 2, 6)), 1)


def test_numbers_have_the_area_of_scikit_learn_and_the_p_value_of_mann_and_whitney():
    found = AUCSelector().fit(X, Y)
    areas = [roc_auc_score(Y, column) for column in X.T]
    np.testing.assert_allclose(found.importances_, np.maximum(areas, 1 - np.array(areas)))
    given = {"method": "asymptotic", "use_continuity": False}
    p = [mannwhitneyu(column[Y], column[~Y], **given).pvalue for column in X.T]
    np.testing.assert_allclose(found.answer_.extras["p_value"], p)


def test_more_than_two_classes_are_the_mean_of_their_pairs():
    y = np.arange(70) % 3
    pairs = [(a, b) for b in range(3) for a in range(b)]
    areas = [
        [roc_auc_score(y[rows] == b, X[rows, j]) for j in range(6)]
        for a, b in pairs
        for rows in [np.isin(y, (a, b))]
    ]
    expected = np.maximum(areas, 1 - np.array(areas)).mean(axis=0)
    np.testing.assert_allclose(areas_of_numbers(X, y), expected)


def test_levels_have_the_best_area_of_all_their_orders():
    codes = RNG.integers(0, 4, 70)
    every = [roc_auc_score(Y, np.array(order)[codes]) for order in permutations(range(4))]
    assert areas_of_levels(codes[:, None], Y)[0] == pytest.approx(max(every))
    frame = pd.DataFrame({"level": pd.Categorical(codes.astype(str))})
    p = chi2_contingency(pd.crosstab(codes, Y), correction=False).pvalue
    assert AUCSelector().fit(frame, Y).answer_.extras["p_value"][0] == pytest.approx(p)


def test_missing_numbers_are_left_out_and_missing_levels_are_a_level():
    x = X.copy()
    x[:10, 0] = np.nan
    expected = roc_auc_score(Y[10:], x[10:, 0])
    assert areas_of_numbers(x, Y)[0] == pytest.approx(max(expected, 1 - expected))
    codes = np.where(Y, np.nan, 0.0)[:, None]
    assert areas_of_levels(codes, Y)[0] == 1.0
    assert areas_of_numbers(np.full((70, 1), np.nan), Y)[0] == 0.5
