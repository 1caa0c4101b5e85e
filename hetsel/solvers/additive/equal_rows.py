"""Rows that are alike in all columns and labels, as one row with the sum of their bounds.

Few columns of few bins make few different rows. What the optimum gives to rows that are alike it
gives in proportion to their bounds, so that they are one row of a smaller problem.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive.additive_problem import AdditiveSolution

MOST_CELLS = 2**22  # of the table of all combinations of bins
WORTH = 4  # rows a group, on the average


class EqualRows:
    """Groups of rows that are alike, and the problem that has one row for each of them.

    Parameters
    ----------
    kernels : BinnedKernels
        Of the groups, in the order of their first rows.
    labels, bounds : ndarray of shape (machines, groups)
    """

    def __init__(
        self, kernels: BinnedKernels, bounds: np.ndarray, groups: np.ndarray, first: np.ndarray
    ) -> None:
        self._groups, self._rows, self._first = groups, bounds, first
        columns = kernels.columns
        codes = np.ascontiguousarray(columns.codes[first])
        self.kernels = BinnedKernels(columns._replace(codes=codes), kernels.factors)
        self.bounds = self._summed(bounds)

    @classmethod
    def of(cls, kernels: BinnedKernels, labels: np.ndarray, bounds: np.ndarray) -> EqualRows | None:
        """The groups of classes, where there are few enough; None where there are not."""
        widths = np.diff(kernels.columns.starts)
        sides = np.arange(len(labels)) + 1
        if np.log(widths).sum() + np.log(len(labels) + 1) > np.log(MOST_CELLS):
            return None
        names = (sides[:, None] * (labels > 0)).sum(axis=0)
        for f, width in enumerate(widths):
            names = names * width + kernels.columns.codes[:, f]
        count = int(names.max()) + 1
        first = np.full(count, -1)
        first[names[::-1]] = np.arange(kernels.n)[::-1]
        used = np.flatnonzero(first >= 0)
        if WORTH * len(used) > kernels.n:
            return None
        used = used[np.argsort(first[used])]
        places = np.empty(count, dtype=np.int64)
        places[used] = np.arange(len(used))
        return cls(kernels, bounds, places[names], first[used])

    def labels_of(self, labels: np.ndarray) -> np.ndarray:
        """Labels (machines, groups) of those of the rows."""
        return np.ascontiguousarray(labels[:, self._first])

    def start_of(self, start: AdditiveSolution | None) -> AdditiveSolution | None:
        """A solution for the rows as one for the groups."""
        return None if start is None else replace(start, beta=self._summed(start.beta))

    def for_rows(self, solution: AdditiveSolution) -> AdditiveSolution:
        """A solution for the groups as one for the rows."""
        whole = self.bounds[:, self._groups]
        shares = np.divide(self._rows, whole, out=np.zeros_like(whole), where=whole > 0.0)
        return replace(solution, beta=shares * solution.beta[:, self._groups])

    def _summed(self, values: np.ndarray) -> np.ndarray:
        """Sums (machines, groups) of values (machines, n)."""
        return np.array([np.bincount(self._groups, own, len(self._first)) for own in values])
