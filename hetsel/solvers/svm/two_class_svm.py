"""Support vector machines of two classes on a Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.solvers.svm.machines import MachineProblem, check_bounds, solve_machines


@dataclass(frozen=True)
class SVMSolution:
    """Solution of one two-class problem.

    Parameters
    ----------
    beta : ndarray of shape (n,)
        beta_i = alpha_i y_i; its sum is 0.
    bias : float
        b of the decision function f = K beta + b.
    objective : float
        Value of the dual, sum alpha - beta' K beta / 2.
    gap : float
        Upper bound on the duality gap relative to the value of the primal.
    """

    beta: np.ndarray
    bias: float
    objective: float
    gap: float


def solve_svm(
    gram: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray = 1.0,
    *,
    start: np.ndarray | None = None,
) -> SVMSolution:
    """Solve the dual of the two-class support vector machine with a bias, to the end.

    maximize sum alpha - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to sum alpha_i y_i = 0 and 0 <= alpha_i <= C_i.

    The optimality conditions hold to about 1e-14 times the largest entry of K and of beta.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Symmetric positive semi-definite.
    y : ndarray of shape (n,)
        Labels -1 and +1, both present.
    C : float or ndarray of shape (n,)
        Bound on each alpha.
    start : ndarray of shape (n,), optional
        beta of a similar problem with the same y and C, to start from.

    Raises
    ------
    TableError
        Labels other than -1 and +1, one class only, shapes that do not fit, C not positive.

    Examples
    --------
    >>> solution = solve_svm(np.eye(2), np.array([-1.0, 1.0]), C=10.0)
    >>> solution.beta
    array([-1.,  1.])
    """
    gram = np.ascontiguousarray(gram, dtype=np.float64)
    labels = np.ascontiguousarray(y, dtype=np.float64)
    if gram.shape != (len(labels), len(labels)):
        raise TableError(
            f"gram must have shape ({len(labels)}, {len(labels)}), as y has {len(labels)} rows. "
            f"Got {gram.shape}"
        )
    bounds = check_bounds(C, len(labels))
    if not np.array_equal(np.unique(labels), [-1.0, 1.0]):
        raise TableError(f"y must hold -1 and +1, both. Got {np.unique(labels).tolist()}")
    begin = np.zeros(len(labels)) if start is None else np.asarray(start, dtype=np.float64)
    problem = MachineProblem(gram, labels[None, :], bounds[None, :])
    found = solve_machines(problem, begin[None, :])
    return SVMSolution(
        found.beta[0], float(found.bias[0]), float(found.objective), float(found.gap)
    )
