"""Fit logistic regressions of few columns, by maximum or Firth's likelihood.

Firth's likelihood is the likelihood times the root of the determinant of the information. With N
rows, its coefficients have no bias of the order 1 / N, and they are finite even if a value
separates the classes: Firth (1993) Biometrika 80, 27-38. Below is the conditional logit model,
which provides the maps from decision values to probabilities.
"""

import numpy as np
from scipy.special import expit

from hetsel.compiling.arithmetic import exponential, logarithm
from hetsel.compiling.compiled import compiled
from hetsel.ground.array_types import Floats
from hetsel.statistics.probabilities.pooled_rows import PooledRows

STEPS = 100  # Newton steps, of which about ten are taken
MOST_STEPS, HALVINGS = 60, 30
CLOSE = 1e-10  # of a step, relative to the parameters
HIDDEN = 1e-13  # of the loss: what rounding may hide of a gain
RIDGE = 1e-9  # relative to the curvature, for directions of curvature 0


def logistic_coefficients(
    rows: PooledRows, x: Floats, offset: Floats, penalty: float = 0.0
) -> Floats:
    """Estimate coefficients (k,) of a logistic regression on x (m, k) with an offset (m,).

    The penalty is 1 / N for Firth's likelihood, which always has a maximum; the likelihood without
    penalty must have a maximum.
    """
    w, y = rows.shares, rows.truth
    t = np.zeros(x.shape[1])
    reached = _likelihood(y, w, x, offset, penalty)
    for _ in range(STEPS):
        q = expit(offset + x @ t)
        information = _information(w * q * (1 - q), x)
        step = np.linalg.solve(information, x.T @ _residuals(y, w, x, q, penalty))
        # halved until the likelihood does not fall: far from its maximum it is nearly linear
        while (new := _likelihood(y, w, x, offset + x @ (t + step), penalty)) < reached - 1e-14:
            step = step / 2
        t, reached = t + step, new
        if np.abs(step).max() <= 1e-11 * (1 + np.abs(t).max()):
            break
    return t


def coefficient_moves(
    rows: PooledRows, x: Floats, offset: Floats, t: Floats, penalty: float = 0.0
) -> Floats:
    """Compute how far each row (m, k) moves the coefficients t, to first order; the sum is 0."""
    w, q = rows.shares, expit(offset + x @ t)
    information = _information(w * q * (1 - q), x)
    scores = _residuals(rows.truth, w, x, q, penalty)[:, None] * x
    return np.asarray(np.linalg.solve(information, scores.T).T)


def coefficient_errors(
    rows: PooledRows, x: Floats, offset: Floats, t: Floats, divisor: Floats | float = 1.0
) -> Floats:
    """Compute jackknife errors (k,) of the coefficients t over units, to one Newton step.

    They are infinite if no unit but one is informative. With a divisor (m,) of the rows, they are
    the errors of the sum of each row's move divided by its divisor.
    """
    w, k = rows.shares, x.shape[1]
    code = np.arange(len(w)) if rows.units is None else rows.units
    units = int(code.max()) + 1
    if units < 2:
        return np.full(k, np.inf)
    q = expit(offset + x @ t)
    curved, apart = w * q * (1 - q), w * (rows.truth - q) / divisor
    scores = apart[:, None] * x
    of_units = np.empty((units, k, k))
    for i in range(k):
        for j in range(k):
            of_units[:, i, j] = np.bincount(code, curved * x[:, i] * x[:, j], units)
    sums = np.column_stack([np.bincount(code, scores[:, i], units) for i in range(k)])
    try:
        moves = np.linalg.solve(of_units.sum(axis=0) - of_units, sums[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        return np.full(k, np.inf)
    return np.asarray(np.sqrt((moves**2).sum(axis=0) * (units - 1) / units), dtype=np.float64)


def _residuals(truth: Floats, weights: Floats, x: Floats, q: Floats, penalty: float) -> Floats:
    """Compute what each row (m,) adds to the derivatives, before multiplication by x."""
    apart = weights * (truth - q)
    if not penalty:
        return apart
    curved = weights * q * (1 - q)
    spread = np.einsum("ij,jk,ik->i", x, np.linalg.inv(_information(curved, x)), x)
    return np.asarray(apart + penalty * curved * spread * (0.5 - q))


def _likelihood(truth: Floats, weights: Floats, x: Floats, z: Floats, penalty: float) -> float:
    """Compute the mean log-likelihood; with a penalty that of Firth."""
    mean = float((weights * (truth * z - np.logaddexp(0, z))).sum())
    if not penalty:
        return mean
    q = expit(z)
    log_determinant = np.linalg.slogdet(_information(weights * q * (1 - q), x))[1]
    return mean + penalty / 2 * float(log_determinant)


def _information(weights: Floats, x: Floats) -> Floats:
    return np.asarray((weights[:, None] * x).T @ x, dtype=np.float64)


def choice_probabilities(features: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Compute p_ic (m, C) proportional to exp(sum_k theta_k x_ick), the same on every processor."""
    cells, own = (np.ascontiguousarray(a, dtype=np.float64) for a in (features, theta))
    p = np.empty(cells.shape[:2])
    _loss(cells, own, np.zeros_like(p), np.zeros(len(p)), p)
    return p


def fit_conditional_logit(
    features: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Estimate theta (K,) of the largest sum_i w_i sum_c t_ic log p_ic by Newton's method.

    Features are (m, C, K), targets (m, C). For targets inside of (0, 1) the maximum exists,
    separable or not. Directions without information stay 0. Logistic regression has x_i0 = 0 and
    x_i1 = (1, x_i). McFadden (1974) in Zarembka (ed.) Frontiers in Econometrics, 105-142.
    """
    cells = (np.ascontiguousarray(own, dtype=np.float64) for own in (features, targets, weights))
    return np.asarray(_newton(*cells))


@compiled
def _newton(features, targets, weights):
    """Run Newton's method from 0 for :func:`fit_conditional_logit`; halve steps until they gain."""
    m, classes, count = features.shape
    theta, p, new = np.zeros(count), np.empty((m, classes)), np.empty((m, classes))
    loss = _loss(features, theta, targets, weights, p)
    mean, away = np.empty(count), np.empty(count)
    for _ in range(MOST_STEPS):
        slope, curve = np.zeros(count), np.zeros((count, count))
        for i in range(m):
            mean[:] = 0.0
            for c in range(classes):
                for k in range(count):
                    slope[k] += weights[i] * (p[i, c] - targets[i, c]) * features[i, c, k]
                    mean[k] += p[i, c] * features[i, c, k]
            for c in range(classes):
                for k in range(count):
                    away[k] = features[i, c, k] - mean[k]
                    for j in range(k + 1):
                        curve[k, j] += weights[i] * p[i, c] * away[k] * away[j]
        trace = 0.0
        for k in range(count):
            trace += curve[k, k]
        for k in range(count):
            curve[k, k] += RIDGE * max(trace, 1e-12)
            for j in range(k):
                curve[j, k] = curve[k, j]
        step, size, better = np.linalg.solve(curve, -slope), 1.0, False
        for _ in range(HALVINGS):
            more = _loss(features, theta + size * step, targets, weights, new)
            if more <= loss + HIDDEN * abs(loss):
                better = True
                break
            size /= 2
        if not better:
            break
        theta, loss = theta + size * step, more
        p, new = new, p
        if size * np.abs(step).max() <= CLOSE * max(1.0, np.abs(theta).max()):
            break
    return theta


@compiled
def _loss(features, theta, targets, weights, p):
    """Compute -sum_i w_i sum_c t_ic log p_ic, and the probabilities p (m, C) in place."""
    m, classes, count = features.shape
    loss = 0.0
    for i in range(m):
        largest, total, seen, told = -np.inf, 0.0, 0.0, 0.0
        for c in range(classes):
            value = 0.0
            for k in range(count):
                value += theta[k] * features[i, c, k]
            p[i, c] = value
            largest = max(largest, value)
        for c in range(classes):
            value = p[i, c] - largest
            seen += targets[i, c]
            told += targets[i, c] * value
            p[i, c] = 1.0 if value == 0.0 else exponential(max(value, -700.0))
            total += p[i, c]
        for c in range(classes):
            p[i, c] /= total
        loss += weights[i] * (seen * logarithm(total) - told)
    return loss
