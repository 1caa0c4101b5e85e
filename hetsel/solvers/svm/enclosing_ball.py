"""The smallest ball in feature space that holds all rows."""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import image
from hetsel.solvers.svm.sequential_minimal import climb


class EnclosingBall(NamedTuple):
    """The smallest ball, as far as it was found."""

    weights: np.ndarray  # (n,): b: the center is sum_i b_i phi(x_i)
    square: float  # value of the dual: never above the true squared radius


def enclosing_ball(
    gram: np.ndarray,
    *,
    start: np.ndarray | None = None,
    tolerance: float = 1e-6,
    limit: int = 10_000_000,
) -> EnclosingBall:
    """Smallest ball that encloses the rows of a Gram matrix K (n, n), from weights `start` (n,).

    R^2 = max_b sum_i b_i k_ii - b' K b   subject to sum_i b_i = 1 and b_i >= 0,

    by sequential minimal optimization, as for :mod:`hetsel.solvers.svm.sequential_minimal`, until
    the largest violation of the optimality conditions, a difference of squared distances from the
    center, is at most `tolerance` times the mean squared distance of the rows from their mean.

    Vapnik 1998, Statistical learning theory; Chapelle, Vapnik, Bousquet and Mukherjee 2002, section
    3.2.

    >>> x = np.array([[0.0], [1.0], [4.0]])
    >>> ball = enclosing_ball(x @ x.T)
    >>> ball.weights.round(6), round(ball.square, 6)
    (array([0.5, 0. , 0.5]), 4.0)
    """
    n = len(gram)
    weights = np.full(n, 1.0 / n) if start is None else start.copy()
    diagonal = np.diagonal(gram).copy()
    spread = float(diagonal.mean() - gram.mean())
    twice = np.ascontiguousarray(2.0 * gram)
    gradient = diagonal - image(twice, weights)
    climb(twice, gradient, np.zeros(n), np.ones(n), weights, tolerance * spread, limit)
    norm = 0.5 * float((weights * image(twice, weights)).sum())
    return EnclosingBall(weights, float((diagonal * weights).sum()) - norm)
