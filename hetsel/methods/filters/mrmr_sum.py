"""Minimum redundancy, maximal relevance: the difference with the sum of the redundancies."""

from __future__ import annotations

from typing import Any

from hetsel.search.rankings.greedy_filters import relevance_and_redundancy
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem


class MRMRSum(BaseSelector):
    """Choose features by their relevance less the sum of their redundancies, one by one.

    J(f) = I(f; y) - sum_{s in S} I(f; s), with S the features chosen before f.
    The sum grows with S and soon outweighs the relevance; `mrmr` takes the mean instead.


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
        :func:`hetsel.statistics.information.discretization.discretize`.
    depth : int, optional
        Number of features chosen one by one, or the largest size asked for if that is more; the
        features after them are ordered by their criterion at the last of these steps. None: as
        many as the size asked for, 100 at least, and no others are ranked; 1000 without a size.

    References
    ----------
    Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27,
    1226-1238, with the sum in place of the mean.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MRMRSum(size=2).fit(table, x_or_z).signature()
    array([0, 2])
    """

    bins: Any = None
    rule: str = "frequency"
    depth: int | None = None

    about = About(
        "mRMR: mutual information less the sum of the redundancies",
        paper="peng2005",
        revision=2,
    )

    def _select(self, problem: Problem) -> Ranking:
        return relevance_and_redundancy(
            problem,
            lambda relevance, redundancy, chosen: relevance - redundancy,
            bins=self.bins,
            rule=self.rule,
            depth=self.depth,
        )
