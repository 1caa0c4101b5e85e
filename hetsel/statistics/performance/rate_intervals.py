"""Compute intervals of recalls and of the balanced accuracy of held-out rows.

Wilson's interval equals that of statsmodels, whose import takes a third of a second. hetsel's own
are the combination of the classes and the number of rows that count.

Notation. n_c rows of class c, r_c the proportion predicted correctly, BCR = (1/C) sum_c r_c. If
rows have weights, r_c is the weighted proportion and n_c Kish's effective number of rows.

Rows that are predicted by cross-validation trained each other's models: n_c / 2 rows count. This is
exact for noise; with a signal the intervals are wider than necessary, except near 1 (decision 046).
vignettes/what-it-claims.Rmd reports the coverage of the intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri, stdtrit

from hetsel.ground.array_types import Floats

FEWEST_GROUPS = 3.0  # groups of a class; with fewer the interval has no finite limit
OVERLAP = 2.0  # variance of cross-validated rows divided by that of independent rows


@dataclass(frozen=True)
class RateInterval:
    """Hold an estimate with its confidence interval."""

    estimate: float
    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def noise_factor(noise: float) -> float:
    """Compute 1 + OVERLAP u^2, the variance of cross-validated rows over others', u the noise."""
    return 1.0 + OVERLAP * min(noise, 1.0) ** 2


def wilson_interval(rate: float, rows: float, level: float = 0.95) -> RateInterval:
    """Compute Wilson's score interval of a proportion of independent rows.

    The number of rows need not be whole. Wilson (1927) Journal of the American Statistical
    Association 22, 209-212.
    """
    if not rows:
        return RateInterval(rate, 0.0, 1.0, level)
    square = float(ndtri((1 + level) / 2)) ** 2
    middle = (rate + square / (2 * rows)) / (1 + square / rows)
    reach = sqrt(square * (rate * (1 - rate) / rows + square / (4 * rows**2))) / (1 + square / rows)
    low, high = middle - reach, middle + reach
    # the ends for a proportion of 0 or 1 are exact, in spite of rounding
    low, high = max(min(float(low), rate), 0.0), min(max(float(high), rate), 1.0)
    return RateInterval(rate, low, high, level)


def balanced_interval(
    recalls: Sequence[RateInterval], rows: Sequence[float] | None = None
) -> RateInterval:
    """Compute the interval of the mean recall of independent classes from the interval of each.

    low = BCR - (1/C) sqrt(sum_c (r_c - low_c)^2), high alike, so a recall of 1 is still uncertain
    (Zou & Donner 2008, Statistics in Medicine 27, 1693-1702, MOVER). That upper end is too low if
    recalls are near 1. With rows, it is therefore at least the upper end of Jeffreys' interval
    (Brown, Cai & DasGupta 2001, Statistical Science 16, 101-133) of one proportion, BCR, of N = BCR
    (1 - BCR) / ((1/C^2) sum_c r_c (1 - r_c) / n_c) rows, and 1 if all recalls are 1.
    """
    rate = float(np.mean([recall.estimate for recall in recalls]))
    below = sqrt(sum((recall.estimate - recall.low) ** 2 for recall in recalls)) / len(recalls)
    above = sqrt(sum((recall.high - recall.estimate) ** 2 for recall in recalls)) / len(recalls)
    high = rate + above
    if rows is not None:
        each = zip(recalls, rows, strict=True)
        variance = sum(r.estimate * (1 - r.estimate) / n for r, n in each) / len(recalls) ** 2
        if variance > 1e-12:  # else all recalls are 0 or 1
            n, middle = rate * (1 - rate) / variance, (1 + recalls[0].level) / 2
            high = max(high, float(betaincinv(rate * n + 0.5, (1 - rate) * n + 0.5, middle)))
    return RateInterval(rate, rate - below, high, recalls[0].level)


def effective_rows(weights: ArrayLike) -> float:
    """Compute Kish's effective number of rows, (sum_i w_i)^2 / sum_i w_i^2.

    So many rows of equal weight carry the same information on a mean if the weights are unrelated
    to the values: Kish (1965) Survey Sampling.
    """
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / (w**2).sum())


def design_effect(
    right: ArrayLike, groups: ArrayLike | None, weights: ArrayLike | None = None
) -> float:
    """Compute by how much groups of rows increase the variance of a mean over rows, at least 1.

    (G - 1) / G sum_g (m_g - m)^2 is the jackknife of the weighted mean m of how often each row is
    predicted correctly, m_g the mean without group g of G. The effect is that over s^2 / n_e, with
    n_e of :func:`effective_rows` and the weighted variance s^2. If nothing varies, Kish's number of
    the groups counts. Kish (1965) Survey Sampling; Bell & McCaffrey (2002) Survey Methodology 28,
    169-181.
    """
    if groups is None:
        return 1.0
    values = np.asarray(right, dtype=np.float64)
    w = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    rows, sums = effective_rows(w), grouped(w, groups)
    total = float(w.sum())
    away: Floats = values - np.average(values, weights=w)
    spread = float((w * away**2).sum()) / total
    if len(sums) < 2:
        return rows
    if spread <= 1e-12:
        return max(1.0, rows / effective_rows(sums))
    moved = grouped(w * away, groups) / (total - sums)  # how much the mean moves without each group
    variance = float((moved**2).sum()) * (len(sums) - 1) / len(sums)
    return max(1.0, variance / spread * rows)


def few_groups_effect(groups: ArrayLike | None, level: float, weights: ArrayLike) -> float:
    """Compute the factor (t / z)^2 for a variance estimated from few groups; 1 without groups."""
    if groups is None:
        return 1.0
    return float((student_quantile(weights, groups, level) / ndtri((1 + level) / 2)) ** 2)


def variance_ratio(
    values: ArrayLike, others: ArrayLike, groups: ArrayLike | None, weights: ArrayLike | None = None
) -> float:
    """Compute how much larger the variance of one mean over rows is than another's, at least 1.

    The ratio is that of sum_g (sum_{i in g} w_i (x_i - m))^2 of the two; each row is a group if
    there are no groups. It is 1 if the others do not vary.
    """
    w = np.ones(np.shape(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    below = _squares_of_sums(others, groups, w)
    if below <= 1e-12 * float((w**2).sum()):
        return 1.0
    return max(1.0, _squares_of_sums(values, groups, w) / below)


def _squares_of_sums(values: ArrayLike, groups: ArrayLike | None, weights: Floats) -> float:
    """Compute sum_g (sum_{i in g} w_i (x_i - m))^2 with the weighted mean m."""
    x = np.asarray(values, dtype=np.float64)
    return float((grouped(weights * (x - np.average(x, weights=weights)), groups) ** 2).sum())


def grouped(values: ArrayLike, groups: ArrayLike | None) -> Floats:
    """Add up values (n,) over the rows of each group; return the values if there are no groups."""
    x = np.asarray(values, dtype=np.float64)
    if groups is None:
        return x
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    return np.asarray(np.bincount(group, x), dtype=np.float64)


def student_quantile(weights: ArrayLike, groups: ArrayLike | None, level: float) -> float:
    """Compute Student's quantile with Kish's number of groups, or of rows, minus one."""
    free = max(FEWEST_GROUPS, effective_rows(grouped(weights, groups))) - 1
    return float(stdtrit(free, (1 + level) / 2))
