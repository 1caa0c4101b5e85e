"""Rows that are alike in all columns and labels, as one row with the sum of their bounds.

Few columns of few bins make few different rows. What the optimum gives to rows that are alike it
gives in proportion to their bounds, so that they are one row of a smaller problem.
"""

from dataclasses import replace

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive.additive_problem import AdditiveSolution

MOST_NAMES = 2**62  # combinations of bins that have a number
WORTH = 2  # rows a group, on the average


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
    def of(
        cls, kernels: BinnedKernels, labels: np.ndarray, bounds: np.ndarray
    ) -> "EqualRows | None":
        """The groups of classes, where there are few enough; None where there are not."""
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
