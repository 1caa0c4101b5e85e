"""Fisher's p-value beyond what random tables reach, against the exact sum."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln
from twins.fisher_fractions import fisher_fraction, log_fraction
from twins.table_walk import walked

from hetsel.statistics.column_tests.chi_squared import log_chi2_tail
from hetsel.statistics.fisher import fisher_exact, monte_carlo
from hetsel.statistics.fisher.counting import log_factorial_table
from hetsel.statistics.fisher.monte_carlo import _walk, split_sampling

FAR = [
    np.diag([8, 8, 8, 8]),
    np.array([[20, 2, 1, 8], [1, 18, 3, 4], [2, 4, 25, 3]]),
    np.array([[40, 2, 1], [3, 35, 5], [2, 1, 50]]),
    np.array([[12, 0, 0, 1, 9, 0], [0, 10, 1, 0, 0, 8], [1, 0, 11, 9, 0, 0]]),
    np.array([[60, 2, 50, 1, 3, 40], [1, 55, 3, 35, 45, 2]]),
]


@pytest.mark.slow
@pytest.mark.parametrize("table", FAR)
def test_splitting_agrees_with_the_exact_sum(table):
    exact = fisher_exact(table)
    assert exact.exact
    runs = [split_sampling(table, 40_000, seed) for seed in range(6)]
    errors = np.array([run.standard_error for run in runs])
    assert (errors > 0).all()
    off = np.array([run.log_pvalue for run in runs]) - exact.log_pvalue
    assert (np.abs(off) < np.maximum(4 * errors, 0.06 * abs(exact.log_pvalue))).all()
    assert abs(np.median(off)) < 2 * errors.mean()


def test_the_exact_sum_of_a_far_table_is_that_of_fractions():
    table = np.array([[9, 0, 0], [0, 7, 1], [0, 1, 6]])
    expected = log_fraction(fisher_fraction(table.tolist()))
    assert fisher_exact(table).log_pvalue == pytest.approx(expected)
    runs = [split_sampling(table, 40_000, seed).log_pvalue for seed in range(8)]
    assert np.mean(runs) == pytest.approx(min(expected, -np.log(40_001)), abs=0.4)


def test_a_walk_is_that_of_its_twin():
    rng = np.random.default_rng(0)
    for shape in [(2, 2), (2, 5), (3, 4)]:
        tables = rng.integers(0, 12, (4, *shape))
        level = float(gammaln(tables + 1.0).sum(axis=(1, 2)).min()) - 3.0
        uniforms = rng.random((4, 300, 4))
        found = tables.copy()
        _walk(found, level, uniforms, 2, log_factorial_table(12))
        slow = [walked(t, level, u, 2) for t, u in zip(tables.tolist(), uniforms, strict=True)]
        np.testing.assert_array_equal(found, slow)
        assert (found != tables).any()
        for axis in (1, 2):
            np.testing.assert_array_equal(found.sum(axis=axis), tables.sum(axis=axis))


def test_a_walk_without_a_level_draws_random_tables():
    """Of two rows: the first cell is hypergeometric."""
    tables = np.tile(np.array([[[6, 3], [2, 9]]]), (4000, 1, 1))
    uniforms = np.random.default_rng(1).random((4000, 200, 4))
    _walk(tables, -np.inf, uniforms, 2, log_factorial_table(6))
    found = np.bincount(tables[:, 0, 0], minlength=9) / 4000
    expected = stats.hypergeom.pmf(np.arange(9), 20, 8, 9)
    assert np.abs(found - expected).max() < 0.03


def test_no_estimate_is_above_the_floor_of_random_tables():
    weak = np.array([[4, 5, 3], [6, 3, 5], [5, 5, 6]])
    for samples in (1, 10_000):
        assert split_sampling(weak, samples, 0).log_pvalue == -np.log(samples + 1)


def test_splitting_is_seeded():
    first, again, other = (split_sampling(FAR[1], 10_000, seed) for seed in (1, 1, 2))
    assert first == again
    assert first.log_pvalue != other.log_pvalue


@pytest.mark.slow
def test_stronger_and_stronger_tables_have_smaller_and_smaller_estimates():
    """Three classes, twelve levels: the estimates follow Pearson's chi-square."""
    rng = np.random.default_rng(5)
    y, logs, asymptotic = np.arange(600) % 3, [], []
    for share in (0.25, 0.4, 0.55, 0.7, 0.85):
        codes = np.where(rng.random(600) < share, y * 4, 0) + rng.integers(0, 4, 600)
        codes = np.where(codes < 4, rng.integers(0, 12, 600), codes)
        table = stats.contingency.crosstab(codes, y).count
        test = fisher_exact(table, limit=1_000, samples=5_000)
        assert not test.exact
        logs.append(test.log_pvalue)
        asymptotic.append(np.log(stats.chi2_contingency(table).pvalue))
    assert asymptotic == sorted(asymptotic)[::-1]
    assert logs == sorted(logs)[::-1]
    np.testing.assert_allclose(logs, asymptotic, rtol=0.15)


@pytest.mark.slow
def test_a_climb_that_is_too_long_gives_way_to_the_likelihood_ratio(monkeypatch):
    for table in (FAR[2] * 5, FAR[1] * 9):
        near = split_sampling(table, 1_000, 0)
        assert near.standard_error > 0
        with monkeypatch.context() as patch:
            patch.setattr(monte_carlo, "WORK", 10_000)
            run = split_sampling(table, 1_000, 0)
        assert "asymptotic" in run.method
        assert np.isnan(run.standard_error)
        g = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
        expected = log_chi2_tail(g.statistic, g.dof)
        assert run.log_pvalue == pytest.approx(float(expected), rel=1e-9)
        assert run.log_pvalue == pytest.approx(near.log_pvalue, rel=0.02)


def test_the_likelihood_ratio_is_near_to_the_exact_sum_where_counts_are_large(monkeypatch):
    monkeypatch.setattr(monte_carlo, "WORK", 0)
    for table in ([[560, 3, 0], [1, 600, 60]], np.diag([100, 100, 100])):
        exact = fisher_exact(table)
        assert exact.exact
        found = split_sampling(np.array(table), 1, 0).log_pvalue
        assert found == pytest.approx(exact.log_pvalue, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "work"), [(FAR[1], 100_000), (FAR[2] * 5, 2_000_000)])
def test_short_walks_of_few_tables_are_not_far_off(table, work, monkeypatch):
    near = split_sampling(table, 1_000, 0)
    monkeypatch.setattr(monte_carlo, "WORK", work)
    runs = [split_sampling(table, 1_000, seed) for seed in range(5)]
    assert sum("levels of 50" in run.method for run in runs) >= 3
    logs = [run.log_pvalue for run in runs]
    np.testing.assert_allclose(logs, near.log_pvalue, rtol=0.12)
    assert np.mean(logs) == pytest.approx(near.log_pvalue, rel=0.06)


@pytest.mark.slow
def test_tables_on_a_lower_hill_give_way_to_the_likelihood_ratio(monkeypatch):
    """With this seed all fifty tables climb a hill whose top is below the observed table."""
    table = FAR[2] * 5
    near = split_sampling(table, 1_000, 0)
    monkeypatch.setattr(monte_carlo, "WORK", 2_000_000)
    run = split_sampling(table, 1_000, 2)
    assert np.isnan(run.standard_error)
    assert "asymptotic" in run.method
    assert run.log_pvalue == pytest.approx(near.log_pvalue, rel=0.03)


def test_a_large_table_far_out_takes_no_longer_than_the_work_allows():
    y = np.arange(30_000) % 3
    table = stats.contingency.crosstab(np.where(y == 0, 0, np.arange(30_000) % 100), y).count
    result = fisher_exact(table, limit=1_000, samples=100)
    assert "asymptotic" in result.method
    assert result.log_pvalue < -5_000


@pytest.mark.slow
@pytest.mark.parametrize("classes", [3, 4, 5, 6])
def test_stronger_evidence_has_the_smaller_p_however_small_it_is(classes):
    """No floor hides the order, and what is printed is an estimate of p itself with its error."""
    draw = np.random.default_rng(classes)
    logs, statistics = [], []
    for share in (0.05, 0.2, 0.4, 0.6, 0.9):
        y = draw.integers(0, classes, 400)
        x = np.where(draw.random(400) < share, y, draw.integers(0, 8, 400))
        table = np.zeros((8, classes), dtype=int)
        np.add.at(table, (x, y), 1)
        table = table[table.any(axis=1)]
        test = fisher_exact(table, samples=20_000, limit=300_000, seed=1)
        assert not test.exact
        assert test.standard_error > 0
        logs.append(test.log_pvalue)
        statistics.append(stats.chi2_contingency(table).statistic)
    assert (np.diff(statistics) > 0).all()
    assert (np.diff(logs) < 0).all()
    assert logs[-1] < 10 * np.log(1 / 20_000)
