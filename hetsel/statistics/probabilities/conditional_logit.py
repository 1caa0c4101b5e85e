"""The conditional logit model, of which maps from decision values to probabilities are made."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.arithmetic import exponentiate

MOST_STEPS, HALVINGS = 60, 30
CLOSE = 1e-10  # of a step, beside the parameters
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
    values = np.zeros((features.shape[0], features.shape[1]))
    for k, own in enumerate(np.asarray(theta).tolist()):
        values += own * features[:, :, k]
    values -= values.max(axis=1, keepdims=True)
    values = np.maximum(values, -700.0)
    exponentiate(values)
    total = np.zeros(len(values))
    for c in range(values.shape[1]):
        total += values[:, c]
    return np.asarray(values / total[:, None])


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
    theta = np.zeros(features.shape[2])
    loss, p = _loss(features, theta, targets, weights)
    for _ in range(MOST_STEPS):
        apart = weights[:, None] * (p - targets)
        slope = np.einsum("ic,ick->k", apart, features)
        means = np.einsum("ic,ick->ik", p, features)
        away = features - means[:, None]
        curve = np.einsum("ic,ick,icl->kl", weights[:, None] * p, away, away)
        curve[np.diag_indices_from(curve)] += RIDGE * max(float(np.trace(curve)), 1e-12)
        step = np.linalg.solve(curve, -slope)
        size = 1.0
        for _ in range(HALVINGS):
            more, new = _loss(features, theta + size * step, targets, weights)
            if more <= loss:
                break
            size /= 2
        else:
            break
        theta, loss, p = theta + size * step, more, new
        if np.abs(size * step).max() <= CLOSE * max(1.0, float(np.abs(theta).max())):
            break
    return theta


def _loss(
    features: np.ndarray, theta: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    p = choice_probabilities(features, theta)
    told = np.log(np.maximum(p, 1e-300))
    return float(-(weights[:, None] * targets * told).sum()), p
