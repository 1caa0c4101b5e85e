"""The t-test on its own: a filter for columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hetsel.selection.answer import Ranking
from hetsel.selection.base import BaseSelector
from hetsel.statistics.group_means import anova_f, t_test
from hetsel.tables.table import Table
from hetsel.tables.ties import on_grid
from hetsel.tables.validation import refuse_kinds


@dataclass(eq=False, repr=False, kw_only=True)
class TTestSelector(BaseSelector):
    """Rank columns of numbers by how surely their means differ between the classes.

    J(f) = -log10 p_f, with p_f of Welch's two-sample t-test; more than two classes: of the F-test
    of one-way analysis of variance. It stays a number where p_f itself is below the smallest
    double, and it is infinite for a column that is constant in every class. An ordinal column
    counts by the numbers of its levels. With missing="separate" a missing cell is left out of the
    test of its column. `fisher-exact` has the same scale for nominal columns.

    Parameters
    ----------
    equal_var : bool
        Student's t-test with one pooled variance in place of Welch's; the F-test always pools.

    Raises
    ------
    TableError
        A nominal column: it has no mean.

    References
    ----------
    Welch 1947, Biometrika 34, 28-35; Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> table = np.array([[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.0]])
    >>> TTestSelector(size=1).fit(table, [0, 0, 1, 1]).importances_.round(3)
    array([1.998, 0.   ])
    """

    equal_var: Any = False

    key: ClassVar[str] = "t-test"
    title: ClassVar[str] = "Welch's t-test, or the F-test for more than two classes"
    family: ClassVar = "filter"
    paper: ClassVar[str] = "paul2015, section 3"
    takes: ClassVar[tuple[str, ...]] = ("continuous", "ordinal")

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        refuse_kinds(self, table, "hfs-nb ranks both kinds, fisher-exact the nominal columns")
        return Ranking.from_importance(to_importance(t_test_logs(table.values, y, self.equal_var)))


def t_test_logs(values: np.ndarray, y: np.ndarray, equal_var: bool = False) -> np.ndarray:
    """Log p-values (p,) of columns of numbers (n, p), the same in every unit."""
    test = t_test(values, y, equal_var=equal_var) if y.max() == 1 else anova_f(values, y)
    return on_grid(test.log_pvalue)


def to_importance(log_pvalues: np.ndarray) -> np.ndarray:
    """-log10 of p-values given by their natural logarithm."""
    return np.asarray(-log_pvalues / np.log(10.0) + 0.0)
