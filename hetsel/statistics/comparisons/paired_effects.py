"""Measure how far two methods differ over data sets: interval, standardized difference, delta.

Notation. x_b and y_b are the scores of two methods on block (data set) b = 1, ..., n; z_b = x_b -
y_b. The Walsh averages are the n (n + 1) / 2 means (z_a + z_b) / 2 with a <= b. V is Wilcoxon's sum
of the ranks of the positive differences; without a difference between the methods it has the
signed-rank distribution.

scipy has the p-value of V but no interval from it. statsmodels has Cohen's d of two samples only
inside of its power analysis.
"""

from dataclasses import dataclass
from functools import cache
from itertools import count
from math import inf, nan

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from hetsel.ground import TableError, between_0_and_1, counted, whole_number
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import exceeds, tie_rows
from hetsel.statistics.comparisons.pairwise_ranks import least_signed_rank_pvalue
from hetsel.statistics.doors.score_tables import read_numbers

MOST = 1000  # differences: the Walsh averages and the exact distribution then take half a second
NORMAL_MAD = 1.4826  # standard deviation of a normal distribution per median absolute deviation
CLIFF = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"), (inf, "large"))


@dataclass(frozen=True)
class HodgesLehmann:
    """Hold the Hodges-Lehmann estimate of a difference with its exact interval.

    Parameters
    ----------
    estimate : float
        Median of the Walsh averages.
    low, high : float
        Ends of the confidence interval; NaN for a single difference.
    level : float
        Requested confidence level.
    attained_level : float
        Smallest probability that the interval covers the center of symmetry. It is at least
        `level`, or below it if n is too small for any interval of that level.
    n : int
        Number of differences.

    See Also
    --------
    hetsel.stats.hodges_lehmann

    Examples
    --------
    >>> result = hodges_lehmann([0.03, 0.02, 0.04, -0.005, 0.015, 0.02])
    >>> isinstance(result, HodgesLehmann), result.reaches_level
    (True, True)
    """

    estimate: float
    low: float
    high: float
    level: float
    attained_level: float
    n: int

    @property
    def reaches_level(self) -> bool:
        """Whether n differences allow an interval of the requested level."""
        return self.attained_level >= self.level

    def __str__(self) -> str:
        text = f"Hodges-Lehmann estimate of {counted(self.n, 'difference')}: {self.estimate:.4g}"
        if self.n > 1:
            text += f"\n{100 * self.attained_level:.4g}% CI: {self.low:.4g} to {self.high:.4g}"
        if not self.reaches_level:
            fewest = next(n for n in count(1) if _interval_rank(n, self.level)[1] >= self.level)
            text += (
                f"\nNo {100 * self.level:g}% interval exists with fewer than {fewest} differences"
            )
        return text


def hodges_lehmann(differences: ArrayLike, *, level: float = 0.95) -> HodgesLehmann:
    """Estimate the difference of two methods over data sets, with an exact confidence interval.

    The estimate is the median of the Walsh averages. With W_(1) <= ... <= W_(M) for the M = n (n +
    1) / 2 averages in order, the interval is

        [W_(c), W_(M + 1 - c)], where c is the largest rank with P(V <= c - 1) <= (1 - level) / 2,

    and V has the exact signed-rank distribution of n differences. Its level is 1 - 2 P(V <= c - 1).
    The only assumption is that the differences are independent and symmetric around one center.
    With zeros or ties the interval covers the center with at least this probability (Noether 1967);
    zeros count, whereas `wilcox.test` of R drops them. Without zeros and ties, the interval
    excludes 0 if and only if the p-value of Wilcoxon's signed-rank test is at most 1 -
    `attained_level`. With fewer than 6 differences there is no 95% interval: the result then has
    the widest interval, from the smallest to the largest difference, with the level that it
    attains, 1 - 2 / 2^n.

    Parameters
    ----------
    differences : array-like of shape (n,)
        Score of the first method minus score of the second, one number per data set; 1 to 1000.
    level : float
        Confidence level. Default: 0.95.

    Returns
    -------
    HodgesLehmann

    Raises
    ------
    TableError
        If there is no difference or there are more than 1000, a difference is missing, or `level`
        is out of its range.

    See Also
    --------
    hetsel.stats.effect_sizes : The difference relative to the spread of the scores.
    hetsel.stats.wilcoxon_holm : The tests of all pairs.

    References
    ----------
    Hodges & Lehmann (1963) Annals of Mathematical Statistics 34, 598-611; Hollander, Wolfe &
    Chicken (2014) Nonparametric Statistical Methods, sections 3.2 and 3.3; Noether (1967) JASA 62,
    184-188 (zeros and ties).

    Examples
    --------
    >>> from hetsel.stats import hodges_lehmann
    >>> print(hodges_lehmann([0.03, 0.02, 0.04, -0.005, 0.015, 0.02]))
    Hodges-Lehmann estimate of 6 differences: 0.02
    96.88% CI: -0.005 to 0.04
    >>> print(hodges_lehmann([0.03, 0.02, 0.04, -0.005]))
    Hodges-Lehmann estimate of 4 differences: 0.0225
    87.5% CI: -0.005 to 0.04
    No 95% interval exists with fewer than 6 differences
    """
    level = between_0_and_1("level", level)
    expected = "differences must be one number per data set"
    values = read_numbers(differences, 1, expected, "place")
    n = len(values)
    if not 1 <= n <= MOST:
        raise TableError(f"{expected}, 1 to {MOST}. Got shape ({n},)")
    (estimate,), (low,), (high,), attained = hodges_lehmann_rows(values[None], level)
    return HodgesLehmann(float(estimate), float(low), float(high), level, attained, n)


def hodges_lehmann_rows(differences: Floats, level: float) -> tuple[Floats, Floats, Floats, float]:
    """Return estimates and ends of intervals of many pairs (m, n), and the attained level."""
    n = differences.shape[1]
    first, second = (differences[:, side] for side in np.triu_indices(n))
    means = first / 2 + second / 2
    # exactly 0 up to rounding
    means[~exceeds(np.abs(means), 0.0, np.maximum(np.abs(first), np.abs(second)))] = 0.0
    walsh = np.sort(means, axis=1)
    rank, attained = _interval_rank(n, level)
    ends = [walsh[:, rank - 1], walsh[:, -rank]] if n > 1 else [np.full(len(walsh), nan)] * 2
    return np.median(walsh, axis=1), ends[0], ends[1], attained


@cache
def _interval_rank(n: int, level: float) -> tuple[int, float]:
    """Return the rank c of the lower end among the Walsh averages, and the attained level."""
    chances = np.ones(1)  # P(V = v) of the differences so far
    for rank in range(1, n + 1):
        plus = np.concatenate([np.zeros(rank), chances])
        plus[: len(chances)] += chances
        chances = plus / 2
    below = np.cumsum(chances)
    c = max(1, int(np.searchsorted(below, (1 - level) / 2, side="right")))
    return c, max(0.0, 1.0 - 2 * float(below[c - 1]))


@dataclass(frozen=True)
class EffectSizes:
    """Hold effect sizes of two methods; positive values favor the first one.

    Parameters
    ----------
    cohens_d : float
        Difference of means over the pooled standard deviation; infinite without a spread.
    robust_d : float
        Difference of medians over the pooled median absolute deviation; infinite without one.
    cliffs_delta : float
        Cliff's delta, from -1 to 1.
    magnitude : {"negligible", "small", "medium", "large"}
        Size of Cliff's delta in words.
    n : int
        Number of scores of each method.

    See Also
    --------
    hetsel.stats.effect_sizes

    Examples
    --------
    >>> result = effect_sizes([0.9, 0.8, 0.7], [0.6, 0.7, 0.5])
    >>> isinstance(result, EffectSizes), result.magnitude
    (True, 'large')
    """

    cohens_d: float
    robust_d: float
    cliffs_delta: float
    magnitude: str
    n: int

    def __str__(self) -> str:
        return (
            f"{self.n} scores of each method: Cohen's d = {self.cohens_d:.3g}, with medians "
            f"{self.robust_d:.3g}, Cliff's delta = {self.cliffs_delta:.3g} ({self.magnitude})"
        )


def effect_sizes(first: ArrayLike, second: ArrayLike) -> EffectSizes:
    """Compute standardized differences of two methods over data sets, and Cliff's delta.

    These are the effect sizes of the package autorank:

        d = (mean(x) - mean(y)) / sqrt((s_x^2 + s_y^2) / 2),

        gamma = (median(x) - median(y)) / sqrt((m_x^2 + m_y^2) / 2),

        delta = (#{(a, b): x_a > y_b} - #{(a, b): x_a < y_b}) / n^2.

    s^2 is the variance with denominator n - 1, and m = 1.4826 times the median absolute deviation.
    |delta| is negligible below 0.147, small below 0.33, medium below 0.474, else large (Romano et
    al. 2006). All three measure the difference against the spread of the scores over data sets and
    ignore which scores belong to one data set. A method that is a little better on every data set
    therefore has a small effect if data sets differ in difficulty. See :func:`hodges_lehmann` for
    the paired difference.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        Scores of the two methods on the same n >= 2 data sets.

    Returns
    -------
    EffectSizes

    Raises
    ------
    TableError
        If a score is missing, there are fewer than 2, or the methods have different numbers of
        scores.

    See Also
    --------
    hetsel.stats.hodges_lehmann : The paired difference with its interval.

    References
    ----------
    Herbold (2020) Journal of Open Source Software 5(48), 2173 (autorank); Cohen (1988) Statistical
    Power Analysis; Akinshin (2020), https://aakinshin.net/posts/nonparametric-effect-size (gamma);
    Cliff (1993) Psychological Bulletin 114, 494-509; Romano, Kromrey, Coraggio & Skowronek (2006),
    Florida Association of Institutional Research.

    Examples
    --------
    >>> from hetsel.stats import effect_sizes
    >>> print(effect_sizes([0.91, 0.84, 0.79, 0.88], [0.88, 0.83, 0.74, 0.86]))
    4 scores of each method: Cohen's d = 0.481, with medians 0.333, Cliff's delta = 0.312 (small)
    """
    x, y = (
        read_numbers(scores, 1, f"{name} must be one number per data set", "place")
        for name, scores in (("first", first), ("second", second))
    )
    if len(x) != len(y) or len(x) < 2:
        raise TableError(
            "first and second must have the scores of the same data sets, 2 or more. Got "
            f"{len(x)} and {len(y)} scores"
        )
    (cohen,), (robust,), (delta,) = effect_size_rows(x[None], y[None])
    return EffectSizes(float(cohen), float(robust), float(delta), magnitude(float(delta)), len(x))


def effect_size_rows(first: Floats, second: Floats) -> tuple[Floats, Floats, Floats]:
    """Return Cohen's d, its variant with medians, and Cliff's delta of many pairs (m, n)."""
    n = first.shape[1]
    both = tie_rows(np.concatenate([first, second], axis=1)).reshape(-1, 2, n)
    variances = both.var(axis=2, ddof=1) * (np.ptp(both, axis=2) > 0)
    mads = NORMAL_MAD * stats.median_abs_deviation(both, axis=2)
    means, medians = both.mean(axis=2), np.median(both, axis=2)
    wins = np.sign(both[:, 0, :, None] - both[:, 1, None, :]).sum(axis=(1, 2))
    return (
        _ratios(means[:, 0] - means[:, 1], np.sqrt(variances.mean(axis=1))),
        _ratios(medians[:, 0] - medians[:, 1], np.sqrt((mads**2).mean(axis=1))),
        wins / n**2,
    )


def magnitude(delta: float) -> str:
    """Return the size of Cliff's delta in words."""
    return next(word for bound, word in CLIFF if abs(delta) < bound)


def _ratios(differences: Floats, spreads: Floats) -> Floats:
    """Divide by the spread; without one 0 for no difference, else infinite."""
    ratios = np.where(differences == 0, 0.0, np.copysign(inf, differences))
    return np.divide(differences, spreads, out=ratios, where=spreads > 0)


def least_wilcoxon_holm(n_blocks: int, n_tests: int) -> float:
    """Compute the smallest p-value that Wilcoxon's test with Holm's adjustment can have.

    If all n differences of a pair have one sign, the two-sided p-value of the signed-rank test is 2
    / 2^n. Holm's adjustment multiplies the smallest of m p-values by m:

        least = min(1, m 2 / 2^n).

    If it is above the level, no comparison can be significant, whatever the scores.

    Parameters
    ----------
    n_blocks : int
        Number n of data sets.
    n_tests : int
        Number m of tests: k (k - 1) / 2 for all pairs of k methods, k - 1 for comparisons with one
        method.

    Returns
    -------
    float

    Raises
    ------
    TableError
        If a number is not a whole number of at least 1.

    See Also
    --------
    hetsel.stats.fewest_blocks : The number of data sets that would be needed.
    hetsel.stats.wilcoxon_holm : The test.

    References
    ----------
    Wilcoxon (1945) Biometrics Bulletin 1, 80-83; Holm (1979) Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> from hetsel.stats import least_wilcoxon_holm
    >>> least_wilcoxon_holm(8, 28)
    0.21875
    """
    n, m = whole_number("n_blocks", n_blocks, 1), whole_number("n_tests", n_tests, 1)
    return min(1.0, m * least_signed_rank_pvalue(n))


def fewest_blocks(n_tests: int, *, level: float = 0.05) -> int:
    """Compute how many data sets Wilcoxon's test with Holm's adjustment needs.

    This is the smallest n with m 2 / 2^n <= level, so that the smallest of m adjusted p-values can
    reach the level. It is a necessary number: the power may still be small.

    Parameters
    ----------
    n_tests : int
        Number m of tests, as in :func:`hetsel.stats.least_wilcoxon_holm`.
    level : float
        Level of significance, over all tests together. Default: 0.05.

    Returns
    -------
    int

    Raises
    ------
    TableError
        If `n_tests` is not a whole number of at least 1, or `level` is out of its range.

    See Also
    --------
    hetsel.stats.least_wilcoxon_holm : The smallest p-value with n data sets.

    Examples
    --------
    >>> from hetsel.stats import fewest_blocks
    >>> fewest_blocks(28)  # all pairs of 8 methods
    11
    >>> fewest_blocks(7)  # 7 methods against one
    9
    """
    level = between_0_and_1("level", level)
    return next(n for n in count(1) if least_wilcoxon_holm(n, n_tests) <= level)
