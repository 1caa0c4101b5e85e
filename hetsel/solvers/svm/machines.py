"""Support vector machines on one Gram matrix: one for two classes, else one against the rest."""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.arithmetic import product
from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError
from hetsel.solvers.svm.active_set import HANDOVER, solve_box
from hetsel.solvers.svm.certificate import gap_of, refine_box
from hetsel.solvers.svm.tube import MOST_TURNS, solve_tube, tube_gap

NOISE = 1e-10  # weights with a smaller effect on the rows are rounding
NO_FEATURE = (
    "the best support vector machine uses no feature and predicts the largest class for every row, "
    "so the ranking is uninformative. Use class_weight='balanced'"
)


class MachineProblem(NamedTuple):
    """Two-class problems on the kernel K / scale: undivided sums of kernels stay exact.

    maximize sum alpha - beta' K beta / (2 scale) subject to sum beta = 0, 0 <= beta_i y_i <= C_i.
    """

    gram: np.ndarray  # (n, n): K, positive semi-definite, in C order
    labels: np.ndarray  # (problems, n), of `two_class_problems`
    bounds: np.ndarray  # (problems, n), of `problem_bounds`
    scale: float = 1.0
    rounding: float = 0.0  # how far an entry of K may be off, as a share of the largest
    tube: float = 0.0  # epsilon of a regression, whose numbers the labels are; 0 for classes


class Machines(NamedTuple):
    """Solutions of the two-class problems of a target."""

    beta: np.ndarray  # (problems, n): beta_i = alpha_i y_i
    rest: np.ndarray  # (problems, n): what refined machines have beyond the precision of beta
    bias: np.ndarray  # (problems,): b of each decision function K beta / scale + b
    objective: float  # sum of the values of the duals
    gap: float  # largest relative duality gap
    square: float  # bound on sum_f ||w_f - w_f*||^2 over the problems, see `certificate`


def solve_machines(problem: MachineProblem, start: np.ndarray) -> Machines:
    """Solve the two-class problems of a target to the end, from beta (problems, n) or zeros."""
    beta = feasible_starts(start, problem.labels, problem.bounds, problem.tube)
    return Machines(*_solve(*problem, beta, np.zeros_like(beta), False))


def refine_machines(problem: MachineProblem, machines: Machines) -> Machines:
    """The same machines in about twice the precision."""
    return Machines(*_solve(*problem, machines.beta.copy(), machines.rest.copy(), True))


@compiled
def _solve(gram, labels, bounds, scale, rounding, tube, betas, rests, again):
    biases = np.empty(len(labels))
    objective, largest, square = 0.0, 0.0, 0.0
    for k in range(len(labels)):
        y = labels[k]
        beta, rest, linear = betas[k], rests[k], np.empty(len(y))
        low, high = np.empty(len(y)), np.empty(len(y))
        for i in range(len(y)):
            end = y[i] * bounds[k, i]
            low[i], high[i], linear[i] = min(0.0, end), max(0.0, end), scale * y[i]
        dual, target, edge = 0.0, linear.copy(), scale * tube
        if tube > 0.0:
            # where a refinement begins all rows are on their sides, and it only names them
            turns = 0 if again else MOST_TURNS
            solve_tube(
                gram, target, bounds[k], edge, beta, scale, HANDOVER, turns, linear, low, high
            )
        elif not again:
            solve_box(gram, linear, low, high, beta, scale, HANDOVER)
        if again:
            refine_box(gram, linear, low, high, beta, rest)
        if tube > 0.0:
            gap, dual, bias = tube_gap(gram, target, bounds[k], edge, beta, rest, rounding)
        else:
            gap, away, bias = gap_of(gram, linear, low, high, beta, rest, rounding)
            # beta' K beta = sum beta (linear - away - bias), and the sum of beta is 0
            for i in range(len(y)):
                dual += 0.5 * beta[i] * (linear[i] + away[i])
        objective += dual / scale
        largest = max(largest, gap / max(abs(dual + gap), 1e-300))
        square += gap
        biases[k] = bias / scale
    return betas, rests, biases, objective, largest, square


def linear_weights(beta: np.ndarray, columns: np.ndarray, squared_length: float) -> np.ndarray:
    """sum_i beta_i z_i (problems, d) of rows z (n, d), 0 where it moves rows as rounding does."""
    weights = product(beta, columns.T)
    weights[weights * weights * squared_length <= NOISE**2] = 0.0
    return weights


def check_bounds(C: float | np.ndarray, shape: int | tuple[int, ...]) -> np.ndarray:
    """Bounds on alpha, (n,) or (problems, n), from one number, one a row or all of them."""
    bounds = np.array(np.broadcast_to(np.asarray(C, dtype=np.float64), shape))
    if not (bounds.min() > 0 and bounds.max() < np.inf):
        raise TableError(f"C must be positive and finite. Got {C!r}")
    return bounds


def feasible_starts(
    start: np.ndarray, labels: np.ndarray, bounds: np.ndarray, tube: float
) -> np.ndarray:
    """Starts (problems, n) within the bounds, their sums 0; see :func:`feasible`."""
    sides = np.sign(start) if tube else labels
    return np.array([feasible(*row) for row in zip(start, sides, bounds, strict=True)])


@compiled
def feasible(start, y, bounds):
    """The start moved into the box and shrunk on one side until its sum is 0, but for rounding."""
    n = len(y)
    beta = np.empty(n)
    positive, negative = 0.0, 0.0
    for i in range(n):
        beta[i] = min(max(start[i], min(0.0, y[i] * bounds[i])), max(0.0, y[i] * bounds[i]))
        positive += max(beta[i], 0.0)
        negative -= min(beta[i], 0.0)
    if abs(positive - negative) <= 1e-12 * max(positive, negative):
        return beta
    for i in range(n):
        if beta[i] > 0.0 and positive > negative:
            beta[i] *= negative / positive
        elif beta[i] < 0.0 and negative > positive:
            beta[i] *= positive / negative
    return beta
