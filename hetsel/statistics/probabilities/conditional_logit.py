"""The conditional logit model, of which maps from decision values to probabilities are made."""

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm
from hetsel.compiling.compiled import compiled

MOST_STEPS, HALVINGS = 60, 30
CLOSE = 1e-10  # of a step, beside the parameters
HIDDEN = 1e-13  # of the loss: what rounding may hide of a gain
RIDGE = 1e-9  # of a curvature of 0


def choice_probabilities(features: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """p_ic (m, C) proportional to exp(sum_k theta_k x_ick), the same bits on every processor.

    Parameters
    ----------
    features : ndarray of shape (m, C, K)
    theta : ndarray of shape (K,)

    Examples
    --------
    >>> choice_probabilities(np.array([[[0.0], [1.0]]]), np.array([0.0]))
    array([[0.5, 0.5]])
    """
    cells, own = (np.ascontiguousarray(a, dtype=np.float64) for a in (features, theta))
    p = np.empty(cells.shape[:2])
    _loss(cells, own, np.zeros_like(p), np.zeros(len(p)), p)
    return p


def fit_conditional_logit(
    features: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """theta (K,) of the largest sum_i w_i sum_c t_ic log p_ic.

    Of targets inside of (0, 1) there is one, separable or not. Directions that no feature tells
    stay 0.

    Parameters
    ----------
    features : ndarray of shape (m, C, K)
        x_ic, K features of each choice; logistic regression has x_i0 = 0 and x_i1 = (1, x_i).
    targets : ndarray of shape (m, C)
        Probabilities of the choices, those that are seen or near them.
    weights : ndarray of shape (m,)

    References
    ----------
    McFadden (1974) in Zarembka (ed.) Frontiers in Econometrics, 105-142.

    Examples
    --------
    >>> x = np.zeros((4, 2, 1))
    >>> x[:, 1, 0] = 1.0
    >>> seen = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    >>> np.exp(fit_conditional_logit(x, seen, np.ones(4))).round(6)
    array([3.])
    """
    cells = (np.ascontiguousarray(own, dtype=np.float64) for own in (features, targets, weights))
    return np.asarray(_newton(*cells))


@compiled
def _newton(features, targets, weights):
    """See :func:`fit_conditional_logit`: Newton's method from 0, a step halved until it gains."""
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
    """-sum_i w_i sum_c t_ic log p_ic; the probabilities p (m, C) in place."""
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
