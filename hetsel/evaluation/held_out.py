"""The held-out loop: select and learn from a part of the rows alone, then predict the others."""

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
    """What judges predict of rows that took no part, at every size of signature."""

    train: Problem  # of the rows that did take part
    answer: Answer  # to it
    subsets: dict[int, np.ndarray]  # the signatures, by the places of their sizes
    # int32 or float64 (judges, sizes, m): class codes, -1 where there is no signature; or numbers
    # or risks, NaN there
    predicted: np.ndarray
    # float64 (judges, sizes, m, d): d = 1 for two classes, positive for the second; else one column
    # a class, NaN of one without a training row; of survival times those of `survival_columns`
    # where they are asked for; else d = 0
    decisions: np.ndarray
    rank_seconds: float  # processor time, as is the next one
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
    """Select and learn without some rows, and predict them.

    The method says what becomes of missing cells, which may be open in the problem of all rows,
    and of scales; the sizes of the problem are those that it is asked for. `rows` (n,) marks those
    held out, `learning` (n,) those that learn, by default all others. `target` is that of all rows
    where its classes have another order, `ask` makes of the problem of the training rows what the
    method is asked, `proved` whether the order is to be proved, `curves` whether the decision
    values of survival times are wanted.
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
    predicted, decisions = _nothing_predicted(
        (len(judges), len(sizes), int(rows.sum())), every, curves
    )
    if subsets and judges:
        places = list(subsets)
        known = every if isinstance(every, Classes) else every.take(np.flatnonzero(rows))
        found = predict_held_out(judges, train, rest, list(subsets.values()), known, curves=curves)
        predicted[:, places], decisions[:, places] = found
    seconds = (ranked - start, time.thread_time() - ranked)
    return HeldOut(train, answer, subsets, predicted, decisions, *seconds)


def _nothing_predicted(
    shape: tuple[int, int, int], target: TypedTarget, curves: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Predictions and decision values where no size has a signature."""
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
    """Predictions (judges, subsets, m) and decision values (judges, subsets, m, d) of other rows.

    Neither the training problem nor the `rest` (m, p) has missing cells. The target has the classes
    of all rows, which say what there are; else it is that of the other rows.
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
    """Training and other rows (m, p), without gaps, as judges see them; `both` predicts either."""
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
    """BCR (sizes,) of predicted classes (sizes, m), weighted by (m,); NaN without a signature."""
    out = np.full(len(predicted), np.nan)
    known = (predicted >= 0).all(axis=1)
    out[known] = balanced_rate(confusion_counts(truth, predicted[known], n_classes, weights))
    return out
