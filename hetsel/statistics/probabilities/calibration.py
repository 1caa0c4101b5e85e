"""Estimate how well predicted probabilities are calibrated: intercept, slope, O/E and curve.

Notation. z_i = log(p_i / (1 - p_i)). There are two logistic regressions on it. logit P(y_i = 1) = a
+ z_i gives the intercept a, 0 at best, above 0 if the probabilities are too low. logit P(y_i = 1) =
a' + b z_i gives the slope b, 1 at best, below 1 if they are too extreme, as those of an overfitted
model. The ratio O / E = sum_i w_i y_i / sum_i w_i p_i is 1 at best. The slope is Firth's, in an
interval about the maximum-likelihood slope, `likelihood_slope` (decision 049).

The variances are those of the jackknife over units, to one Newton step: without unit g the
coefficients t move by -(B - B_g)^-1 s_g, with B = sum_i w_i q_i (1 - q_i) x_i x_i' over all rows,
B_g that over the rows of the unit, s_g = sum_{i in g} w_i (y_i - q_i) x_i and q_i the fitted
probabilities. Intervals have Student's quantile; that of O / E is that of its logarithm.

If the rows of fold k have their own map, their logits are put on one scale: minus the mean m_k,
divided by the standard deviation s_k of the logits from which the map was learned. With S for their
slope, the slope of a map is S_k / s_k. If the rows of a fold show a strong relation by chance, the
other rows show a weaker one, and s_k is small. Therefore b is the mean of S_k / s_k, not the mean
of S times that of 1 / s_k. Each row has a part in S = sum_i S_i, its proportion w_i S plus how far
it moves S to first order, and b = sum_i S_i / s_k(i). Its error is that of the jackknife, combined
with S times the standard deviation of 1 / s_k, since the final map has its own scale.

For a known prevalence q, if rows were sampled by class, the intercept and O / E are those of rows
whose weights give cases the proportion q. The slope needs no weights, and its interval is narrower
without them: among rows with the proportion s of cases, all logits are larger by logit(s) -
logit(q).

References: Cox (1958) Biometrika 45, 562-565; Firth (1993) Biometrika 80, 27-38; Van Calster et al.
(2016) Journal of Clinical Epidemiology 74, 167-176; Bell & McCaffrey (2002) Survey Methodology 28,
169-181 (the jackknife over groups); Prentice & Pyke (1979) Biometrika 66, 403-411 (rows sampled by
class).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground import TableError
from hetsel.ground.array_types import Floats
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities import logistic_fit, pooled_rows
from hetsel.statistics.probabilities.pooled_rows import PooledRows
from hetsel.statistics.probabilities.prevalence import shifted

DECIMALS = 9  # of a logit
FRACTION = 2 / 3  # of lowess in R and statsmodels
POINTS = 101  # of the grid
AT = np.array([0.5, 0.9]) - 1e-12  # quantiles of the distances, without rounding errors
KNOTS = 256  # if there are more distinct probabilities, the curve is interpolated


@dataclass(frozen=True)
class CalibrationLine:
    intercept: RateInterval  # a; NaN if all rows are of one class
    # Firth's b; NaN also for equal probabilities, no interval if z separates the classes
    slope: RateInterval
    likelihood_slope: float  # the maximum-likelihood b; NaN if z separates the classes
    observed_expected_ratio: RateInterval  # O / E


def calibration_line(
    rows: PooledRows,
    *,
    prevalence: float | None = None,
    repeats: float = 1.0,
    middle: ArrayLike | None = None,
    scale: ArrayLike | None = None,
    spread: float = 1.0,
) -> CalibrationLine:
    """Compute calibration intercept, calibration slope and O / E, with intervals.

    `prevalence` is q if it is known from another source than the rows. Each row occurs `repeats`
    times among them: N is Kish's number of the weights divided by it. `middle` and `scale` (m,) are
    m_k and s_k of each row, if the folds have their own maps. They are NaN if a map gives all rows
    one probability and is uninformative on the slope.
    """
    sampled = rows
    pooled_rows.check_prevalence(rows, prevalence)
    if prevalence is not None:
        rows = rows.at_prevalence(prevalence)
    quantile = rate_intervals.student_quantile(
        rows.weights, rows.units, pooled_rows.LEVEL
    ) * np.sqrt(spread)
    intercept, z = pooled_rows.UNKNOWN, pooled_rows.logits(rows.probability)
    if 0 < rows.truth.sum() < len(z):
        constant = np.ones((len(z), 1))
        t = logistic_fit.logistic_coefficients(rows, constant, z)
        apart = quantile * float(logistic_fit.coefficient_errors(rows, constant, z, t)[0])
        intercept = RateInterval(
            float(t[0]), float(t[0]) - apart, float(t[0]) + apart, pooled_rows.LEVEL
        )
    zero, divisor = (
        np.full(len(z), value) if of_maps is None else np.asarray(of_maps, dtype=np.float64)
        for of_maps, value in ((middle, 0.0), (scale, 1.0))
    )
    known, x = np.isfinite(divisor), (z - zero) / divisor
    x = np.round(x[known], DECIMALS)  # values that differ by rounding count as equal
    penalty = (
        repeats / rate_intervals.effective_rows(sampled.weights[known]) if known.any() else 0.0
    )
    slope, likeliest = _slope(sampled.take(known), x, divisor[known], penalty, quantile)
    return CalibrationLine(intercept, slope, likeliest, _ratio(rows, quantile, spread))


def _slope(
    rows: PooledRows, x: Floats, divisor: Floats, penalty: float, quantile: float
) -> tuple[RateInterval, float]:
    """Return the slope with its interval, and the maximum-likelihood slope."""
    if not 0 < rows.truth.sum() < len(x) or not np.ptp(x):
        return pooled_rows.UNKNOWN, np.nan
    line, offset = np.column_stack([np.ones(len(x)), x]), np.zeros(len(x))
    mean = float((rows.shares / divisor).sum())

    def fitted(penalty: float) -> tuple[Floats, float]:
        t = logistic_fit.logistic_coefficients(rows, line, offset, penalty)
        moves = logistic_fit.coefficient_moves(rows, line, offset, t, penalty)[:, 1]
        return t, float(t[1] * mean + (moves / divisor).sum())

    _, rate = fitted(penalty)
    cases, others = x[rows.truth == 1], x[rows.truth == 0]
    if not (cases.min() < others.max() and others.min() < cases.max()):  # no maximum
        return replace(pooled_rows.UNKNOWN, estimate=rate), np.nan
    t, likeliest = fitted(0.0)
    error = float(logistic_fit.coefficient_errors(rows, line, offset, t, divisor)[1])
    # the final map has its own scale, as those of folds have
    of_scale = float(t[1]) * np.sqrt(float((rows.shares * (1 / divisor - mean) ** 2).sum()))
    apart = quantile * float(np.hypot(error, of_scale))
    low, high = min(rate, likeliest - apart), max(rate, likeliest + apart)
    return RateInterval(rate, low, high, pooled_rows.LEVEL), likeliest


def _ratio(rows: PooledRows, quantile: float, spread: float) -> RateInterval:
    """Compute O / E with an interval, on the log scale, or without cases by their proportion."""
    w, y, p = rows.shares, rows.truth, rows.probability
    observed, expected = float((w * y).sum()), float((w * p).sum())
    if not expected:
        return pooled_rows.UNKNOWN
    ratio = observed / expected
    if not observed:
        high = (
            rate_intervals.wilson_interval(
                0.0, rate_intervals.effective_rows(rows.weights) / spread, pooled_rows.LEVEL
            ).high
            / expected
        )
        return RateInterval(0.0, 0.0, high, pooled_rows.LEVEL)
    moves = w * (y / observed - p / expected)
    apart = quantile * np.sqrt(loss_intervals.jackknife_variance(moves, w, rows.units))
    return RateInterval(
        ratio, float(ratio * np.exp(-apart)), float(ratio * np.exp(apart)), pooled_rows.LEVEL
    )


@dataclass(frozen=True)
class CalibrationCurve:
    probability: Floats  # (g,): the grid, the curve there, and its pointwise band
    observed: Floats
    low: Floats
    high: Floats
    ici: float  # mean, median and 90% quantile of the distance of probability and curve
    e50: float
    e90: float


def calibration_curve(
    rows: PooledRows,
    *,
    grid: ArrayLike | None = None,
    fraction: float = FRACTION,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> CalibrationCurve:
    """Estimate the calibration curve with a pointwise band.

    The observed proportion c(x) is a local linear regression of y_i on p_i, lowess without robust
    steps (which would treat cases of low probability as outliers):

        c(x) = sum_i a_i(x) y_i,   a_i = k_i / S (1 + (x - m) (p_i - m) / V),
        k_i = w_i (1 - (|p_i - x| / h)^3)^3,

    with S the sum of the k_i, m and V the mean and the variance of the p_i by them, and h the
    distance to x that contains the proportion `fraction`, in (0, 1], of the weight. The curve is
    cut off at 0 and 1. The pointwise band is Wilson's interval of a proportion of 1 / sum_i a_i^2
    rows, see :func:`hetsel.statistics.probabilities.pooled_rows.share_interval`; it does not
    include the error of smoothing. The distance of the probabilities from the curve is reported as
    the mean of |c(p_i) - p_i| over the rows (ICI), its median (E50) and its 90% quantile (E90).

    Without a grid (g,) of probabilities, the curve is computed at 101 equidistant ones from the
    smallest to the largest of the rows. For a known `prevalence`, the curve is that of the
    probabilities among the rows, shifted with its band to the prevalence.

    References: Cleveland (1979) Journal of the American Statistical Association 74, 829-836
    (lowess); Austin & Steyerberg (2019) Statistics in Medicine 38, 4051-4065 (ICI, E50, E90).
    """
    if not 0 < fraction <= 1:
        raise TableError(f"fraction must be above 0 and at most 1. Got {fraction}")
    rows = rows.take(np.argsort(rows.probability, kind="stable"))
    pooled_rows.check_prevalence(rows, prevalence)
    p, counted = rows.probability, rows.shares
    at = np.linspace(p[0], p[-1], POINTS) if grid is None else np.asarray(grid, dtype=np.float64)
    if at.ndim != 1 or not ((at >= 0) & (at <= 1)).all():
        raise TableError("grid must be probabilities in [0, 1]")
    where = at
    moved: Callable[[Floats], Floats] = np.asarray
    if prevalence is not None:
        own, counted = rows.share_of_cases, rows.at_prevalence(prevalence).shares
        rows = replace(rows, probability=shifted(p, prevalence, own))  # as among the rows
        where = shifted(at, prevalence, own)
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
    ends = []
    for a, window in _smoothers(rows, where, fraction):
        share = min(1.0, max(0.0, float(a @ rows.truth[window])))
        clusters = None if rows.clusters is None else rows.clusters[window]
        away = (rows.truth - curve)[window]
        band = pooled_rows.share_interval(share, a, away, clusters, spread=spread)
        ends.append((band.estimate, band.low, band.high))
    observed, low, high = (moved(part) for part in np.array(ends).reshape(-1, 3).T)
    ici = float((counted * apart).sum())
    return CalibrationCurve(at, observed, low, high, ici, float(e50), float(e90))


def _smoothers(rows: PooledRows, at: Floats, fraction: float) -> Iterator[tuple[Floats, slice]]:
    """Iterate over the nonzero a_i of each x of the grid, and the slice of their rows."""
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
        # for equal probabilities, the mean
        yield (k * (1 + (x - m) * (near - m) / V) if V > 1e-12 else k), window


def _distances(p: Floats, weights: Floats, at: Floats, fraction: float) -> Floats:
    """Compute h of each x: the distance to a row that contains the fraction of the weight."""
    reached = np.concatenate([[0.0], np.cumsum(weights)])
    wanted = fraction * reached[-1] * (1 - 1e-12)
    low, high = np.zeros(len(at)), np.ones(len(at))
    for _ in range(60):
        middle = (low + high) / 2
        left, right = np.searchsorted(p, at - middle), np.searchsorted(p, at + middle, "right")
        enough = reached[right] - reached[left] >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high
