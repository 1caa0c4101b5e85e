"""A sample of the rows of a large table that follows from what is in them, not from their order."""

from dataclasses import replace

import numpy as np

from hetsel.selection import Problem
from hetsel.tables import Classes, Numbers, Table, Target
from hetsel.tables.canonical_table import content_order_of_rows


def content_sample(problem: Problem, most: int | None, least: int = 1) -> Problem:
    """The problem of at most so many rows (or one more a class); the whole one if it has no more.

    The first rows in an order that is made of the content of each row alone, scrambled: the same
    rows of a table in another order, with other names of levels or in other units. Each class has
    its share of them, rounded up; so do the rows with and without an event.

    Parameters
    ----------
    problem : Problem
    most : int or None
        Number of rows; None takes all of them.
    least : int
        Number of rows of a class below which its share does not fall, or all that it has.
    """
    if most is None or problem.n <= most:
        return problem
    kept = rows_of_sample(problem.table, problem.target, most, least)
    return replace(
        problem,
        table=problem.table.take(rows=kept),
        target=problem.target.take(np.flatnonzero(kept)),
        weights=None if problem.weights is None else problem.weights[kept],
        row_groups=None if problem.row_groups is None else problem.row_groups[kept],
    )


def rows_of_sample(table: Table, target: Target, most: int, least: int = 1) -> np.ndarray:
    """Which rows (n,) of a table a sample has, see :func:`content_sample`; a mask."""
    strata, order = _strata(target), content_order_of_rows(table, target.content)
    kept = np.zeros(len(order), dtype=bool)
    for stratum, number in enumerate(rows_taken(target, most, least)):
        kept[order[strata[order] == stratum][:number]] = True
    return kept


def rows_taken(target: Target, most: int | None, least: int = 1) -> list[int]:
    """How many rows of each class, or without and with an event, a sample has.

    Parameters
    ----------
    target : Target
    most, least : int
        As in :func:`content_sample`.

    Examples
    --------
    >>> rows_taken(Classes.of([0] * 90 + [1] * 8 + [2] * 2), 20)
    [18, 2, 1]
    >>> rows_taken(Classes.of([0] * 90 + [1] * 8 + [2] * 2), 20, least=5)
    [18, 5, 2]
    """
    rows = np.bincount(_strata(target)).tolist()
    n = sum(rows)
    if most is None or n <= most:
        return list(rows)
    return [min(own, max(-(-most * own // n), least)) for own in rows]


def _strata(target: Target) -> np.ndarray:
    """What shares are kept of: the class (n,) of each row, or whether it has an event."""
    if isinstance(target, Classes):
        return target.codes
    if isinstance(target, Numbers):
        return np.zeros(len(target), dtype=np.int64)
    return target.events.astype(np.int64)
