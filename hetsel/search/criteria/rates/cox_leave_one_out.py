"""Approximate leave-one-out concordance of Cox regression with a ridge penalty.

The columns are those of ridge regression, see `feature_blocks`. The Cox regression of the subset
has the penalty (lambda / 2) |b|^2, lambda = penalty times the number of events, which shrinks a
column without an effect on its own by about 1 / (1 + penalty). What the others say of a row is one
Newton step from the fit to all rows, not a fit without it, see
:func:`hetsel.solvers.cox_ridge.left_out_scores`: n fits would take n times as long. Harrell's
concordance is the share of pairs of rows, of those whose order is known, in which the row with the
earlier event has the higher score; a pair of equal scores counts one half.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.ties import FINE_GRID, unit_scale
from hetsel.search.criteria.rates.feature_blocks import feature_block
from hetsel.selection.problem import Problem
from hetsel.solvers.cox_ridge import left_out_scores, newton
from hetsel.solvers.risk_sets import RiskOrder


class CoxState:
    """A subset, the coefficients of its Cox regression and its leave-one-out concordance.

    Each candidate is fitted anew, from the coefficients of the subset: a few steps of O(n d^2), d
    the columns of the subset.
    """

    def __init__(self, problem: Problem, penalty: float) -> None:
        target = problem.survival
        self._order = RiskOrder.of(target.times, target.events)
        self._alpha = penalty * float(self._order.hits.sum())
        values = unit_scale(problem.table.values)[self._order.rows]
        self._blocks = [
            feature_block(column, nominal)
            for column, nominal in zip(values.T, problem.table.nominal, strict=True)
        ]
        times = target.times[self._order.rows]
        self._last = np.append(np.diff(times) != 0, True)
        self._subset: list[int] = []
        self._coefficients: dict[int, np.ndarray] = {}
        self._value: float | None = None

    @property
    def subset(self) -> tuple[int, ...]:
        """The features, in the order in which they came."""
        return tuple(self._subset)

    @property
    def value(self) -> float:
        """Concordance of the subset."""
        if self._value is None:
            self._value = self._concordance(self._subset)
        return self._value

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        """Concordance (k,) of the subset with each of these features added."""
        return np.array([self._concordance([*self._subset, f]) for f in candidates])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        """Concordance (k,) of the subset with each of these features taken away."""
        rests = ([g for g in self._subset if g != f] for f in candidates)
        return np.array([self._concordance(rest) for rest in rests])

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""
        self._go([*self._subset, feature])

    def remove(self, feature: int) -> None:
        """Take a feature of the subset away."""
        self._go([f for f in self._subset if f != feature])

    def scores(self, features: Sequence[int]) -> np.ndarray:
        """Leave-one-out score (n,) of each row by these features, rows by falling time."""
        return np.asarray(self._fitted(features)[0])

    def _fitted(self, features: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Leave-one-out scores (n,) of the rows, and the coefficients."""
        n = len(self._last)
        blocks = [self._blocks[f] for f in features]
        x = np.ascontiguousarray(np.concatenate([np.empty((0, n)), *blocks]).T)
        start = [self._coefficients.get(f, np.zeros(len(self._blocks[f]))) for f in features]
        beta = np.concatenate([np.empty(0), *start])
        found, _ = newton(x, self._order[1:], self._alpha, beta)
        return left_out_scores(x, self._order[1:], found), beta

    def _go(self, features: list[int]) -> None:
        """Make these features the subset."""
        beta = self._fitted(features)[1]
        sizes = np.cumsum([len(self._blocks[f]) for f in features])
        parts = np.split(beta, sizes)
        self._coefficients = dict(zip(features, parts, strict=False))
        self._subset, self._value = features, None

    def _concordance(self, features: Sequence[int]) -> float:
        steps = np.rint(self.scores(features) * FINE_GRID)
        ranks = np.unique(steps, return_inverse=True)[1]
        return float(concordance(ranks, self._order.hits, self._last))


@compiled_part
def _count(tree, rank):
    """Count one more of a rank."""
    place = rank + 1
    while place < len(tree):
        tree[place] += 1
        place += place & -place


@compiled_part
def _up_to(tree, rank):
    """How many of the counted ranks are below this one."""
    total, place = 0, rank
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@compiled
def concordance(ranks, hits, last):
    """Harrell's concordance of the dense ranks (n,) of scores, rows by falling time.

    Two rows compare where the one with an event has the earlier time, or the same one as a row
    without an event. Those known to be later are counted by rank in a tree of partial sums
    (Fenwick): O(n log n).

    Parameters
    ----------
    ranks : ndarray of int, shape (n,)
    hits : ndarray of shape (n,)
        0 where there is no event.
    last : ndarray of bool, shape (n,)
        Whether a row is the last one of its time.
    """
    n = len(ranks)
    tree = np.zeros(n + 1, dtype=np.int64)
    later, pairs, halves, first = 0, 0, 0, 0
    for i in range(n):
        if not last[i]:
            continue
        for j in range(first, i + 1):
            if hits[j] == 0.0:
                _count(tree, ranks[j])
                later += 1
        for j in range(first, i + 1):
            if hits[j] != 0.0:
                below, up_to = _up_to(tree, ranks[j]), _up_to(tree, ranks[j] + 1)
                halves += below + up_to  # one below is in both
                pairs += later
        for j in range(first, i + 1):
            if hits[j] != 0.0:
                _count(tree, ranks[j])
                later += 1
        first = i + 1
    return halves / (2 * pairs) if pairs else 0.5
