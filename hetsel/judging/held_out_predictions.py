"""Select on a part of the rows, learn from the signature of each size, predict the other rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.models.final_classifiers import predicted_classes
from hetsel.models.train_test_arrays import Split
from hetsel.resampling.row_parts import part_and_rest
from hetsel.selection.answer import Answer
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.performance.scores import balanced_rate, confusion_counts

# (split, subsets, seed) -> decision values (subsets, test rows, d), as
# hetsel.models.final_classifiers has it
Classifier = Callable[..., np.ndarray]


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
    visited = set(answer.sizes)
    known = [k for k, size in enumerate(sizes) if size in visited]
    if known:
        subsets = [np.asarray(answer.signature(sizes[k]), dtype=np.int64) for k in known]
        split = Split.of(part.table, test, part.classes.codes, part.weights)
        values = classify(split, subsets, seed=problem.seed)
        present = problem.classes.places_of(part.classes)
        predicted[known], decisions[known] = predicted_classes(values, present, n_classes)
    return HeldOutClasses(answer, predicted, decisions)


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
