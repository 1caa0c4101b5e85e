"""Joint mutual information."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.search.rankings.greedy_filters import forward_ranking, information_of
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem


class JMI(BaseSelector):
    """Choose features by the joint information that each pair with a chosen one has on the class.

    J(f) = sum_{s in S} I(f, s; y), with S the features chosen before f; the first is the one of
    the largest I(f; y). Features that tell the class only together are found once one of them is
    chosen.

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
    Yang and Moody 1999, Advances in Neural Information Processing Systems 12, 687-693.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> JMI(size=2).fit(table, x_or_z).signature()
    array([0, 2])
    """

    bins: Any = None
    rule: str = "frequency"
    depth: int | None = None

    about = About(
        "joint mutual information of pairs with the class",
        paper="yang1999",
        revision=2,
    )

    def _select(self, problem: Problem) -> Ranking:
        information, y = information_of(problem, self.bins, self.rule), problem.classes.codes
        relevance = information.with_column(y)
        joint = np.zeros(problem.p)

        def after(last: int, left: np.ndarray) -> np.ndarray:
            joint[left] += information.given(information.column(last), y, left)[left]
            joint[left] += relevance[last]
            return joint

        return forward_ranking(
            problem, information.codes.levels > 1, relevance, after, depth=self.depth
        )
