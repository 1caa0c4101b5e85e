"""Forward selection by a filter: one loop, and what the information filters share."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.selection import BaseSelector, Problem, Ranking, Step, order_best_first
from hetsel.statistics.information import discretization, mutual_information
from hetsel.statistics.information.concordance_information import concordance_information

FIRST = 100  # minimum number of ranked features if a size is requested
MOST = 1000  # features that are selected one by one if no size is requested

# last selected feature, remaining features (ascending) -> criterion (p,), read for the latter
After = Callable[[int, np.ndarray], np.ndarray]


def information_of(problem: Problem, bins: int | None, rule: str) -> mutual_information.Information:
    """Return the features of a problem as a discrete table; numbers are cut into bins."""
    table = problem.table
    return mutual_information.Information.of(
        discretization.discretize(table.values, table.schema.categorical, bins, rule)
    )


def told_codes(problem: Problem, bins: int | None = None, rule: str = "frequency") -> np.ndarray:
    """Return codes (n,) of the target: its classes, or the bins of a numeric target.

    Kursa 2021, SoftwareX 16, 100819 (praznik) also bins a numeric decision.
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
    """Select features one by one, each time the one with the largest criterion.

    `start` is the criterion (p,) of an empty selection. `after` takes the last selected feature and
    the remaining features, ascending, and returns the criterion of adding each. Ties go to the
    larger `ties`, then to the lower column index; columns that do not vary come last.

    The first max(depth, largest requested size) features are selected one by one, and the others
    follow by their criterion at the last of these steps. Without a depth, as many as the largest
    requested size are selected, at least 100, and no others are ranked; 1000 if no size is
    requested.
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
    """Base of the methods that rank by the information of bins and levels.

    Parameters
    ----------
    bins : int, optional
        Number of bins of a continuous column and of a numeric target; None is the odd number
        nearest to the cube root of the number of rows.
    rule : {"frequency", "width"}
        Bins of about equally many rows, or of equal width; see
        :func:`hetsel.statistics.information.discretization.discretize`.

    Notes
    -----
    Information is estimated from the counts, in nats. Continuous columns are cut into bins, nominal
    and ordinal columns keep their levels, and with missing="separate" missing is a level. The bins
    of a numeric target take the place of the classes, so that its unit has no effect (Kursa 2021,
    SoftwareX 16, 100819, also does this).
    """

    bins: Any = None
    rule: str = "frequency"

    def _information(self, problem: Problem) -> tuple[mutual_information.Information, np.ndarray]:
        """Return the features as a discrete table, and the classes or bins (n,) of the target."""
        told = told_codes(problem, self.bins, self.rule)
        return information_of(problem, self.bins, self.rule), told


class ForwardInformationFilter(InformationFilter):
    """Base of the methods that select features one by one by their information.

    Parameters
    ----------
    depth : int, optional
        Number of features that are selected one by one, or the largest requested size if that is
        larger. The features after them are ordered by their criterion at the last of these steps.
        None: as many as the requested size, at least 100, and no others are ranked; 1000 without a
        size.

    Notes
    -----
    Ties go to the lower column index; columns of one level come last.
    """

    depth: int | None = None

    _example: ClassVar[str] = """\
>>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
>>> NAME(size=2).fit(list(zip(x, x, z)), [0, 0, 1, 1, 1, 1, 1, 1]).signature()
array([0, 2])"""
    ties_by_first: ClassVar[bool] = False  # whether ties go to the larger criterion at the start

    use_of_sizes = "depth"

    def _criterion(
        self, information: mutual_information.Information, y: np.ndarray
    ) -> tuple[np.ndarray, After]:
        """Return the criterion (p,) of an empty selection, and a function that updates it."""
        raise TypeError(f"{type(self).__name__} must define _criterion")

    def _select(self, problem: Problem) -> Ranking:
        information, y = self._information(problem)
        first, after = self._criterion(information, y)
        varies, ties = information.codes.levels > 1, first if self.ties_by_first else None
        return forward_ranking(problem, varies, first, after, depth=self.depth, ties=ties)


class RedundancyFilter(ForwardInformationFilter):
    """Base of the methods that use I(f; y) and the sum of I(f; s) over the selected features s.

    Notes
    -----
    For survival times I(f; y) is computed from the concordance C, -(1/2) log(1 - (2 C - 1)^2), see
    :mod:`hetsel.statistics.information.concordance_information`. This estimate has no upward bias
    from chance, but information from counts has: about (levels_f - 1)(levels_s - 1) / 2n for n rows
    (Miller 1955). For survival times each I(f; s) is therefore reduced by this bias, to not less
    than 0.
    """

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        """Return the criterion (p,) from relevance and summed redundancy (p,), `chosen` of them."""
        raise TypeError(f"{type(self).__name__} must define _combined")

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
        """Return the relevance (p,), and a function that updates the criterion after each step."""
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
