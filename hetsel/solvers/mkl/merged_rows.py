"""Rows that few columns do not tell apart, as one row with the sum of their bounds.

Equal rows of one side have one gradient: at the optimum only the sum of their dual variables
counts. Columns of few levels leave few different rows, where as they are hundreds would be at the
margin together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.solvers.svm.block_ascent import SOME

COLUMNS = 6  # of more rows are hardly ever equal
WORTH = 2  # rows for each different one


class MergedRows(NamedTuple):
    """The problem of the different rows.

    Parameters
    ----------
    kernels : FeatureKernels
        Of the g different rows.
    labels, bounds : ndarray of shape (problems, g)
    equal : ndarray of int, shape (n,)
        Which of these each row is.
    shares : ndarray of shape (problems, n)
        Of each row in the bound of these.
    own : ndarray of shape (problems, n)
        Its own bound.
    """

    kernels: FeatureKernels
    labels: np.ndarray
    bounds: np.ndarray
    equal: np.ndarray
    shares: np.ndarray
    own: np.ndarray

    def summed(self, beta: np.ndarray) -> np.ndarray:
        """beta (problems, g) of those of the rows (problems, n)."""
        return _summed(self.equal, beta)

    def spread(self, beta: np.ndarray) -> np.ndarray:
        """beta (problems, n), by the bounds of the rows, of those of the different ones."""
        whole = np.abs(beta) == self.bounds
        found = self.shares * beta[:, self.equal]
        ends = np.sign(beta)[:, self.equal] * self.own  # at a bound without rounding
        return np.where(whole[:, self.equal], ends, found)


def merged_rows(kernels: Any, labels: np.ndarray, bounds: np.ndarray) -> MergedRows | None:
    """The different rows of classes; None where they are many, or a table has few rows.

    Parameters
    ----------
    kernels : FeatureKernels
    labels, bounds : ndarray of shape (problems, n)
    """
    n = labels.shape[1]
    if n <= SOME or kernels.p > COLUMNS or not isinstance(kernels, FeatureKernels):
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
