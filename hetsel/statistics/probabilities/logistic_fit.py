"""Logistic regression of few columns, by the likelihood or by Firth's, with jackknife errors.

Firth's likelihood is the likelihood times the root of the determinant of the information; with N
rows its coefficients have no bias of the order 1 / N, and they are finite where a value parts the
classes. Rows have weights, and units.

Reference: Firth (1993) Biometrika 80, 27-38.
"""

import numpy as np
from scipy.special import expit

from hetsel.statistics.probabilities.pooled_rows import Floats, PooledRows

STEPS = 100  # Newton's, of which some ten are taken


def logistic_coefficients(
    rows: PooledRows, x: Floats, offset: Floats, penalty: float = 0.0
) -> Floats:
    """Coefficients (k,) of a logistic regression; the likelihood must have a maximum.

    Parameters
    ----------
    rows : PooledRows
    x : ndarray of shape (m, k)
    offset : ndarray of shape (m,)
    penalty : float
        1 / N for Firth's, whose likelihood has a maximum always.
    """
    w, y = rows.shares, rows.truth
    t = np.zeros(x.shape[1])
    reached = _likelihood(y, w, x, offset, penalty)
    for _ in range(STEPS):
        q = expit(offset + x @ t)
        information = _information(w * q * (1 - q), x)
        step = np.linalg.solve(information, x.T @ _residuals(y, w, x, q, penalty))
        # halved until it is no step back: far from its maximum the likelihood is nearly linear
        while (new := _likelihood(y, w, x, offset + x @ (t + step), penalty)) < reached - 1e-14:
            step = step / 2
        t, reached = t + step, new
        if np.abs(step).max() <= 1e-11 * (1 + np.abs(t).max()):
            break
    return t


def coefficient_moves(
    rows: PooledRows, x: Floats, offset: Floats, t: Floats, penalty: float = 0.0
) -> Floats:
    """How far each row (m, k) moves the coefficients t, to the first order; their sum is 0."""
    w, q = rows.shares, expit(offset + x @ t)
    information = _information(w * q * (1 - q), x)
    scores = _residuals(rows.truth, w, x, q, penalty)[:, None] * x
    return np.asarray(np.linalg.solve(information, scores.T).T)


def coefficient_errors(
    rows: PooledRows, x: Floats, offset: Floats, t: Floats, divisor: Floats | float = 1.0
) -> Floats:
    """Jackknife errors (k,) of the coefficients t over units, to one Newton step.

    With a divisor (m,) of the rows those of the sum of what each moves divided by its own.
    """
    return np.asarray(np.sqrt(_jackknife(rows, x, expit(offset + x @ t), divisor)))


def _residuals(truth: Floats, weights: Floats, x: Floats, q: Floats, penalty: float) -> Floats:
    """What each row (m,) adds to the derivatives, before it is multiplied by x."""
    apart = weights * (truth - q)
    if not penalty:
        return apart
    curved = weights * q * (1 - q)
    spread = np.einsum("ij,jk,ik->i", x, np.linalg.inv(_information(curved, x)), x)
    return np.asarray(apart + penalty * curved * spread * (0.5 - q))


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


def _jackknife(rows: PooledRows, x: Floats, fitted: Floats, divisor: Floats | float) -> Floats:
    """Variances (k,) of the coefficients; without end where all but one unit tell nothing."""
    w, k = rows.shares, x.shape[1]
    code = np.arange(len(w)) if rows.units is None else rows.units
    units = int(code.max()) + 1
    if units < 2:
        return np.full(k, np.inf)
    curved, apart = w * fitted * (1 - fitted), w * (rows.truth - fitted) / divisor
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
    return np.asarray((moves**2).sum(axis=0) * (units - 1) / units, dtype=np.float64)
