"""Compute intervals of mean losses of held-out rows, and of their ratio to those of a reference.

Notation. Row i has a loss l_i (a squared error, for example), the loss k_i of a reference that uses
no feature, and the weight w_i. L and K are the weighted means. The explained proportion of the
target is

    1 - L / K,

R^2 if l_i = (y_i - predicted)^2 and k_i = (y_i - mean)^2. Its interval is that of log(L / K),

    V = (G - 1) / G  sum_g (sum_{i in g} w_i (l_i / L - k_i / K) / (W - W_g))^2

over the G groups g of rows (each row is a group if there are no groups), W_g their weight and W the
total weight. This is the jackknife of the ratio, to first order. That of log L has 1 in place of
k_i / K. The quantile is Student's with G_e - 1 degrees of freedom, G_e Kish's number of groups.

For rows predicted by cross-validation, V is multiplied by 1 + 2 u^2, where u = L / K is the
proportion of noise in the target, at most 1 (decision 080). The factor does not apply to the loss
of the mean, K: the variance of log L is its jackknife plus 2 u^2 V.

With the half-width h of log(L / K), the interval is 1 - (L / K) e^h to 1 - (L / K) (1 - h). Its
upper end is that of the plain scale, with e^(-2 h) in place of 1 - h if that is larger. The upper
end on the logarithmic scale would be too low if the folds chose poor features. The interval of L is
alike. If few rows make up most of L, its upper end is at least Hall's, with the skewness of the
rows' contributions to L (decision 074).

References: Miller (1974) Biometrika 61, 1-15 (the jackknife); Bates, Hastie & Tibshirani (2024)
Journal of the American Statistical Association 119, 1434-1445 (the variance that cross-validated
rows lack); Hall (1992) Journal of the Royal Statistical Society B 54, 221-228 (skewness).
"""

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.array_types import Floats
from hetsel.statistics.performance import rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval


def jackknife_variance(
    moves: ArrayLike, weights: ArrayLike, groups: ArrayLike | None = None
) -> float:
    """Compute the jackknife variance of an estimate from how much each row (n,) moves it.

    (G - 1) / G sum_g (sum_{i in g} m_i W / (W - W_g))^2, with whole groups of rows left out; each
    row is a group if there are no groups. The sum of the moves is 0: m_i = w_i (x_i - mean) / W for
    a weighted mean.
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
    """Compute the interval of 1 - L / K.

    The larger of the variances with the losses and with `also` (n,), without a correction, counts.
    It is multiplied by `spread`, 1 + 2 u^2 by default.
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
    """Compute the interval of a mean loss to some power (1/2: the root mean squared error).

    The jackknife variance is multiplied by `spread`. With the k_i of rows predicted by
    cross-validation, 2 u^2 V is added. Bounded losses, where no row makes up most of L, do not need
    Hall's end.
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
    """Compute the lower end of a positive value, divided by it: of the plain scale, above 0."""
    return float(max(1.0 - apart, np.exp(-2 * apart)))


def _skewed(away: Floats, weights: Floats, groups: ArrayLike | None, quantile: float) -> float:
    """Compute how many standard errors the upper end lies above the mean by Hall's transformation.

    It is the x with -x + g x^2 / 3 - g^2 x^3 / 27 + g / 6 = -quantile, g the skewness of the mean.
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
    """Compute V, the jackknife of log(L / K), or that with the losses of `also` if it is larger."""
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
