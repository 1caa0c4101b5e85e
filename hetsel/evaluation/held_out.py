"""Select features and train judges on training rows, then predict held-out rows."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.evaluation.by_key.judges_by_key import ClassifierSpec
from hetsel.ground import TableError
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection import Answer, BaseSelector, Problem
from hetsel.statistics.performance.scores import balanced_rate, confusion_counts
from hetsel.statistics.survival.cox_curves import survival_columns
from hetsel.tables import Classes, Numbers, Survival, Table, TypedTarget


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of judges for held-out rows at every signature size."""

    train: Problem  # of the training rows
    answer: Answer  # of the method
    subsets: dict[int, np.ndarray]  # the signatures by the positions of their sizes
    # int32 or float64 (judges, sizes, m): class codes, -1 without a signature; or numbers or risk
    # scores, NaN without a signature
    predicted: np.ndarray
    # float64 (judges, sizes, m, d): d = 1 for two classes, positive for the second; for more, one
    # column per class, NaN without training rows; for survival times `survival_columns`, if
    # requested; else d = 0
    decisions: np.ndarray
    rank_seconds: float  # CPU time, as the next
    classify_seconds: float


def held_out(
    method: BaseSelector,
    problem: Problem,
    rows: np.ndarray,
    sizes: Sequence[int],
    judges: Sequence[ClassifierSpec],
    *,
    learning: np.ndarray | None = None,
    target: TypedTarget | None = None,
    ask: Callable[[Problem], Problem] | None = None,
    proved: bool = False,
    curves: bool = False,
) -> HeldOut:
    """Select features and train judges without some rows, and predict these rows.

    The method determines how missing values and scales are handled; the problem of all rows may
    have missing values. The sizes of the problem are those requested from the method.

    Parameters
    ----------
    rows : ndarray of shape (n,)
        Mask of the held-out rows.
    learning : ndarray of shape (n,), optional
        Mask of the training rows. Default: all rows that are not held out.
    target : TypedTarget, optional
        Target of all rows, if its classes have another order than in the problem.
    ask : callable, optional
        Turns the problem of the training rows into the problem that the method receives.
    proved : bool
        Whether the order is to be proved. Default: False.
    curves : bool
        Whether decision values of survival times are requested. Default: False.
    """
    start = time.thread_time()
    train, rest = part_and_rest(method, problem, rows, learning=learning, proved=proved)
    if not train.target.varies:
        raise TableError(f"the training rows hold {train.target.told_nothing}")
    answer = method.solve(train if ask is None else ask(train))
    ranked = time.thread_time()
    visited = set(answer.sizes)
    subsets = {
        place: np.asarray(answer.signature(size), dtype=np.int64)
        for place, size in enumerate(sizes)
        if size in visited
    }
    every = problem.target if target is None else target
    predicted, decisions = predictions_without_signature(
        (len(judges), len(sizes), int(rows.sum())), every, curves
    )
    if subsets and judges:
        places = list(subsets)
        known = every if isinstance(every, Classes) else every.take(np.flatnonzero(rows))
        found = predict_held_out(judges, train, rest, list(subsets.values()), known, curves=curves)
        predicted[:, places], decisions[:, places] = found
    seconds = (ranked - start, time.thread_time() - ranked)
    return HeldOut(train, answer, subsets, predicted, decisions, *seconds)


def predictions_without_signature(
    shape: tuple[int, ...], target: TypedTarget, curves: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions and decision values without any signature."""
    if isinstance(target, Classes):
        width = 1 if len(target.labels) == 2 else len(target.labels)
        return np.full(shape, -1, dtype=np.int32), np.full((*shape, width), np.nan)
    width = 4 if curves and isinstance(target, Survival) else 0
    return np.full(shape, np.nan), np.full((*shape, width), np.nan)


def predict_held_out(
    judges: Sequence[ClassifierSpec],
    train: Problem,
    rest: Table,
    subsets: Sequence[np.ndarray],
    target: TypedTarget,
    *,
    curves: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Predict other rows: predictions (judges, subsets, m), decision values (..., m, d).

    The training problem and the `rest` (m, p) have no missing values. A target of classes has the
    classes of all rows; other targets are those of the other rows.
    """
    curves = curves and isinstance(target, Survival)
    split = split_of(train, rest, both=curves)
    if isinstance(target, Classes):
        present, n_classes = target.places_of(train.classes), len(target.labels)
        option = {"seed": train.seed}
        found = [judge.judge(split, subsets, present, n_classes, **option) for judge in judges]
        return np.array([codes for codes, _ in found]), np.array([values for _, values in found])
    values = np.array([judge.predict(split, subsets, seed=train.seed) for judge in judges])
    if not curves:
        return values, np.empty((*values.shape, 0))
    assert isinstance(target, Survival)
    own, n = train.survival, train.n
    times = (own.times, own.events, target.times, target.events)
    columns = [survival_columns(*times, v[:, :n], v[:, n:], train.weights) for v in values]
    return values[:, :, n:], np.array(columns)


def split_of(train: Problem, rest: Table, *, both: bool = False) -> Split:
    """Return complete training and other rows (m, p) for judges; `both` predicts all rows."""
    target = train.target
    told: dict[str, np.ndarray] = {}
    if isinstance(target, Survival):
        told = {"times": target.times, "events": target.events}
    elif isinstance(target, Numbers):
        told = {"numbers": target.values}
    if both:
        rest = Table(np.vstack([train.table.values, rest.values]), train.table.schema)
    return Split.of(train.table, rest, target.strata, train.weights, train.row_groups, **told)


def rates_by_size(
    truth: np.ndarray, predicted: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """Return the balanced accuracy (sizes,) of classes (sizes, m); NaN without a signature."""
    out = np.full(len(predicted), np.nan)
    known = (predicted >= 0).all(axis=1)
    out[known] = balanced_rate(confusion_counts(truth, predicted[known], n_classes, weights))
    return out
