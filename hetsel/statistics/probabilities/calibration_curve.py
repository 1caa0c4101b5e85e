"""Smooth curve of the observed share against the predicted probability, with a pointwise band.

The observed share c(x) at the probability x is a local linear regression of y_i on p_i, lowess
without robust steps (which would take cases of low probability for outliers):

    c(x) = sum_i a_i(x) y_i,   a_i = k_i / S (1 + (x - m) (p_i - m) / V),
    k_i = w_i (1 - (|p_i - x| / h)^3)^3,

S the sum of the k_i, m and V the mean and the variance of the p_i by them, h the distance to x
within which the share `fraction` of the weight lies. It is cut off at 0 and 1.

The band is, at each x by itself, Wilson's interval of a share of 1 / sum_i a_i^2 rows, fewer where
rows of a unit go together, by their residuals from the curve, see
:func:`hetsel.statistics.probabilities.share_interval.share_interval`. So it has a width where no
row near x is a case, and knows no error of smoothing: it is about the smoothed curve.

Of a known prevalence, of rows that were sampled by class, this is the curve of the probabilities
among the rows, with their own share of cases; it and its band are shifted to the prevalence.

How far the probabilities are from the curve: the mean of |c(p_i) - p_i| over the rows (ICI), its
median (E50) and its 90 % quantile (E90).

References: Cleveland (1979) Journal of the American Statistical Association 74, 829-836 (lowess);
Austin & Steyerberg (2019) Statistics in Medicine 38, 4051-4065 (ICI, E50, E90).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.errors import TableError
from hetsel.statistics.probabilities.pooled_rows import (
    Floats,
    PooledRows,
    check_prevalence,
    pooled_rows,
    shifted,
)
from hetsel.statistics.probabilities.share_interval import share_interval

FRACTION = 2 / 3  # of lowess in R and statsmodels
POINTS = 101  # of the grid
AT = np.array([0.5, 0.9]) - 1e-12  # of the distances, rounding left out
KNOTS = 256  # between more distinct probabilities the curve is interpolated


@dataclass(frozen=True)
class CalibrationCurve:
    probability: Floats  # (g,): the grid, the curve there, and its pointwise band
    observed: Floats
    low: Floats
    high: Floats
    ici: float  # mean, median and 90 % quantile of the distance of probability and curve
    e50: float
    e90: float


def calibration_curve(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    grid: ArrayLike | None = None,
    fraction: float = FRACTION,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> CalibrationCurve:
    """Curve of calibration with its band, and distances from it; see the top of this module.

    Without a grid (g,) of probabilities it is at 101 of them, equally far apart, from the smallest
    to the largest of the rows: outside of these nothing is known. `fraction`, of the weight that
    has a part in each point, is above 0, 1 at most. A prevalence is one that is known otherwise
    than by the share of cases among the rows.

    >>> p = np.arange(1, 100) / 100
    >>> found = calibration_curve(np.arange(99) % 3 == 0, p, grid=[0.2, 0.5])
    >>> found.observed.round(2), round(found.ici, 2)
    (array([0.34, 0.33]), 0.28)
    """
    if not 0 < fraction <= 1:
        raise TableError(f"fraction must be above 0, 1 at most. Got {fraction}.")
    rows = pooled_rows(truth, probability, weights, units)
    rows = rows.take(np.argsort(rows.probability, kind="stable"))
    check_prevalence(rows, prevalence)
    p, counted = rows.probability, rows.shares
    at = np.linspace(p[0], p[-1], POINTS) if grid is None else np.asarray(grid, dtype=np.float64)
    if at.ndim != 1 or not ((at >= 0) & (at <= 1)).all():
        raise TableError("grid must be probabilities in [0, 1].")
    where = at
    moved: Callable[[Floats], Floats] = np.asarray
    if prevalence is not None:
        own, counted = rows.share_of_cases, rows.at_prevalence(prevalence).shares
        rows, where = rows.as_sampled(prevalence), shifted(at, prevalence, own)
        moved = partial(shifted, from_share=own, to_share=prevalence)
    knots = np.unique(rows.probability)
    if len(knots) > KNOTS:
        knots = knots[np.linspace(0, len(knots) - 1, KNOTS).round().astype(int)]
    at_knots = [a @ rows.truth[window] for a, window in _smoothers(rows, knots, fraction)]
    curve = np.interp(rows.probability, knots, np.clip(at_knots, 0.0, 1.0))
    apart = np.abs(moved(curve) - p)
    order = np.argsort(apart, kind="stable")
    reached = np.cumsum(counted[order])
    e50, e90 = apart[order][np.minimum(np.searchsorted(reached, AT), len(p) - 1)]
    ends = [
        _band(rows, a, window, rows.truth - curve, spread)
        for a, window in _smoothers(rows, where, fraction)
    ]
    observed, low, high = (moved(part) for part in np.array(ends).reshape(-1, 3).T)
    ici = float((counted * apart).sum())
    return CalibrationCurve(at, observed, low, high, ici, float(e50), float(e90))


def _smoothers(rows: PooledRows, at: Floats, fraction: float) -> Iterator[tuple[Floats, slice]]:
    """For each x of the grid the a_i that are not 0, and the slice of the rows that have them."""
    p, w = rows.probability, rows.shares
    for x, h in zip(at, _distances(p, w, at, fraction), strict=True):
        window = slice(*np.searchsorted(p, [x - h, np.nextafter(x + h, 2)]))
        near = p[window]
        # at least one row is at the distance h or nearer
        k = w[window] * (1 - np.minimum(np.abs(near - x) / h, 1) ** 3) ** 3 if h else w[window]
        if not k.any():
            k = w[window]
        k = k / k.sum()
        m = float(k @ near)
        V = float(k @ (near - m) ** 2)
        # of equal probabilities the mean
        yield (k * (1 + (x - m) * (near - m) / V) if V > 1e-12 else k), window


def _distances(p: Floats, weights: Floats, at: Floats, fraction: float) -> Floats:
    """h of each x: the distance to a row within which the fraction of the weight lies."""
    reached = np.concatenate([[0.0], np.cumsum(weights)])
    wanted = fraction * reached[-1] * (1 - 1e-12)
    low, high = np.zeros(len(at)), np.ones(len(at))
    for _ in range(60):
        middle = (low + high) / 2
        left, right = np.searchsorted(p, at - middle), np.searchsorted(p, at + middle, "right")
        enough = reached[right] - reached[left] >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def _band(
    rows: PooledRows, a: Floats, window: slice, away: Floats, spread: float
) -> tuple[float, float, float]:
    """The curve at one x, and its band."""
    share = min(1.0, max(0.0, float(a @ rows.truth[window])))
    clusters = None if rows.clusters is None else rows.clusters[window]
    band = share_interval(share, a, away[window], clusters, spread=spread)
    return band.rate, band.low, band.high
