"""One-way analysis of variance on its own: a filter for columns of numbers."""

from __future__ import annotations

import numpy as np

from hetsel.ground.ties import equalized
from hetsel.search.rankings.log_p_values import to_importance
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.column_tests.group_means import anova_f


class AnovaFSelector(BaseSelector):
    """Rank columns of numbers by the F-test of one-way analysis of variance.

    J(f) = -log10 p_f, F = (sum_c n_c (m_c - m)^2 / (k - 1)) / (sum_c (n_c - 1) v_c / (n - k)). It
    stays a number where p_f itself is below the smallest double, and it is infinite for a column
    that is constant in every class. An ordinal column counts by the numbers of its levels. With
    missing="separate" a missing cell is left out of the test of its column, in which a class counts
    from one value on. For two classes it is Student's test with one pooled variance; `t-test` there
    takes Welch's.

    The answer's extras: `statistic` (p,), F of each column.

    Raises
    ------
    TableError
        A nominal column: it has no mean.

    References
    ----------
    Fisher 1925, Statistical Methods for Research Workers, chapter 7.

    Examples
    --------
    >>> table = [[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.0]]
    >>> AnovaFSelector(size=1).fit(table, [0, 0, 1, 1]).importances_.round(3)
    array([1.998, 0.   ])
    """

    about = About(
        "F-test of one-way analysis of variance",
        paper="Fisher 1925",
        revision=3,
        takes=("continuous", "ordinal"),
    )

    def _select(self, problem: Problem) -> Ranking:
        test = anova_f(problem.table.values, problem.classes.codes)
        logs = equalized(test.log_pvalue)
        extras = {"statistic": test.statistic, "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)
