"""Correlation-based feature selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.ground.ties import equalized
from hetsel.search.rankings.greedy_filters import forward_ranking, information_of
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem


class CFS(BaseSelector):
    """Choose features, one by one, by the merit of the subset that they make.

    merit(S) = k r_cf / sqrt(k + k (k - 1) r_ff), of k features whose mean correlation with the
    class is r_cf and with each other r_ff; the correlation of two columns is their symmetrical
    uncertainty 2 I(a; b) / (H(a) + H(b)). The importance of a feature is the merit of the subset
    that ends with it.

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
    Hall 1999, Correlation-based Feature Selection for Machine Learning, thesis, University of
    Waikato, Eq. 4.3.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> CFS(size=2).fit(table, x_or_z).signature()
    array([0, 2])
    """

    bins: Any = None
    rule: str = "frequency"
    depth: int | None = None

    about = About(
        "correlation-based selection: merit of symmetrical uncertainties",
        paper="hall1999",
        revision=2,
    )

    def _select(self, problem: Problem) -> Ranking:
        information, y = information_of(problem, self.bins, self.rule), problem.classes.codes
        with_class = information.uncertainty(y)
        between = np.zeros(problem.p)
        sums = np.zeros(3)  # features, their correlations with the class, and with each other

        def after(last: int, left: np.ndarray) -> np.ndarray:
            sums[:] += 1.0, with_class[last], between[last]
            between[left] += information.uncertainty(information.column(last), left)[left]
            size, relevance, redundancy = sums
            width = np.sqrt(size + 1.0 + 2.0 * (redundancy + between))
            return equalized((relevance + with_class) / width)

        return forward_ranking(
            problem, information.codes.levels > 1, with_class, after, depth=self.depth
        )
