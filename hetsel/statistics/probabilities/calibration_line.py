"""Whether probabilities are too high or low (intercept), and too extreme or too even (slope).

Notation. z_i = log(p_i / (1 - p_i)). Two logistic regressions on it: logit P(y_i = 1) = a + z_i
gives the intercept a, 0 at best, above 0 where the probabilities are too low; logit P(y_i = 1) =
a' + b z_i gives the slope b, 1 at best, below 1 where they are too extreme, as of an overfitted
model. And the ratio O / E = sum_i w_i y_i / sum_i w_i p_i, 1 at best.

Their variances are those of the jackknife over units, to one Newton step: without unit g the
coefficients t move by -(B - B_g)^-1 s_g, with B = sum_i w_i q_i (1 - q_i) x_i x_i' over all rows,
B_g that over the rows of the unit, s_g = sum_{i in g} w_i (y_i - q_i) x_i and q_i the fitted
probabilities. Intervals have Student's quantile; that of O / E is that of its logarithm.

Of a known prevalence q, of rows that were sampled by class, the intercept and O / E are those of
rows with the weights by which cases have the share q. The slope needs no weights: among rows with
the share s of cases all logits are larger by d = logit(s) - logit(q), the observed ones, too. Its
interval is narrower than with weights, and a' is that of the line less d (1 - b).
"""

from __future__ import annotations

from dataclasses import dataclass

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
        a and b; no numbers where there is no estimate.
    joint_intercept : float
        a', with which a' + b z recalibrates.
    observed_over_expected : RateInterval
        O / E.
    """

    intercept: RateInterval
    slope: RateInterval
    joint_intercept: float
    observed_over_expected: RateInterval


def calibration_line(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
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

    Returns
    -------
    CalibrationLine
        The intercept is no number where all rows are of one class, the slope not either where all
        probabilities are equal or some value of them parts the classes.

    Raises
    ------
    TableError
        As :func:`hetsel.statistics.probabilities.pooled_rows.pooled_rows`; a prevalence that is
        not between 0 and 1, and one class only with a prevalence.

    References
    ----------
    Cox (1958) Biometrika 45, 562-565; Van Calster et al. (2016) Journal of Clinical Epidemiology
    74, 167-176; Bell & McCaffrey (2002) Survey Methodology 28, 169-181 (the jackknife over groups);
    Prentice & Pyke (1979) Biometrika 66, 403-411 (rows sampled by class).

    Examples
    --------
    >>> y = [1, 0, 1, 0, 0, 1, 1, 0]
    >>> found = calibration_line(y, [0.9, 0.2, 0.6, 0.7, 0.1, 0.8, 0.3, 0.4])
    >>> print(f"{found.intercept.rate:.3f} {found.slope.rate:.3f}")
    0.000 1.074
    """
    rows = sampled = pooled_rows(truth, probability, weights, units)
    check_prevalence(rows, prevalence)
    if prevalence is not None:
        sampled, rows = rows.as_sampled(prevalence), rows.at_prevalence(prevalence)
    z, one = logits(rows.probability), np.ones((len(rows.truth), 1))
    quantile = student_quantile(rows.weights, rows.units, level) * np.sqrt(spread)
    none = RateInterval(np.nan, np.nan, np.nan, level)
    intercept, slope, joint = none, none, np.nan
    if 0 < rows.truth.sum() < len(rows.truth):
        fitted, errors = _logistic(rows, one, z)
        intercept = _around(float(fitted[0]), quantile * float(errors[0]), level)
        x = logits(sampled.probability)
        if _overlap(rows.truth, x):
            fitted, errors = _logistic(sampled, np.column_stack([one, x]), np.zeros(len(x)))
            joint = float(fitted[0])
            if prevalence is not None:
                larger = logits([sampled.share_of_cases]) - logits([prevalence])
                joint -= float(larger[0] * (1 - fitted[1]))
            slope = _around(float(fitted[1]), quantile * float(errors[1]), level)
    return CalibrationLine(intercept, slope, joint, _ratio(rows, quantile, spread, level))


def _around(value: float, apart: float, level: float) -> RateInterval:
    return RateInterval(value, value - apart, value + apart, level)


def _overlap(truth: Floats, z: Floats) -> bool:
    """Whether no value parts the classes: else the likelihood has no maximum, or no unique one.

    What differs by rounding is equal.
    """
    z = np.round(z, DECIMALS)
    cases, others = z[truth == 1], z[truth == 0]
    return bool(cases.min() < others.max() and others.min() < cases.max())


def _logistic(rows: PooledRows, x: Floats, offset: Floats) -> tuple[Floats, Floats]:
    """Coefficients (k,) of a logistic regression on x (m, k), and their jackknife errors (k,)."""
    w = rows.shares
    t = np.zeros(x.shape[1])
    reached = _likelihood(rows.truth, w, offset)
    for _ in range(STEPS):
        q = expit(offset + x @ t)
        step = np.linalg.solve(_information(w * q * (1 - q), x), x.T @ (w * (rows.truth - q)))
        # halved until it is no step back: far from its maximum the likelihood is nearly linear
        while (new := _likelihood(rows.truth, w, offset + x @ (t + step))) < reached - 1e-14:
            step = step / 2
        t, reached = t + step, new
        if np.abs(step).max() <= 1e-11 * (1 + np.abs(t).max()):
            break
    return t, np.sqrt(_jackknife(rows, x, expit(offset + x @ t)))


def _likelihood(truth: Floats, weights: Floats, z: Floats) -> float:
    """Mean logarithm of the likelihood."""
    return float((weights * (truth * z - np.logaddexp(0, z))).sum())


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
