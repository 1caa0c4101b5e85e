"""Intervals of mean losses of held-out rows, and of what they are of those of a reference.

Notation. Row i has a loss l_i (a squared error, say), that of a reference which knows no feature is
k_i, and w_i is its weight. L and K are the weighted means. What is told of the target is

    1 - L / K,

R^2 where l_i = (y_i - predicted)^2 and k_i = (y_i - mean)^2. Its interval is that of log(L / K),

    V = (G - 1) / G  sum_g (sum_{i in g} w_i (l_i / L - k_i / K) / (W - W_g))^2

over the groups g of rows, G in number, a row each where there are none, W_g their weight and W that
of all: the jackknife of the ratio, to first order. That of log L has 1 for k_i / K. The quantile is
Student's with G_e - 1 degrees of freedom, G_e Kish's number of groups.

Of rows that are predicted by cross-validation V is multiplied by 1 + 2 u^2, u = L / K the share of
the target that is noise, at most 1 (decision 080). The loss of the mean, K, has no part in it: the
variance of log L is its jackknife plus 2 u^2 V.

With the half-width h of log(L / K) the interval is 1 - (L / K) e^h to 1 - (L / K) (1 - h): its
upper end is that of the plain scale (with e^(-2 h) for 1 - h where that is larger), as that of the
logarithm would be too low where features were badly chosen in the folds. The interval of L alike;
where few rows make up most of L its upper end is at least Hall's, with the skewness of what rows
move L by (decision 074).

References: Miller (1974) Biometrika 61, 1-15 (the jackknife); Bates, Hastie & Tibshirani (2024)
Journal of the American Statistical Association 119, 1434-1445 (what cross-validated rows lack);
Hall (1992) Journal of the Royal Statistical Society B 54, 221-228 (skewness).
"""

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.array_types import Floats
from hetsel.statistics.performance import rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval


def jackknife_variance(
    moves: ArrayLike, weights: ArrayLike, groups: ArrayLike | None = None
) -> float:
    """Variance of an estimate by what each row (n,) moves it, with whole groups of rows left out.

    (G - 1) / G sum_g (sum_{i in g} m_i W / (W - W_g))^2; a row is a group where there are none. The
    sum of the moves is 0: m_i = w_i (x_i - mean) / W of a weighted mean.
    """
    w = np.asarray(weights, dtype=np.float64)
    sums, held = rate_intervals.grouped(moves, groups), rate_intervals.grouped(w, groups)
    sums, held = sums[held > 0], held[held > 0]
    if len(sums) < 2:
        return np.inf
    total = float(w.sum())
    without = sums * total / (total - held)
    return float((without**2).sum()) * (len(sums) - 1) / len(sums)


def told_interval(
    losses: ArrayLike,
    references: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    also: ArrayLike | None = None,
    spread: float | None = None,
    level: float = 0.95,
) -> RateInterval:
    """Interval of 1 - L / K; the larger one of the variances with the losses and with `also` (n,),
    without a correction, counts; it is multiplied by `spread`, 1 + 2 u^2 by default.
    """
    own, others, w = _rows(losses, references, weights)
    share = float(np.average(own, weights=w) / np.average(others, weights=w))
    variance = _log_variance(own, also, others, w, groups)
    variance *= rate_intervals.noise_factor(share) if spread is None else spread
    apart = rate_intervals.student_quantile(w, groups, level) * np.sqrt(variance)
    least, most = share * _lower(apart), float(share * np.exp(apart))
    return RateInterval(1 - share, 1 - most, 1 - least, level)


def loss_interval(
    losses: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    references: ArrayLike | None = None,
    also: ArrayLike | None = None,
    power: float = 1.0,
    spread: float = 1.0,
    bounded: bool = False,
    level: float = 0.95,
) -> RateInterval:
    """Interval of a mean loss to some power (1/2: the root of the mean squared error). The
    jackknife is multiplied by `spread`; with the k_i of rows predicted by cross-validation 2 u^2 V
    is added. Bounded losses, of which none makes up most of L, are without Hall's end.
    """
    own, others, w = _rows(losses, np.ones(np.shape(losses)), weights)
    mean = float(np.average(own, weights=w))
    variance = spread * _log_variance(own, also, others, w, groups)
    if references is not None:
        others = np.asarray(references, dtype=np.float64)
        share = mean / float(np.average(others, weights=w))
        variance += (rate_intervals.noise_factor(share) - 1) * _log_variance(
            own, also, others, w, groups
        )
    error, quantile = np.sqrt(variance), rate_intervals.student_quantile(w, groups, level)
    high = np.exp(quantile * error)
    if not bounded:
        high = max(high, 1 + error * _skewed(own - mean, w, groups, quantile))
    low = _lower(power * quantile * error)
    return RateInterval(mean**power, mean**power * low, float((mean * high) ** power), level)


def _lower(apart: float) -> float:
    """Lower end of a positive value, over it: of the plain scale, above 0."""
    return float(max(1.0 - apart, np.exp(-2 * apart)))


def _skewed(away: Floats, weights: Floats, groups: ArrayLike | None, quantile: float) -> float:
    """How many standard errors the upper end is above the mean by Hall's cubic transformation: the
    x with -x + g x^2 / 3 - g^2 x^3 / 27 + g / 6 = -quantile, g the skewness of the mean.
    """
    moves = rate_intervals.grouped(weights * away, groups)
    square = float((moves**2).sum())
    g = float((moves**3).sum()) / square**1.5 if square > 0 else 0.0
    if g <= 0:
        return quantile
    return float(3 / g * (1 - np.cbrt(1 - g * (quantile + g / 6))))


def _log_variance(
    losses: Floats,
    also: ArrayLike | None,
    references: Floats,
    weights: Floats,
    groups: ArrayLike | None,
) -> float:
    """V, the jackknife of log(L / K); the larger one with the losses of `also`, if there are."""
    variance, reference = 0.0, float(np.average(references, weights=weights))
    for own in [losses] if also is None else [losses, np.asarray(also, dtype=np.float64)]:
        loss = float(np.average(own, weights=weights))
        if loss > 0 and reference > 0:
            moves = weights * (own / loss - references / reference) / weights.sum()
            variance = max(variance, jackknife_variance(moves, weights, groups))
    return variance


def _rows(
    losses: ArrayLike, references: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    own, others = (np.asarray(part, dtype=np.float64) for part in (losses, references))
    w = np.ones(len(own)) if weights is None else np.asarray(weights, dtype=np.float64)
    return own, others, w
