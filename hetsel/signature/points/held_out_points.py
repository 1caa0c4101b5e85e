"""Compute point scores of held-out rows: the points are derived again without each outer fold."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import Struct

from hetsel.evaluation.by_key import judges_by_key, methods_by_key
from hetsel.evaluation.computation import CellFailure, guarded
from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import all_results
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import target_scores
from hetsel.signature.final_models import FINAL_MODELS
from hetsel.signature.nested.fold_models import OuterFold
from hetsel.signature.points.points_of_model import PointsTable, points_table
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.performance.auc_and_concordance_intervals import placement_sums
from hetsel.tables import Table
from hetsel.tables.rescaling import levels_of_rows


@dataclass(frozen=True, eq=False)
class FoldPoints:
    """Hold the decision values of the totals (m,) of a fold's rows, see `PointsTable.decisions`."""

    key: str
    decisions: np.ndarray
    classify_seconds: float
    rank_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class PointsFolds:
    """Compute the point scores of the outer folds; each number is one fold."""

    method: methods_by_key.MethodSpec  # only its label counts
    outer: tuple[OuterFold, ...]
    C: float  # of the final model
    sizes: tuple[int, ...] = ()
    classifiers: tuple[judges_by_key.ClassifierSpec, ...] = ()

    def __len__(self) -> int:
        return len(self.outer)

    def run(self, data: EncodedData, resampling: int, key: str) -> FoldPoints | CellFailure:
        """Derive the points from the other rows, and add up the points of this fold."""

        def compute() -> tuple[np.ndarray, float]:
            start = time.thread_time()
            made, rest = points_without(data, self.outer[resampling], self.C)
            return made.decisions(made.totals(rest)), time.thread_time() - start

        return guarded(
            self, key, compute, lambda found, _: FoldPoints(key, *found), data.target.kind
        )


def by_run(outer: Sequence[OuterFold], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the predictions for n rows and the fold of each row: (runs, n) both.

    The values of the folds have d = 1.
    """
    runs = 1 + max(one.run for one in outer)
    values, fold = np.empty((runs, n)), np.empty((runs, n), dtype=np.int64)
    known = [0] * runs  # number of folds of each run so far
    for one in outer:
        values[one.run, one.held_out] = one.values[:, 0]
        fold[one.run, one.held_out] = known[one.run]
        known[one.run] += 1
    return values, fold


def points_without(data: EncodedData, fold: OuterFold, C: float) -> tuple[PointsTable, Table]:
    """Derive the points without the rows of a fold; return them with the fold's table.

    The features were selected without these rows. Model, levels, imputed values, bands and unit are
    learned without them here.
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
    data: EncodedData,
    method: methods_by_key.MethodSpec,
    outer: Sequence[OuterFold],
    C: float,
    *,
    n_jobs: int | None = None,
    progress: OnProgress | None = None,
) -> np.ndarray:
    """Compute the decision values of held-out totals (runs, n), each without its fold.

    `C` is that of the final model.
    """
    folds = PointsFolds(replace(method, label="points"), tuple(outer), C)
    found = all_results(data, {"points": folds}, n_jobs, progress)["points"]
    out = np.empty((1 + max(fold.run for fold in outer), len(data.target)))
    for number, fold in enumerate(outer):
        out[fold.run, fold.held_out] = found[number].decisions
    return out


# The cost of using points instead of the model, on the same held-out rows.
#
# The standard error of a difference, points minus model, is that of the jackknife of the rows, with
# whole groups left out. The variance is doubled, since rows that are predicted by cross-validation
# trained each other's models, see :mod:`hetsel.statistics.performance.rate_intervals`. Areas under
# the ROC curve are those of pairs inside of folds, and rows move them by their placements (DeLong,
# DeLong and Clarke-Pearson 1988), as in `statistics/performance/auc_and_concordance_intervals`.


LABELS = {
    "numbers": ("r2", "R²"),
    "survival": ("concordance", "Harrell's C"),
}


class RoundingCost(Struct, frozen=True):
    """A measure of held-out rows by the model and by points; larger is better."""

    key: str
    label: str
    model: float
    points: float
    standard_error: float  # of the difference
    difference: float  # points minus model


def cost_of_rounding(
    data: EncodedData, outer: Sequence[OuterFold], by_points: np.ndarray
) -> tuple[RoundingCost, ...]:
    """Evaluate the held-out rows by the model and by points.

    The measures are the AUC and the balanced accuracy (at decision value 0) for two classes, R^2
    for numbers, and Harrell's C for survival times. Measures that these rows do not allow are left
    out.
    """
    by_model, fold = by_run(outer, len(data.target))
    if data.target.kind == "classes":
        return _of_classes(data, fold, np.stack([by_model, by_points]))
    judgement = target_scores(data.target)
    rows, found = [], []
    for run, base, other in zip(fold, by_model, by_points, strict=True):
        rows.append([judgement.whole_score(data, values, run) for values in (base, other)])
        found.append(judgement.gain(data, run, base, other)[1])
    model, points = (float(value) for value in np.mean(rows, axis=0))
    key, label = LABELS[data.target.kind]
    return _known([_cost(key, label, (model, points), float(np.mean(found)))])


def _of_classes(
    data: EncodedData, fold: np.ndarray, values: np.ndarray
) -> tuple[RoundingCost, ...]:
    """Evaluate values (2, runs, n), by model and points, for two classes."""
    truth, groups = data.target.codes == 1, data.row_groups
    own = np.ones(len(truth)) if data.weights is None else data.weights
    found = []
    for key, label, of in (
        ("auc", "AUC", _areas),
        ("bcr", "balanced accuracy", _rates),
    ):
        measures, moves = of(fold, values, truth, own)
        error = np.sqrt(
            rate_intervals.OVERLAP * loss_intervals.jackknife_variance(moves, own, groups)
        )
        found.append(_cost(key, label, measures, float(error)))
    return _known(found)


def _cost(key: str, label: str, measures: Sequence[float], error: float) -> RoundingCost:
    model, points = measures
    return RoundingCost(key, label, model, points, error, points - model)


def _known(found: Sequence[RoundingCost]) -> tuple[RoundingCost, ...]:
    """Return the finite measures with finite errors."""
    return tuple(
        one for one in found if np.isfinite([one.model, one.points, one.standard_error]).all()
    )


def _rates(
    fold: np.ndarray, values: np.ndarray, truth: np.ndarray, weights: np.ndarray
) -> tuple[list[float], np.ndarray]:
    """Compute balanced accuracies (2,), and how much each row (n,) moves their difference."""
    right = ((values > 0) == truth).mean(axis=1)
    rates, moves = [], np.empty(len(truth))
    for own in (truth, ~truth):
        rates.append(np.average(right[:, own], axis=1, weights=weights[own]))
        apart = right[1, own] - right[0, own] - (rates[-1][1] - rates[-1][0])
        moves[own] = weights[own] * apart / (2 * weights[own].sum())
    return np.mean(rates, axis=0).tolist(), moves


def _areas(
    fold: np.ndarray, values: np.ndarray, truth: np.ndarray, weights: np.ndarray
) -> tuple[list[float], np.ndarray]:
    """Compute areas under the ROC curve (2,), and how much each row (n,) moves their difference."""
    right, pairs = np.zeros((2, len(truth))), np.zeros(len(truth))
    for run, each in enumerate(fold):
        for k in np.unique(each).tolist():
            rows = each == k
            found = placement_sums(truth[rows], values[:, run, rows], weights[rows])
            right[:, rows] += found[0]
            pairs[rows] += found[1]
    if not pairs.sum() > 0:
        return [np.nan, np.nan], np.full(len(truth), np.nan)
    areas = right.sum(axis=1) / pairs.sum()
    moves = right[1] - right[0] - (areas[1] - areas[0]) * pairs
    return areas.tolist(), 2 * moves / pairs.sum()  # both rows of a pair move it
