"""Compare groups per column: two-sample t-test and one-way analysis of variance.

The t-test is scipy's, from counts, means and deviations. This module adds degrees of freedom of
columns with missing values, logarithms of p-values that underflow, the rule for columns without
spread, and F (decision 035). A class counts in a column if it has at least one value there, as in
Fisher's score, the correlations and Kruskal and Wallis's test. If a test is impossible, p = 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from hetsel.ground import TableError, column_blocks
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import UNDERFLOW

# spread / mean up to which a column counts as constant, as in R
ROUNDING = 10 * np.finfo(np.float64).eps
LARGE = 1e307  # columns with larger values are divided by 4; no result has a unit


@dataclass(frozen=True)
class TestResult:
    """Hold one test per column."""

    __test__ = False  # pytest: not a test class

    statistic: Floats  # 0 if nothing is compared, infinite if groups differ without spread
    df: Floats | tuple[Floats, Floats]  # for F those of numerator and denominator
    log_pvalue: Floats  # finite even if the p-value underflows

    @property
    def pvalue(self) -> Floats:
        """The p-values (p,); 0.0 if one is below the smallest double."""
        return np.asarray(np.exp(self.log_pvalue))

    @classmethod
    def joined(cls, tests: "Sequence[TestResult]") -> "TestResult":
        """Join the tests of blocks of columns."""
        df = np.concatenate([np.asarray(test.df) for test in tests], axis=-1)
        return cls(
            np.concatenate([test.statistic for test in tests]),
            df if df.ndim == 1 else (df[0], df[1]),
            np.concatenate([test.log_pvalue for test in tests]),
        )


def log_f_tail(statistic: ArrayLike, dfn: ArrayLike, dfd: ArrayLike) -> Floats:
    """Compute the log of the upper tail of F, also where scipy's underflows.

    Statistics and dfs broadcast. P(F > f) = I_x(a, b), a = dfd/2, b = dfn/2, x = dfd / (dfd + dfn
    f). If it is tiny, I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) 2F1(a + b, 1; a + 1; x): NIST Digital
    Library of Mathematical Functions, 8.17.2 and 8.17.8.
    """
    f, dfn, dfd = np.broadcast_arrays(*(np.asarray(v, np.float64) for v in (statistic, dfn, dfd)))
    a, b = dfd / 2, dfn / 2
    with np.errstate(all="ignore"):
        ratio = dfn * f / dfd  # (1 - x) / x
        tail = special.betainc(a, b, 1 / (1 + ratio))
        log_tail = np.where(
            tail > 0.5, np.log1p(-special.betainc(b, a, ratio / (1 + ratio))), np.log(tail)
        )
        far = np.asarray(tail < UNDERFLOW) & np.isfinite(f)
        a, b, odds = a[far], b[far], ratio[far]
        power = -a * np.log1p(odds) - b * np.log1p(1 / odds)
        series = special.hyp2f1(a + b, 1, a + 1, 1 / (1 + odds))
        log_tail[far] = power - np.log(a) - special.betaln(a, b) + np.log(series)
        log_tail = np.where(np.isposinf(f), -np.inf, log_tail)
        log_tail = np.where(f <= 0, 0.0, log_tail)
    return np.asarray(np.minimum(log_tail, 0.0))


def t_test(x: ArrayLike, y: ArrayLike, equal_var: bool = False) -> TestResult:
    """Compare two class means per column, two-sided: Welch's t, or Student's with `equal_var`.

    Welch: t = (m_0 - m_1) / s, s^2 = v_0/n_0 + v_1/n_1, df = s^4 / (v_0^2 / (n_0^2 (n_0 - 1)) +
    v_1^2 / (n_1^2 (n_1 - 1))): Welch (1947) Biometrika 34, 28-35. Student: s^2 = v (1/n_0 + 1/n_1),
    v the pooled variance, df = n_0 + n_1 - 2.

    Welch's test needs two values in each class, Student's one in each and three in total; else t =
    0, df = 0. Without spread in either class (s within rounding of 0, R's rule), t = 0 and p = 1 if
    the means agree up to the same rounding; otherwise t = +-inf and log p = -inf.
    """
    values, codes = _checked(x, y)
    wrong = codes[(codes != 0) & (codes != 1)]
    if wrong.size:
        raise TableError(f"y must contain the class codes 0 and 1. Got {wrong[0]}")
    groups = _groups(values, codes, np.arange(2))
    counts = groups.counts
    known = counts.min(axis=0) >= (1 if equal_var else 2)
    known &= counts.sum(axis=0) >= 3
    n = np.where(known, counts, 2)
    # 0 for a single value, its contribution to the pooled variance
    spread = np.sqrt(groups.squares / np.maximum(n - 1, 1))
    first, second = zip(groups.means, spread, n, strict=True)
    scipys = stats.ttest_ind_from_stats(*first, *second, equal_var=equal_var)
    difference = groups.means[0] - groups.means[1]
    # the standard error is difference / t
    flat = known & (np.abs(difference) < groups.rounding * np.abs(scipys.statistic))
    same = ~known | (difference == 0) | (flat & (np.abs(difference) <= groups.rounding))
    statistic = np.where(flat, np.copysign(np.inf, difference), scipys.statistic)
    statistic[same] = 0.0
    df = n.sum(axis=0) - 2.0
    if not equal_var:  # at once for columns of different counts
        errors = spread**2 / n
        total = errors.sum(axis=0)
        shares = errors / np.where(total > 0, total, 1)
        df = 1 / np.maximum((shares**2 / (n - 1)).sum(axis=0), 1 / df)
    log_pvalue = np.zeros(len(df))
    ordinary = ~same & ~flat & (scipys.pvalue > UNDERFLOW)
    log_pvalue[ordinary] = np.log(scipys.pvalue[ordinary])
    far = ~same & ~ordinary
    log_pvalue[far] = log_f_tail(statistic[far] ** 2, 1.0, df[far])
    return TestResult(statistic, np.where(known, df, 0.0), log_pvalue)


def anova_f(x: ArrayLike, y: ArrayLike) -> TestResult:
    """Compare class means per column of x (n, p) by one-way analysis of variance (equal variances).

    F = (sum_g n_g (m_g - m)^2 / (k - 1)) / (sum_g (n_g - 1) v_g / (n - k)), df = (k - 1, n - k):
    Fisher (1925) Statistical Methods for Research Workers, chapter 7. k counts the classes with a
    value in the column. With k < 2, or one value in each (n = k), F = 0, df = (0, 0). Without
    spread within the classes, F = 0 and p = 1 if the means agree up to rounding, otherwise F = inf.
    """
    values, codes = _checked(x, y)
    groups = _groups(values, codes, np.unique(codes))
    n = groups.counts
    k = (n > 0).sum(axis=0)
    known = (k >= 2) & (n.sum(axis=0) > k)
    dfn, dfd = np.where(known, k - 1.0, 1.0), np.where(known, n.sum(axis=0) - k, 1.0)
    grand = (n * groups.means).sum(axis=0) / np.maximum(n.sum(axis=0), 1)
    away = np.where(n > 0, groups.means - grand, 0.0)
    between = (n * away**2).sum(axis=0) / dfn
    within = groups.squares.sum(axis=0) / dfd
    flat = known & (np.sqrt(within) < groups.rounding)
    same = ~known | (flat & (np.abs(away) <= groups.rounding).all(axis=0))
    statistic = between / np.where(flat | same, 1, within)
    statistic[flat] = np.inf
    statistic[same] = 0.0
    df = (np.where(known, dfn, 0.0), np.where(known, dfd, 0.0))
    return TestResult(statistic, df, log_f_tail(statistic, dfn, dfd))


def fisher_scores(test: TestResult) -> Floats:
    """Compute Fisher's scores (p,), sum_c n_c (m_c - m)^2 / sum_c n_c v_c = F (k - 1) / (n - k)."""
    dfn, dfd = np.asarray(test.df)
    return np.asarray(test.statistic * dfn / np.maximum(dfd, 1.0))


def correlation_ratio(test: TestResult) -> Floats:
    """Compute the multiple correlation (p,) with the indicators of the classes.

    R^2 = J / (1 + J), J Fisher's score (Fisher 1925, Statistical Methods for Research Workers,
    section 45).
    """
    with np.errstate(divide="ignore"):  # 1 / (1 + 1/J): right at 0 and at infinity
        return np.asarray(np.sqrt(1.0 / (1.0 + 1.0 / fisher_scores(test))))


def fisher_criterion(x: ArrayLike, y: ArrayLike) -> Floats:
    """Compute the Fisher criterion (p,) of columns: distance of class means over the spread within.

    J = (m_0 - m_1)^2 / (v_0 + v_1), v_g the variance with divisor n_g - 1. For more than two
    classes it is the mean over all pairs of classes with two values each: Ramona, Richard and David
    (2012), Eq. 1. It is 0 without such a pair, infinite without spread in two classes whose means
    differ.
    """
    values, codes = _checked(x, y)
    groups = _groups(values, codes, np.unique(codes))
    variances = groups.squares / np.maximum(groups.counts - 1, 1)
    total, pairs = np.zeros((2, values.shape[1]))
    for a, b in combinations(range(len(variances)), 2):
        known = np.minimum(groups.counts[a], groups.counts[b]) >= 2
        away = np.abs(groups.means[a] - groups.means[b])
        spread = variances[a] + variances[b]
        flat = np.sqrt(spread) < groups.rounding
        value = away**2 / np.where(flat, 1.0, spread)
        value[flat] = np.where(away[flat] > groups.rounding[flat], np.inf, 0.0)
        total += np.where(known, value, 0.0)
        pairs += known
    return np.asarray(total / np.maximum(pairs, 1))


class _Groups(NamedTuple):
    """Per class and column, shape (k, p), of columns shifted and scaled to [-1, 1]."""

    counts: NDArray[np.int64]
    means: Floats
    squares: Floats  # sums of squared deviations from the class mean
    rounding: Floats  # (p,): spread that rounding alone can cause


def _checked(x: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[np.int64]]:
    values, codes = np.asarray(x, dtype=np.float64), np.asarray(y)
    if values.ndim != 2:
        raise TableError(f"x must have 2 dimensions (rows, columns). Got {values.ndim}")
    if codes.shape != values.shape[:1]:
        raise TableError(
            f"y must have one class code for each of the {len(values)} rows of x. Got shape "
            f"{codes.shape}"
        )
    if np.isinf(values).any():
        raise TableError("x must contain numbers, or NaN for missing values. Got inf")
    numbers = codes.astype(np.float64)
    wrong = numbers[~(numbers == np.floor(numbers))]
    if wrong.size:
        raise TableError(f"y must contain class codes (whole numbers). Got {wrong[0]}")
    return values, codes.astype(np.int64)


def _groups(values: Floats, codes: NDArray[np.int64], classes: NDArray[np.int64]) -> _Groups:
    """Compute counts, means and sums of squares in two passes, without overflow or cancellation."""
    parts = [_groups_of(values[:, block], codes, classes) for block in column_blocks(*values.shape)]
    return _Groups(*(np.concatenate(part, axis=-1) for part in zip(*parts, strict=True)))


def _groups_of(values: Floats, codes: NDArray[np.int64], classes: NDArray[np.int64]) -> _Groups:
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    filled = np.where(np.abs(filled).max(axis=0, initial=0.0) > LARGE, filled / 4, filled)
    n = np.maximum(present.sum(axis=0), 1)
    center = (filled / n).sum(axis=0)
    shifted = np.where(present, filled - center, 0.0)
    scale = np.abs(shifted).max(axis=0, initial=0.0)
    scale = np.where(scale > 0, scale, 1.0)
    shifted /= scale
    counts = np.zeros((len(classes), values.shape[1]), dtype=np.int64)
    means, squares = np.zeros((2, *counts.shape))
    for g, code in enumerate(classes):
        rows = codes == code
        counts[g] = present[rows].sum(axis=0)
        means[g] = shifted[rows].sum(axis=0) / np.maximum(counts[g], 1)
        squares[g] = (np.where(present[rows], shifted[rows] - means[g], 0.0) ** 2).sum(axis=0)
    size = np.abs(center / scale + np.where(counts > 0, means, 0.0))
    rounding = ROUNDING * size.max(axis=0, initial=0.0)
    return _Groups(counts, means, squares, np.maximum(rounding, np.finfo(np.float64).tiny))
