"""Select on a part of the rows, learn from the signature of each size, predict the other rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.models.final_classifiers import predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection.answer import Answer
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.performance.scores import balanced_rate, confusion_counts
from hetsel.tables.table import Table
from hetsel.tables.target import Numbers, Survival

# (split, subsets, seed) -> decision values (subsets, test rows, d), as
# hetsel.models.final_classifiers has it
Classifier = Callable[..., np.ndarray]
# (split, subsets, seed) -> numbers or risks (subsets, test rows)
Predictor = Callable[..., np.ndarray]


@dataclass(frozen=True, eq=False)
class HeldOutClasses:
    """What rows that took no part are predicted to be, at every size of signature.

    Parameters
    ----------
    answer : Answer
        Of the rows that did take part.
    predicted : ndarray of int, shape (sizes, m)
        Class codes of the held-out rows; -1 where the answer has no signature of a size.
    decisions : ndarray of float, shape (sizes, m, d)
        See :func:`hetsel.models.final_classifiers.predicted_classes`; NaN where there is no
        signature.
    """

    answer: Answer
    predicted: np.ndarray
    decisions: np.ndarray


def predict_held_out(
    method: BaseSelector,
    problem: Problem,
    held_out: np.ndarray,
    sizes: Sequence[int],
    classify: Classifier,
) -> HeldOutClasses:
    """Select without some rows and predict these.

    Whatever is learned (what fills missing cells, the levels, the scales, the selection, the
    classifier) sees the other rows only.

    Parameters
    ----------
    method : BaseSelector
    problem : Problem
        Its missing cells may be open; its sizes are those that the method is asked for.
    held_out : ndarray of bool, shape (n,)
    sizes : sequence of int
    classify : callable
        Called with a :class:`hetsel.models.train_test_arrays.Split`, subsets, and `seed=`.
    """
    part, test = part_and_rest(method, problem, held_out)
    answer = method.solve(part)
    n_classes, m = len(problem.classes.labels), int(held_out.sum())
    predicted = np.full((len(sizes), m), -1, dtype=np.int64)
    decisions = np.full((len(sizes), m, 1 if n_classes == 2 else n_classes), np.nan)
    known, subsets = _signatures(answer, sizes)
    if known:
        split = Split.of(part.table, test, part.classes.codes, part.weights)
        values = classify(split, subsets, seed=problem.seed)
        present = problem.classes.places_of(part.classes)
        predicted[known], decisions[known] = predicted_classes(values, present, n_classes)
    return HeldOutClasses(answer, predicted, decisions)


@dataclass(frozen=True, eq=False)
class HeldOutValues:
    """What rows that took no part are predicted to have, at every size of signature.

    Parameters
    ----------
    answer : Answer
        Of the rows that did take part.
    predicted : ndarray of float, shape (sizes, m)
        Numbers of the held-out rows, or their risks, in the unit of the training rows; NaN where
        the answer has no signature of a size.
    """

    answer: Answer
    predicted: np.ndarray


def predict_values_held_out(
    method: BaseSelector,
    problem: Problem,
    held_out: np.ndarray,
    sizes: Sequence[int],
    predict: Predictor,
) -> HeldOutValues:
    """Select without some rows and predict their numbers, or their risks.

    Parameters
    ----------
    method, problem, held_out, sizes
        As :func:`predict_held_out` takes them.
    predict : callable
        Called with a :class:`hetsel.models.train_test_arrays.Split`, subsets, and `seed=`.
    """
    part, test = part_and_rest(method, problem, held_out)
    if not part.target.varies:
        raise TableError(f"a part of the rows holds {part.target.told_nothing}")
    answer = method.solve(part)
    predicted = np.full((len(sizes), int(held_out.sum())), np.nan)
    known, subsets = _signatures(answer, sizes)
    if known:
        predicted[known] = predict(values_split(part, test), subsets, seed=problem.seed)
    return HeldOutValues(answer, predicted)


def values_split(part: Problem, test: Table) -> Split:
    """Training and test rows of a target of numbers or of survival times."""
    target = part.target
    told: dict[str, np.ndarray] = {}
    if isinstance(target, Survival):
        told = {"times": target.times, "events": target.events}
    elif isinstance(target, Numbers):
        told = {"numbers": target.values}
    given = (target.strata, part.weights, part.row_groups)
    return Split.of(part.table, test, *given, **told)


def _signatures(answer: Answer, sizes: Sequence[int]) -> tuple[list[int], list[np.ndarray]]:
    """Places of the sizes that an answer has, and its signatures of these."""
    visited = set(answer.sizes)
    known = [k for k, size in enumerate(sizes) if size in visited]
    return known, [np.asarray(answer.signature(sizes[k]), dtype=np.int64) for k in known]


def rates_by_size(
    truth: np.ndarray,
    predicted: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """BCR (sizes,) of predicted classes (sizes, m); NaN where there is no signature.

    The mean, over the classes that the rows have, of the share predicted right; of their weight,
    where the rows have weights (m,).
    """
    out = np.full(len(predicted), np.nan)
    known = (predicted >= 0).all(axis=1)
    out[known] = balanced_rate(confusion_counts(truth, predicted[known], n_classes, weights))
    return out
