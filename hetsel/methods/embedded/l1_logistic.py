"""L1-penalized logistic regression, the columns of a factor as one group."""

from __future__ import annotations

import numpy as np

from hetsel.ground.ties import FINE_GRID
from hetsel.search.rankings.path_entries import PathSelector
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.problem import Problem
from hetsel.solvers.group_logistic import Blocks, logistic_path


class L1LogisticSelector(PathSelector):
    """Rank features by where they enter the path of an L1-penalized logistic regression.

    minimize (1/n) sum_i loss(y_i, b + sum_f e_f(x_i)) + lambda sum_f w_f sd(e_f)

    as lambda falls. e_f is a number times a coefficient, or a value for each level of a nominal
    column (its indicator columns as one group), sd its standard deviation over the rows, and w_f =
    sqrt(levels - 1) for a nominal column, 1 for a number: of numbers alone the lasso on
    standardized columns. A column of two levels is the number 0 or 1. More than two classes have
    the multinomial loss and one effect for each class, all of a feature in one group. An ordinal
    column counts by the numbers of its levels. With missing="separate" a missing level is a level,
    and a missing number counts as the mean of its column.

    The pull of a feature is ||gradient_f|| / w_f.

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

    tolerance: float = 1e-7

    about = About(
        "L1-penalized logistic regression, a factor as one group",
        paper="Tibshirani 1996; Yuan and Lin 2006",
        revision=2,
        trial={"steps": 30, "shortest": 0.1},
    )

    def _select(self, problem: Problem) -> Ranking:
        self._check()
        table = problem.table
        place = table.canonical_order()
        first, copies = _distinct(Blocks.of(table.values[:, place], table.nominal[place]))
        one_each = place[first]
        blocks = Blocks.of(table.values[:, one_each], table.nominal[one_each])
        y = problem.classes.codes.copy()  # for a compiled function: one type, writable
        path = logistic_path(blocks, y, self.steps, self.shortest, self.tolerance)
        importance, entry = self._entries(path, len(first))
        back = np.empty(problem.p, dtype=np.intp)
        back[place] = copies
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
