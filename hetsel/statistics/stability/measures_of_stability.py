"""Measure how much subsets agree that were selected from resampled data.

Notation. K subsets S_1, ..., S_K of p features; s_i = |S_i|, and s if all sizes are equal; c_f is
the number of subsets that contain feature f; N = sum_i s_i = sum_f c_f. sum_f c_f (c_f - 1) / 2 is
the sum of |S_i n S_j| over the pairs.

Subsets are a boolean table of any library or an array of shape (K, p). They can also be a sequence
or dict of K lists, sets or arrays of positions (0..p-1) or names of features, each once, with `p`:
:mod:`hetsel.statistics.doors.signature_tables`. K is 2 or larger, and at least one subset contains
a feature.

If every subset contains all p features, chance alone gives full agreement, and a measure that is
corrected for chance is 0/0. It is defined as 1 here, as for other identical subsets.
"""

from collections import Counter
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hetsel.ground import TableError, between_0_and_1
from hetsel.statistics.doors.signature_tables import GivenSubsets, subset_matrix

FEWEST_APART = 3  # subsets that differ from the commonest subset; with fewer there is no interval


def kuncheva(subsets: GivenSubsets, p: int | None = None) -> float:
    """Compute Kuncheva's index of stability, for subsets of one size.

    KI = 2 / (K (K - 1)) sum_{i<j} (|S_i n S_j| - s^2/p) / (s - s^2/p); 1 if s = p. Here S_1, ...,
    S_K are the subsets, s is their size, and p is the number of features.

    Parameters
    ----------
    subsets : boolean table of any library of shape (K, p), or K lists of positions or of names
        The selected features, K >= 2.
    p : int, optional
        Number of features; for positions and names only.

    Returns
    -------
    float
        In [-1, 1]. The value for random subsets is 0 on average, the value for identical subsets is
        1.

    Raises
    ------
    TableError
        If the sizes differ, or the subsets are no subsets of p features.

    See Also
    --------
    hetsel.stability.nogueira : The same value for equal sizes; it also accepts different sizes.

    References
    ----------
    Kuncheva (2007) Artificial Intelligence and Applications, 390-395; paul2015, Eq. 13.

    Examples
    --------
    >>> from hetsel.stability import kuncheva
    >>> kuncheva([[0, 1], [0, 2], [0, 1]], p=4)
    0.3333333333333333
    """
    chosen = subset_matrix(subsets, p)
    sizes = chosen.sum(axis=1)
    if sizes.min() != sizes.max():
        raise TableError(
            f"Kuncheva's index needs subsets of one size. Got {sizes.min()} to {sizes.max()} "
            "features. Use nogueira, cw_rel or ati, which accept any sizes"
        )
    n_subsets, n_features = chosen.shape
    agreed, _ = _agreement(chosen)
    size, pairs = int(sizes[0]), n_subsets * (n_subsets - 1)
    if size == n_features:
        return 1.0
    by_chance = size**2 * pairs
    return (n_features * agreed - by_chance) / (n_features * size * pairs - by_chance)


def cw_rel(subsets: GivenSubsets, p: int | None = None) -> float:
    """Compute the relative weighted consistency of subsets of any sizes.

    The measure of Somol and Novovicova is CWrel = (CW - CWmin) / (CWmax - CWmin) with CW = sum_f
    c_f (c_f - 1) / (N (K - 1)), where c_f is the number of subsets that contain feature f and N =
    sum_f c_f. The bounds for this N are CWmin = (N^2 - p (N - D) - D^2) / (p N (K - 1)), D = N mod
    p, and CWmax = (H^2 + N (K - 1) - H K) / (N (K - 1)), H = N mod K. If CWmin = CWmax, the value
    is CW.

    0 and 1 are the least and the most agreement that N occurrences allow. Random subsets do not
    give 0: for equal sizes and D = 0, CWrel = (1 + (K - 1) KI) / K, so random subsets give 1/K.

    Parameters
    ----------
    subsets, p
        As in :func:`hetsel.stability.kuncheva`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    TableError
        If the subsets are no subsets of p features.

    See Also
    --------
    hetsel.stability.nogueira : A measure that is corrected for chance.

    References
    ----------
    Somol & Novovicova (2010) IEEE Transactions on Pattern Analysis and Machine Intelligence 32,
    1921-1939.

    Examples
    --------
    >>> from hetsel.stability import cw_rel
    >>> cw_rel([[0, 1], [0, 2]], p=4)
    0.5
    """
    chosen = subset_matrix(subsets, p)
    n_subsets, n_features = chosen.shape
    agreed, total = _agreement(chosen)
    d, h = total % n_features, total % n_subsets
    least = total**2 - n_features * (total - d) - d**2  # times p
    most = h**2 + total * (n_subsets - 1) - h * n_subsets
    if n_features * most == least:
        return agreed / (total * (n_subsets - 1))
    return (n_features * agreed - least) / (n_features * most - least)


def ati(subsets: GivenSubsets, p: int | None = None) -> float:
    """Compute the average Tanimoto index of the subsets.

    ATI is the mean of |S_i n S_j| / |S_i u S_j| over the pairs. It is not corrected for chance:
    random subsets of size s give about s / (2p - s). Two empty subsets agree fully.

    Parameters
    ----------
    subsets, p
        As in :func:`hetsel.stability.kuncheva`; p does not change the value.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    TableError
        If the subsets are no subsets of p features.

    See Also
    --------
    hetsel.stability.nogueira : A measure that is corrected for chance.

    References
    ----------
    Kalousis, Prados & Hilario (2007) Knowledge and Information Systems 12, 95-116; Somol &
    Novovicova (2010), see :func:`hetsel.stability.cw_rel`.

    Examples
    --------
    >>> from hetsel.stability import ati
    >>> ati([[0, 1], [0, 2]])
    0.3333333333333333
    """
    chosen = subset_matrix(subsets, p, p_needed=False)
    ones = chosen.astype(np.float32)  # whole numbers below 2^24 are exact
    common = (ones @ ones.T).astype(np.float64)
    sizes = chosen.sum(axis=1)
    union = sizes[:, None] + sizes - common
    shares = np.where(union > 0, common / np.maximum(union, 1), 1.0)
    return float(shares[np.triu_indices(len(shares), 1)].mean())


def nogueira(subsets: GivenSubsets, p: int | None = None) -> float:
    """Compute Nogueira's stability measure, for subsets of any sizes.

    Phi = 1 - (1/p) sum_f K/(K - 1) h_f (1 - h_f) / ((m/p)(1 - m/p)); 1 if m = p. Here h_f = c_f/K
    is the proportion of subsets that contain feature f, and m = N/K is the mean size. For subsets
    of one size it equals Kuncheva's index.

    Parameters
    ----------
    subsets, p
        As in :func:`hetsel.stability.kuncheva`.

    Returns
    -------
    float
        In [-1, 1], and not below -1/(K - 1). The value for random subsets is 0 on average, the
        value for identical subsets is 1.

    Raises
    ------
    TableError
        If the subsets are no subsets of p features.

    See Also
    --------
    hetsel.stability.nogueira_interval : The same with a confidence interval.

    References
    ----------
    Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Definition 4.

    Examples
    --------
    >>> from hetsel.stability import nogueira
    >>> nogueira([[0, 1], [0], [0, 1, 2]], p=4)
    0.33333333333333337
    """
    return nogueira_of_matrix(subset_matrix(subsets, p))


def agreement_within_pairs(chosen: NDArray[np.bool_]) -> float:
    """Average Nogueira's measure over pairs, rows 2j and 2j + 1 of the flags (2B, p).

    The two half-samples of a pair have no row in common. So the mean is unbiased for two other
    samples of half as many rows, whereas the measure of all 2B subsets is not.
    """
    pairs = chosen.reshape(-1, 2, chosen.shape[1])
    return float(np.mean([nogueira_of_matrix(pair) for pair in pairs]))


MEASURES = {"kuncheva": kuncheva, "cw_rel": cw_rel, "ati": ati, "nogueira": nogueira}


def _agreement(chosen: NDArray[np.bool_]) -> tuple[int, int]:
    """Return sum_f c_f (c_f - 1) and N as Python integers, so that their ratios are exact."""
    counts = chosen.sum(axis=0)
    return int((counts * (counts - 1)).sum()), int(counts.sum())


def nogueira_of_matrix(chosen: NDArray[np.bool_]) -> float:
    """Compute Nogueira's measure of a checked matrix."""
    n_subsets, n_features = chosen.shape
    agreed, total = _agreement(chosen)
    cells = n_subsets * n_features
    if total == cells:
        return 1.0
    apart = (n_subsets - 1) * total - agreed  # sum_f c_f (K - c_f)
    return 1 - apart * cells / ((n_subsets - 1) * total * (cells - total))


@dataclass(frozen=True)
class NogueiraResult:
    """Hold Nogueira's measure with its sampling error.

    Parameters
    ----------
    stability, variance : float
        The measure and its variance.
    low, high, level : float
        Confidence interval and its level, not cut at the bounds of the measure; NaN if there is no
        interval, see `without_interval`.
    n_subsets, n_features, n_apart : int
        K, p, and the number of subsets that differ from the commonest subset.

    See Also
    --------
    hetsel.stability.nogueira_interval

    Examples
    --------
    >>> result = nogueira_interval([[0, 1], [0, 2], [0, 1]], p=4)
    >>> isinstance(result, NogueiraResult), result.n_apart
    (True, 1)
    """

    stability: float
    variance: float
    low: float
    high: float
    level: float
    n_subsets: int
    n_features: int
    n_apart: int

    @property
    def without_interval(self) -> str:
        """The reason why there is no interval; empty if there is an interval."""
        if self.n_apart < FEWEST_APART:
            return (
                f"{FEWEST_APART} subsets that differ from the commonest subset are needed; "
                f"there {'is' if self.n_apart == 1 else 'are'} {self.n_apart}"
            )
        return "" if self.variance > 0 else "the variance is 0"

    def __str__(self) -> str:
        interval = f"{100 * self.level:g}% CI {self.low:.3f} to {self.high:.3f}"
        if self.without_interval:
            interval = f"no interval ({self.without_interval})"
        return (
            f"Nogueira's stability {self.stability:.3f} of {self.n_subsets} subsets of "
            f"{self.n_features} features: {interval}"
        )


def nogueira_interval(
    subsets: GivenSubsets, p: int | None = None, *, level: float = 0.95
) -> NogueiraResult:
    """Compute Nogueira's measure with an approximate confidence interval.

    The interval is Phi +- z sqrt(v), where z is the normal quantile and v = 4/K^2 sum_i (phi_i -
    mean phi)^2, phi_i = (a_i - s_i m / p^2 + Phi/2 (2 s_i m / p^2 - s_i/p - m/p + 1)) / ((m/p)(1 -
    m/p)), a_i = sum_{f in S_i} c_f / (K p).

    v is the variance between independent subsets. Subsets from resamplings of one data set share
    rows. Their interval then reflects the variation between resamplings of these rows, and not
    between data sets.

    There is no interval (NaN) if v is 0, or if fewer than 3 subsets differ from the commonest
    subset (decision 042). If each of K subsets differs with probability e / K and e is 4 or more,
    95% intervals cover the measure in 84% to 99% of cases. They cover it in 80% if half of the
    subsets have one feature and half another, where the measure is smallest.

    Parameters
    ----------
    subsets, p
        As in :func:`hetsel.stability.kuncheva`.
    level : float
        Level of the interval, between 0 and 1.

    Returns
    -------
    NogueiraResult

    Raises
    ------
    TableError
        If the subsets are no subsets of p features, or `level` is not between 0 and 1.

    See Also
    --------
    hetsel.stability.nogueira : The measure alone.

    References
    ----------
    Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Theorem 7 and
    Corollary 9.

    Examples
    --------
    >>> from hetsel.stability import nogueira_interval
    >>> print(nogueira_interval([[0, 1], [0, 2], [0, 1], [2, 3], [0, 1], [0, 3]], p=4))
    Nogueira's stability 0.000 of 6 subsets of 4 features: 95% CI -0.377 to 0.377
    """
    level = between_0_and_1("level", level)
    chosen = subset_matrix(subsets, p)
    n_subsets, n_features = chosen.shape
    phi = nogueira_of_matrix(chosen)
    shares = chosen.sum(axis=1) / n_features
    mean = float(shares.mean())
    variance = 0.0
    if mean < 1:
        common = chosen @ chosen.mean(axis=0) / n_features
        parts = common - shares * mean + phi / 2 * (2 * shares * mean - shares - mean + 1)
        variance = 4 / n_subsets * float(np.var(parts / (mean * (1 - mean))))
    alike = Counter(row.tobytes() for row in np.packbits(chosen, axis=1))
    n_apart = n_subsets - max(alike.values())
    apart = n_apart >= FEWEST_APART and variance > 0
    reach = float(stats.norm.isf((1 - level) / 2)) * sqrt(variance) if apart else nan
    return NogueiraResult(
        phi, variance, phi - reach, phi + reach, float(level), n_subsets, n_features, n_apart
    )


@dataclass(frozen=True)
class StabilityComparison:
    """Hold the two-sided test of two stabilities; NaN if one has no interval."""

    first: NogueiraResult
    second: NogueiraResult
    difference: float
    statistic: float
    pvalue: float

    def __str__(self) -> str:
        test = f"z = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        reason = self.first.without_interval or self.second.without_interval
        if reason:
            test = f"no test ({reason})"
        return (
            f"Nogueira's stability {self.first.stability:.3f} and {self.second.stability:.3f}: "
            f"difference {self.difference:.3f}, {test}"
        )


def compare_nogueira(
    first: GivenSubsets, second: GivenSubsets, p: int | None = None, *, level: float = 0.95
) -> StabilityComparison:
    """Test whether two methods, taken as independent, select equally stably, two-sided.

    z = (Phi_1 - Phi_2) / sqrt(v_1 + v_2), standard normal under equality: Nogueira, Sechidis &
    Brown (2018) Journal of Machine Learning Research 18(174), Theorem 10.
    """
    a, b = (nogueira_interval(subsets, p, level=level) for subsets in (first, second))
    difference = a.stability - b.stability
    error = sqrt(a.variance + b.variance)
    statistic = nan if a.without_interval or b.without_interval else difference / error
    return StabilityComparison(
        a, b, difference, statistic, pvalue=2 * float(stats.norm.sf(abs(statistic)))
    )
