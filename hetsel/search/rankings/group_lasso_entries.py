"""Rankings by where features enter the path of a group lasso, a factor as one group."""

from __future__ import annotations

import numpy as np

from hetsel.ground.ties import FINE_GRID
from hetsel.search.rankings.path_entries import PathSelector
from hetsel.selection.answer import Ranking
from hetsel.selection.problem import Problem
from hetsel.solvers.group_lasso_path import Blocks, lasso_path, standardized
from hetsel.solvers.group_losses import GroupLoss
from hetsel.solvers.risk_sets import RiskOrder


class GroupLassoSelector(PathSelector):
    """A method that ranks features by a path of group lassos."""

    tolerance: float = 1e-7

    def _select(self, problem: Problem) -> Ranking:
        self._check()
        table = problem.table
        place = table.canonical_order()
        loss, rows = _loss_of(problem)
        values = table.values if rows is None else table.values[rows]
        first, copies = _distinct(Blocks.of(values[:, place], table.nominal[place]))
        one_each = place[first]
        blocks = Blocks.of(values[:, one_each], table.nominal[one_each])
        path = lasso_path(blocks, loss, self.steps, self.shortest, self.tolerance)
        importance, entry = self._entries(path, len(first))
        back = np.empty(problem.p, dtype=np.intp)
        back[place] = copies
        return Ranking.from_importance(importance[back], extras={"entry": entry[back]})


def _loss_of(problem: Problem) -> tuple[GroupLoss, np.ndarray | None]:
    """The loss of the target, and the order (n,) of the rows that it asks for."""
    if problem.target.kind == "numbers":
        return GroupLoss.of_numbers(standardized(problem.numbers.values)), None
    if problem.target.kind == "survival":
        order = RiskOrder.of(problem.survival.times, problem.survival.events)
        return GroupLoss.of_survival(order), order.rows
    # for a compiled function: one type, writable
    return GroupLoss.of_classes(problem.classes.codes.copy()), None


def _distinct(blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    """The first of the blocks of each content, and which of these every block (p,) is like.

    Numbers are alike up to their unit and sign, levels up to their names.
    """
    found: dict[bytes, int] = {}
    first: list[int] = []
    copies = np.empty(len(blocks.weights), dtype=np.intp)
    for f, size in enumerate(np.diff(blocks.starts)):
        column = blocks.columns[:, f]
        if size > 1:
            at, codes = np.unique(column, return_index=True, return_inverse=True)[1:]
            content = np.argsort(np.argsort(at))[codes] + 1e9
        else:
            content = np.rint(column * FINE_GRID)
            content = content * np.sign(content[np.argmax(content != 0)]) + 0.0
        key = content.tobytes()
        if key not in found:
            found[key] = len(first)
            first.append(f)
        copies[f] = found[key]
    return np.array(first), copies
