"""Forward selection by a filter: one loop, and what the methods by information share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hetsel.ground.parameters import at_least
from hetsel.ground.ties import SAME_INFORMATION, merged
from hetsel.selection.answer import Ranking, Step, best_first
from hetsel.selection.problem import Problem
from hetsel.statistics.information.mutual_information import Information
from hetsel.tables.discretization import discretize

FIRST = 100  # features that are ranked where fewer are asked for
MOST = 1000  # features that are chosen one by one where no size is asked for

# the feature chosen last, the features left (ascending) -> criterion (p,), those left are read
After = Callable[[int, np.ndarray], np.ndarray]


def information_of(problem: Problem, bins: int | None, rule: str) -> Information:
    """The features of a problem as a discrete table; numbers are cut into bins."""
    table = problem.table
    return Information.of(discretize(table.values, table.schema.categorical, bins, rule))


def forward_ranking(
    problem: Problem,
    varies: np.ndarray,
    start: np.ndarray,
    after: After,
    *,
    depth: int | None,
    ties: np.ndarray | None = None,
) -> Ranking:
    """Choose one feature after the other: each time the one of the largest criterion.

    Ties go to the larger `ties`, then to the lower column index. Columns that do not vary say
    nothing and come last. The first max(depth, largest size asked for) features are chosen in this
    way; the features after them are ordered by their criterion at the last of these steps. Without
    a depth as many are chosen as the largest size asked for, 100 at least, and no others are
    ranked; 1000 where no size is asked for.

    Parameters
    ----------
    problem : Problem
    varies : ndarray of bool, shape (p,)
        Which columns vary.
    start : ndarray of shape (p,)
        Criterion of each feature when none is chosen.
    after : callable
        Called with the feature chosen last and the features left, ascending; returns the criterion
        (p,) of adding each, read at the features left only.
    depth : int or None
        Number of features to choose one by one.
    ties : ndarray of shape (p,), optional

    Raises
    ------
    TableError
        depth below 1.
    """
    if depth is not None:
        at_least("depth", depth, 1)
    size_alone = depth is None and bool(problem.sizes)
    depth = depth or (FIRST if problem.sizes else MOST)
    ties = np.zeros(problem.p) if ties is None else ties
    left = np.flatnonzero(varies)
    importance = np.array(start, dtype=np.float64)
    order: list[int] = []
    steps = []
    for size in range(min(max((depth, *problem.sizes)), len(left))):
        if size > 0:
            importance[left] = after(order[-1], left)[left]
        top = left[importance[left] >= importance[left].max() - SAME_INFORMATION]
        best = int(top[np.argmax(ties[top])])
        steps.append(Step(size, (best,), float(importance[best])))
        order.append(best)
        left = left[left != best]
    if size_alone and len(left):
        return Ranking(np.array(order, dtype=np.int64), importance, tuple(steps))
    rest = left[best_first(merged(importance[left], SAME_INFORMATION), ties[left])]
    whole = np.concatenate([np.array(order, dtype=np.int64), rest, np.flatnonzero(~varies)])
    return Ranking(whole, importance, tuple(steps), first=np.array(start, dtype=np.float64))


def relevance_and_redundancy(
    problem: Problem,
    combine: Callable[[np.ndarray, np.ndarray, int], np.ndarray],
    *,
    bins: int | None,
    rule: str,
    depth: int | None,
) -> Ranking:
    """Forward selection by I(f; y) and the sum of I(f; s) over the features s chosen so far.

    `combine` makes the criterion (p,) from both (p,) and the number of features chosen.
    """
    information = information_of(problem, bins, rule)
    relevance = information.with_column(problem.classes.codes)
    redundancy = np.zeros(problem.p)
    chosen = 0

    def after(last: int, left: np.ndarray) -> np.ndarray:
        nonlocal chosen
        chosen += 1
        redundancy[left] += information.with_column(information.column(last), left)[left]
        return combine(relevance, redundancy, chosen)

    return forward_ranking(problem, information.codes.levels > 1, relevance, after, depth=depth)
