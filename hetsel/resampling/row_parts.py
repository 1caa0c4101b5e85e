"""The problem of some rows: of levels, scales and missing cells only they are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.tables.canonical_table import canonical_form
from hetsel.tables.rescaling import rescaled
from hetsel.tables.table import Table
from hetsel.tables.training_levels import levels_of_rows


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
    method: BaseSelector, problem: Problem, held_out: np.ndarray, *, proved: bool = False
) -> tuple[Problem, Table]:
    """The problem of the rows that are not held out, and the table of the rest."""
    table = _known_to(method, problem, ~held_out)
    part = _rows_of(method, problem, table, ~held_out, proved=proved)
    return part, table.take(rows=held_out).resolve_missing(method.missing, like=part.table)


def _known_to(method: BaseSelector, problem: Problem, rows: np.ndarray) -> Table:
    """The whole table with the levels and on the scales that these rows know."""
    table = problem.table if method.schema is not None else levels_of_rows(problem.table, rows)
    return rescaled(table, method.scale, rows)


def _rows_of(
    method: BaseSelector, problem: Problem, table: Table, rows: np.ndarray, **more: Any
) -> Problem:
    return replace(
        problem,
        **more,
        table=table.take(rows=rows).resolve_missing(method.missing),
        target=problem.target.take(np.flatnonzero(rows)),
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=None if problem.row_groups is None else problem.row_groups[rows],
    )


def in_canonical_order(problem: Problem, missing: Any, scale: Any) -> Problem:
    """The problem with its rows in the canonical order, whatever order they came in.

    See :func:`canonical_rows`.
    """
    return in_order(problem, canonical_rows(problem, missing, scale))


def canonical_rows(problem: Problem, missing: Any, scale: Any) -> np.ndarray:
    """The rows (n,) of a problem in their canonical order.

    The order is that of the table as `missing` and `scale` make it, its cells stay as they are.
    Rows that are alike come by their weights.

    Raises
    ------
    TableError
        Missing cells that `missing` refuses; another scale than there is.
    """
    codes, weights = problem.target.content, problem.weights
    complete = rescaled(problem.table, scale).resolve_missing(missing)
    first = np.arange(problem.n) if weights is None else np.argsort(weights, kind="stable")
    return np.asarray(first[canonical_form(complete.take(rows=first), codes[first]).rows])


def in_order(problem: Problem, rows: np.ndarray) -> Problem:
    """The problem with its rows (n,) in another order; row groups are numbered as they come."""
    groups = None if problem.row_groups is None else pd.factorize(problem.row_groups[rows])[0]
    return replace(
        problem,
        table=problem.table.take(rows=rows),
        target=problem.target.arranged(rows),
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=groups,
    )


def rows_of(problem: Problem, rows: np.ndarray, seed: int, *, fixed_levels: bool) -> Problem:
    """The problem of some rows, which may be named more than once.

    Copies of one row share a row group, so that what holds rows out holds all of them out.

    Parameters
    ----------
    problem : Problem
        Complete.
    rows : ndarray of int, shape (m,)
    seed : int
    fixed_levels : bool
        Whether the levels of columns are those of the table; else these rows say which there are.
    """
    table = problem.table if fixed_levels else levels_of_rows(problem.table, rows)
    groups: Any = problem.row_groups
    if groups is None and len(np.unique(rows)) < len(rows):
        groups = np.arange(problem.n)
    return replace(
        problem,
        table=table.take(rows=rows),
        target=problem.target.take(rows),
        seed=seed,
        weights=None if problem.weights is None else problem.weights[rows],
        row_groups=None if groups is None else groups[rows],
    )
