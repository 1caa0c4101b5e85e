"""The squared hinge loss over comparable pairs of survival times, in O(n log n).

Let f be risk scores and P the comparable pairs: i has an event before the time of j, or at the time
when j is censored. The loss is

    L(f) = (gamma / 2) sum_(i, j) in P  w_i w_j max(0, 1 - (f_i - f_j))^2.

A pair counts if it is too close, f_j > f_i - 1. Sums over such pairs count in two orders at once:
rows enter binary indexed trees by time and are queried by risk score.

Van Belle, Pelckmans, Van Huffel and Suykens 2011, Artificial Intelligence in Medicine 53;
Poelsterl, Navab and Katouzian 2015, ECML PKDD (order statistic trees); Fenwick 1994, Software:
Practice and Experience 24.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part


class ComparablePairs(NamedTuple):
    """Which rows are comparable, and what a pair costs."""

    order: np.ndarray  # (n,): rows by time, events before what is censored at the same time
    after: np.ndarray  # (n,): by place in `order`, where those begin that outlived it, else n
    weights: np.ndarray  # (n,), of the rows
    gamma: float


class Closeness(NamedTuple):
    """Which pairs are too close at some risks, and room for sums over them."""

    near: np.ndarray  # (2, n), see `set_near`
    sums: np.ndarray  # (4, n), see `pair_sums`


def comparable_pairs(
    content: np.ndarray, C: float, weights: np.ndarray | None = None
) -> ComparablePairs:
    """The pairs of rows whose order of events is known, from the content (n,) of a `Survival`."""
    own = np.ones(len(content)) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(content, kind="stable")
    sorted_content = content[order]
    after = np.searchsorted(sorted_content, sorted_content, side="right")
    after = np.where(sorted_content % 2 == 0, after, len(content)).astype(np.int64)
    # rounded once each: the sums know no order of the rows
    rest = np.append(np.cumsum(own[order][::-1])[::-1], 0.0)
    total = float((own[order] * rest[after]).sum())
    return ComparablePairs(order, after, own, C * float(own.sum()) / total)


@compiled
def pull_at_rest(pairs):
    """-L'(0) (1, n): what the pairs pull where no feature tells anything, Gehan's scores."""
    n = len(pairs.order)
    room = Closeness(np.empty((2, n), dtype=np.int64), np.empty((4, n)))
    pull = np.empty((1, n))
    fill_pull(pairs, np.zeros(n), room, pull[0])
    return pull


@compiled_part
def set_near(risks, near):
    """`near` (2, n), in place: each row's place by risk, ascending, and how many risks are 1 below
    it.
    """
    n = len(risks)
    ascending = np.argsort(risks)
    below = 0
    for place in range(n):
        i = ascending[place]
        near[0, i] = place
        while below < n and not risks[ascending[below]] > risks[i] - 1.0:
            below += 1
        near[1, i] = below


@compiled_part
def add_to(tree, place, weight, value):
    """Add a weight and a value at a place of two binary indexed trees (2, n + 1)."""
    at = place + 1
    while at < tree.shape[1]:
        tree[0, at] += weight
        tree[1, at] += value
        at += at & -at


@compiled_part
def sums_to(tree, count):
    """Sums of the weights and of the values at the first `count` places."""
    weight, value = 0.0, 0.0
    while count > 0:
        weight += tree[0, count]
        value += tree[1, count]
        count -= count & -count
    return weight, value


@compiled_part
def pair_sums(pairs, vector, room):
    """Weights and weighted sums of a vector (n,) over pairs too close into `room.sums` (4, n): over
    the rows that outlived the event of a row, then over those whose event it outlived.
    """
    order, after, weights, _ = pairs
    near, sums = room
    n = len(order)
    sums[:] = 0.0
    tree, entered = np.zeros((2, n + 1)), n
    for back in range(n):
        a = n - 1 - back
        if after[a] == n:
            continue
        while entered > after[a]:
            entered -= 1
            j = order[entered]
            # places from the last one: what is above a place comes first
            add_to(tree, n - 1 - near[0, j], weights[j], weights[j] * vector[j])
        i = order[a]
        sums[0, i], sums[1, i] = sums_to(tree, n - near[1, i])
    tree[:] = 0.0
    entered = 0
    for b in range(n):
        while entered < b and (after[entered] == n or after[entered] <= b):
            if after[entered] < n:
                i = order[entered]
                add_to(tree, near[1, i], weights[i], weights[i] * vector[i])
            entered += 1
        j = order[b]
        sums[2, j], sums[3, j] = sums_to(tree, near[0, j] + 1)


@compiled_part
def fill_pull(pairs, risks, room, pull):
    """-L'(f) (n,) in place; the loss. The room is then that of these risks."""
    set_near(risks, room.near)
    pair_sums(pairs, risks, room)
    sums, loss = room.sums, 0.0
    for i in range(len(risks)):
        cost = pairs.gamma * pairs.weights[i]
        up = (1.0 - risks[i]) * sums[0, i] + sums[1, i]
        down = (1.0 + risks[i]) * sums[2, i] - sums[3, i]
        pull[i] = cost * (up - down)
        # what a pair lacks is 1 - f_i + f_j: times itself, it is split among both rows
        loss += 0.5 * cost * ((1.0 - risks[i]) * up + risks[i] * down)
    return loss


@compiled_part
def pair_products(pairs, room, vector, out):
    """L''(f) times a vector (n,), in place, at the risks that the room is of."""
    pair_sums(pairs, vector, room)
    sums = room.sums
    for i in range(len(vector)):
        close = sums[0, i] + sums[2, i]
        out[i] = pairs.gamma * pairs.weights[i] * (close * vector[i] - sums[1, i] - sums[3, i])


@compiled_part
def pair_square(pairs, change, more):
    """Bound on gamma / 2 sum of w_i w_j (|e_i - e_j| + more)^2: (a + b)^2 <= 2 a^2 + 2 b^2."""
    order, after, weights, gamma = pairs
    n, total = len(order), 0.0
    rest = np.zeros((2, n + 1))  # weights and squares from a place on
    for a in range(n - 1, -1, -1):
        i = order[a]
        square = (abs(change[i]) + 0.5 * more) ** 2
        rest[0, a] = rest[0, a + 1] + weights[i]
        rest[1, a] = rest[1, a + 1] + weights[i] * square
        total += weights[i] * (square * rest[0, after[a]] + rest[1, after[a]])
    return gamma * total
