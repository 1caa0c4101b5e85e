"""Intervals and a test for Nogueira's stability; notation as in `measures_of_stability`."""

from collections import Counter
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy import stats

from hetsel.ground.parameters import between_0_and_1
from hetsel.statistics.doors.signature_tables import Subsets, subset_matrix
from hetsel.statistics.stability.measures_of_stability import nogueira_of_matrix

FEWEST_APART = 3  # subsets that differ from the commonest one; with fewer there is no interval


@dataclass(frozen=True)
class NogueiraResult:
    """Nogueira's measure with its sampling error.

    Parameters
    ----------
    stability : float
        The measure.
    variance : float
        Its variance.
    low, high : float
        Confidence interval, not cut at the bounds of the measure; NaN where there is none, see
        `without_interval`.
    level : float
        Level of the interval.
    n_subsets, n_features : int
        K and p.
    n_apart : int
        How many subsets differ from the commonest one.
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
    subsets: Subsets, p: int | None = None, *, level: float = 0.95
) -> NogueiraResult:
    """Nogueira's measure with its variance and an approximate confidence interval.

    v = 4/K^2 sum_i (phi_i - mean phi)^2, phi_i = (a_i - s_i m / p^2
    + Phi/2 (2 s_i m / p^2 - s_i/p - m/p + 1)) / ((m/p)(1 - m/p)), a_i = sum_{f in S_i} c_f / (K p);
    Phi +- z sqrt(v), z the normal quantile.

    v is the variance between independent subsets. Subsets from resamplings of one data set share
    rows: the interval then tells what more resamplings would change, not what other data would.

    There is no interval (NaN) where v is 0, and where fewer than 3 subsets differ from the
    commonest one: the normal distribution is no approximation to so few events. Let each of K
    subsets differ with probability e / K, in one feature or in all. Before this rule the 95 %
    interval covered the measure in 15 to 20 % of the cases at e = 0.2, 62 % at e = 1 and 85 % at
    e = 2, for K = 20, 50 and 200 alike. With it an interval is given in 0, 9 and 32 % of these
    cases, and given and wrong in 0, 2 and 4 %. From e = 4 on the intervals that are given cover in
    84 to 99 % of the cases, but where half of the subsets have one feature and half another (the
    measure is then at its least, and has no slope): 80 %.

    Parameters
    ----------
    subsets : boolean table of any library, shape (K, p), or K lists of positions or of names
    p : int
        Number of features; only for positions and names.
    level : float
        Level of the interval, between 0 and 1.

    Returns
    -------
    NogueiraResult

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
    first: Subsets, second: Subsets, p: int | None = None, *, level: float = 0.95
) -> StabilityComparison:
    """Test whether two methods, taken as independent, select equally stably, two-sided.

    z = (Phi_1 - Phi_2) / sqrt(v_1 + v_2), standard normal under equality. Numbers of subsets may
    differ. Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Theorem
    10.
    """
    a, b = (nogueira_interval(subsets, p, level=level) for subsets in (first, second))
    difference = a.stability - b.stability
    error = sqrt(a.variance + b.variance)
    statistic = nan if a.without_interval or b.without_interval else difference / error
    return StabilityComparison(
        a, b, difference, statistic, pvalue=2 * float(stats.norm.sf(abs(statistic)))
    )
