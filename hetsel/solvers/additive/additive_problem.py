"""Machines on binned columns, with equal rows merged into one.

Few columns with few bins have few distinct rows. At the optimum, equal rows have dual variables in
proportion to their bounds, so they are merged into one row with the sum of the bounds.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.mkl.kernel_weights import energy_norm, mixed_power
from hetsel.solvers.svm.block_ascent import ends_of

FAR = 3e-3  # relative gap from which on a warning is issued
NARROW = 0.05  # initial width of the margin after columns were dropped
MOST_NAMES = 2**62  # most combinations of bins that are numbered
WORTH = 2  # fewest rows per group on average


@dataclass(frozen=True)
class AdditiveSolution:
    """Kernel weights and the machines that share them."""

    weights: np.ndarray  # (p,): mu, of lq-norm 1
    beta: np.ndarray  # (machines, n), within their bounds; their sums are 0 but for rounding
    bias: np.ndarray  # (machines,)
    energy: np.ndarray  # (p,): s_f of these
    objective: float  # value of the primal
    gap: float  # duality gap relative to it
    sums: np.ndarray  # (machines, bins): those of the functions that have that value of the primal
    width: float  # h of the last step
    trace: tuple[tuple[float, float], ...]  # primal value and relative gap at each step

    def on(self, bins: np.ndarray, ratio: float = 1.0) -> "AdditiveSolution":
        """Return the start for these bins only, with scaled bounds."""
        return replace(self, sums=self.sums[:, bins]).resized(ratio)

    def resized(self, ratio: float) -> "AdditiveSolution":
        """Return the start for scaled bounds and maybe other columns."""
        sums, beta = ratio * self.sums, ratio * self.beta
        return replace(self, sums=sums, beta=beta, width=max(self.width, NARROW))

    def decisions(self, kernels: BinnedKernels) -> np.ndarray:
        """Decision values (machines, n) of the rows."""
        sums = np.array([kernels.sums(own) for own in self.beta])
        tables = kernels.weighted(kernels.images(sums)[0], self.weights)
        return np.array([kernels.look_up(table) for table in tables]) + self.bias[:, None]


class AdditiveProblem(NamedTuple):
    """Machines on the same columns."""

    kernels: BinnedKernels
    labels: np.ndarray  # (machines, n)
    bounds: np.ndarray  # (machines, n)
    low: np.ndarray  # (machines, n): the lower ends of the box
    high: np.ndarray  # (machines, n)
    q: float
    tube: float

    @classmethod
    def of(
        cls, kernels: BinnedKernels, labels: np.ndarray, bounds: np.ndarray, q: float, tube: float
    ) -> "AdditiveProblem":
        return cls(kernels, labels, bounds, *ends_of(labels, bounds, tube), q, tube)

    @property
    def middle(self) -> np.ndarray:
        """The middle of each box."""
        return (self.low + self.high) / 2.0

    def sigma(self, width: float) -> np.ndarray:
        """Return C_i / (2 h); rows without weight get that of the others."""
        bounds = np.where(self.bounds > 0.0, self.bounds, self.bounds.max())
        return bounds / (2.0 * width)


class Functions(NamedTuple):
    """Functions of the columns, by sums of dual variables in the bins."""

    sums: np.ndarray  # (machines, bins): B_f
    images: np.ndarray  # (machines, bins): K_f B_f
    energy: np.ndarray  # (p,): s_f
    weights: np.ndarray  # (p,): mu_f
    size: float  # ||(s_f)||_r

    @classmethod
    def of(cls, kernels: BinnedKernels, sums: np.ndarray, q: float) -> "Functions":
        images, energy = kernels.images(sums)
        if np.isinf(q):
            return cls(sums, images, energy, np.ones(kernels.p), float(energy.sum()))
        power = 1.0 / (q - 1.0)
        size = energy_norm(energy, power + 1.0)
        return cls(sums, images, energy, mixed_power(energy, size, power), size)


class EqualRows:
    """Groups of equal rows, and the problem with one row for each group."""

    def __init__(
        self, kernels: BinnedKernels, bounds: np.ndarray, groups: np.ndarray, first: np.ndarray
    ) -> None:
        self._groups, self._rows, self._first = groups, bounds, first
        columns = kernels.columns
        codes = np.ascontiguousarray(columns.codes[first])
        self.kernels = BinnedKernels(columns._replace(codes=codes), kernels.factors)
        self.bounds = self._summed(bounds)

    @classmethod
    def of(
        cls, kernels: BinnedKernels, labels: np.ndarray, bounds: np.ndarray
    ) -> "EqualRows | None":
        """Return the groups, or None if there are too many."""
        widths = np.diff(kernels.columns.starts).astype(np.float64)
        if np.log(widths).sum() + np.log(len(labels) + 1) > np.log(MOST_NAMES):
            return None
        sides = np.arange(len(labels)) + 1
        names = (sides[:, None] * (labels > 0)).sum(axis=0)
        for f, width in enumerate(widths.astype(np.int64)):
            names = names * width + kernels.columns.codes[:, f]
        _, first, groups = np.unique(names, return_index=True, return_inverse=True)
        if WORTH * len(first) > kernels.n:
            return None
        order = np.argsort(first)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return cls(kernels, bounds, places[groups], first[order])

    def labels_of(self, labels: np.ndarray) -> np.ndarray:
        """Labels (machines, groups) of those of the rows."""
        return np.ascontiguousarray(labels[:, self._first])

    def start_of(self, start: AdditiveSolution | None) -> AdditiveSolution | None:
        """Convert a solution for rows to one for groups."""
        return None if start is None else replace(start, beta=self._summed(start.beta))

    def for_rows(self, solution: AdditiveSolution) -> AdditiveSolution:
        """Convert a solution for groups to one for rows."""
        whole = self.bounds[:, self._groups]
        shares = np.divide(self._rows, whole, out=np.zeros_like(whole), where=whole > 0.0)
        return replace(solution, beta=shares * solution.beta[:, self._groups])

    def _summed(self, values: np.ndarray) -> np.ndarray:
        """Sums (machines, groups) of values (machines, n)."""
        return np.array([np.bincount(self._groups, own, len(self._first)) for own in values])
