"""What machines on binned columns are asked for, and what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels

FAR = 3e-3  # relative gap of a solution that is warned of
NARROW = 0.05  # width of the margin to start with once columns have left


@dataclass(frozen=True)
class AdditiveSolution:
    """Kernel weights and the machines that share them.

    Parameters
    ----------
    weights : ndarray of shape (p,)
        mu, of lq-norm 1.
    beta : ndarray of shape (machines, n)
        Dual variables within their bounds; their sums are 0 but for rounding.
    bias : ndarray of shape (machines,)
    energy : ndarray of shape (p,)
        s_f of these.
    objective : float
        Value of the primal.
    gap : float
        Duality gap relative to the value of the primal.
    sums : ndarray of shape (machines, bins)
        Sums of the dual variables whose functions have that value of the primal: those of beta but
        for what the last step had in common with them.
    width : float
        h of the last step.
    trace : tuple of (float, float)
        Primal value and relative gap at each step.
    """

    weights: np.ndarray
    beta: np.ndarray
    bias: np.ndarray
    energy: np.ndarray
    objective: float
    gap: float
    sums: np.ndarray
    width: float
    trace: tuple[tuple[float, float], ...]

    def on(self, bins: np.ndarray, ratio: float = 1.0) -> AdditiveSolution:
        """What to start from once only these bins are left, and bounds are this much larger."""
        return replace(self, sums=self.sums[:, bins]).resized(ratio)

    def resized(self, ratio: float) -> AdditiveSolution:
        """What to start from once bounds are this much larger, and other columns may be there."""
        sums, beta = ratio * self.sums, ratio * self.beta
        return replace(self, sums=sums, beta=beta, width=max(self.width, NARROW))

    def decisions(self, kernels: BinnedKernels) -> np.ndarray:
        """Decision values (machines, n) of the rows."""
        sums = np.array([kernels.sums(own) for own in self.beta])
        tables = kernels.weighted(kernels.images(sums)[0], self.weights)
        return np.array([kernels.look_up(table) for table in tables]) + self.bias[:, None]


class AdditiveProblem(NamedTuple):
    """Machines on the same columns.

    Parameters
    ----------
    kernels : BinnedKernels
    labels, bounds : ndarray of shape (machines, n)
    low, high : ndarray of shape (machines, n)
        The box.
    q, tube : float
    """

    kernels: BinnedKernels
    labels: np.ndarray
    bounds: np.ndarray
    low: np.ndarray
    high: np.ndarray
    q: float
    tube: float

    @classmethod
    def of(
        cls, kernels: BinnedKernels, labels: np.ndarray, bounds: np.ndarray, q: float, tube: float
    ) -> AdditiveProblem:
        ends = bounds if tube else labels * bounds
        low = -bounds if tube else np.minimum(0.0, ends)
        return cls(kernels, labels, bounds, low, np.maximum(0.0, ends), q, tube)

    @property
    def middle(self) -> np.ndarray:
        """The middle of each box."""
        return (self.low + self.high) / 2.0

    def sigma(self, width: float) -> np.ndarray:
        """C_i / (2 h); of a row without weight, whose box is a point, that of the others."""
        bounds = np.where(self.bounds > 0.0, self.bounds, self.bounds.max())
        return bounds / (2.0 * width)
