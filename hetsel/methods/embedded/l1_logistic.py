"""L1-penalized logistic regression, the columns of a factor as one group."""

from __future__ import annotations

import warnings

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import at_least
from hetsel.ground.ties import FINE_GRID, merged
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.solvers.group_logistic import Blocks, logistic_path

ENTRY_GRID = 2.0**20  # of lambda: steps well above what the default tolerance leaves open


class L1LogisticSelector(BaseSelector):
    """Rank features by where they enter the path of an L1-penalized logistic regression.

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f)

    as lambda falls. e_f is a number times a coefficient, or a value for each level of a nominal
    column (its indicator columns as one group), sd its standard deviation over the rows, and w_f =
    sqrt(levels - 1) for a nominal column, 1 for a number: of numbers alone the lasso on
    standardized columns. A column of two levels is the number 0 or 1. More than two classes have
    the multinomial loss and one effect for each class, all of a feature in one group. An ordinal
    column counts by the numbers of its levels. With missing="separate" a missing level is a level,
    and a missing number counts as the mean of its column.

    The importance is the lambda at which a feature enters, read between two steps of the path as
    its pull ||gradient_f|| / w_f at the last step before; a feature that never enters has its pull
    at the last step. Features of equal content share it. It is rounded to 2^-20.

    Parameters
    ----------
    steps : int
        Number of steps of lambda, each the same share of the one before.
    shortest : float
        The last lambda as a share of the first, above 0 and below 1.
    tolerance : float
        By how much of the first lambda a condition of an optimum may be missed, above 0.

    Warns
    -----
    UserWarning
        A step of the path missed the tolerance.

    The answer's extras: `entry` (p,), the step of lambda at which the feature is in, 0 if at none.

    References
    ----------
    Tibshirani 1996, Journal of the Royal Statistical Society B 58, 267-288; Yuan and Lin 2006,
    the same B 68, 49-67 (groups); Simon and Tibshirani 2012, Statistica Sinica 22, 983-1001.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0] * 4, "town": list("aaabbcbb")})
    >>> L1LogisticSelector(size=1).fit(frame, [0] * 4 + [1] * 4).importances_.round(3)
    array([0.085, 0.28 ])
    """

    steps: int = 100
    shortest: float = 0.05
    tolerance: float = 1e-7

    about = About(
        "L1-penalized logistic regression, a factor as one group",
        paper="Tibshirani 1996; Yuan and Lin 2006",
        revision=2,
        trial={"steps": 30, "shortest": 0.1},
    )

    def _select(self, problem: Problem) -> Ranking:
        at_least("steps", self.steps, 1)
        for name in ("shortest", "tolerance"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise TableError(f"{name} must be a number above 0 and below 1. Got {value!r}")
        table = problem.table
        place = table.canonical_order()
        first, copies = _distinct(Blocks.of(table.values[:, place], table.nominal[place]))
        one_each = place[first]
        blocks = Blocks.of(table.values[:, one_each], table.nominal[one_each])
        importance, entry = np.zeros(len(first)), np.zeros(len(first))
        pulls, out = np.zeros(len(first)), np.ones(len(first), dtype=bool)
        reached = True
        y = problem.classes.codes.copy()  # for a compiled function: one type, writable
        for point in logistic_path(blocks, y, self.steps, self.shortest, self.tolerance):
            new = out & point.inside
            importance[new] = np.maximum(pulls[new], point.penalty)
            entry[new] = point.penalty
            out &= ~new
            pulls, reached = point.pulls, reached and point.converged
        importance[out] = np.minimum(pulls[out], point.penalty)
        if not reached:
            warnings.warn(
                f"a step of the path missed the tolerance of {self.tolerance:g}: entries near to "
                "each other may be out of order. A larger tolerance or shortest helps",
                UserWarning,
                stacklevel=2,
            )
        back = np.empty(problem.p, dtype=np.intp)
        back[place] = copies
        importance = merged(np.rint(importance * ENTRY_GRID) / ENTRY_GRID, 1.5 / ENTRY_GRID)
        return Ranking.from_importance(importance[back], extras={"entry": entry[back]})


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
