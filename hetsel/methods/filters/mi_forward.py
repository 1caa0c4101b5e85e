"""Forward ranking by the information of a subset on the class."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.search.rankings.greedy_filters import forward_ranking, information_of
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.information.mutual_information import crossed, entropy, mutual_information


class MIForward(BaseSelector):
    """Choose features, one by one, by the information of the whole subset on the class.

    J(f) = I(S + f; y), with S the features chosen before f, taken as one column whose levels are
    the combinations that occur. Soon each row has a combination of its own and J is the entropy of
    the class whatever is added: such ties go to the larger I(f; y).

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
    Brown, Pocock, Zhao and Lujan 2012, Journal of Machine Learning Research 13, 27-66, section 3.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MIForward(size=2).fit(table, x_or_z).signature()
    array([0, 2])
    """

    bins: Any = None
    rule: str = "frequency"
    depth: int | None = None

    about = About(
        "forward selection by the information of the subset on the class",
        paper="slides",
        revision=2,
    )

    def _select(self, problem: Problem) -> Ranking:
        information, y = information_of(problem, self.bins, self.rule), problem.classes.codes
        relevance = information.with_column(y)
        full = entropy(y)
        subset = np.zeros(problem.n, dtype=np.int64)
        known = 0.0

        def after(last: int, left: np.ndarray) -> np.ndarray:
            nonlocal subset, known
            if known < full:
                subset = crossed(subset, information.column(last))
                known = mutual_information(subset, y)
            if known == full:
                return np.full(problem.p, full)
            return known + information.given(subset, y, left)

        return forward_ranking(
            problem,
            information.codes.levels > 1,
            relevance,
            after,
            depth=self.depth,
            ties=relevance,
        )
