"""Cross-validated balanced classification rate of nearest neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.models.neighbors import MISSING, add_distances, count_votes
from hetsel.search.criteria.held_out import HeldOutState, draw_folds
from hetsel.selection.problem import Problem
from hetsel.tables.ties import unit_scale


@dataclass(frozen=True)
class NeighborsRate:
    """Balanced classification rate of nearest neighbors on mixed columns, by cross-validation.

    A held-out row goes to the class of most of its nearest rows among the other folds, in the
    metric of :mod:`hetsel.models.neighbors` with the range of all rows of the table; equal
    distances go to the lower row index, equal votes to the class whose nearest row is nearer.

    Parameters
    ----------
    neighbors : int
        Number of rows that vote; all rows of the other folds if there are fewer.
    folds : int
        Number of folds, drawn once and stratified; no more than rows of the rarest class.
    rate : {"bcr", "accuracy"}
    repeats : int
        Number of times that folds are drawn; the rate is the mean.

    Notes
    -----
    The state is one (n, n) matrix, 8 n^2 bytes, whatever the number of features.

    Examples
    --------
    >>> from hetsel import Problem, Schema
    >>> from hetsel.tables.target import Classes
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> problem = Problem(table, Classes.of([0, 0, 1, 1]), (1,))
    >>> NeighborsRate(neighbors=1, folds=2).start(problem).values_with([0, 1])
    array([1., 0.])
    """

    neighbors: int = 5
    folds: int = 5
    rate: str = "bcr"
    repeats: int = 1

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> NeighborsState:
        """The state of a subset; the folds are drawn with the problem's seed."""
        fold = draw_folds(problem, self.folds, self.repeats)
        state = NeighborsState(problem, fold, min(self.neighbors, problem.n), self.rate)
        for feature in subset:
            state.add(feature)
        return state


class NeighborsState(HeldOutState):
    """The squared distances (n, n) of a subset."""

    def __init__(
        self, problem: Problem, fold: np.ndarray, neighbors: int, rate: str = "bcr"
    ) -> None:
        super().__init__(problem, fold, rate)
        self._neighbors = neighbors
        table = problem.table
        columns = unit_scale(table.values)
        columns[:, table.nominal] = table.values[:, table.nominal]  # codes: a step apart or more
        columns[np.isnan(columns)] = MISSING
        self._columns = columns
        self._distances = np.zeros((problem.n, problem.n))
        self._votes = np.empty((problem.n, self.n_classes), dtype=np.int64)

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Class (repeats, n) of every held-out row; with a feature added (1) or taken away (-1)."""
        column = self._columns[:, 0 if feature is None else feature]
        sign = 0.0 if feature is None else sign
        winner = np.empty(self.fold.shape, dtype=np.int64)
        for part, row in zip(self.fold, winner, strict=True):
            state = (self.y, part, self._neighbors, self._votes, row)
            count_votes(self._distances, column, sign, *state)
        return winner

    def _update(self, feature: int, sign: float) -> None:
        column = self._columns[:, feature]
        add_distances(self._distances, column, column, sign)
