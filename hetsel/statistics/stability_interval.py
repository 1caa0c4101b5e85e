"""Intervals and a test for Nogueira's measure of stability; notation as in `stability`."""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, inf, sqrt

import numpy as np
from scipy.stats import norm

from hetsel.statistics.stability import Subsets, nogueira_of_matrix, subset_matrix


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
        Confidence interval, not cut at the bounds of the measure.
    level : float
        Level of the interval.
    n_subsets, n_features : int
        K and p.
    """

    stability: float
    variance: float
    low: float
    high: float
    level: float
    n_subsets: int
    n_features: int

    def __str__(self) -> str:
        return (
            f"Nogueira's stability {self.stability:.3f}, {100 * self.level:g} % interval "
            f"{self.low:.3f} to {self.high:.3f} ({self.n_subsets} subsets of "
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
    With few subsets v is itself uncertain: with two of one size it is 0.

    Parameters
    ----------
    subsets : array-like of bool, shape (K, p), or sequence of K arrays of indices
    p : int
        Number of features; only for indices.
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
    >>> print(nogueira_interval([[0, 1], [0, 2], [0, 1]], p=4))
    Nogueira's stability 0.333, 95 % interval -0.022 to 0.689 (3 subsets of 4 features)
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1. Got {level}.")
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
    reach = float(norm.isf((1 - level) / 2)) * sqrt(variance)
    return NogueiraResult(
        phi, variance, phi - reach, phi + reach, float(level), n_subsets, n_features
    )


@dataclass(frozen=True)
class StabilityComparison:
    """Test of two stabilities: difference first - second, statistic, two-sided p-value."""

    first: NogueiraResult
    second: NogueiraResult
    difference: float
    statistic: float
    pvalue: float

    def __str__(self) -> str:
        return (
            f"Nogueira's stability {self.first.stability:.3f} and {self.second.stability:.3f}: "
            f"difference {self.difference:.3f}, z = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        )


def compare_nogueira(
    first: Subsets, second: Subsets, p: int | None = None, *, level: float = 0.95
) -> StabilityComparison:
    """Test whether two methods select equally stably, two-sided.

    z = (Phi_1 - Phi_2) / sqrt(v_1 + v_2), standard normal under equality.

    Parameters
    ----------
    first, second : array-like of bool, shape (K, p), or sequence of K arrays of indices
        What each method selected; K may differ. The two are taken as independent.
    p : int
        Number of features; only for indices.
    level : float
        Level of the two intervals.

    Returns
    -------
    StabilityComparison

    References
    ----------
    Nogueira, Sechidis & Brown (2018) Journal of Machine Learning Research 18(174), Theorem 10.

    Examples
    --------
    >>> print(compare_nogueira([[0, 1], [0, 2], [0, 1]], [[0, 1], [2, 3], [0, 3]], p=4))
    Nogueira's stability 0.333 and -0.333: difference 0.667, z = 2.598, p = 0.00937
    """
    one = nogueira_interval(first, p, level=level)
    other = nogueira_interval(second, p, level=level)
    difference = one.stability - other.stability
    error = sqrt(one.variance + other.variance)
    if error > 0:
        statistic = difference / error
    else:
        statistic = copysign(inf, difference) if difference else 0.0
    pvalue = 2 * float(norm.sf(abs(statistic)))
    return StabilityComparison(one, other, difference, statistic, pvalue)
