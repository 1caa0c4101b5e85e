"""Conditional mutual information maximization."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.search.rankings.greedy_filters import forward_ranking, information_of
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem


class CMIM(BaseSelector):
    """Choose features by the least that they add to any one of the chosen features.

    J(f) = min(I(f; y), min_{s in S} I(f; y | s)), with S the features chosen before f.

    Information is that of the counts, in nats. Numbers are cut into bins, the levels of nominal and
    ordinal columns are as they are, and missing cells that are kept are a level of their own. Ties
    go to the lower column index; columns of one level come last.

    Parameters
    ----------
    bins : int, optional
        Number of bins of a column of numbers; None takes the odd number nearest to the cube root
        of the number of rows.
    rule : {"frequency", "width"}
        Bins of about equally many rows, or of equal width; see
        :func:`hetsel.tables.discretization.discretize`.
    depth : int, optional
        Number of features chosen one by one, or the largest size asked for if that is more; the
        features after them are ordered by their criterion at the last of these steps. None: as
        many as the size asked for, 100 at least, and no others are ranked; 1000 without a size.

    References
    ----------
    Fleuret 2004, Journal of Machine Learning Research 5, 1531-1555, Eq. 5.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> CMIM(size=2).fit(table, x_or_z).signature()
    array([0, 2])
    """

    bins: Any = None
    rule: str = "frequency"
    depth: int | None = None

    about = About(
        "conditional mutual information maximization",
        paper="fleuret2004",
        revision=2,
    )

    def _select(self, problem: Problem) -> Ranking:
        information, y = information_of(problem, self.bins, self.rule), problem.classes.codes
        least = information.with_column(y)

        def after(last: int, left: np.ndarray) -> np.ndarray:
            added = information.given(information.column(last), y, left)[left]
            least[left] = np.minimum(least[left], added)
            return least

        return forward_ranking(
            problem, information.codes.levels > 1, least.copy(), after, depth=self.depth
        )
