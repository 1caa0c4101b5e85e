"""Rankings by where features enter the path of an L1-penalized model."""

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from hetsel.ground import between_0_and_1, whole_number
from hetsel.ground.equal_numbers import FINE_GRID, merged
from hetsel.selection import BaseSelector, Problem, Ranking
from hetsel.solvers import cox_ridge, group_lasso_path, group_losses

ENTRY_GRID = 2.0**20  # of lambda: far coarser than the default tolerances


class PathSelector(BaseSelector):
    """Base of the methods that rank features by the lambda at which they enter a path.

    Parameters
    ----------
    steps : int
        Number of steps of lambda; each lambda is the same proportion of the one before.
    shortest : float
        The last lambda as a proportion of the first, above 0 and below 1.
    tolerance : float
        Largest violation of an optimality condition, as a proportion of the first lambda, above 0.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `entry` (p,) is the step of lambda at which the feature has entered, 0 if it never
        enters.

    Warns
    -----
    UserWarning
        A step of the path did not reach the tolerance.

    Notes
    -----
    The importance is the lambda at which a feature enters. Between two steps of the path it is the
    pull of the feature at the earlier step. A feature that never enters has its pull at the last
    step. Features of equal content share their importance. It is rounded to 2^-20.
    """

    steps: int = 100
    shortest: float = 0.05
    tolerance: float = 1e-6

    def _check(self) -> None:
        whole_number("steps", self.steps, 1)
        for name in ("shortest", "tolerance"):
            between_0_and_1(name, getattr(self, name))

    def _entries(self, path: Iterable[Any], p: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the importance (p,) and the lambda (p,) of the step at which features enter."""
        importance, entry, pulls = np.zeros((3, p))
        out, reached = np.ones(p, dtype=bool), True
        for point in path:
            new = out & point.inside
            importance[new] = np.maximum(pulls[new], point.penalty)
            entry[new] = point.penalty
            out &= ~new
            pulls, reached = point.pulls, reached and point.converged
            importance[out] = np.minimum(pulls[out], point.penalty)
        if not reached:
            warnings.warn(
                f"a step of the path missed the tolerance of {self.tolerance:g}. Features that "
                "enter close together may be out of order. Increase tolerance or shortest",
                UserWarning,
                stacklevel=3,
            )
        return merged(np.rint(importance * ENTRY_GRID) / ENTRY_GRID, 1.5 / ENTRY_GRID), entry


class GroupLassoSelector(PathSelector):
    """Base of the methods that rank features by a path of group lassos."""

    tolerance: float = 1e-7

    def _select(self, problem: Problem) -> Ranking:
        self._check()
        table = problem.table
        place = table.canonical_order()
        values = table.values
        if problem.target.kind == "numbers":
            loss = group_losses.GroupLoss.of_numbers(
                group_lasso_path.standardized(problem.numbers.values)
            )
        elif problem.target.kind == "survival":
            order = cox_ridge.RiskOrder.of(problem.survival.times, problem.survival.events)
            loss, values = group_losses.GroupLoss.of_survival(order), values[order.rows]
        else:  # a compiled function needs one type, writable
            loss = group_losses.GroupLoss.of_classes(problem.classes.codes.copy())
        first, copies = _distinct(
            group_lasso_path.Blocks.of(values[:, place], table.nominal[place])
        )
        one_each = place[first]
        blocks = group_lasso_path.Blocks.of(values[:, one_each], table.nominal[one_each])
        path = group_lasso_path.lasso_path(blocks, loss, self.steps, self.shortest, self.tolerance)
        importance, entry = self._entries(path, len(first))
        back = np.empty(problem.p, dtype=np.intp)
        back[place] = copies
        return Ranking.from_importance(importance[back], extras={"entry": entry[back]})


def _distinct(blocks: group_lasso_path.Blocks) -> tuple[np.ndarray, np.ndarray]:
    """Return the first block of each content, and the index (p,) of the block that each one equals.

    Content is compared up to unit, sign and names.
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
