"""Subsets treated as equal: slightly worse, but better by a second criterion (somol2011, 2.2.1)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hetsel.ground import TableError, share
from hetsel.ground.rounding import within_share
from hetsel.selection import SearchPath

# a subset -> the secondary criterion, larger is better
Secondary = Callable[[int], float]


def fewer_features(subset: int) -> float:
    """J2(X) = -|X| (Eq. 13)."""
    return -float(subset.bit_count())


class Pivots:
    """The two subsets that the rule keeps: the one of the largest J1, and the selected one.

    After each evaluation of a subset X, for a threshold tau:

    1.  If J1(X) <= J1(Xmax), go to 4.
    2.  Make X the new Xmax.
    3.  If J1(Xsel) < (1 - tau) J1(Xmax) or J2(Xsel) <= J2(Xmax), make X also the new Xsel; stop.
    4.  If J1(X) >= (1 - tau) J1(Xmax) and (J2(X) > J2(Xsel), or J2(X) = J2(Xsel) and
        J1(X) > J1(Xsel)), make X the new Xsel.

    Only subsets of `sizes` count, if there are any. The rule forgets: it does not return to a
    subset that it passed over when the selected one falls below the threshold. :func:`nearly_best`
    does.
    """

    def __init__(self, tau: float, secondary: Secondary, sizes: Sequence[int] = ()) -> None:
        self.tau = share("ties", tau)
        self._secondary, self._sizes = secondary, frozenset(sizes)
        self.largest, self.selected = -1, -1  # none yet
        self._j1 = self._j1_selected = self._j2_selected = -np.inf

    def update(self, subset: int, value: float) -> None:
        """Apply the rule to a subset that was evaluated."""
        if value <= self._j1 and not within_share(value, self._j1, self.tau):
            return
        if not subset or (self._sizes and subset.bit_count() not in self._sizes):
            return
        j2 = self._secondary(subset)
        if value > self._j1:
            self.largest, self._j1 = subset, value
            forgotten = not within_share(self._j1_selected, value, self.tau)
            if forgotten or self._j2_selected <= j2:
                self._select(subset, value, j2)
                return
        better = j2 > self._j2_selected or (j2 == self._j2_selected and value > self._j1_selected)
        if better and within_share(value, self._j1, self.tau):
            self._select(subset, value, j2)

    def _select(self, subset: int, value: float, j2: float) -> None:
        self.selected, self._j1_selected, self._j2_selected = subset, value, j2


def _path_of(search: Any) -> SearchPath:
    """Return the path of a search: the path itself, or the answer of a fitted selector."""
    if not isinstance(search, SearchPath) and hasattr(search, "fit"):
        check_is_fitted(search, "answer_")
        search = search.answer_
    if not isinstance(search, SearchPath) or not search.evaluated:
        raise TableError(
            "path must be the SearchPath of a search over subsets, or a fitted SubsetSearch. Got a "
            f"{type(search).__name__}"
        )
    return search


def nearly_best(
    path: Any,
    tau: float,
    secondary: Callable[[tuple[int, ...]], float] = lambda subset: -len(subset),
) -> np.ndarray:
    """Return the best subset by a second criterion among the nearly best ones of a search.

    A search with `ties` considers each subset once and forgets. This function considers all
    evaluated subsets, so that a larger tau never gives a subset that is worse by the second
    criterion.

    Parameters
    ----------
    path : SearchPath, or a fitted SubsetSearch
    tau : float
        Proportion of the largest value that counts as no difference, in [0, 1].
    secondary : callable
        Function of features (ascending) to a number, larger is better; default: fewer features.
        Ties go to the larger value, then to the earlier evaluation.

    Returns
    -------
    ndarray of int
        The features of the subset.

    Raises
    ------
    TableError
        `path` has no evaluated subsets, or `tau` is out of range.

    See Also
    --------
    SubsetSearch : Selects during the search by its option `ties`.
    cost_frontier : The subsets that no cheaper subset equals.

    Examples
    --------
    >>> import numpy as np
    >>> from hetsel import SearchPath, nearly_best
    >>> found = {(0, 1, 2): 0.90, (2,): 0.86, (0, 1): 0.89}
    >>> path = SearchPath(3, {3: np.array([0, 1, 2])}, evaluated=found)
    >>> nearly_best(path, 0.02), nearly_best(path, 0.05)
    (array([0, 1]), array([2]))
    """
    share("tau", tau)
    values = _path_of(path).evaluated
    good = within_share(list(values.values()), max(values.values()), tau)
    near = [subset for subset, equal in zip(values, good, strict=True) if subset and equal]
    return np.array(max(near, key=lambda subset: (secondary(subset), values[subset])))


def cost_frontier(path: Any, costs: Sequence[float]) -> list[tuple[float, float, tuple[int, ...]]]:
    """Return the evaluated subsets that no other one beats in cost and value.

    Parameters
    ----------
    path : SearchPath, or a fitted SubsetSearch
    costs : sequence of float
        Cost of each feature.

    Returns
    -------
    list of (float, float, tuple of int)
        Cost, value and features of each subset, the cheapest first.

    See Also
    --------
    nearly_best : One subset, the best by a second criterion among nearly equal ones.

    Examples
    --------
    >>> import numpy as np
    >>> from hetsel import SearchPath, cost_frontier
    >>> found = {(0,): 0.7, (1,): 0.6, (0, 1): 0.8, (1, 2): 0.75}
    >>> path = SearchPath(3, {1: np.array([0])}, evaluated=found)
    >>> cost_frontier(path, [1.0, 1.0, 5.0])
    [(1.0, 0.7, (0,)), (2.0, 0.8, (0, 1))]
    """
    ranked = sorted(
        (float(sum(costs[f] for f in subset)), -value, place, subset)
        for place, (subset, value) in enumerate(_path_of(path).evaluated.items())
        if subset
    )
    frontier = []
    best = np.inf
    for cost, loss, _, subset in ranked:
        if loss < best:
            best = loss
            frontier.append((cost, -loss, subset))
    return frontier
