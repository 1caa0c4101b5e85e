"""Forward selection by a filter: one loop, and what the methods by information share."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.selection import BaseSelector, Problem, Ranking, Step, order_best_first
from hetsel.statistics.information import discretization, mutual_information
from hetsel.statistics.information.concordance_information import concordance_information

FIRST = 100  # features that are ranked where fewer are asked for
MOST = 1000  # features that are chosen one by one where no size is asked for

# the feature chosen last, the features left (ascending) -> criterion (p,), those left are read
After = Callable[[int, np.ndarray], np.ndarray]


def information_of(problem: Problem, bins: int | None, rule: str) -> mutual_information.Information:
    """The features of a problem as a discrete table; numbers are cut into bins."""
    table = problem.table
    return mutual_information.Information.of(
        discretization.discretize(table.values, table.schema.categorical, bins, rule)
    )


def told_codes(problem: Problem, bins: int | None = None, rule: str = "frequency") -> np.ndarray:
    """Codes (n,) of the target: its classes; numbers are cut into bins, as columns are.

    Kursa 2021, SoftwareX 16, 100819 (praznik) treats a decision of numbers so, too.
    """
    if problem.target.kind == "classes":
        return problem.classes.codes
    told = discretization.discretize(problem.numbers.values[:, None], np.array([False]), bins, rule)
    return told.cells[0].astype(np.int64)


def forward_ranking(
    problem: Problem,
    varies: np.ndarray,
    start: np.ndarray,
    after: After,
    *,
    depth: int | None,
    ties: np.ndarray | None = None,
) -> Ranking:
    """Choose one feature after the other: each time the one of the largest criterion.

    Ties go to the larger `ties`, then to the lower column index; columns that do not vary come
    last. The first max(depth, largest size asked for) are chosen, the others ordered by their
    criterion at the last of these steps. Without a depth as many as the largest size, 100 at least,
    and no others are ranked; 1000 where no size is asked for. `start` is the criterion (p,) when
    none is chosen; `after` gives that of adding each, of the feature chosen last and the features
    left, ascending.
    """
    if depth is not None:
        depth = whole_number("depth", depth, 1)
    size_alone = depth is None and bool(problem.sizes)
    depth = depth or (FIRST if problem.sizes else MOST)
    ties = np.zeros(problem.p) if ties is None else ties
    left = np.flatnonzero(varies)
    importance = np.array(start, dtype=np.float64)
    order: list[int] = []
    steps = []
    for size in range(min(max((depth, *problem.sizes)), len(left))):
        if size > 0:
            importance[left] = after(order[-1], left)[left]
        top = left[importance[left] >= importance[left].max() - SAME_INFORMATION]
        best = int(top[np.argmax(ties[top])])
        steps.append(Step(size, (best,), float(importance[best])))
        order.append(best)
        left = left[left != best]
    if size_alone and len(left):
        return Ranking(np.array(order, dtype=np.int64), importance, tuple(steps))
    rest = left[order_best_first(merged(importance[left], SAME_INFORMATION), ties[left])]
    whole = np.concatenate([np.array(order, dtype=np.int64), rest, np.flatnonzero(~varies)])
    return Ranking(whole, importance, tuple(steps), first=np.array(start, dtype=np.float64))


class InformationFilter(BaseSelector):
    """A method that ranks by the information of bins and levels.

    Parameters
    ----------
    bins : int, optional
        Number of bins of a column of numbers, and of a target of numbers; None takes the odd
        number nearest to the cube root of the number of rows.
    rule : {"frequency", "width"}
        Bins of about equally many rows, or of equal width; see
        :func:`hetsel.statistics.information.discretization.discretize`.

    Notes
    -----
    Information is that of the counts, in nats. Numbers are cut into bins, the levels of nominal and
    ordinal columns are as they are, and missing cells that are kept are a level of their own. A
    target of numbers is cut into bins by the same rule, which stand in place of the classes: its
    unit has no part in the answer (Kursa 2021, SoftwareX 16, 100819, does so, too).
    """

    bins: Any = None
    rule: str = "frequency"

    def _information(self, problem: Problem) -> tuple[mutual_information.Information, np.ndarray]:
        """The features as a discrete table, and the classes (n,), or bins of numbers."""
        told = told_codes(problem, self.bins, self.rule)
        return information_of(problem, self.bins, self.rule), told


class ForwardInformationFilter(InformationFilter):
    """A method that chooses features one by one, by their information.

    Parameters
    ----------
    depth : int, optional
        Number of features chosen one by one, or the largest size asked for if that is more; the
        features after them are ordered by their criterion at the last of these steps. None: as
        many as the size asked for, 100 at least, and no others are ranked; 1000 without a size.

    Notes
    -----
    Ties go to the lower column index; columns of one level come last.
    """

    depth: int | None = None

    _example: ClassVar[str] = """\
>>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
>>> NAME(size=2).fit(list(zip(x, x, z)), [0, 0, 1, 1, 1, 1, 1, 1]).signature()
array([0, 2])"""
    ties_by_first: ClassVar[bool] = False  # whether ties go to the larger criterion of none chosen

    def _criterion(
        self, information: mutual_information.Information, y: np.ndarray
    ) -> tuple[np.ndarray, After]:
        """The criterion (p,) when none is chosen, and what it becomes after each choice."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what it chooses by")

    def _select(self, problem: Problem) -> Ranking:
        information, y = self._information(problem)
        first, after = self._criterion(information, y)
        varies, ties = information.codes.levels > 1, first if self.ties_by_first else None
        return forward_ranking(problem, varies, first, after, depth=self.depth, ties=ties)


class RedundancyFilter(ForwardInformationFilter):
    """A method that chooses by I(f; y) and the sum of I(f; s) over the features s chosen so far.

    Notes
    -----
    For survival times I(f; y) is that of concordance, -(1/2) log(1 - (2 C - 1)^2), see
    :mod:`hetsel.statistics.information.concordance_information`. What chance adds to the
    information of counts, (levels_f - 1)(levels_s - 1) / 2n of n rows (Miller 1955), is then taken
    from each I(f; s), which stays at least 0: that of concordance has no such part.
    """

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        """Criterion (p,) of relevance (p,) and summed redundancy (p,) with so many chosen."""
        raise TypeError(f"{type(self).__name__} is no method: it does not say what it chooses by")

    def _select(self, problem: Problem) -> Ranking:
        if problem.target.kind != "survival":
            return super()._select(problem)
        table, told = problem.table, problem.survival
        information = information_of(problem, self.bins, self.rule)
        measured = concordance_information(table.values, table.nominal, told.times, told.events)
        relevance, ties = (merged(part, SAME_INFORMATION) for part in measured)
        relevance, after = self._after(information, relevance, True)
        varies = information.codes.levels > 1
        return forward_ranking(problem, varies, relevance, after, depth=self.depth, ties=ties)

    def _criterion(
        self, information: mutual_information.Information, y: np.ndarray
    ) -> tuple[np.ndarray, After]:
        return self._after(information, information.with_column(y), False)

    def _after(
        self,
        information: mutual_information.Information,
        relevance: np.ndarray,
        beyond_chance: bool,
    ) -> tuple[np.ndarray, After]:
        """The relevance (p,), and what it becomes with each choice."""
        redundancy = np.zeros(len(relevance))
        free = (information.codes.levels - 1) / (2.0 * information.n)
        chosen = 0

        def after(last: int, left: np.ndarray) -> np.ndarray:
            nonlocal chosen
            chosen += 1
            shared = information.with_column(information.column(last), left)[left]
            if beyond_chance:
                shared = np.maximum(shared - free[left] * (information.codes.levels[last] - 1), 0.0)
            redundancy[left] += shared
            return self._combined(relevance, redundancy, chosen)

        return relevance, after
