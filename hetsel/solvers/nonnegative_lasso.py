"""The path of the nonnegative lasso, from its Gram matrix.

    minimize (1/2) a' G a - c' a + lambda sum_f a_f   over a >= 0,

for every lambda from max c, where a = 0, down to nearly 0. At an optimum no correlation r = c - G a
exceeds lambda, and r_f = lambda if a_f > 0. Between two knots of the path, a is linear in lambda.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

SHORTEST = 1e-6  # the last lambda, as a share of the first: below it rounding would tell
SLACK = 1e-10  # share of the first lambda by which pulls at lambda may miss it
LEVEL = 1e-9  # how far from 1 a slope is still that of lambda
DEPENDENT = 1e-10  # share of a feature's own norm outside the span of others that is rounding
BATCH = 256  # columns of the Gram matrix that are asked for at once
MOST_KNOTS = 20  # times the number of features, a guard: paths have one or two a feature

GramColumns = Callable[[np.ndarray], np.ndarray]  # features (m,) -> their columns (p, m) of G


class Knot(NamedTuple):
    """An optimum at which a feature enters or leaves."""

    penalty: float  # lambda
    coefficients: np.ndarray  # (p,): a
    pulls: np.ndarray  # (p,): c - G a
    reached: np.ndarray  # (p,): pull is lambda: inside, at the knot, or adding nothing, as copies


def nonnegative_path(c: np.ndarray, columns: GramColumns) -> Iterator[Knot]:
    """The knots of the path, lambda falling; whoever has seen enough of them stops.

    Of c (p,), products of the features with the target; `columns` is asked for those that enter and
    the next ones by their pulls, BATCH at once. Where several features enter or leave at one
    lambda, or some depend on others, the direction of the path is itself a small nonnegative
    least-squares problem, solved by active sets.

    Efron, Hastie, Johnstone and Tibshirani 2004, Annals of Statistics 32, 407-499, section 3.4;
    Lawson and Hanson 1974, Solving least squares problems, chapter 23.
    """
    largest = penalty = max(float(c.max()), 0.0)
    active = _Active(c, columns)
    a, pulls = np.zeros(len(c)), c.copy()
    for _ in range(MOST_KNOTS * len(c)):
        reached = pulls >= penalty - SLACK * largest
        yield Knot(penalty, a, pulls, reached)
        if penalty <= SHORTEST * largest:
            return
        active.turn(a, pulls, reached)
        inside = active.members
        at_zero, slope = active.solve(c[inside]), active.solve(np.ones(len(inside)))
        rest, share = active.images(at_zero, slope)  # pulls are c - rest + penalty * share
        rest = c - rest
        penalty = min(penalty, max(SHORTEST * largest, _next(at_zero, slope, rest, share, reached)))
        a = np.zeros(len(c))
        a[inside] = at_zero - penalty * slope
        a[a <= SLACK * a.max()] = 0.0
        pulls = rest + penalty * share


def _next(
    at_zero: np.ndarray, slope: np.ndarray, rest: np.ndarray, share: np.ndarray, reached: np.ndarray
) -> float:
    """The largest lambda at which a coefficient falls to 0 or another pull comes up to lambda."""
    falling = slope < 0
    leaves = at_zero[falling] / slope[falling]
    rising = ~reached & (share < 1.0 - LEVEL)
    enters = rest[rising] / (1.0 - share[rising])
    return float(max(leaves.max(initial=0.0), enters.max(initial=0.0)))


class _Active:
    """The features inside, with their Gram matrix and its inverse, kept updated."""

    def __init__(self, c: np.ndarray, columns: GramColumns) -> None:
        self._ask = columns
        self._place = np.full(len(c), -1)  # of each feature among the known columns
        self._known = np.empty((len(c), 0), order="F")
        self.members = np.empty(0, dtype=np.intp)
        self._gram = self._inverse = np.empty((0, 0))

    def turn(self, a: np.ndarray, pulls: np.ndarray, reached: np.ndarray) -> None:
        """Make those features the members whose coefficients move as lambda falls from here.

        They move by w: minimize (1/2) w' G w - sum w over those reached, w_f >= 0 where a_f = 0.
        """
        for place in np.flatnonzero(a[self.members] == 0)[::-1]:
            self._remove(place)
        waiting = reached & (a == 0)
        w = self.solve(np.ones(len(self.members)))
        while True:
            share = self._between(waiting) @ w
            if not len(share) or share.min() >= 1.0 - LEVEL:
                return
            new = np.flatnonzero(waiting)[np.argmin(share)]
            waiting[new] = False
            if self._add(new, pulls):
                w = self._advance(np.append(w, 0.0), a, waiting)

    def _advance(self, w: np.ndarray, a: np.ndarray, waiting: np.ndarray) -> np.ndarray:
        """The best w of the members, of which those leave that would fall below 0 first."""
        while True:
            best = self.solve(np.ones(len(w)))
            below = (best <= 0) & (a[self.members] == 0)
            if not below.any():
                return best
            part = np.full(len(w), np.inf)
            part[below] = w[below] / (w[below] - best[below])
            out = int(np.argmin(part))
            w = np.delete(w + part[out] * (best - w), out)
            waiting[self.members[out]] = part[out] > 0  # one that has just come does not return
            self._remove(out)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """G^-1 right of the members; what updates of the inverse lost is made good."""
        x = self._inverse @ right
        return np.asarray(x + self._inverse @ (right - self._gram @ x))

    def images(self, *coefficients: np.ndarray) -> np.ndarray:
        """G times each of these coefficients (k,) of the members."""
        wide = np.zeros((self._known.shape[1], len(coefficients)))
        wide[self._place[self.members]] = np.column_stack(coefficients)
        return np.asarray((self._known @ wide).T)

    def _between(self, features: np.ndarray) -> np.ndarray:
        """G (m, k) between some features, a mask, and the members."""
        return self._known[np.ix_(features, self._place[self.members])]

    def _add(self, feature: int, pulls: np.ndarray) -> bool:
        """Whether the feature became a member: not if it depends linearly on those there."""
        if self._place[feature] < 0:
            self._learn(feature, pulls)
        one = np.arange(len(pulls)) == feature
        to = self._between(one)[0]
        own = self._known[feature, self._place[feature]]
        mix = self.solve(to)
        left = own - to @ mix
        if left <= DEPENDENT * own:
            return False
        mix = np.append(mix, -1.0)
        self._inverse = np.pad(self._inverse, (0, 1)) + np.outer(mix, mix) / left
        self._gram = np.block([[self._gram, to[:, None]], [to[None, :], np.full((1, 1), own)]])
        self.members = np.append(self.members, feature)
        return True

    def _remove(self, place: int) -> None:
        column = self._inverse[:, place]
        inverse = self._inverse - np.outer(column, column) / column[place]
        self._inverse = np.delete(np.delete(inverse, place, 0), place, 1)
        self._gram = np.delete(np.delete(self._gram, place, 0), place, 1)
        self.members = np.delete(self.members, place)

    def _learn(self, feature: int, pulls: np.ndarray) -> None:
        """Ask for the column of a feature and for those of the next ones by their pulls."""
        order = np.argsort(-pulls, kind="stable")
        more = order[(self._place[order] < 0) & (order != feature)][: BATCH - 1]
        new = np.append(feature, more)
        self._place[new] = self._known.shape[1] + np.arange(len(new))
        self._known = np.asfortranarray(np.hstack([self._known, self._ask(new)]))
