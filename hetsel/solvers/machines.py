"""Support vector machines on one Gram matrix: one for two classes, else one against the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hetsel.arithmetic import product, squared_lengths
from hetsel.compiled import compiled
from hetsel.solvers.svm import feasible, minimize, objectives

NOISE = 10.0  # tolerances: weights that move the rows by no more are the solver's, not the data's
NO_FEATURE = (
    "the best machine uses no feature, it has the largest class for every row: the ranking says "
    "nothing. class_weight='balanced' helps"
)
LIMIT = 10_000_000  # pairs of variables to update in one machine


class Machines(NamedTuple):
    """Solutions of the two-class problems of a target.

    Parameters
    ----------
    beta : ndarray of shape (problems, n)
        beta_i = alpha_i y_i of each problem.
    bias : ndarray of shape (problems,)
        b of each decision function K beta + b.
    objective : float
        Sum of the values of the duals.
    gap : float
        Largest relative duality gap.
    """

    beta: np.ndarray
    bias: np.ndarray
    objective: float
    gap: float


def solve_machines(
    gram: np.ndarray,
    labels: np.ndarray,
    bounds: np.ndarray,
    *,
    start: np.ndarray,
    tolerance: float,
) -> Machines:
    """Solve the two-class problems of a target as :func:`hetsel.solvers.svm.solve_svm` does each.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Symmetric positive semi-definite, in C order.
    labels, bounds : ndarray of shape (problems, n)
        As :func:`hetsel.solvers.two_class.two_class_problems` and `problem_bounds` give them.
    start : ndarray of shape (problems, n)
        beta to start from, zeros where nothing is known.
    tolerance : float
        Largest violation of the optimality conditions.
    """
    return Machines(*_solve(gram, labels, bounds, start, tolerance))


@compiled
def _solve(gram, labels, bounds, start, tolerance):
    beta, biases = np.empty_like(start), np.empty(len(labels))
    objective, largest = 0.0, 0.0
    for k in range(len(labels)):
        y, high = labels[k], bounds[k]
        own = feasible(start[k], y, high)
        gradient, bias, _ = minimize(gram, y, high, own, tolerance, LIMIT)
        dual, norm, loss = objectives(gradient, y, high, own, bias)
        primal = 0.5 * norm + loss
        objective += dual
        largest = max(largest, max(primal - dual, 0.0) / max(abs(primal), 1e-300))
        beta[k], biases[k] = own, bias
    return beta, biases, objective, largest


def linear_weights(
    beta: np.ndarray, columns: np.ndarray, squared_length: float, tolerance: float
) -> np.ndarray:
    """Weights w = sum_i beta_i z_i (problems, d) of machines on the products of rows z (n, d).

    They are 0 for a machine that moves the rows by no more than its tolerance leaves open: the best
    one has the same class for every row.

    Parameters
    ----------
    squared_length : float
        The mean of |z_i|^2.
    """
    weights = product(beta, columns.T)
    moved = squared_lengths(weights) * squared_length
    weights[moved <= (NOISE * tolerance) ** 2] = 0.0
    return weights
