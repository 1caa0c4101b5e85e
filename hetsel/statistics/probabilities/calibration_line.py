"""Whether probabilities are too high or low (intercept), and too extreme or too even (slope).

Notation. z_i = log(p_i / (1 - p_i)). Two logistic regressions on it: logit P(y_i = 1) = a + z_i
gives the intercept a, 0 at best, above 0 where the probabilities are too low; logit P(y_i = 1) =
a' + b z_i gives the slope b, 1 at best, below 1 where they are too extreme, as of an overfitted
model. And the ratio O / E = sum_i w_i y_i / sum_i w_i p_i, 1 at best.

Of few rows, or where the classes are nearly apart, the likeliest b is too large in the mean, and
without end where some z parts the classes. The slope here is Firth's: with N rows the likelihood is
multiplied by the root of the determinant of the information, its bias of the order 1 / N is none.
What others print is the likeliest b, `likelihood_slope`; the interval is that about it, as the
error of Firth's b is small where b is too small by chance.

Their variances are those of the jackknife over units, to one Newton step: without unit g the
coefficients t move by -(B - B_g)^-1 s_g, with B = sum_i w_i q_i (1 - q_i) x_i x_i' over all rows,
B_g that over the rows of the unit, s_g = sum_{i in g} w_i (y_i - q_i) x_i and q_i the fitted
probabilities. Intervals have Student's quantile; that of O / E is that of its logarithm.

Of a known prevalence q, of rows that were sampled by class, the intercept and O / E are those of
rows with the weights by which cases have the share q. The slope needs no weights: among rows with
the share s of cases all logits are larger by d = logit(s) - logit(q), the observed ones, too. Its
interval is narrower than with weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from hetsel.statistics.performance.loss_intervals import (
    jackknife_variance,
    student_quantile,
)
from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    effective_rows,
    wilson_interval,
)
from hetsel.statistics.probabilities.pooled_rows import (
    Floats,
    PooledRows,
    check_prevalence,
    logits,
    pooled_rows,
)

STEPS = 100  # Newton's, of which some ten are taken
DECIMALS = 9  # of a logit


@dataclass(frozen=True)
class CalibrationLine:
    """Intercept and slope of calibration; see the top of this module.

    Parameters
    ----------
    intercept, slope : RateInterval
        a and Firth's b; no numbers where there is no estimate. Where some value parts the classes
        the slope has no interval.
    likelihood_slope : float
        The likeliest b; no number where some value parts the classes.
    observed_over_expected : RateInterval
        O / E.
    """

    intercept: RateInterval
    slope: RateInterval
    likelihood_slope: float
    observed_over_expected: RateInterval


def calibration_line(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    repeats: float = 1.0,
    spread: float = 1.0,
    level: float = 0.95,
) -> CalibrationLine:
    """Intercept and slope of calibration and O / E, with intervals; see the top of this module.

    Parameters
    ----------
    truth, probability, weights, units, spread, level
        See :mod:`hetsel.statistics.probabilities.pooled_rows`.
    prevalence : float, optional
        q where it is known otherwise; None is the share among the rows.
    repeats : float
        How often each row is among them; N is Kish's number of the weights divided by it.

    Returns
    -------
    CalibrationLine
        The intercept is no number where all rows are of one class, the slope not either where all
        probabilities are equal.

    Raises
    ------
    TableError
        As :func:`hetsel.statistics.probabilities.pooled_rows.pooled_rows`; a prevalence that is
        not between 0 and 1, and one class only with a prevalence.

    References
    ----------
    Cox (1958) Biometrika 45, 562-565; Firth (1993) Biometrika 80, 27-38; Van Calster et al. (2016)
    Journal of Clinical Epidemiology 74, 167-176; Bell & McCaffrey (2002) Survey Methodology 28,
    169-181 (the jackknife over groups); Prentice & Pyke (1979) Biometrika 66, 403-411 (rows sampled
    by class).

    Examples
    --------
    >>> y = [1, 0, 1, 0, 0, 1, 1, 0]
    >>> found = calibration_line(y, [0.9, 0.2, 0.6, 0.7, 0.1, 0.8, 0.3, 0.4])
    >>> print(f"{found.intercept.rate:.3f} {found.slope.rate:.3f}")
    0.000 0.718
    """
    given = sampled = pooled_rows(truth, probability, weights, units)
    check_prevalence(given, prevalence)
    if prevalence is not None:
        sampled, given = given.as_sampled(prevalence), given.at_prevalence(prevalence)
    z, one = logits(given.probability), np.ones((len(given.truth), 1))
    quantile = student_quantile(given.weights, given.units, level) * np.sqrt(spread)
    none = RateInterval(np.nan, np.nan, np.nan, level)
    intercept, slope, likeliest = none, none, np.nan
    if 0 < given.truth.sum() < len(given.truth):
        fitted, errors = _logistic(given, one, z)
        intercept = _around(float(fitted[0]), quantile * float(errors[0]), level)
        # what differs by rounding is equal
        x = np.round(logits(sampled.probability), DECIMALS)
        if np.ptp(x):
            line, whole = np.column_stack([one, x]), np.zeros(len(x))
            penalty = repeats / effective_rows(sampled.weights)
            rate = float(_maximum(sampled, line, whole, penalty)[1])
            slope = replace(none, rate=rate)
            if _overlap(given.truth, x):
                fitted, errors = _logistic(sampled, line, whole)
                likeliest = float(fitted[1])
                slope = _around(likeliest, quantile * float(errors[1]), level)
                slope = RateInterval(rate, min(rate, slope.low), max(rate, slope.high), level)
    return CalibrationLine(intercept, slope, likeliest, _ratio(given, quantile, spread, level))


def _around(value: float, apart: float, level: float) -> RateInterval:
    return RateInterval(value, value - apart, value + apart, level)


def _overlap(truth: Floats, z: Floats) -> bool:
    """Whether no value parts the classes: else the likelihood has no maximum."""
    cases, others = z[truth == 1], z[truth == 0]
    return bool(cases.min() < others.max() and others.min() < cases.max())


def _logistic(rows: PooledRows, x: Floats, offset: Floats) -> tuple[Floats, Floats]:
    """Coefficients (k,) of a logistic regression on x (m, k), and their jackknife errors (k,)."""
    t = _maximum(rows, x, offset)
    return t, np.sqrt(_jackknife(rows, x, expit(offset + x @ t)))


def _maximum(rows: PooledRows, x: Floats, offset: Floats, penalty: float = 0.0) -> Floats:
    """Coefficients (k,) of a logistic regression on x (m, k); Firth's with the penalty 1 / N."""
    w, y = rows.shares, rows.truth
    t = np.zeros(x.shape[1])
    reached = _likelihood(y, w, x, offset, penalty)
    for _ in range(STEPS):
        q = expit(offset + x @ t)
        curved, apart = w * q * (1 - q), w * (y - q)
        information = _information(curved, x)
        if penalty:
            spread = np.einsum("ij,jk,ik->i", x, np.linalg.inv(information), x)
            apart = apart + penalty * curved * spread * (0.5 - q)
        step = np.linalg.solve(information, x.T @ apart)
        # halved until it is no step back: far from its maximum the likelihood is nearly linear
        while (new := _likelihood(y, w, x, offset + x @ (t + step), penalty)) < reached - 1e-14:
            step = step / 2
        t, reached = t + step, new
        if np.abs(step).max() <= 1e-11 * (1 + np.abs(t).max()):
            break
    return t


def _likelihood(truth: Floats, weights: Floats, x: Floats, z: Floats, penalty: float) -> float:
    """Mean logarithm of the likelihood; of Firth's with a penalty."""
    mean = float((weights * (truth * z - np.logaddexp(0, z))).sum())
    if not penalty:
        return mean
    q = expit(z)
    found = np.linalg.slogdet(_information(weights * q * (1 - q), x))[1]
    return mean + penalty / 2 * float(found)


def _information(weights: Floats, x: Floats) -> Floats:
    return np.asarray((weights[:, None] * x).T @ x, dtype=np.float64)


def _jackknife(rows: PooledRows, x: Floats, fitted: Floats) -> Floats:
    """Variances (k,) of the coefficients; without end where all but one unit tell nothing."""
    w, k = rows.shares, x.shape[1]
    code = np.arange(len(w)) if rows.units is None else rows.units
    units = int(code.max()) + 1
    if units < 2:
        return np.full(k, np.inf)
    curved, scores = w * fitted * (1 - fitted), (w * (rows.truth - fitted))[:, None] * x
    of_units = np.empty((units, k, k))
    for i in range(k):
        for j in range(k):
            of_units[:, i, j] = np.bincount(code, curved * x[:, i] * x[:, j], units)
    sums = np.column_stack([np.bincount(code, scores[:, i], units) for i in range(k)])
    try:
        moves = np.linalg.solve(of_units.sum(axis=0) - of_units, sums[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        return np.full(k, np.inf)
    return np.asarray((moves**2).sum(axis=0) * (units - 1) / units, dtype=np.float64)


def _ratio(rows: PooledRows, quantile: float, spread: float, level: float) -> RateInterval:
    """O / E with the interval of its logarithm; without cases up to that of their share."""
    w, y, p = rows.shares, rows.truth, rows.probability
    observed, expected = float((w * y).sum()), float((w * p).sum())
    if not expected:
        return RateInterval(np.nan, np.nan, np.nan, level)
    ratio = observed / expected
    if not observed:
        high = wilson_interval(0.0, effective_rows(rows.weights) / spread, level).high / expected
        return RateInterval(0.0, 0.0, high, level)
    moves = w * (y / observed - p / expected)
    apart = quantile * np.sqrt(jackknife_variance(moves, w, rows.units))
    return RateInterval(ratio, float(ratio * np.exp(-apart)), float(ratio * np.exp(apart)), level)
