"""Subsets that are treated as equal: a little worse by the criterion, better by a second one.

somol2011, section 2.2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from hetsel.search.space import Space

# a subset -> the secondary criterion, larger is better
Secondary = Callable[[int], float]


def fewer_features(subset: int) -> float:
    """J2(X) = -|X| (Eq. 13)."""
    return -float(subset.bit_count())


def lower_cost(space: Space, costs: Sequence[float]) -> Secondary:
    """J2(X) = -sum of the costs of the features of X (Eq. 14)."""
    return lambda subset: -subset_cost(space, costs, subset)


def subset_cost(space: Space, costs: Sequence[float], subset: int) -> float:
    """What the features of a subset cost together."""
    return float(sum(costs[f] for f in space.features(subset)))


class Pivots:
    """The two subsets that the rule keeps: the one of the largest J1, and the selected one.

    After each evaluation of a subset X, for a threshold tau:

    1. If J1(X) <= J1(Xmax), go to 4.
    2. Make X the new Xmax.
    3. If J1(Xsel) < (1 - tau) J1(Xmax) or J2(Xsel) <= J2(Xmax), make X also the new Xsel; stop.
    4. If J1(X) >= (1 - tau) J1(Xmax) and (J2(X) > J2(Xsel), or J2(X) = J2(Xsel) and
       J1(X) > J1(Xsel)), make X the new Xsel.

    Parameters
    ----------
    tau : float
        Share of the largest value that counts as none, in [0, 1].
    secondary : callable
        J2 of a subset, larger is better.
    sizes : sequence of int
        Sizes of the subsets that count; none counts all but the empty one.

    Raises
    ------
    ValueError
        tau outside [0, 1].

    Notes
    -----
    The rule forgets: a subset that was passed over stays so when the selected one falls below the
    threshold later. :func:`treated_as_equal` looks at all that was evaluated.

    Examples
    --------
    >>> pivots = Pivots(0.05, fewer_features)
    >>> for subset, value in [(0b001, 0.70), (0b011, 0.78), (0b111, 0.80)]:
    ...     pivots.update(subset, value)
    >>> bin(pivots.largest), bin(pivots.selected)
    ('0b111', '0b11')
    """

    def __init__(self, tau: float, secondary: Secondary, sizes: Sequence[int] = ()) -> None:
        if not 0.0 <= tau <= 1.0:
            raise ValueError(f"the share that is treated as equal must be in [0, 1]. Got {tau!r}")
        self.tau = tau
        self._secondary, self._sizes = secondary, frozenset(sizes)
        self.largest, self.selected = -1, -1  # none yet
        self._j1 = self._j1_selected = self._j2_selected = -np.inf

    def update(self, subset: int, value: float) -> None:
        """Look at a subset that was evaluated."""
        if value <= self._j1 and value < self._floor(self._j1):
            return
        if not subset or (self._sizes and subset.bit_count() not in self._sizes):
            return
        j2 = self._secondary(subset)
        if value > self._j1:
            self.largest, self._j1 = subset, value
            if self._j1_selected < self._floor(value) or self._j2_selected <= j2:
                self._select(subset, value, j2)
                return
        better = j2 > self._j2_selected or (j2 == self._j2_selected and value > self._j1_selected)
        if value >= self._floor(self._j1) and better:
            self._select(subset, value, j2)

    def _floor(self, largest: float) -> float:
        """(1 - tau) J1(Xmax); a negative J1 is lowered by tau of its size."""
        return largest - self.tau * abs(largest)

    def _select(self, subset: int, value: float, j2: float) -> None:
        self.selected, self._j1_selected, self._j2_selected = subset, value, j2


def treated_as_equal(
    values: Mapping[int, float], tau: float, secondary: Secondary = fewer_features
) -> int:
    """The best subset by the second criterion among all within tau of the largest value.

    Of equal ones that of the larger value, then the one evaluated first.

    Parameters
    ----------
    values : mapping of subset to float
        All that was evaluated.
    tau : float
        Share of the largest value that counts as none.
    secondary : callable
        J2 of a subset, larger is better.
    """
    largest = max(values.values())
    floor = largest - tau * abs(largest)
    near = [subset for subset, value in values.items() if value >= floor]
    return max(near, key=lambda subset: (secondary(subset), values[subset]))


def cost_frontier(
    values: Mapping[int, float], cost: Callable[[int], float]
) -> list[tuple[float, float, int]]:
    """Cost, value and subset of all subsets that none beats in both, the cheapest first.

    Parameters
    ----------
    values : mapping of subset to float
        All that was evaluated.
    cost : callable
        What a subset costs.
    """
    ranked = sorted(((cost(s), -value, k, s) for k, (s, value) in enumerate(values.items())))
    return list(_unbeaten(ranked))


def _unbeaten(
    ranked: Iterable[tuple[float, float, int, int]],
) -> Iterable[tuple[float, float, int]]:
    best = np.inf
    for cost, loss, _, subset in ranked:
        if loss < best:
            best = loss
            yield cost, -loss, subset
