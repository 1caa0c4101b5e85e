"""Stability of feature selection: how much subsets selected from resampled data agree.

Notation. K subsets S_1, ..., S_K of p features; s_i = |S_i|, and s where all sizes are equal; c_f
is the number of subsets that hold feature f; N = sum_i s_i = sum_f c_f. sum_f c_f (c_f - 1) / 2 is
the sum of |S_i n S_j| over the pairs.

Subsets are given as a boolean table of any library or array, shape (K, p), or as a sequence or dict
of K lists, sets or arrays of the positions (0..p-1) or the names of features, none twice, with `p`:
:mod:`hetsel.statistics.doors.signature_tables`. K is 2 or larger, and some subset holds a feature.

Where every subset holds all p features chance alone gives full agreement, and 0/0 is left of a
measure that is corrected for chance: 1, as for other identical subsets.
"""

from collections import Counter
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hetsel.ground import TableError, between_0_and_1
from hetsel.statistics.doors.signature_tables import GivenSubsets, subset_matrix

FEWEST_APART = 3  # subsets that differ from the commonest one; with fewer there is no interval


def kuncheva(subsets: GivenSubsets, p: int | None = None) -> float:
    """Kuncheva's index, for subsets of one size.

    KI = 2 / (K (K - 1)) sum_{i<j} (|S_i n S_j| - s^2/p) / (s - s^2/p); 1 where s = p.

    Parameters
    ----------
    subsets : boolean table of any library, shape (K, p), or K lists of positions or of names
    p : int
        Number of features; only for positions and names.

    Returns
    -------
    float in [-1, 1]; 0 is what random subsets give on average.

    Raises
    ------
    TableError
        If the sizes differ, or the subsets are no subsets of p features.

    References
    ----------
    Kuncheva (2007) Artificial Intelligence and Applications, 390-395; paul2015, Eq. 13.

    Examples
    --------
    >>> kuncheva([[0, 1], [0, 2], [0, 1]], p=4)
    0.3333333333333333
    """
    chosen = subset_matrix(subsets, p)
    sizes = chosen.sum(axis=1)
    if sizes.min() != sizes.max():
        raise TableError(
            f"Kuncheva's index needs subsets of one size. Got {sizes.min()} to {sizes.max()} "
            "features; nogueira, cw_rel and ati take any sizes."
        )
    n_subsets, n_features = chosen.shape
    agreed, _ = _agreement(chosen)
    size, pairs = int(sizes[0]), n_subsets * (n_subsets - 1)
    if size == n_features:
        return 1.0
    by_chance = size**2 * pairs
    return (n_features * agreed - by_chance) / (n_features * size * pairs - by_chance)


def cw_rel(subsets: GivenSubsets, p: int | None = None) -> float:
    """Relative weighted consistency of Somol and Novovicova, for subsets of any sizes.

    CW = sum_f c_f (c_f - 1) / (N (K - 1)), CWrel = (CW - CWmin) / (CWmax - CWmin), with the bounds
    for this N: CWmin = (N^2 - p (N - D) - D^2) / (p N (K - 1)), D = N mod p; CWmax = (H^2 + N (K -
    1) - H K) / (N (K - 1)), H = N mod K. Where CWmin = CWmax it is CW.

    0 and 1 are the least and the most agreement that N occurrences allow. Random subsets do not
    give 0: where sizes are equal and D = 0, CWrel = (1 + (K - 1) KI) / K, so they give 1/K.

    Parameters
    ----------
    subsets, p : see :func:`hetsel.stability.kuncheva`

    Returns
    -------
    float in [0, 1]

    References
    ----------
    Somol & Novovicova (2010) IEEE Transactions on Pattern Analysis and Machine Intelligence 32,
    1921-1939.

    Examples
    --------
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
    """Average Tanimoto index: the mean of |S_i n S_j| / |S_i u S_j| over the pairs.

    It is not corrected for chance: random subsets of size s give about s / (2p - s). Two empty
    subsets agree fully.

    Parameters
    ----------
    subsets, p : see :func:`hetsel.stability.kuncheva`; p does not change the value

    Returns
    -------
    float in [0, 1]

    References
    ----------
    Kalousis, Prados & Hilario (2007) Knowledge and Information Systems 12, 95-116; Somol &
    Novovicova (2010), see :func:`hetsel.stability.cw_rel`.

    Examples
    --------
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
    """The measure of Nogueira, Sechidis and Brown, for subsets of any sizes.

    Phi = 1 - (1/p) sum_f K/(K - 1) (c_f/K)(1 - c_f/K) / ((m/p)(1 - m/p)), m = N/K; 1 where m = p.
    For subsets of one size it is Kuncheva's index.

    Parameters
    ----------
    subsets, p : see :func:`hetsel.stability.kuncheva`

    Returns
    -------
    float in [-1, 1], and not below -1/(K - 1); 0 is what random subsets give on average.

    References
    ----------
    Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Definition 4.

    Examples
    --------
    >>> nogueira([[0, 1], [0], [0, 1, 2]], p=4)
    0.33333333333333337
    """
    return nogueira_of_matrix(subset_matrix(subsets, p))


def agreement_within_pairs(chosen: NDArray[np.bool_]) -> float:
    """Mean of Nogueira's measure over pairs, rows 2j and 2j + 1 of the flags (2B, p), without a row
    in common: unbiased for two other samples of half as many rows, which that of all 2B subsets is
    not.
    """
    pairs = chosen.reshape(-1, 2, chosen.shape[1])
    return float(np.mean([nogueira_of_matrix(pair) for pair in pairs]))


MEASURES = {"kuncheva": kuncheva, "cw_rel": cw_rel, "ati": ati, "nogueira": nogueira}


def _agreement(chosen: NDArray[np.bool_]) -> tuple[int, int]:
    """sum_f c_f (c_f - 1) and N, as Python integers: the ratios built on them are exact."""
    counts = chosen.sum(axis=0)
    return int((counts * (counts - 1)).sum()), int(counts.sum())


def nogueira_of_matrix(chosen: NDArray[np.bool_]) -> float:
    """Nogueira's measure of a checked matrix."""
    n_subsets, n_features = chosen.shape
    agreed, total = _agreement(chosen)
    cells = n_subsets * n_features
    if total == cells:
        return 1.0
    apart = (n_subsets - 1) * total - agreed  # sum_f c_f (K - c_f)
    return 1 - apart * cells / ((n_subsets - 1) * total * (cells - total))


@dataclass(frozen=True)
class NogueiraResult:
    """Nogueira's measure with its sampling error.

    Parameters
    ----------
    stability, variance : float
        The measure and its variance.
    low, high, level : float
        Confidence interval and its level, not cut at the bounds of the measure; NaN where there is
        none, see `without_interval`.
    n_subsets, n_features, n_apart : int
        K, p, and how many subsets differ from the commonest one.
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
        """Why there is no interval; empty where there is one."""
        if self.n_apart < FEWEST_APART:
            return (
                f"{self.n_apart} of the subsets differ from the commonest one, and an interval "
                f"needs {FEWEST_APART}"
            )
        return "" if self.variance > 0 else "the variance is 0"

    def __str__(self) -> str:
        interval = f"{100 * self.level:g} % interval {self.low:.3f} to {self.high:.3f}"
        if self.without_interval:
            interval = f"no interval: {self.without_interval}"
        return (
            f"Nogueira's stability {self.stability:.3f}, {interval} ({self.n_subsets} subsets of "
            f"{self.n_features} features)"
        )


def nogueira_interval(
    subsets: GivenSubsets, p: int | None = None, *, level: float = 0.95
) -> NogueiraResult:
    """Nogueira's measure with its variance and an approximate confidence interval.

    v = 4/K^2 sum_i (phi_i - mean phi)^2, phi_i = (a_i - s_i m / p^2 + Phi/2 (2 s_i m / p^2 - s_i/p
    - m/p + 1)) / ((m/p)(1 - m/p)), a_i = sum_{f in S_i} c_f / (K p); Phi +- z sqrt(v), z the normal
    quantile.

    v is the variance between independent subsets. Subsets from resamplings of one data set share
    rows: the interval then tells what more resamplings would change, not what other data would.

    There is no interval (NaN) where v is 0, and where fewer than 3 subsets differ from the
    commonest one (decision 042). Where each of K subsets differs with probability e / K, e of 4 or
    more, 95 % intervals cover in 84 to 99 % of the cases, but in 80 % where half of the subsets
    have one feature and half another (the measure is at its least).

    Parameters
    ----------
    subsets, p : see :func:`hetsel.stability.kuncheva`
    level : float
        Level of the interval, between 0 and 1.

    References
    ----------
    Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Theorem 7 and
    Corollary 9.

    Examples
    --------
    >>> print(nogueira_interval([[0, 1], [0, 2], [0, 1], [2, 3], [0, 1], [0, 3]], p=4))
    Nogueira's stability 0.000, 95 % interval -0.377 to 0.377 (6 subsets of 4 features)
    >>> print(nogueira_interval([[0, 1], [0, 2], [0, 1]], p=4))
    Nogueira's stability 0.333, no interval: 1 of the subsets differ from the commonest one, and an interval needs 3 (3 subsets of 4 features)
    """  # noqa: E501
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
    """Two-sided test of two stabilities; statistic and p-value are NaN if one has no interval."""

    first: NogueiraResult
    second: NogueiraResult
    difference: float
    statistic: float
    pvalue: float

    def __str__(self) -> str:
        test = f"z = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        reason = self.first.without_interval or self.second.without_interval
        if reason:
            test = f"no test: {reason}"
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
