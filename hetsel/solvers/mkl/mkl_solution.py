"""Multiple kernel learning with an lq-norm on the kernel weights (paul2015, Eq. 6 to 8).

Equal rows of one class have the same gradient, and only the sum of their dual variables matters. So
rows that are equal in few columns are merged into one row with the sum of their bounds.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hetsel.ground import not_negative
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.solvers.mkl.kernel_weights import checked_norm, scaled_weights, update_weights
from hetsel.solvers.mkl.mkl_newton import ascend_by_newton
from hetsel.solvers.svm.active_set import HANDOVER, solve_box
from hetsel.solvers.svm.block_ascent import FEWER, SOLVED, SOME, ends_of, solve_kernel_box
from hetsel.solvers.svm.machines import check_bounds, feasible_starts
from hetsel.solvers.svm.tube import MOST_TURNS, solve_tube

COLUMNS = 6  # with more columns, rows are rarely equal
WORTH = 2  # fewest rows per distinct row


@dataclass(frozen=True)
class MKLSolution:
    """Kernel weights and the classifiers that share them."""

    weights: np.ndarray  # (kernels,): mu >= 0 with lq-norm 1
    beta: np.ndarray  # (problems, n): beta_i = alpha_i y_i; one problem for two classes
    bias: np.ndarray  # (problems,)
    energy: np.ndarray  # (kernels,): s_f, the sum over problems of beta' K_f beta
    objective: float  # value of the primal, 1/2 sum mu_f s_f + C sum xi
    gap: float  # duality gap relative to it
    trace: tuple[tuple[float, float], ...]  # primal value and relative gap after each step


def solve_mkl(
    kernels: FeatureKernels,
    labels: np.ndarray,
    C: float | np.ndarray = 0.1,
    *,
    q: float = 2.0,
    start: MKLSolution | None = None,
    tolerance: float = 1e-3,
    limit: int = 500,
    tube: float = 0.0,
) -> MKLSolution:
    """Learn the weights of a sum of kernels and the support vector machines on it.

    The problem is: minimize C sum_i hinge(y_i f(x_i)) + 1/2 sum_f ||w_f||^2 over w, b and mu >= 0,
    ||mu||_q <= 1, with f = sum_f sqrt(mu_f) w_f' psi_f + b. For 1 < q < infinity
    :func:`hetsel.solvers.mkl.mkl_newton.ascend_by_newton` starts from the machines of even weights.
    For q = 1 machines alternate with the closed form mu_f ~ ||v_f||^(2/(q+1)), ||v_f||^2 = mu_f^2
    s_f, scaled to ||mu||_q = 1. The dual value is sum alpha - 1/2 ||(s_f)||_q*, q* = q/(q - 1).

    Labels (problems, n) or (n,) are -1 and +1 of each one-versus-rest problem, all of which share
    mu; C bounds alpha. Of numbers the loss is max(0, |y_i - f(x_i)| - epsilon), epsilon the `tube`,
    see :mod:`hetsel.solvers.svm.tube`. q = 1 is sparse, infinity is the plain sum. It starts from
    the solution of a similar problem over the same kernels, and ends at a relative duality gap of
    `tolerance` (0: where only rounding is left) or after `limit` alternations or steps.

    Kloft, Brefeld, Sonnenburg and Zien 2011, lp-norm multiple kernel learning.
    """
    q, tolerance = checked_norm(q), not_negative("tolerance", tolerance)
    problems = np.atleast_2d(np.asarray(labels, dtype=np.float64))
    bounds = check_bounds(C, problems.shape)
    weights, beta = np.full(kernels.p, kernels.p ** (-1.0 / q)), np.zeros_like(problems)
    if start is not None:
        weights = scaled_weights(start.weights, q)
        beta = feasible_starts(start.beta, problems, bounds, tube)
    if 1.0 < q < np.inf:
        merged = None if tube else merged_rows(kernels, problems, bounds)
        if merged is not None:
            begin = None if start is None else replace(start, beta=merged.summed(beta))
            given = (merged.kernels, merged.labels, merged.bounds)
            found = solve_mkl(*given, q=q, start=begin, tolerance=tolerance, limit=limit)
            return replace(found, beta=merged.spread(found.beta))
        if not beta.any() and not _by_blocks(kernels, weights, problems, bounds, beta, tube):
            beta[:] = 0.0
            _machines(kernels.gram(weights), problems, bounds, beta, tube)
        data, state = (problems, bounds, tube), (beta, *kernels.images(beta))
        room, power = kernels.other_room(len(beta)), 1.0 / (q - 1.0)
        weights, energy, bias, steps, images, energies = ascend_by_newton(
            kernels.family, *data, *state, room, power, tolerance, limit
        )
        kernels.hold(beta, images, energies)
        path = [(float(value), float(gap)) for value, gap in steps]
        return MKLSolution(weights, beta, bias, energy, *path[-1], tuple(path))
    trace = []
    while True:
        bias, loss = _machines(kernels.gram(weights), problems, bounds, beta, tube)
        energy = kernels.energies(beta)
        primal = 0.5 * float(weights @ energy) + loss
        # ||(s_f)||_q*: the largest s_f for q = 1, their sum for q infinite
        size = float(energy.max() if q == 1.0 else energy.sum())
        dual = float((problems * beta).sum()) - tube * float(np.abs(beta).sum()) - 0.5 * size
        gap = max(primal - dual, 0.0) / max(abs(primal), 1e-300)
        trace.append((primal, gap))
        if gap <= tolerance or len(trace) >= limit or np.isinf(q):
            return MKLSolution(weights, beta, bias, energy, primal, gap, tuple(trace))
        weights = update_weights(weights, energy, q)


def _machines(
    gram: np.ndarray, labels: np.ndarray, bounds: np.ndarray, beta: np.ndarray, tube: float
) -> tuple[np.ndarray, float]:
    """Solve the machines on a kernel, beta in place; their biases and the sum of their losses."""
    bias, loss = np.empty(len(labels)), 0.0
    for c, (y, bound) in enumerate(zip(labels, bounds, strict=True)):
        if tube:
            sides = np.empty((3, len(y)))
            given = (gram, y, bound, tube, beta[c], 1.0, HANDOVER, MOST_TURNS)
            gradient, bias[c] = solve_tube(*given, *sides)
            loss += float(bound @ np.maximum(0.0, np.abs(gradient - bias[c]) - tube))
            continue
        low, high = ends_of(y, bound)
        gradient, bias[c], _ = solve_box(gram, y, low, high, beta[c], 1.0, HANDOVER)
        loss += float(bound @ np.maximum(0.0, y * (gradient - bias[c])))
    return bias, loss


def _by_blocks(
    kernels: FeatureKernels,
    weights: np.ndarray,
    labels: np.ndarray,
    bounds: np.ndarray,
    beta: np.ndarray,
    tube: float,
) -> bool:
    """Solve the machines of many rows, beta in place; whether that worked."""
    if labels.shape[1] <= FEWER:
        return False
    for y, bound, own in zip(labels, bounds, beta, strict=True):
        low, high = ends_of(y, bound, tube)
        given = (kernels.family, weights, y, low, high, own, 1.0, np.empty(len(y)), False, tube)
        if solve_kernel_box(*given)[1] > SOLVED:
            return False
    return True


class MergedRows(NamedTuple):
    """The problem of the g different rows."""

    kernels: FeatureKernels
    labels: np.ndarray  # (problems, g)
    bounds: np.ndarray  # (problems, g)
    equal: np.ndarray  # (n,): which of these each row is
    shares: np.ndarray  # (problems, n), of each row in the bound of these
    own: np.ndarray  # (problems, n): the bounds of the rows

    def summed(self, beta: np.ndarray) -> np.ndarray:
        """beta (problems, g) of those of the rows (problems, n)."""
        return _summed(self.equal, beta)

    def spread(self, beta: np.ndarray) -> np.ndarray:
        """beta (problems, n), by the bounds of the rows, of those of the different ones."""
        whole = np.abs(beta) == self.bounds
        found = self.shares * beta[:, self.equal]
        ends = np.sign(beta)[:, self.equal] * self.own  # at a bound without rounding
        return np.where(whole[:, self.equal], ends, found)


def merged_rows(
    kernels: FeatureKernels, labels: np.ndarray, bounds: np.ndarray
) -> MergedRows | None:
    """The different rows of classes; None where they are many, or a table has few rows."""
    n = labels.shape[1]
    if n <= SOME or kernels.p > COLUMNS:
        return None
    sides = np.unique(labels > 0, axis=1, return_inverse=True)[1].ravel()
    equal = kernels.equal_rows(sides, n // WORTH)
    if equal is None:
        return None
    first = np.unique(equal, return_index=True)[1]
    whole = _summed(equal, bounds)
    different = kernels.of_rows(first)
    labels = np.ascontiguousarray(labels[:, first])
    return MergedRows(different, labels, whole, equal, bounds / whole[:, equal], bounds)


def _summed(equal: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.array([np.bincount(equal, own) for own in values])
