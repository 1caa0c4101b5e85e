"""Test each column against survival times: Cox's score test, log-rank test of levels.

R's `survival` and `coin` have these tests, one column at a time. Here each column leaves out its
missing values, and logarithms of p-values do not underflow. Only the order of the times counts. If
events are tied, both tests use the mean and the variance of draws without replacement from the rows
at risk (R's `ties = "exact"`). For a column of zeros and ones they agree to the last digit. If
levels are rare, :func:`log_rank` rejects too often and :func:`permuted_log_rank` does not (decision
033).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError
from hetsel.ground.array_types import Floats
from hetsel.ground.equal_numbers import unit_scale
from hetsel.statistics.column_tests import chi_squared, group_means
from hetsel.statistics.survival.curves_and_martingale_residuals import (
    checked_times,
    martingale_residuals,
)

MOST_LEVELS = 2000  # levels of a column; the matrix and its time grow with the square
SINGULAR = 1e-10  # relative to a variance; what other levels leave of it below this is rounding


def cox_score(x: ArrayLike, times: ArrayLike, events: ArrayLike) -> group_means.TestResult:
    """Compute the score test (p,) of the slope of Cox's model for each column of x (n, p).

    X^2 = (sum_s sum_{i in D(s)} (x_i - m(s)))^2 / sum_s d (n - d) / (n - 1) v(s), D(s) the d rows
    with an event at s; m(s) and v(s) are mean and variance (divisor n) of the n rows at risk, those
    with t_i >= s: Cox 1972, Journal of the Royal Statistical Society B 34, 187-220, section 5. A
    column that is constant in the rows at risk has X^2 = 0, df = 0, p = 1.
    """
    order, block, event = _descending(times, events)
    scaled = np.ascontiguousarray(unit_scale(np.asarray(x, np.float64))[order].T)
    sums = score_sums(scaled, block, event)
    known = sums[1] > 0
    statistic = np.divide(sums[0] ** 2, sums[1], out=np.zeros(len(scaled)), where=known)
    return chi_squared.chi_squared_tests(statistic, known.astype(np.float64))


def _descending(
    times: ArrayLike, events: ArrayLike
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return the row order (n,) by descending time, and blocks of equal time and events in it."""
    t, d = checked_times(times, events)
    order = np.argsort(-t, kind="stable")
    return order, np.unique(-t[order], return_inverse=True)[1], d[order]


@compiled
def score_sums(columns, block, event):
    """Compute score and variance (2, p) of columns (p, n) whose rows come by descending time.

    Rows of equal time form a block. Welford's update avoids loss of digits by a distant value.
    """
    p, n = columns.shape
    out = np.zeros((2, p))
    for f in range(p):
        at_risk, mean, squares = 0.0, 0.0, 0.0
        start = 0
        while start < n:
            end = start
            while end < n and block[end] == block[start]:
                value = columns[f, end]
                if not np.isnan(value):
                    at_risk += 1.0
                    away = value - mean
                    mean += away / at_risk
                    squares += away * (value - mean)
                end += 1
            d, total = 0.0, 0.0
            for i in range(start, end):
                if event[i] and not np.isnan(columns[f, i]):
                    d += 1.0
                    total += columns[f, i] - mean
            if 0 < d < at_risk:
                out[0, f] += total
                out[1, f] += d * (at_risk - d) / (at_risk - 1.0) * (squares / at_risk)
            start = end
    return out


def log_rank(codes: ArrayLike, times: ArrayLike, events: ArrayLike) -> group_means.TestResult:
    """Compute the log-rank test (p,) of columns of levels (n, p): observed against expected events.

    X^2 = (O - E)' V^- (O - E), O_l the events of level l, E_l = sum_s d n_l / n, d events and n_l
    of n rows at risk at s, V_lm = sum_s d (n - d) / (n - 1) (n_l / n) ((l = m) - n_m / n); df =
    (levels with E > 0) - 1, as in R's `survdiff`. NaN is a separate level. Peto and Peto 1972,
    Journal of the Royal Statistical Society A 135, 185-207; Kalbfleisch and Prentice 2002, The
    Statistical Analysis of Failure Time Data, section 1.5.
    """
    order, block, event = _descending(times, events)
    columns = np.asarray(codes, np.float64)[order].T
    statistic, df = np.zeros(len(columns)), np.zeros(len(columns))
    for f, column in enumerate(columns):
        levels, code = np.unique(column, return_inverse=True)
        if len(levels) > MOST_LEVELS:
            raise TableError(
                f"the log-rank test needs columns of {MOST_LEVELS} levels or fewer. Got "
                f"{len(levels)} levels in {len(column)} rows. Leave the column out, or merge levels"
            )
        observed, expected, covariance = log_rank_sums(code, len(levels), block, event)
        # by content, so that level names do not change the sum; the most frequent level is left out
        kept = np.lexsort([expected, observed, np.bincount(code)])
        kept = kept[expected[kept] > 0][:-1]
        away = (observed - expected)[kept]
        statistic[f], df[f] = quadratic_form(covariance[np.ix_(kept, kept)], away)
    return chi_squared.chi_squared_tests(statistic, df)


@compiled
def log_rank_sums(code, k, block, event):
    """Compute events and expected events (k,) of each level, and their covariance (k, k)."""
    n = len(code)
    at_risk, observed, expected = np.zeros(k), np.zeros(k), np.zeros(k)
    covariance = np.zeros((k, k))
    start = 0
    while start < n:
        end, d = start, 0.0
        while end < n and block[end] == block[start]:
            at_risk[code[end]] += 1.0
            if event[end]:
                observed[code[end]] += 1.0
                d += 1.0
            end += 1
        if d > 0:
            spread = d * (end - d) / (end - 1.0) if end > 1 else 0.0
            for a in range(k):
                share = at_risk[a] / end
                expected[a] += d * share
                if share > 0:
                    covariance[a, a] += spread * share * (1.0 - share)
                    for b in range(a):
                        covariance[a, b] -= spread * (share * (at_risk[b] / end))
        start = end
    for a in range(k):
        for b in range(a):
            covariance[b, a] = covariance[a, b]
    return observed, expected, covariance


@compiled
def quadratic_form(matrix, vector):
    """Compute x' A^- x of a symmetric A (k, k), in place, and its rank; rounding is no pivot."""
    k = len(vector)
    total, rank = 0.0, 0.0
    diagonal = np.diag(matrix).copy()
    for a in range(k):
        pivot = matrix[a, a]
        if not pivot > SINGULAR * diagonal[a]:
            continue
        rank += 1.0
        total += vector[a] * vector[a] / pivot
        for b in range(a + 1, k):
            factor = matrix[b, a] / pivot
            vector[b] -= factor * vector[a]
            for c in range(a + 1, k):
                matrix[b, c] -= factor * matrix[a, c]
    return total, rank


def permuted_log_rank(
    codes: ArrayLike, times: ArrayLike, events: ArrayLike
) -> group_means.TestResult:
    """Compute the log-rank test (p,) of columns of levels with the permutation variance.

    X^2 = (n - 1) sum_l (sum_{i in l} M_i)^2 / n_l / sum_i M_i^2, df = levels - 1. It is Kruskal and
    Wallis's test with the martingale residuals M_i = d_i - H(t_i) in place of the ranks, and R's
    `coin::logrank_test` except for the scores of tied times (Hothorn, Hornik, van de Wiel and
    Zeileis 2006, The American Statistician 60, 257-263). It assumes that rows of all levels are
    censored alike.
    """
    scores = martingale_residuals(times, events)
    columns = np.asarray(codes, np.float64).T
    total = float((scores**2).sum())
    statistic, df = np.zeros(len(columns)), np.zeros(len(columns))
    for f, column in enumerate(columns):
        code = np.unique(column, return_inverse=True)[1]
        rows = np.bincount(code)
        parts = np.bincount(code, scores) ** 2 / rows
        df[f] = len(rows) - 1 if total > 0 else 0
        if df[f] > 0:  # sorted, so that level names do not change the sum
            statistic[f] = (len(scores) - 1) * np.sort(parts).sum() / total
    return chi_squared.chi_squared_tests(statistic, df)


def explained_order(test: group_means.TestResult, events: ArrayLike) -> Floats:
    """Compute how much of the order of d events (p,) a column explains, in 0..1.

    sqrt(1 - exp(-X^2 / d)), O'Quigley, Xu and Stare's measure (2005, Statistics in Medicine 24,
    479-489) of the score test.
    """
    d = np.maximum(np.asarray(events, dtype=np.float64), 1.0)
    return np.asarray(np.sqrt(-np.expm1(-test.statistic / d)))
