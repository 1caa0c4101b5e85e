"""Pearson's and Kruskal's tests against scipy, and the far tail against R."""

import numpy as np
import pytest
from frames import NAN
from r_numbers import numbers_of_r
from scipy import stats

from hetsel.statistics.column_tests.chi_squared import (
    chi_square,
    kruskal_wallis,
    log_chi2_tail,
    mid_ranks,
)


def test_the_tail_is_scipys_where_that_has_digits():
    s, k = np.meshgrid([0.0, 1e-9, 0.3, 4.0, 50.0, 900.0, 1270.0], [1, 2, 3, 17, 400, 5000])
    expected = stats.chi2.logsf(s, k)
    np.testing.assert_allclose(log_chi2_tail(s, k), expected, rtol=1e-12, atol=1e-15)


def test_the_far_tail_is_that_of_r():
    points = [(2000, 4), (1400, 1), (1400, 38), (5000, 2000), (3e5, 7), (9000, 5001), (1e9, 2)]
    calls = ",".join(f"pchisq({s}, {k}, lower=FALSE, log=TRUE)" for s, k in points)
    script = f'cat(sprintf("%.17g", c({calls})))'
    found = [float(log_chi2_tail(s, k)) for s, k in points]
    np.testing.assert_allclose(found, numbers_of_r(script)[0], rtol=1e-10)


def test_the_tail_has_no_seam_where_scipys_ends():
    for k in (1, 4, 60):
        end = stats.chi2.isf(1e-280, k)
        s = np.linspace(end - 50, end + 50, 400)
        logs = log_chi2_tail(s, k)
        np.testing.assert_allclose(np.diff(logs, n=2), 0.0, atol=1e-4)
        assert logs.max() > np.log(1e-280) > logs.min()


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_pearson_is_scipys(classes):
    rng = np.random.default_rng(classes)
    y = rng.integers(0, classes, 120)
    columns = np.column_stack([rng.integers(0, k, 120) for k in (2, 3, 7, 30)]).astype(float)
    columns[:, 2] = np.where(rng.random(120) < 0.5, y, columns[:, 2])
    columns[columns == 1] = 9  # a level without rows
    found = chi_square(columns, y)
    for j, column in enumerate(columns.T):
        expected = stats.chi2_contingency(stats.contingency.crosstab(column, y).count, False)
        assert found.statistic[j] == pytest.approx(expected.statistic)
        assert found.df[j] == expected.dof
        assert found.pvalue[j] == pytest.approx(expected.pvalue)


def test_missing_is_a_level_and_one_level_says_nothing():
    y = np.array([0, 0, 0, 1, 1, 1, 1])
    column, other = [0, NAN, 0, 1, NAN, NAN, 1], [0, 2, 0, 1, 2, 2, 1]
    found = chi_square(np.column_stack([column, other, np.zeros(7), np.full(7, NAN)]), y)
    assert found.statistic[0] == found.statistic[1] > 1
    assert found.df.tolist() == [2, 2, 0, 0]
    assert found.statistic[2:].tolist() == [0, 0]
    assert found.log_pvalue[2:].tolist() == [0, 0]


def test_kruskal_is_scipys_with_ties_and_without():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 4, 90)
    x = np.column_stack([rng.normal(size=(90, 2)) + y[:, None] / 2, rng.integers(0, 5, (90, 2))])
    x[rng.random(x.shape) < 0.1] = NAN
    found = kruskal_wallis(x, y)
    for j, column in enumerate(x.T):
        known = ~np.isnan(column)
        expected = stats.kruskal(*(column[known & (y == c)] for c in range(4)))
        assert found.statistic[j] == pytest.approx(expected.statistic)
        assert found.pvalue[j] == pytest.approx(expected.pvalue)


def test_kruskal_of_two_classes_is_the_test_of_mann_and_whitney():
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 9, (40, 1)).astype(float), np.arange(40) % 2
    expected = stats.mannwhitneyu(
        x[y == 0, 0], x[y == 1, 0], use_continuity=False, method="asymptotic"
    )
    assert kruskal_wallis(x, y).pvalue[0] == pytest.approx(expected.pvalue)


def test_kruskal_of_constant_columns_and_columns_of_one_class():
    y = np.array([0, 0, 1, 1])
    found = kruskal_wallis([[1, 1, NAN], [1, 2, NAN], [1, NAN, NAN], [1, NAN, NAN]], y)
    assert found.statistic.tolist() == [0, 0, 0]
    assert found.log_pvalue.tolist() == [0, 0, 0]
    assert found.df.tolist() == [1, 0, 0]


def test_mid_ranks_are_scipys():
    x = np.random.default_rng(0).integers(0, 6, (30, 3)).astype(float)
    x[3:9, 1] = NAN
    expected = stats.rankdata(x, axis=0, nan_policy="omit")
    np.testing.assert_array_equal(mid_ranks(x), expected)
