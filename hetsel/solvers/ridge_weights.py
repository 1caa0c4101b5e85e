"""Weights of a linear model of numbers or of survival times with a ridge penalty.

minimize  J(w) = |w|^2 / 2 + C n loss(z w),

the loss of numbers or of survival times of `group_losses`: ridge regression, Cox regression with a
ridge penalty. J is 1-strongly convex: no optimum is farther from w than the gradient of J is long.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import gram, product
from hetsel.solvers.cox_ridge import newton
from hetsel.solvers.group_losses import SURVIVAL, GroupLoss, mean_loss, residuals

LEAST = 1e-12  # of the largest eigenvalue: what is below is rounding


class RidgeWeights(NamedTuple):
    """A linear model."""

    weights: np.ndarray  # (d,)
    off: float  # how far they can be from the optimum's: the gradient's length, with its rounding
    objective: float  # J


def ridge_weights(z: np.ndarray, loss: GroupLoss, C: float) -> RidgeWeights:
    """The model of centered columns z (n, d), their rows in the order of the loss.

    Numbers have mean 0. Of more columns than rows it is found in coordinates of the rows' span, one
    for each: O(n^2 d + n^3) for numbers, as much for each of Newton's steps of Cox regression.

    >>> z, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> ridge_weights(z, GroupLoss.of_numbers(y), 0.5).weights
    array([1.])
    """
    n, d = z.shape
    x, back = (np.ascontiguousarray(z), None) if d <= n else _coordinates(z)
    if loss.kind == SURVIVAL:
        hits = loss.hits[:, 0].copy()
        found = np.zeros(x.shape[1])
        newton(x, (np.ones(n), hits, loss.deaths), 1.0 / C, found)
    else:
        across = np.ascontiguousarray(x.T)
        bend = gram(across) + np.eye(x.shape[1]) / C
        found = np.linalg.solve(bend, product(across, loss.hits.T)[:, 0])
    weights = found if back is None else product(back, found[None])[:, 0]
    scores, away = product(z, weights[None]), np.empty((n, 1))
    residuals(scores, loss.parts, away)
    gradient = weights + C * product(z.T, away.T)[:, 0]
    pulled = C * np.abs(away).sum() * np.sqrt((z * z).sum(axis=1).max(initial=0.0))
    rounding = 4.0 * (n + 2) * 2.0**-53 * pulled
    objective = (weights * weights).sum() / 2 + C * n * mean_loss(scores, loss.parts)
    return RidgeWeights(weights, float(np.sqrt((gradient**2).sum()) + rounding), float(objective))


def _coordinates(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates x (n, r) of the rows of z in their span, and its orthonormal axes (d, r)."""
    squares, axes = np.linalg.eigh(gram(z))
    kept = squares > LEAST * squares.max(initial=0.0)
    roots = np.sqrt(squares[kept])
    x = np.ascontiguousarray(axes[:, kept] * roots)
    return x, product(z.T, (axes[:, kept] / roots).T)
