"""Cox's score test and the log-rank test are R's, and their sums in exact arithmetic."""

import numpy as np
import pytest
from r_numbers import numbers_of_r
from scipy import stats
from twins.survival_tests import cox_score_fraction, log_rank_fraction

from hetsel.ground.errors import TableError
from hetsel.statistics.column_tests.survival_tests import (
    cox_score,
    explained_order,
    log_rank,
    permuted_log_rank,
)


def rows(seed, n=70, ties=True, missing=0.0):
    """Numbers and levels (n, 4), times and events."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4)) * [1.0, 1e-9, 1e9, 1.0] + [0.0, 5.0, 1.0, 1e6]
    codes = rng.integers(0, [2, 3, 5, 9], size=(n, 4)).astype(float)
    times = rng.exponential(np.exp(0.7 * x[:, 0] + 0.4 * codes[:, 1]))
    times = np.ceil(3 * times) if ties else times
    gaps = rng.random(x.shape) < missing
    x[gaps] = np.nan
    return x, codes, times, rng.random(n) < 0.6


SCRIPT = """suppressMessages(library(survival))
d <- read.csv("d.csv")
y <- Surv(d$t, d$d)
row <- function(...) cat(sprintf("%.17g", c(...)), "\\n")
for (j in 1:4) {
  x <- d[[paste0("x", j)]]
  x <- (x - min(x, na.rm = TRUE)) / diff(range(x, na.rm = TRUE))
  row(coxph(y ~ x, ties = ties)$score, 1)
}
for (j in 1:4) {
  g <- survdiff(y ~ d[[paste0("c", j)]])
  row(g$chisq, sum(g$exp > 0) - 1)
}"""


def by_r(folder, x, codes, times, events, ties):
    names = ",".join([f"x{j}" for j in range(1, 5)] + [f"c{j}" for j in range(1, 5)])
    cells = np.column_stack([x, codes, times, events])
    np.savetxt(folder / "d.csv", cells, "%.17g", ",", header=f"{names},t,d", comments="")
    script = SCRIPT.replace("ties = ties", f'ties = "{ties}"')
    return numbers_of_r(script, folder)


@pytest.mark.seconds
@pytest.mark.parametrize(
    ("ties", "way"), [(False, "breslow"), (False, "efron"), (True, "exact"), (False, "exact")]
)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_both_are_rs(ties, way, missing, tmp_path):
    x, codes, times, events = rows(1, ties=ties, missing=missing)
    known = by_r(tmp_path, x, codes, times, events, way)
    score, rank = cox_score(x, times, events), log_rank(codes, times, events)
    np.testing.assert_allclose(score.statistic, known[:4, 0], rtol=1e-6)  # some at 1e6 + noise
    np.testing.assert_allclose(rank.statistic, known[4:, 0], rtol=1e-9)
    np.testing.assert_array_equal(rank.df, known[4:, 1])
    for test, part in ((score, known[:4]), (rank, known[4:])):
        np.testing.assert_allclose(test.pvalue, stats.chi2.sf(*part.T), rtol=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ties", [False, True])
def test_both_are_their_sums_over_risk_sets(seed, ties):
    x, codes, times, events = rows(seed, n=25, ties=ties)
    known = [float(cox_score_fraction(column, times, events)) for column in x.T]
    np.testing.assert_allclose(cox_score(x, times, events).statistic, known, rtol=1e-8)
    known = [float(log_rank_fraction(column.tolist(), times, events)) for column in codes.T]
    np.testing.assert_allclose(log_rank(codes, times, events).statistic, known, rtol=1e-10)


def test_two_levels_are_a_column_of_zeros_and_ones():
    _, codes, times, events = rows(6)
    one, other = (test(codes[:, :1], times, events) for test in (cox_score, log_rank))
    np.testing.assert_allclose(one.statistic, other.statistic, rtol=1e-12)
    np.testing.assert_array_equal(one.df, other.df)


@pytest.mark.seconds
@pytest.mark.parametrize("ties", [False, True])
def test_the_permuted_log_rank_test_is_coins(ties, tmp_path):
    _, codes, times, events = rows(10, ties=ties)
    cells = np.column_stack([codes, times, events])
    np.savetxt(tmp_path / "d.csv", cells, "%.17g", ",", header="a,b,c,d,t,e", comments="")
    # coin has other scores of tied times
    test = "m ~ g, d" if ties else "Surv(t, e) ~ g, d"
    script = f"""suppressMessages({{library(survival); library(coin)}})
    d <- read.csv("d.csv")
    d$m <- residuals(coxph(Surv(t, e) ~ 1, d, ties = "breslow"), "martingale")
    for (name in c("a", "b", "c", "d")) {{
      d$g <- factor(d[[name]])
      test <- independence_test({test}, teststat = "quadratic")
      cat(sprintf("%.17g", c(statistic(test), pvalue(test))), "\n")
    }}"""
    known = numbers_of_r(script, tmp_path).T
    found = permuted_log_rank(codes, times, events)
    np.testing.assert_allclose(found.statistic, known[0], rtol=1e-8)
    np.testing.assert_allclose(found.pvalue, known[1], rtol=1e-8)
    turned = permuted_log_rank(8 - codes, times**3, events)
    np.testing.assert_array_equal(found.statistic, turned.statistic)


def test_rare_levels_of_noise_are_found_by_the_log_rank_test_but_for_its_permutations():
    rng = np.random.default_rng(11)
    found = np.zeros(2)
    for _ in range(200):
        times, events = rng.exponential(size=60), rng.random(60) < 0.8
        codes = rng.integers(0, 15, size=(60, 1))
        tests = (permuted_log_rank, log_rank)
        found += [test(codes, times, events).pvalue[0] < 0.05 for test in tests]
    assert found[0] <= 20 < 50 <= found[1]


def test_a_missing_number_is_left_out_and_a_missing_level_is_a_level():
    x, codes, times, events = rows(7, missing=0.2)
    for f, column in enumerate(x.T):
        kept = ~np.isnan(column)
        alone = cox_score(column[kept, None], times[kept], events[kept])
        assert cox_score(x, times, events).statistic[f] == pytest.approx(alone.statistic[0])
    gaps = np.where(codes == 1, np.nan, codes)
    np.testing.assert_array_equal(
        log_rank(gaps, times, events).statistic, log_rank(codes, times, events).statistic
    )


def test_a_far_value_takes_no_digits():
    x, _, times, events = rows(8, n=25, ties=False)
    x[np.argmin(times), 0] = 1e9
    known = float(cox_score_fraction(x[:, 0], times, events))
    assert cox_score(x[:, :1], times, events).statistic[0] == pytest.approx(known, rel=1e-6)


def test_names_of_levels_and_monotone_times_change_nothing():
    x, codes, times, events = rows(9)
    turned = 8 - codes
    here = log_rank(codes, times, events)
    np.testing.assert_array_equal(here.statistic, log_rank(turned, times**3, events).statistic)
    np.testing.assert_array_equal(
        cox_score(x, times, events).statistic, cox_score(x, times**3, events).statistic
    )


def test_p_values_beyond_the_smallest_double_keep_their_order():
    times = np.arange(1.0, 6001.0)
    events = np.ones(6000, dtype=bool)
    x = np.column_stack([times, np.round(times / 50)])
    for test in (cox_score(x, times, events), log_rank(x[:, :1] > 3000, times, events)):
        assert (test.pvalue == 0).all()
        assert np.isfinite(test.log_pvalue).all()
    score = cox_score(x, times, events)
    np.testing.assert_allclose(score.log_pvalue, np.log(2) + stats.norm.logsf(score.statistic**0.5))


def test_nothing_to_compare_has_p_1():
    times, events = np.array([1.0, 2.0, 3.0, 3.0]), np.array([False, True, True, True])
    x = np.array([[7.0, 1.0, np.nan], [7.0, 2.0, np.nan], [7.0, 2.0, 1.0], [7.0, 2.0, np.nan]])
    for test in (cox_score(x, times, events), log_rank(x[:, :2], times, events)):
        np.testing.assert_array_equal(test.statistic, 0)
        np.testing.assert_array_equal(test.df, 0)
        np.testing.assert_array_equal(test.pvalue, 1)
    for test in (log_rank, permuted_log_rank):  # all at once: no variance
        every = test([[0.0], [1.0]], [1.0, 1.0], [True, True])
        assert (every.statistic[0], every.df[0], every.pvalue[0]) == (0, 0, 1)
    one = permuted_log_rank(x[:, :1], times, events)
    assert (one.statistic[0], one.df[0], one.pvalue[0]) == (0, 0, 1)
    assert cox_score(np.empty((4, 0)), times, events).pvalue.shape == (0,)


def test_the_effect_grows_from_nothing_to_one():
    times, events = np.arange(1.0, 201.0), np.ones(200, dtype=bool)
    x = np.column_stack([times, np.ones(200), np.random.default_rng(0).normal(size=200)])
    told, none, noise = explained_order(cox_score(x, times, events), 200)
    assert none == 0
    assert noise < 0.2 < 0.6 < told < 1


def test_more_levels_than_a_matrix_should_have_are_refused():
    rows = np.arange(2001.0)
    with pytest.raises(TableError, match="2001 levels"):
        log_rank(rows[:, None], rows, rows > 0)
