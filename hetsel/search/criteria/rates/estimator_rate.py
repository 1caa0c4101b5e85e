"""Held-out rate of any classifier of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from hetsel.ground.errors import TableError
from hetsel.ground.ties import on_grid, unit_scale
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.rates.held_out_rates import HeldOutState, most_frequent
from hetsel.selection.problem import Problem
from hetsel.tables.content import content_ranks
from hetsel.tables.table import Table

ENCODINGS = ("one-hot", "codes")


@dataclass(frozen=True)
class EstimatorRate:
    """Held-out rate of a classifier of scikit-learn, fitted to the columns of the subset.

    A clone is fitted to the rows of all folds but one and predicts the rows of that one. Nothing is
    updated by feature: a candidate costs one fit a fold.

    Parameters
    ----------
    estimator : classifier or pipeline
        What it leaves to chance (a `random_state` of None) gets the problem's seed.
    encode : {"one-hot", "codes"}
        A nominal column as one column of 0 and 1 a level, or as one column of whole numbers. Levels
        are numbered as they appear, so that their names do not count; for "codes" the order of the
        rows does.
    folds : int
        Number of folds, drawn once and stratified; no more than rows of the rarest class.
    rate : {"bcr", "accuracy"}
    repeats : int
        Number of times that folds are drawn; the rate is the mean.

    Notes
    -----
    Numbers and ordered levels are scaled to [0, 1] by their range in all rows, so units do not
    count. If some are missing, they become the mean of the others, with a column more that marks
    them. A constant feature has no column. The columns come in the order of their content, whatever
    the order in the table. Without a column the most frequent class of the other folds is
    predicted.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from hetsel import Problem, Schema
    >>> from hetsel.tables.target import Classes
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> problem = Problem(table, Classes.of([0, 0, 1, 1]), (1,))
    >>> EstimatorRate(LogisticRegression(), folds=2).start(problem).values_with([0, 1])
    array([1.  , 0.25])
    """

    estimator: Any
    encode: str = "one-hot"
    folds: int = 5
    rate: str = "bcr"
    repeats: int = 1

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> EstimatorState:
        """The state of a subset; the folds are drawn with the problem's seed.

        Raises
        ------
        TableError
            Another encoding or rate, an estimator that cannot fit and predict.
        """
        if self.encode not in ENCODINGS:
            raise TableError(f"encode must be 'one-hot' or 'codes'. Got {self.encode!r}")
        if not (hasattr(self.estimator, "fit") and hasattr(self.estimator, "predict")):
            raise TableError(
                f"estimator must be a classifier of scikit-learn. Got {self.estimator!r}"
            )
        fold = draw_folds(problem, self.folds, self.repeats)
        state = EstimatorState(problem, fold, self.rate, self.estimator, self.encode)
        for feature in subset:
            state.add(feature)
        return state


class EstimatorState(HeldOutState):
    """A subset with the columns that each feature gives to the estimator."""

    def __init__(
        self, problem: Problem, fold: np.ndarray, rate: str, estimator: Any, encode: str
    ) -> None:
        super().__init__(problem, fold, rate)
        self._estimator = clone(estimator)
        chance = {
            name: problem.seed
            for name, value in self._estimator.get_params().items()
            if name.split("__")[-1] == "random_state" and value is None
        }
        self._estimator.set_params(**chance)
        self._blocks = estimator_columns(problem.table, encode)
        self._place = np.argsort(problem.table.canonical_order()).tolist()

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Class (repeats, n) of every held-out row; with a feature added (1) or taken away (-1)."""
        subset = set(self._subset)
        if feature is not None:
            subset = subset | {feature} if sign > 0.0 else subset - {feature}
        ordered = sorted(subset, key=self._place.__getitem__)
        cells = np.hstack([np.empty((len(self.y), 0)), *(self._blocks[f] for f in ordered)])
        if not cells.shape[1]:
            return most_frequent(self.y, self.fold)
        winner = np.empty(self.fold.shape, dtype=np.int64)
        for part, row in zip(self.fold, winner, strict=True):
            for k in np.unique(part):
                held = part == k
                model = clone(self._estimator).fit(cells[~held], self.y[~held])
                row[held] = model.predict(cells[held])
        return winner

    def _update(self, feature: int, sign: float) -> None:
        """Nothing is kept but the subset."""


def estimator_columns(table: Table, encode: str) -> list[np.ndarray]:
    """Columns (n, size) of each feature, nominal ones in one of the two encodings.

    Examples
    --------
    >>> from hetsel import Table
    >>> import pandas as pd
    >>> table = Table.read(pd.DataFrame({"a": [5.0, 7.0, 6.0], "b": ["x", "y", "x"]}))
    >>> [block.tolist() for block in estimator_columns(table, "one-hot")]
    [[[0.0], [1.0], [0.5]], [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]
    """
    numbers = on_grid(unit_scale(table.values))
    levels = content_ranks(table.values, table.nominal)
    blocks = []
    for f, nominal in enumerate(table.nominal):
        if nominal:
            level = levels[f]
            one_hot = level[:, None] == np.unique(level)
            block = one_hot if encode == "one-hot" else level[:, None]
        else:
            gaps = np.isnan(numbers[:, f])
            mean = numbers[~gaps, f].mean() if not gaps.all() else 0.0
            filled = np.where(gaps, mean, numbers[:, f])[:, None]
            block = np.hstack([filled, gaps[:, None]]) if gaps.any() else filled
        varies = (block != block[:1]).any(axis=0)
        blocks.append(block[:, varies].astype(np.float64))
    return blocks
