"""The test of Kruskal and Wallis on its own: a filter for columns of numbers, by their ranks."""

from __future__ import annotations

import numpy as np

from hetsel.ground.ties import equalized
from hetsel.search.rankings.log_p_values import to_importance
from hetsel.selection.about import About
from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.selection.problem import Problem
from hetsel.statistics.column_tests.chi_squared import kruskal_wallis


class KruskalWallisSelector(BaseSelector):
    """Rank columns of numbers by how surely their ranks differ between the classes.

    J(f) = -log10 p_f of the test of Kruskal and Wallis, corrected for ties; two classes: of the
    test of Wilcoxon, Mann and Whitney, two-sided, without correction for continuity. It stays a
    number where p_f itself is below the smallest double. An ordinal column counts by the order of
    its levels. With missing="separate" a missing cell is left out of the test of its column.

    The answer's extras: `statistic` (p,), H of each column, and `df` (p,), its degrees of freedom.

    Raises
    ------
    TableError
        A nominal column: it has no order.

    References
    ----------
    Kruskal and Wallis 1952, Journal of the American Statistical Association 47, 583-621.

    Examples
    --------
    >>> table = np.array([[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.0]])
    >>> KruskalWallisSelector(size=1).fit(table, [0, 0, 1, 1]).importances_.round(3)
    array([0.916, 0.   ])
    """

    about = About(
        "Kruskal-Wallis test of ranks",
        paper="Kruskal and Wallis 1952",
        revision=2,
        takes=("continuous", "ordinal"),
    )

    def _select(self, problem: Problem) -> Ranking:
        test = kruskal_wallis(problem.table.values, problem.classes.codes)
        logs = equalized(test.log_pvalue)
        extras = {"statistic": test.statistic, "df": np.asarray(test.df), "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)
