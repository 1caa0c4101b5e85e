"""The t-test filter against scipy; what it refuses, and what changes nothing."""

import numpy as np
import pytest
from scipy import stats

from hetsel import TTest


def numbers(n=40, p=6, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, p)) * np.linspace(1, 3, p) + np.outer(y, np.linspace(0, 1, p)), y


@pytest.mark.parametrize("equal_var", [False, True])
def test_importances_are_those_of_scipy(equal_var):
    x, y = numbers()
    x[:, 0] *= np.where(y == 0, 1.0, 5.0)  # the two tests differ
    x = np.delete(x, 3, axis=0)
    y = np.delete(y, 3)
    found = TTest(equal_var=equal_var).fit(x, y)
    pvalue = stats.ttest_ind(x[y == 0], x[y == 1], equal_var=equal_var).pvalue
    np.testing.assert_allclose(found.importances_, -np.log10(pvalue), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(found.answer_.order, np.argsort(pvalue))


def test_more_classes_take_the_f_test():
    x, y = numbers(classes=3)
    pvalue = stats.f_oneway(*(x[y == c] for c in range(3))).pvalue
    found = TTest().fit(x, y)
    np.testing.assert_allclose(found.importances_, -np.log10(pvalue), rtol=1e-7, atol=1e-9)


def test_columns_rank_right_where_p_underflows():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    x = rng.normal(size=(400, 3)) + np.outer(y, [1e3, 1e5, 1e4])
    found = TTest().fit(x, y)
    assert np.isfinite(found.importances_).all()
    assert found.importances_.min() > 400
    assert found.answer_.order.tolist() == [1, 2, 0]


def test_constant_separating_and_duplicate_columns():
    x, y = numbers()
    x = np.column_stack([np.full(40, 7.0), x[:, 5], x[:, 5], y * 0.1 + 0.2, x[:, 5] * 3.3 - 1])
    found = TTest().fit(x, y)
    assert found.importances_[0] == 0
    assert np.isposinf(found.importances_[3])
    assert found.answer_.order.tolist() == [3, 1, 2, 4, 0]


def test_missing_cells_are_left_out_of_their_column_or_filled():
    x, y = numbers()
    x[np.random.default_rng(1).random(x.shape) < 0.2] = np.nan
    pvalue = stats.ttest_ind(x[y == 0], x[y == 1], equal_var=False, nan_policy="omit").pvalue
    apart = TTest(missing="separate").fit(x, y)
    np.testing.assert_allclose(apart.importances_, -np.log10(pvalue), rtol=1e-7, atol=1e-9)
    filled = np.where(np.isnan(x), np.nanmedian(x, axis=0), x)
    pvalue = stats.ttest_ind(filled[y == 0], filled[y == 1], equal_var=False).pvalue
    found = TTest().fit(x, y)
    np.testing.assert_allclose(found.importances_, -np.log10(pvalue), rtol=1e-7, atol=1e-9)
