"""Consistency of a subset: rows that agree in all features should agree in their class."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.search.criteria.partition import PartitionState
from hetsel.selection import Problem


@dataclass(frozen=True)
class Consistency:
    """One minus the inconsistency rate: the share of rows of the main class of their cell.

    J = (1/n) sum_cells max_c n_ic, with n_ic the rows of class c in cell i, the rows that agree in
    all features. It does not fall when a feature is added. For an empty subset it is the share of
    the most frequent class.

    Parameters
    ----------
    bins : int
        Bins of about as many rows each into which continuous columns are cut, see
        :func:`hetsel.statistics.information.discretization.discretize`.

    Notes
    -----
    Where most rows have a cell of their own any subset reaches 1.

    References
    ----------
    Liu and Setiono 1996, A probabilistic approach to feature selection: a filter solution; Dash and
    Liu 2003, Consistency-based search in feature selection.

    Examples
    --------
    >>> from hetsel import Problem, Schema
    >>> from hetsel.tables.target import Classes
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> problem = Problem(table, Classes.of([0, 0, 1, 1]), (1,))
    >>> Consistency(bins=2).start(problem).values_with([0, 1])
    array([1. , 0.5])
    """

    bins: int = 5

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "ConsistencyState":
        """The state of a subset."""
        state = ConsistencyState(problem, self.bins)
        for feature in subset:
            state.add(feature)
        return state


class ConsistencyState(PartitionState):
    """A partition measured by the rows of the main class of their cell."""

    def _measure(self, counts: np.ndarray) -> float:
        return float(counts.max(axis=1).sum()) / len(self.y)
