"""Compute chi-squared tests: Pearson's of levels, and Kruskal and Wallis's of ranks.

scipy has both, one column at a time and without the logarithms of p-values that underflow.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from hetsel.ground import column_blocks
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import UNDERFLOW
from hetsel.statistics.column_tests.group_means import TestResult

LONGEST = 100_000  # terms of the continued fraction


def log_chi2_tail(statistic: ArrayLike, df: ArrayLike) -> Floats:
    """Compute the log of the upper tail of chi-squared, also far out.

    Statistics and df broadcast. P(X > s) = Q(a, x), a = df/2, x = s/2. If scipy's tail underflows,
    Legendre's continued fraction is used, Q(a, x) = exp(-x) x^a / Gamma(a) / (x + 1 - a - (1 - a) /
    (x + 3 - a - ...)): NIST Digital Library of Mathematical Functions, 8.9.2.
    """
    s, k = np.broadcast_arrays(np.asarray(statistic, np.float64), np.asarray(df, np.float64))
    tail = stats.chi2.sf(s, k)
    far = np.asarray(tail < UNDERFLOW) & np.isfinite(s)
    with np.errstate(divide="ignore"):
        log_tail = np.where(tail > 0.5, np.log1p(-stats.chi2.cdf(s, k)), np.log(tail))
    if far.any():
        log_tail[far] = _log_upper_gamma(k[far] / 2, s[far] / 2)
    return log_tail + 0.0


def _log_upper_gamma(a: Floats, x: Floats) -> Floats:
    """Compute log Q(a, x) for x well above a by Lentz's evaluation of the continued fraction."""
    b = x + 1 - a
    c, d = np.full_like(b, np.inf), 1 / b
    fraction = d.copy()
    for i in range(1, LONGEST):
        an = -i * (i - a)
        b = b + 2
        d, c = 1 / (an * d + b), b + an / c
        fraction *= c * d
        if (np.abs(c * d - 1) < 1e-15).all():
            break
    return np.asarray(a * np.log(x) - x - special.gammaln(a) + np.log(fraction))


def chi_square(columns: ArrayLike, y: ArrayLike) -> TestResult:
    """Test the independence of each column's levels and the classes (p,) by Pearson's test.

    X^2 = sum_lc (n_lc - n_l n_c / n)^2 / (n_l n_c / n), without continuity correction, df = (levels
    - 1) (classes - 1). Levels (n, p) are whole numbers from 0, NaN is a separate level, and only
    classes with a row count. Pearson 1900, Philosophical Magazine 50, 157-175.
    """
    codes = np.asarray(columns, dtype=np.float64)
    classes = np.unique(np.asarray(y), return_inverse=True)[1].ravel()
    n, p = codes.shape
    k = int(classes.max()) + 1
    statistic, df = np.zeros(p), np.zeros(p)
    for j in range(p):
        column = codes[:, j]
        missing = np.isnan(column)
        if missing.any():
            column = np.where(missing, np.nanmax(column, initial=-1.0) + 1, column)
        cells = np.bincount(column.astype(np.int64) * k + classes)
        cells = np.append(cells, np.zeros(-len(cells) % k, dtype=np.int64)).reshape(-1, k)
        cells = cells[cells.any(axis=1)]
        # sorted, so that level names do not change the sum
        cells = cells[np.lexsort(cells.T[::-1])]
        expected = np.outer(cells.sum(axis=1), cells.sum(axis=0)) / n
        statistic[j] = ((cells - expected) ** 2 / expected).sum()
        df[j] = (len(cells) - 1) * (k - 1)
    return chi_squared_tests(statistic, df)


def kruskal_wallis(x: ArrayLike, y: ArrayLike) -> TestResult:
    """Compare the classes (n,) by the ranks of each column (n, p), corrected for ties.

    H = (n - 1) sum_c n_c (r_c - r)^2 / sum_i (r_i - r)^2, with the mid-ranks r_i, their mean r_c in
    a class and r = (n + 1) / 2; df = classes - 1. Each column leaves out its NaN. Kruskal and
    Wallis 1952, Journal of the American Statistical Association 47, 583-621.
    """
    values, codes = np.asarray(x, dtype=np.float64), np.asarray(y)
    blocks = column_blocks(*values.shape)
    return TestResult.joined([_kruskal_wallis(values[:, block], codes) for block in blocks])


def _kruskal_wallis(values: Floats, codes: NDArray[np.int64]) -> TestResult:
    present = ~np.isnan(values)
    n = present.sum(axis=0)
    # twice the distance from the mean rank: whole numbers, so that every sum is exact
    away = np.where(present, 2 * mid_ranks(values) - (n + 1), 0.0)
    between, k = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for code in np.unique(codes):
        rows = codes == code
        count = present[rows].sum(axis=0)
        between += away[rows].sum(axis=0) ** 2 / np.maximum(count, 1)
        k += count > 0
    total = (away**2).sum(axis=0)
    statistic = (n - 1) * between / np.where(total > 0, total, 1.0)
    df = np.maximum(k - 1, 0.0)
    return chi_squared_tests(statistic, df)


def mid_ranks(values: ArrayLike) -> Floats:
    """Rank each column (n, p) from 1 to n; equal values share their mean rank, NaN stays."""
    numbers = np.asarray(values, dtype=np.float64)
    gaps = np.isnan(numbers)
    ranks = np.asarray(stats.rankdata(np.where(gaps, np.inf, numbers), axis=0))
    return np.where(gaps, np.nan, ranks)


def chi_squared_tests(statistic: Floats, df: Floats) -> TestResult:
    """Return the tests (p,) of chi-squared statistics; p = 1 if df is 0."""
    logs = np.where(df > 0, log_chi2_tail(statistic, np.maximum(df, 1.0)), 0.0)
    return TestResult(statistic, df, logs)
