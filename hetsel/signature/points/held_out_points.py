"""Points of rows that took no part in their table: it is made anew without each outer fold."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.evaluation.by_key.methods_by_key import MethodSpec
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import all_results
from hetsel.evaluation.progress import Say
from hetsel.signature.final_models import FINAL_MODELS
from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.points.points_table import PointsTable, points_table
from hetsel.tables import Table
from hetsel.tables.training_levels import levels_of_rows


@dataclass(frozen=True, eq=False)
class FoldPoints:
    """What the totals (m,) of the rows of a fold stand for, see `PointsTable.decisions`."""

    key: str
    decisions: np.ndarray
    classify_seconds: float
    rank_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class PointsFolds:
    """The tables of points of the outer folds; each number is one of them.

    Parameters
    ----------
    method : MethodSpec
        Its label alone counts.
    outer : tuple of OuterFold
    C : float
        Of the final model.
    """

    method: MethodSpec
    outer: tuple[OuterFold, ...]
    C: float
    sizes: tuple[int, ...] = ()
    classifiers: tuple[ClassifierSpec, ...] = ()

    def __len__(self) -> int:
        return len(self.outer)

    def run(self, data: EncodedData, resampling: int, key: str) -> FoldPoints | CellFailure:
        """Make the table of the other rows, add up the points of this fold."""

        def compute() -> tuple[np.ndarray, float]:
            start = time.thread_time()
            made, rest = points_without(data, self.outer[resampling], self.C)
            return made.decisions(made.totals(rest)), time.thread_time() - start

        return guarded(
            self, key, compute, lambda found, _: FoldPoints(key, *found), data.target.kind
        )


def by_run(outer: Sequence[OuterFold], n: int) -> tuple[np.ndarray, np.ndarray]:
    """What the models predict of n rows, and the fold of each: (runs, n) both.

    Parameters
    ----------
    outer : sequence of OuterFold
        Their values are single ones, d = 1.
    n : int
    """
    runs = 1 + max(one.run for one in outer)
    values, fold = np.empty((runs, n)), np.empty((runs, n), dtype=np.int64)
    known = [0] * runs  # folds of each run that were met
    for one in outer:
        values[one.run, one.held_out] = one.values[:, 0]
        fold[one.run, one.held_out] = known[one.run]
        known[one.run] += 1
    return values, fold


def points_without(data: EncodedData[Any], fold: OuterFold, C: float) -> tuple[PointsTable, Table]:
    """The table of points that the rows of a fold took no part in, and the fold's cells for it.

    The features were selected without these rows; model, levels, what fills missing cells, bands
    and unit are learned without them here.

    Parameters
    ----------
    data : EncodedData
    fold : OuterFold
    C : float
    """
    known = np.flatnonzero(~fold.held_out)
    table = levels_of_rows(data.table.take(columns=fold.features), known)
    train, rest = table.take(rows=known), table.take(rows=fold.held_out)
    weights = None if data.weights is None else data.weights[known]
    treatment = {"missing": data.missing, "scale": data.scale, "unseen": "separate"}
    model = FINAL_MODELS[data.target.kind].build(C, **treatment)
    model.fit(train, data.target.take(known), weights)
    if data.target.kind == "classes":
        model = model.in_order(data.target.labels)  # the positive class last
    if data.missing == "impute":
        train = train.resolve_missing("impute")
        rest = rest.resolve_missing("impute", like=train)
    made = points_table(model.effect_curves(), train, float(model.intercept_[0]), weights)
    return made, rest


def held_out_points(
    data: EncodedData[Any],
    method: MethodSpec,
    outer: Sequence[OuterFold],
    C: float,
    *,
    n_jobs: int | None = None,
    say: Say | None = None,
) -> np.ndarray:
    """What the totals of held-out rows stand for (runs, n), each by a table made without its fold.

    Parameters
    ----------
    data : EncodedData
    method : MethodSpec
    outer : sequence of OuterFold
    C : float
        Of the final model.
    n_jobs : int, optional
    say : callable, optional
    """
    folds = PointsFolds(replace(method, label="points"), tuple(outer), C)
    found = all_results(data, {"points": folds}, n_jobs, say)["points"]
    out = np.empty((1 + max(fold.run for fold in outer), len(data.target)))
    for number, fold in enumerate(outer):
        out[fold.run, fold.held_out] = found[number].decisions
    return out
