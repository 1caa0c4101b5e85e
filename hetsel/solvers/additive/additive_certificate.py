"""Bounds on the distance of machines on binned columns from their optimum.

The dual variables are rounded to a grid on which sums in bins are exact. Their duality gap, plus a
bound on the rounding of tables, bounds the distance to the optimum as in
:mod:`hetsel.solvers.svm.certificate` and :mod:`hetsel.solvers.mkl.mkl_certificate`.
"""

import math
from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.kernels.precise_products import UNIT
from hetsel.solvers.additive.additive_problem import AdditiveSolution, Functions
from hetsel.solvers.additive.dual_grid import betas_on_grid
from hetsel.solvers.mkl import kernel_weights, mkl_certificate
from hetsel.solvers.svm.block_ascent import ends_of

SLACK = 1e-11  # relative to the objective: above the rounding of a gap and of beta


class AdditiveCertificate(NamedTuple):
    """Proved bounds on kernel weights and machines."""

    gap: float  # upper bound on the duality gap of beta, in the units of the objective
    energy: np.ndarray  # (p,): s_f of the functions of the last step
    radius: np.ndarray  # (p,): largest distance of its root from that of the optimum
    rounding: np.ndarray  # (p,): largest rounding error of its root


def certify_additive(
    kernels: BinnedKernels,
    labels: np.ndarray,
    bounds: np.ndarray,
    solution: AdditiveSolution,
    q: float,
    tube: float = 0.0,
) -> AdditiveCertificate:
    """Certify a solution of `solve_additive`; the bound is that of beta.

    The energy is that of the functions of the last step, which is much nearer to the optimum while
    the gap is wide. The radius includes the difference from the energy of beta. It is infinite if
    no beta on the grid has the sum 0.
    """
    p = kernels.p
    low, high = ends_of(labels, bounds, tube)
    betas, sums, rests, balanced = betas_on_grid(kernels, solution.beta, low, high, bounds.max())
    images, energy = kernels.precise_images(sums, rests)
    weights, size = _weights_of(energy, q)
    power = 0.0 if np.isinf(q) else 1.0 / (q - 1.0)
    # the entries of a table, their weights, and the sum of one entry a column
    terms = 4.0 + 16.0 * (1.0 + power) + p / 4.0 + 4.0
    largest = np.maximum.reduceat(np.abs(images), kernels.columns.starts[:-1], axis=1)
    errors = UNIT * terms * (largest * weights).sum(axis=1)
    errors += 4.0 * UNIT * (np.abs(labels).max() + np.abs(solution.bias))
    gap, loss, lengths = 0.0, 0.0, np.empty(len(labels))
    for c, table in enumerate(kernels.weighted(images, weights)):
        residual = labels[c] - kernels.look_up(table) - solution.bias[c]
        own = gap_of_rows(residual, low[c], high[c], betas[c], tube)
        gap, loss, lengths[c] = gap + own[0], loss + own[1], own[2]
    if not tube:  # sum alpha is at most twice the value of the primal at the optimum
        twice = 2.0000001 * (0.5 * size + loss)
        lengths = np.minimum(lengths, twice + np.abs(betas).sum(axis=1))
    gap = 1.0000001 * gap + float((errors * lengths).sum())
    nearer = Functions.of(kernels, solution.sums, q).energy
    rounding = 4.0 * UNIT * np.sqrt(energy)
    if not balanced:
        return AdditiveCertificate(np.inf, nearer, np.full(p, np.inf), rounding)
    if np.isinf(q):
        # strong concavity: half the square of the distance is at most what the dual can gain, which
        # is bounded by any primal value, that of the functions of the last step, too
        gain = (max(solution.gap, 0.0) * (1.0 + 1e-9) + SLACK) * solution.objective
        radius = np.full(p, np.sqrt(min(gap, 2.0 * gain)))
    else:
        radius = mkl_certificate.norm_radius(energy, weights, gap, q)
    radius = radius + np.abs(np.sqrt(nearer) - np.sqrt(energy))
    return AdditiveCertificate(gap, nearer, radius, rounding)


def _weights_of(energy: np.ndarray, q: float) -> tuple[np.ndarray, float]:
    """mu_f (p,) and ||(s_f)||_r, whatever p to some roundings."""
    if np.isinf(q):
        return np.ones(len(energy)), math.fsum(energy)
    largest, power = float(energy.max()), 1.0 / (q - 1.0)
    if largest <= 0.0:
        return np.zeros(len(energy)), 0.0
    ratios = kernel_weights.mixed_power(energy, largest, power + 1.0)
    size = largest * math.fsum(ratios) ** (1.0 / (power + 1.0))
    return kernel_weights.mixed_power(energy, size, power), size


@compiled
def gap_of_rows(residual, low, high, beta, tube):
    """The gap of all rows, their losses, and the room for beta.

    Each row adds its loss less beta r plus epsilon |beta|, r = y - f - b, which is never below 0.
    """
    gap, loss, room = 0.0, 0.0, 0.0
    for i in range(len(residual)):
        r = residual[i]
        if tube > 0.0:
            own = high[i] * max(0.0, abs(r) - tube)
            gap += max(own - beta[i] * r + tube * abs(beta[i]), 0.0)
        else:
            own = max(low[i] * r, high[i] * r)
            gap += max(r * (high[i] - beta[i]), r * (low[i] - beta[i]))
        loss += own
        room += high[i] - low[i]
    return gap, loss, room
