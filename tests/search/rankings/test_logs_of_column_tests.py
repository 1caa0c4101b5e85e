"""Tests of columns on one scale, against scipy and by hand."""

import numpy as np
import pytest
from scipy import stats

from hetsel import Schema
from hetsel.search.rankings import logs_of_column_tests
from hetsel.search.rankings.logs_of_column_tests import (
    counts,
    fisher_logs,
    fisher_tests,
    t_test_logs,
    to_importance,
)


def levels(n=40, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    cells = np.where(rng.random((n, 3)) < [0.2, 0.5, 0.9], y[:, None], rng.integers(0, 2, (n, 3)))
    table = Schema.infer(cells, nominal=[0, 1, 2]).encode(cells)
    return table, y


def test_importance_is_minus_log10_and_never_minus_zero():
    found = to_importance(np.log([1.0, 0.1, 1e-300]))
    np.testing.assert_allclose(found, [0, 1, 300])
    assert not np.signbit(found[0])
    assert to_importance(np.array([-np.inf]))[0] == np.inf


@pytest.mark.parametrize("equal_var", [False, True])
def test_two_classes_take_the_t_test_of_scipy(equal_var):
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(30, 4)) * [1, 2, 3, 4], np.arange(30) % 2
    x[y == 1] *= 1.5
    pvalue = stats.ttest_ind(x[y == 0], x[y == 1], equal_var=equal_var).pvalue
    np.testing.assert_allclose(np.exp(t_test_logs(x, y, equal_var)), pvalue, rtol=1e-8)


def test_more_classes_take_the_f_test_of_scipy():
    x, y = np.random.default_rng(2).normal(size=(30, 4)), np.arange(30) % 3
    pvalue = stats.f_oneway(*(x[y == c] for c in range(3))).pvalue
    np.testing.assert_allclose(np.exp(t_test_logs(x, y)), pvalue, rtol=1e-8)


def test_every_column_of_levels_has_the_pvalue_of_scipy():
    table, y = levels()
    found = fisher_tests(table, y)
    for test, column in zip(found, table.values.T, strict=True):
        pvalue = stats.fisher_exact(stats.contingency.crosstab(column, y).count).pvalue
        assert np.exp(test.log_pvalue) == pytest.approx(pvalue)
        assert test.exact
    np.testing.assert_allclose(fisher_logs(found), [t.log_pvalue for t in found], atol=2.0**-32)


def test_tests_out_of_reach_are_told_in_one_warning_with_their_columns():
    rng = np.random.default_rng(0)
    y, cells = np.arange(60) % 3, rng.integers(0, 3, (60, 2))
    table = Schema.infer(cells, nominal=[0, 1]).encode(cells)
    with pytest.warns(UserWarning, match="x0 .*, x1 .*") as caught:
        found = fisher_tests(table, y, samples=500, limit=0)
    assert len(caught) == 1
    assert not any(test.exact for test in found)
    assert all(test.standard_error > 0 for test in found)


def test_a_part_that_judges_draws_fewer_tables_and_does_not_warn(monkeypatch):
    rng = np.random.default_rng(0)
    y, cells = np.arange(60) % 3, rng.integers(0, 3, (60, 2))
    table = Schema.infer(cells, nominal=[0, 1]).encode(cells)
    monkeypatch.setattr(logs_of_column_tests, "JUDGED_STATES", 0)  # whatever the limit
    found = fisher_tests(table, y, judging=True)
    with pytest.warns(UserWarning, match="Fisher's exact test"):
        assert found == fisher_tests(table, y, samples=5_000, limit=0)
    for own, exact in zip(found, fisher_tests(table, y), strict=True):  # all tables are counted
        assert exact.exact
        assert np.exp(own.log_pvalue - exact.log_pvalue) == pytest.approx(
            1.0, abs=4 * own.standard_error
        )


def test_equal_on_paper_is_equal():
    x, y = np.random.default_rng(0).integers(0, 30, size=(12, 50)) / 10, np.arange(12) % 2
    logs = t_test_logs(x, y)
    np.testing.assert_array_equal(t_test_logs(-0.3048 * x + 17, y), logs)
    np.testing.assert_array_equal(t_test_logs(x / 3, y), logs)


def test_counts_by_hand():
    column, y = np.array([5.0, 5, 2, np.nan, 2, np.nan]), np.array([0, 0, 0, 1, 1, 1])
    assert counts(column, y).tolist() == [[0, 2], [1, 1], [2, 0]]
    other = np.array([1.0, 1, np.nan, 4, np.nan, 4])  # the same under other names
    assert counts(other, y).tolist() == counts(column, y).tolist()
