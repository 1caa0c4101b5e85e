"""A sample of the rows of a large table that follows from what is in them, not from their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hetsel.selection.problem import Problem
from hetsel.tables.canonical_table import content_order_of_rows
from hetsel.tables.target import Classes, Numbers


def content_sample(problem: Problem, most: int | None) -> Problem:
    """The problem of at most so many rows (or one more a class); the whole one if it has no more.

    The first rows in an order that is made of the content of each row alone, scrambled: the same
    rows of a table in another order, with other names of levels or in other units. Each class has
    its share of them, rounded up; so do the rows with and without an event.

    Parameters
    ----------
    problem : Problem
    most : int or None
        Number of rows; None takes all of them.
    """
    if most is None or problem.n <= most:
        return problem
    target, n = problem.target, problem.n
    order = content_order_of_rows(problem.table, target.content)
    if isinstance(target, Classes):
        strata = target.codes
    elif isinstance(target, Numbers):
        strata = np.zeros(n, dtype=np.int64)
    else:
        strata = target.events.astype(np.int64)
    kept = np.zeros(n, dtype=bool)
    for stratum in range(int(strata.max()) + 1):
        own = order[strata[order] == stratum]
        kept[own[: -(-most * len(own) // n)]] = True
    return replace(
        problem,
        table=problem.table.take(rows=kept),
        target=target.take(np.flatnonzero(kept)),
        weights=None if problem.weights is None else problem.weights[kept],
        row_groups=None if problem.row_groups is None else problem.row_groups[kept],
    )
