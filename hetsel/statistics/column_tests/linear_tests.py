"""Test how strongly each column relates to a number: correlations and F-tests of linear models.

scipy and scikit-learn have these for complete columns. Here each column leaves out its missing
values, logarithms of p-values do not underflow, and a column that determines the number exactly, up
to rounding, has an infinite F.
"""

import numpy as np
from numpy.typing import NDArray

from hetsel.ground import column_blocks
from hetsel.ground.array_types import Floats
from hetsel.ground.equal_numbers import unit_scale
from hetsel.statistics.column_tests.chi_squared import chi_squared_tests, kruskal_wallis, mid_ranks
from hetsel.statistics.column_tests.group_means import ROUNDING, TestResult, anova_f, log_f_tail


def slope_f(x: Floats, y: Floats) -> TestResult:
    """Test the slope (p,) of y (n,) on each column of x (n, p) by an F-test.

    F = r^2 (n - 2) / (1 - r^2), r Pearson's correlation. F = 0 and p = 1 with fewer than three
    values, a constant column or a constant y; F = inf if a column and y lie on a straight line.
    """
    return TestResult.joined([_slope_f(x[:, block], y) for block in column_blocks(*x.shape)])


def _slope_f(x: Floats, y: Floats) -> TestResult:
    present, a, b = _centered(x, y)
    n = present.sum(axis=0)
    xx, yy, xy = ((u * v).sum(axis=0) for u, v in ((a, a), (b, b), (a, b)))
    known = (n >= 3) & (xx > n * ROUNDING**2) & (yy > n * ROUNDING**2)
    slope = np.divide(xy, xx, out=np.zeros_like(xx), where=known)
    explained = slope * xy
    left = ((b - slope * a) ** 2).sum(axis=0)
    dfd = np.where(known, n - 2.0, 1.0)
    flat = known & (np.sqrt(left / dfd) < ROUNDING)
    statistic = np.divide(explained * dfd, left, out=np.zeros_like(xx), where=known & ~flat)
    statistic[flat] = np.inf
    df = (np.where(known, 1.0, 0.0), np.where(known, dfd, 0.0))
    return TestResult(statistic, df, log_f_tail(statistic, np.ones_like(dfd), dfd))


def rank_slope_f(x: Floats, y: Floats) -> TestResult:
    """Compute :func:`slope_f` of mid-ranks, those of y (n,) among the rows that a column has."""
    return TestResult.joined([_rank_slope_f(x[:, block], y) for block in column_blocks(*x.shape)])


def _rank_slope_f(x: Floats, y: Floats) -> TestResult:
    ranks, gaps = mid_ranks(x), np.isnan(x)
    partial = gaps.any(axis=0)
    tests = [slope_f(ranks[:, ~partial], mid_ranks(y[:, None])[:, 0])]
    tests += [
        slope_f(ranks[:, [f]], mid_ranks(np.where(gaps[:, f], np.nan, y)[:, None])[:, 0])
        for f in np.flatnonzero(partial)
    ]
    joined = TestResult.joined(tests)
    places = np.argsort(np.argsort(partial, kind="stable"), kind="stable")
    dfn, dfd = np.asarray(joined.df)[:, places]
    return TestResult(joined.statistic[places], (dfn, dfd), joined.log_pvalue[places])


def rank_trend(x: Floats, y: Floats) -> TestResult:
    """Test the trend (p,) of y (n,) along each column of x (n, p), by mid-ranks.

    H = (n - 1) r^2, r Spearman's correlation, chi-squared with one degree of freedom: Mantel's test
    with ranks as scores (1963, Journal of the American Statistical Association 58, 690-700). For a
    column of two values it equals Kruskal and Wallis's test, so numbers and levels share one scale.

    >>> test = rank_trend(np.array([[1.0], [2.0], [9.0], [4.0]]), np.array([1.0, 3.0, 7.0, 5.0]))
    >>> test.statistic.round(4), test.pvalue.round(4)
    (array([3.]), array([0.0833]))
    """
    test = rank_slope_f(x, y)
    known, n = np.asarray(test.df)[0], np.asarray(test.df)[1] + 2.0
    return chi_squared_tests((n - 1.0) * correlation(test) ** 2, known)


def levels_f(codes: Floats, y: Floats) -> TestResult:
    """Run `anova_f` (p,) of y (n,) over levels (n, p); NaN is a separate level."""
    number = unit_scale(y[:, None])
    return TestResult.joined([anova_f(number, level) for level in _levels(codes)])


def levels_kruskal_wallis(codes: Floats, y: Floats) -> TestResult:
    """Compute Kruskal and Wallis's test (p,) of y (n,) over levels (n, p), NaN a separate level.

    >>> levels = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0]])
    >>> test = levels_kruskal_wallis(levels, np.array([1.0, 2.0, 2.0, 4.0, 6.0, 9.0]))
    >>> test.statistic.round(4), test.pvalue.round(4)
    (array([4.1912]), array([0.123]))
    """
    return TestResult.joined([kruskal_wallis(y[:, None], level) for level in _levels(codes)])


def _levels(codes: Floats) -> list[NDArray[np.int64]]:
    """Return the levels (n,) of each column, from 0; NaN is one."""
    return [np.unique(column, return_inverse=True)[1] for column in codes.T]


def rank_correlation(test: TestResult, n: NDArray[np.int64]) -> Floats:
    """Compute the rank correlation (p,) whose test is H, from n (p,) rows: sqrt(H / (n - 1))."""
    return np.asarray(np.sqrt(np.clip(test.statistic / np.maximum(n - 1.0, 1.0), 0.0, 1.0)))


def correlation(test: TestResult) -> Floats:
    """Compute the correlation (p,) in 0..1 whose test is F: |r| of a slope, eta of levels."""
    dfn, dfd = np.asarray(test.df)
    known = test.statistic > 0
    ratio = np.divide(dfd, dfn * test.statistic, out=np.full(len(dfd), np.inf), where=known)
    return np.asarray(np.sqrt(1.0 / (1.0 + ratio)))


def _centered(x: Floats, y: Floats) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Return the mask of values (n, p), and the columns and y at them, on [-1, 1] with mean 0."""
    gaps = np.isnan(x) | np.isnan(y)[:, None]
    present = ~gaps
    n = np.maximum(present.sum(axis=0), 1)
    parts = []
    for values in (x, np.broadcast_to(y[:, None], x.shape)):
        scaled = np.where(present, np.nan_to_num(unit_scale(np.where(gaps, np.nan, values))), 0.0)
        parts.append(np.where(present, scaled - scaled.sum(axis=0) / n, 0.0))
    return present, parts[0], parts[1]
