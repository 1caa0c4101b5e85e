"""HFS^5NN: hybrid feature selection, two filters merged by the performance of 5-NN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.methods.wrappers.hfs_nb import HybridSelector
from hetsel.search.criteria import AdditiveCriterion, NearestNeighborsCriterion
from hetsel.tables.table import Table
from hetsel.tables.validation import at_least


@dataclass(eq=False, repr=False, kw_only=True)
class HybridFeatureSelectorKNN(HybridSelector):
    """Hybrid feature selection with nearest neighbors: two filters, merged by what they add.

    The list of numbers (t-test) and the list of nominal columns (Fisher's exact test) are merged
    greedily by the cross-validated balanced classification rate of 5-NN in the heterogeneous
    Euclidean-overlap metric; see :class:`hetsel.search.criteria.NearestNeighborsCriterion`. It
    holds one matrix of (n, n) distances: 8 n^2 bytes.

    Parameters
    ----------
    folds : int
        Number of folds, drawn once and stratified; no more than rows of the rarest class.
    samples, limit : int
        As in `fisher-exact`, but smaller: the p-values only order the columns, and a few percent of
        error are far below their spread.
    neighbors : int
        Number of nearest rows that vote.

    Attributes
    ----------
    importances_ : ndarray of float, shape (p,)
        p for the first feature, 1 for the last.
    trace_ : tuple of Step
        Each feature with the balanced classification rate once it is in.
    log_pvalues_ : ndarray of float, shape (p,)
        Natural logarithm of the p-value of the column's own test.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, section 3, Eq. 9 to 11.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.5], "sex": ["f", "f", "m", "m"]})
    >>> HybridFeatureSelectorKNN(size=1, neighbors=1).fit(frame, [0, 0, 1, 1]).signature()
    array([1])
    """

    neighbors: int = 5

    key: ClassVar[str] = "hfs-5nn"
    title: ClassVar[str] = "t-test and Fisher's exact test merged by 5-NN, HEOM distance"
    paper: ClassVar[str] = "paul2015, section 3, Eq. 9-11"

    def _criterion(self, table: Table, y: np.ndarray, fold: np.ndarray) -> AdditiveCriterion:
        at_least("neighbors", self.neighbors, 1)
        return NearestNeighborsCriterion(table, y, fold, neighbors=self.neighbors)
