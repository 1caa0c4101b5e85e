"""Select on a part of the rows, learn from the signature of each size, predict the other rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.models.by_size import predicted_classes
from hetsel.models.train_and_test import Split
from hetsel.search.canonical import canonical_form
from hetsel.selection.answer import Answer
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.scores import balanced_rate, confusion_counts
from hetsel.tables.rescaling import rescaled
from hetsel.tables.table import Table
from hetsel.tables.target import Classes
from hetsel.tables.training_levels import levels_of_rows

# (split, subsets, seed) -> decision values (subsets, test rows, d), as hetsel.models.by_size has it
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
        See :func:`hetsel.models.by_size.predicted_classes`; NaN where there is no signature.
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
        Called with a :class:`hetsel.models.train_and_test.Split`, subsets, and `seed=`.
    """
    part, test = part_and_rest(method, problem, held_out)
    answer = method.solve(part)
    n_classes, m = len(problem.target.labels), int(held_out.sum())
    predicted = np.full((len(sizes), m), -1, dtype=np.int64)
    decisions = np.full((len(sizes), m, 1 if n_classes == 2 else n_classes), np.nan)
    visited = set(answer.sizes)
    known = [k for k, size in enumerate(sizes) if size in visited]
    if known:
        subsets = [np.asarray(answer.signature(sizes[k]), dtype=np.int64) for k in known]
        split = Split.of(part.table, test, part.target.codes, part.weights)
        values = classify(split, subsets, seed=problem.seed)
        present = problem.target.places_of(part.target)
        predicted[known], decisions[known] = predicted_classes(values, present, n_classes)
    return HeldOutClasses(answer, predicted, decisions)


def part_of(method: BaseSelector, problem: Problem, rows: np.ndarray) -> Problem:
    """The problem of some rows; of levels, scales and missing cells only they are known.

    Parameters
    ----------
    method : BaseSelector
        Says what becomes of missing cells and of scales, and whether a schema fixes the levels.
    problem : Problem
        Its missing cells may be open.
    rows : ndarray of bool, shape (n,)
    """
    return _rows_of(method, problem, _known_to(method, problem, rows), rows)


def part_and_rest(
    method: BaseSelector, problem: Problem, held_out: np.ndarray
) -> tuple[Problem, Table]:
    """The problem of the rows that are not held out, and the table of those that are."""
    table = _known_to(method, problem, ~held_out)
    part = _rows_of(method, problem, table, ~held_out)
    return part, table.take(rows=held_out).resolve_missing(method.missing, like=part.table)


def _known_to(method: BaseSelector, problem: Problem, rows: np.ndarray) -> Table:
    """The whole table with the levels and on the scales that these rows know."""
    table = problem.table if method.schema is not None else levels_of_rows(problem.table, rows)
    return rescaled(table, method.scale, rows)


def _rows_of(method: BaseSelector, problem: Problem, table: Table, rows: np.ndarray) -> Problem:
    return replace(
        problem,
        table=table.take(rows=rows).resolve_missing(method.missing),
        target=problem.target.take(np.flatnonzero(rows)),
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=None if problem.row_groups is None else problem.row_groups[rows],
    )


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


def in_canonical_order(problem: Problem, missing: Any, scale: Any) -> Problem:
    """The problem with its rows in the canonical order, whatever order they came in.

    The order is that of the table as `missing` and `scale` make it, its cells stay as they are.
    Rows that are alike come by their weights.

    Raises
    ------
    TableError
        Missing cells that `missing` refuses; another scale than there is.
    """
    codes, weights = problem.target.codes, problem.weights
    complete = rescaled(problem.table, scale).resolve_missing(missing)
    first = np.arange(problem.n) if weights is None else np.argsort(weights, kind="stable")
    rows = first[canonical_form(complete.take(rows=first), codes[first]).rows]
    groups = None if problem.row_groups is None else pd.factorize(problem.row_groups[rows])[0]
    return replace(
        problem,
        table=problem.table.take(rows=rows),
        target=Classes(codes[rows], problem.target.labels),
        weights=None if weights is None else weights[rows],
        row_groups=groups,
    )
