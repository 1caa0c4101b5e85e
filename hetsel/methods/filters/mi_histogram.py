"""Mutual information with the class, by counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.ground.ties import SAME_INFORMATION, merged
from hetsel.search.rankings.greedy_filters import information_of
from hetsel.selection.about import About
from hetsel.selection.base import UnivariateFilter
from hetsel.selection.problem import Problem


class MIHistogram(UnivariateFilter):
    """Rank features by their mutual information with the class, estimated by counts.

    J(f) = I(f; y) = sum_ac (n_ac / n) log(n n_ac / (n_a n_c)), over the bins or levels a and the
    classes c, in nats. It is never above the entropies of f and y. Numbers are cut into bins, the
    levels of nominal and ordinal columns are as they are, and missing cells that are kept are a
    level of their own. The estimate is too large by about (levels - 1)(classes - 1) / 2n, so it
    favors columns of many levels.

    Parameters
    ----------
    bins : int, optional
        Number of bins of a column of numbers; None takes the odd number nearest to the cube root
        of the number of rows.
    rule : {"frequency", "width"}
        Bins of about equally many rows, or of equal width; see
        :func:`hetsel.tables.discretization.discretize`.

    References
    ----------
    Battiti 1994, IEEE Transactions on Neural Networks 5, 537-550.

    Examples
    --------
    >>> x = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> z = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> x_or_z = [0, 0, 1, 1, 1, 1, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MIHistogram(size=2).fit(table, x_or_z).signature()
    array([0, 1])
    """

    bins: Any = None
    rule: str = "frequency"

    about = About(
        "mutual information with the class, by counts",
        paper="battiti1994",
        revision=2,
    )

    def _score(self, problem: Problem) -> np.ndarray:
        information = information_of(problem, self.bins, self.rule)
        return merged(information.with_column(problem.classes.codes), SAME_INFORMATION)
