"""Intervals of mean losses of held-out rows, and of what they are of those of a reference.

Notation. Row i has a loss l_i (a squared error, say), that of a reference which knows no feature is
k_i, and w_i is its weight. L and K are the weighted means. What is told of the target is

    1 - L / K,

R^2 where l_i = (y_i - predicted)^2 and k_i = (y_i - mean)^2. Its interval is that of log(L / K),

    variance = (G - 1) / G  sum_g (sum_{i in g} w_i (l_i / L - k_i / K) / (W - W_g))^2

over the groups g of rows, G in number, a row each where there are none, W_g their weight and W that
of all: the jackknife of the ratio, to first order. It is multiplied by SPREAD = 3. Two are for rows
that are predicted by cross-validation, as they trained each other's models, see
:mod:`hetsel.statistics.performance.rate_intervals`. One is for the model of all rows: held-out rows
tell how models like it do on average, and its own features may be better or worse ones. The
quantile is Student's with G_e - 1 degrees of freedom, G_e Kish's number of groups.

With the half-width h of log(L / K) so found the interval is 1 - (L / K) e^h to 1 - (L / K) (1 - h):
its upper end is that of the plain scale (with e^(-2 h) for 1 - h where that is larger, so that it
is below 1), which is higher than that of the logarithm. Where features were badly chosen in the
folds, little is told, the variance of the logarithm is small, and an upper end of that scale would
be too low. How often the intervals cover is measured in tests/campaigns/measured_signatures.py.

References: Miller (1974) Biometrika 61, 1-15 (the jackknife); Bates, Hastie & Tibshirani (2024)
Journal of the American Statistical Association 119, 1434-1445 (what cross-validated rows lack).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from hetsel.statistics.performance.rate_intervals import (
    FEWEST_GROUPS,
    OVERLAP,
    RateInterval,
    effective_rows,
)

Floats = NDArray[np.float64]
SPREAD = OVERLAP + 1.0  # variance of the loss of one model over that of as many independent rows


def jackknife_variance(
    moves: ArrayLike, weights: ArrayLike, groups: ArrayLike | None = None
) -> float:
    """Variance of an estimate by what each row moves it, with whole groups of rows left out.

    (G - 1) / G sum_g (sum_{i in g} m_i W / (W - W_g))^2; a row is a group where there are none.

    Parameters
    ----------
    moves : array-like of shape (n,)
        m_i, whose sum is 0: w_i (x_i - mean) / W of a weighted mean.
    weights : array-like of shape (n,)
    groups : array-like of int, shape (n,), optional

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 6.0])
    >>> jackknife_variance((x - 3) / 3, np.ones(3)), x.var(ddof=1) / 3
    (2.3333333333333335, np.float64(2.3333333333333335))
    """
    own = np.asarray(weights, dtype=np.float64)
    sums, held = grouped(moves, groups), grouped(own, groups)
    if len(sums) < 2:
        return np.inf
    total = float(own.sum())
    without = sums * total / (total - held)
    return float((without**2).sum()) * (len(sums) - 1) / len(sums)


def student_quantile(weights: ArrayLike, groups: ArrayLike | None, level: float) -> float:
    """Quantile of Student's distribution with Kish's number of groups, or of rows, less one.

    Examples
    --------
    >>> round(student_quantile(np.ones(11), None, 0.95), 4)
    2.2281
    """
    free = max(FEWEST_GROUPS, effective_rows(grouped(weights, groups))) - 1
    return float(stdtrit(free, (1 + level) / 2))


def told_interval(
    losses: ArrayLike,
    references: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    also: ArrayLike | None = None,
    free: float = 0.0,
    spread: float = SPREAD,
    level: float = 0.95,
) -> RateInterval:
    """Interval of what is told of the target, 1 - L / K; see the top of this module.

    Parameters
    ----------
    losses, references : array-like of shape (n,)
    weights : array-like of shape (n,), optional
    groups : array-like of int, shape (n,), optional
    also : array-like of shape (n,), optional
        Losses without a correction: the larger one of the two variances counts.
    free : float
        Of the effective number of rows, those that the reference has learned: 1 of a mean.
    spread : float
        What the variance is multiplied by.
    level : float

    Examples
    --------
    >>> y, predicted = np.arange(8.0), np.array([1.0, 1, 1, 4, 4, 4, 6, 6])
    >>> print(told_interval((y - predicted) ** 2, (y - y.mean()) ** 2, free=1.0))
    0.896 [0.459, 0.996]
    """
    own, others, w = _rows(losses, references, weights)
    loss, reference = float(np.average(own, weights=w)), float(np.average(others, weights=w))
    rows = effective_rows(w)
    reference *= rows / (rows - free)
    error = _log_error(own, others, w, groups)
    if also is not None:
        error = max(error, _log_error(np.asarray(also, dtype=np.float64), others, w, groups))
    apart = student_quantile(w, groups, level) * np.sqrt(spread) * error
    share = loss / reference
    least, most = _ends(share, apart)
    return RateInterval(1 - share, 1 - most, 1 - least, level)


def loss_interval(
    losses: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    also: ArrayLike | None = None,
    power: float = 1.0,
    spread: float = SPREAD,
    level: float = 0.95,
) -> RateInterval:
    """Interval of a mean loss to some power; see the top of this module.

    Parameters
    ----------
    losses, weights, groups, also, spread, level
        As :func:`told_interval` takes them.
    power : float
        1/2 gives the root of the mean squared error.

    Examples
    --------
    >>> print(loss_interval([1.0, 4.0, 4.0, 9.0, 1.0, 1.0], power=0.5))
    1.826 [0.329, 4.299]
    """
    own, others, w = _rows(losses, np.ones(np.shape(losses)), weights)
    error = _log_error(own, others, w, groups)
    if also is not None:
        error = max(error, _log_error(np.asarray(also, dtype=np.float64), others, w, groups))
    apart = power * student_quantile(w, groups, level) * np.sqrt(spread) * error
    mean = float(np.average(own, weights=w)) ** power
    return RateInterval(mean, *_ends(mean, apart), level)


def _ends(value: float, apart: float) -> tuple[float, float]:
    """Ends of a positive value: the lower one plain, above 0, the upper one of its logarithm."""
    return float(value * max(1.0 - apart, np.exp(-2 * apart))), float(value * np.exp(apart))


def grouped(values: ArrayLike, groups: ArrayLike | None) -> Floats:
    """Sums of values (n,) over the rows of each group; the values where there are none."""
    own = np.asarray(values, dtype=np.float64)
    if groups is None:
        return own
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    return np.asarray(np.bincount(group, own), dtype=np.float64)


def _log_error(
    losses: Floats, references: Floats, weights: Floats, groups: ArrayLike | None
) -> float:
    """Standard error of log(L / K)."""
    loss, reference = (float(np.average(own, weights=weights)) for own in (losses, references))
    if not (loss > 0 and reference > 0):
        return 0.0
    moves = weights * (losses / loss - references / reference) / weights.sum()
    return float(np.sqrt(jackknife_variance(moves, weights, groups)))


def _rows(
    losses: ArrayLike, references: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    own, others = (np.asarray(part, dtype=np.float64) for part in (losses, references))
    w = np.ones(len(own)) if weights is None else np.asarray(weights, dtype=np.float64)
    return own, others, w
