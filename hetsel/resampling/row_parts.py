"""Problems of some rows, with levels, scales and imputed values of these rows only."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.resampling.folds import units_of
from hetsel.selection import BaseSelector, Problem
from hetsel.tables import (
    Classes,
    Numbers,
    Table,
    TypedTarget,
    canonical_form,
    canonical_table,
    rescaled,
    rescaling,
)


def problem_part(method: BaseSelector, problem: Problem, rows: np.ndarray) -> Problem:
    """Return the problem of some rows (a mask, (n,)), with what these rows determine.

    Levels, scales and imputed values come from these rows. The method determines how missing values
    are handled, the scale, and whether a schema fixes the levels.
    """
    return _rows_of(method, problem, _known_to(method, problem, rows), rows)


def part_and_rest(
    method: BaseSelector,
    problem: Problem,
    held_out: np.ndarray,
    *,
    learning: np.ndarray | None = None,
    proved: bool = False,
) -> tuple[Problem, Table]:
    """Return the problem of training rows and the table of held-out rows, both as masks."""
    learning = ~held_out if learning is None else learning
    table = _known_to(method, problem, learning)
    part = _rows_of(method, problem, table, learning, proved=proved)
    return part, table.take(rows=held_out).resolve_missing(method.missing, like=part.table)


def _known_to(method: BaseSelector, problem: Problem, rows: np.ndarray) -> Table:
    """Return the whole table with the levels and scales of these rows."""
    table = (
        problem.table
        if method.schema is not None
        else rescaling.levels_of_rows(problem.table, rows)
    )
    return rescaled(table, method.scale, rows)


def _rows_of(
    method: BaseSelector, problem: Problem, table: Table, rows: np.ndarray, **more: Any
) -> Problem:
    part = table.take(rows=rows).resolve_missing(method.missing)
    return _taken(problem, np.flatnonzero(rows), part, problem.row_groups, **more)


def _taken(
    problem: Problem, rows: np.ndarray, part: Table, groups: np.ndarray | None, **more: Any
) -> Problem:
    """Return the problem of some rows (m,) with the table `part` and groups (n,) of all rows."""
    return replace(
        problem,
        **more,
        table=part,
        target=problem.target.take(rows),
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=None if groups is None else groups[rows],
    )


def in_canonical_order(problem: Problem, missing: Any, scale: Any) -> Problem:
    """Return the problem with its rows in canonical order."""
    return problem_in_order(problem, canonical_rows(problem, missing, scale))


def canonical_rows(problem: Problem, missing: Any, scale: Any) -> np.ndarray:
    """Return the rows (n,) in canonical order of the complete table, then by weight."""
    codes, weights = problem.target.content, problem.weights
    complete = rescaled(problem.table, scale).resolve_missing(missing)
    first = np.arange(problem.n) if weights is None else np.argsort(weights, kind="stable")
    return np.asarray(first[canonical_form(complete.take(rows=first), codes[first]).rows])


def problem_in_order(problem: Problem, rows: np.ndarray) -> Problem:
    """Return the problem with its rows (n,) in another order; row groups are renumbered."""
    groups = None if problem.row_groups is None else pd.factorize(problem.row_groups[rows])[0]
    return replace(
        problem,
        table=problem.table.take(rows=rows),
        target=problem.target.arranged(rows),
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=groups,
    )


def problem_of_rows(
    problem: Problem, rows: np.ndarray, seed: int, *, fixed_levels: bool
) -> Problem:
    """Return the complete problem of some rows (m,); rows drawn twice share a row group."""
    table = problem.table if fixed_levels else rescaling.levels_of_rows(problem.table, rows)
    groups = problem.row_groups
    if groups is None and len(np.unique(rows)) < len(rows):
        groups = np.arange(problem.n)
    return _taken(problem, rows, table.take(rows=rows), groups, seed=seed)


def nested_subsets(
    strata: np.ndarray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Draw nested subsets of rows with these sizes, as masks (K, n).

    Rows of each class are put in random order, and all rows are sorted by the proportion of their
    class that precedes them. A subset has the first rows of this order. Row groups are sorted in
    the same way by their most frequent class; a subset then has as many groups as needed to reach
    its size.
    """
    unit, members = units_of(strata, groups)
    rows, main = members.sum(axis=1), members.argmax(axis=1)
    before, chance = np.empty(len(rows)), rng.permutation(len(rows))
    for stratum in np.unique(main):
        of_stratum = np.flatnonzero(main == stratum)
        of_stratum = of_stratum[np.argsort(chance[of_stratum])]
        own_rows = rows[of_stratum]
        before[of_stratum] = (np.cumsum(own_rows) - own_rows / 2) / own_rows.sum()
    order = np.lexsort((chance, before))
    counted = np.cumsum(rows[order])
    subsets = np.zeros((len(sizes), len(strata)), dtype=bool)
    for mask, size in zip(subsets, sizes, strict=True):
        taken = np.zeros(len(rows), dtype=bool)
        taken[order[: int(np.searchsorted(counted, size)) + 1]] = True
        mask[:] = taken[unit]
    return subsets


def content_sample(problem: Problem, most: int | None, least: int = 1) -> Problem:
    """Return the problem of a sample of at most `most` rows (plus one per class).

    The rows are the first in a pseudo-random order that depends only on the content of each row.
    The sample is therefore the same for another order of rows, other level names and other units.
    Each class keeps its proportion, rounded up, with at least `least` rows or all its rows. The
    same holds for rows with and without an event.
    """
    if most is None or problem.n <= most:
        return problem
    kept = rows_of_sample(problem.table, problem.target, most, least)
    part = problem.table.take(rows=kept)
    return _taken(problem, np.flatnonzero(kept), part, problem.row_groups)


def rows_of_sample(table: Table, target: TypedTarget, most: int, least: int = 1) -> np.ndarray:
    """Return the rows of a sample as a mask (n,), see :func:`content_sample`."""
    strata, order = _strata(target), canonical_table.content_order_of_rows(table, target.content)
    kept = np.zeros(len(order), dtype=bool)
    for stratum, number in enumerate(rows_taken(target, most, least)):
        kept[order[strata[order] == stratum][:number]] = True
    return kept


def rows_taken(target: TypedTarget, most: int | None, least: int = 1) -> list[int]:
    """Return the rows of each class, or without and with an event, in a sample."""
    rows = np.bincount(_strata(target)).tolist()
    n = sum(rows)
    if most is None or n <= most:
        return list(rows)
    return [min(own, max(-(-most * own // n), least)) for own in rows]


def _strata(target: TypedTarget) -> np.ndarray:
    """Return strata (n,) of the rows: classes, or rows with and without an event."""
    if isinstance(target, Classes):
        return target.codes
    if isinstance(target, Numbers):
        return np.zeros(len(target), dtype=np.int64)
    return target.events.astype(np.int64)
