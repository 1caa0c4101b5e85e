"""Mutual information of the class and all features of a subset together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.ground.ties import FINE_GRID
from hetsel.search.criteria.partition import PartitionState
from hetsel.selection import Problem
from hetsel.statistics.survival.survival_curves import martingale_residuals
from hetsel.tables import Classes, Numbers, Target

TERM_GRID = 2.0**30  # for n_ic ln n_ic: their sums are exact, in whatever order


@dataclass(frozen=True)
class JointInformation:
    """Mutual information of the class and the cells of a subset, in nats, from the counts.

    I(X; Y) = H(Y) - H(Y | X) = (1/n) sum_cells sum_c n_ic ln(n_ic n / (n_i n_c)),

    with n_ic the rows of class c in cell i, the rows that agree in all features. It does not fall
    when a feature is added, and is at most H(Y). It is 0 for an empty subset.

    Numbers and survival times have tenths of the rows in place of classes: by their value, or by
    their martingale residual of the model without features. Of fewer than 50 rows they have five
    each; equal rows are in one.

    Parameters
    ----------
    bins : int
        Bins of about as many rows each into which continuous columns are cut, see
        :func:`hetsel.statistics.information.discretization.discretize`.

    Notes
    -----
    No correction is made for the number of cells: where most rows have a cell of their own, any
    subset reaches H(Y). Small subsets of many rows are where it means something.

    Examples
    --------
    >>> from hetsel import Problem, Schema
    >>> from hetsel.tables.target import Classes
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> problem = Problem(table, Classes.of([0, 0, 1, 1]), (1,))
    >>> JointInformation(bins=2).start(problem).values_with([0, 1]).round(3)
    array([0.693, 0.   ])
    """

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    bins: int = 5

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "InformationState":
        """The state of a subset."""
        state = InformationState(problem, self.bins, told_groups(problem.target))
        for feature in subset:
            state.add(feature)
        return state


class InformationState(PartitionState):
    """A partition measured by mutual information."""

    def _measure(self, counts: np.ndarray) -> float:
        n = len(self.y)
        sums = counts.sum(axis=1), counts.sum(axis=0), np.array([n])
        total = _of_counts(counts) + _of_counts(sums[2]) - _of_counts(sums[0]) - _of_counts(sums[1])
        return float(np.rint(total / n * FINE_GRID) / FINE_GRID) + 0.0


def told_groups(target: Target) -> np.ndarray:
    """Group (n,) of each row, whose information is measured: its class, or its tenth.

    Examples
    --------
    >>> from hetsel.tables.targets.survival import Survival
    >>> told_groups(Survival(np.arange(12.0), np.arange(12) % 2 == 0))
    array([1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0])
    """
    if isinstance(target, Classes):
        return target.codes
    if isinstance(target, Numbers):
        return target.strata
    return Numbers(martingale_residuals(target.times, target.events)).strata


def _of_counts(counts: np.ndarray) -> float:
    """Sum of k ln k, each rounded to a grid."""
    terms = counts * np.log(np.maximum(counts, 1))
    return float(np.rint(terms * TERM_GRID).sum() / TERM_GRID)
