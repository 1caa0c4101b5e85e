"""Nearest neighbors in the heterogeneous Euclidean-overlap metric (paul2015, Eq. 9-11).

    d(a, b)^2 = sum_f d_f(a_f, b_f)^2,
    d_f = I(a_f != b_f) (nominal), |a_f - b_f| / (max_f - min_f) (continuous, ordinal)

with d_f = 0 for a constant column. A missing value has distance 0 from another missing value and
distance 1 from other values. Each d_f^2 is rounded to 2^-24, so that sums are exact and equal
distances tie.

Each of the k nearest rows has a vote. Rows as far as the k-th row share the remaining votes, so
that the place in the table does not matter. Among classes with equally many votes, the class with
the nearest row wins, then the lower row index.

A number is estimated by the weighted mean of the neighbors, a survival time by the mortality

    M = sum_i H(T_i),   H(t) = sum_(s <= t) d(s) / r(s),

where d(s) is the weight of the nearest rows with an event at time s, and r(s) the weight of those
with time s or later. H is the Nelson-Aalen estimate from the nearest rows (Beran's conditional
estimate with equal weights), and M sums it over the times T_i of all rows. Weights are votes times
the number of rows that share, and numbers are in steps of 2^-24 of their range, so that sums are
exact.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part, inlined
from hetsel.ground.equal_numbers import FINE_GRID, GRID, unit_scale

DISTANCE_UNIT = 2.0**24  # squared distances are counted in units of 2^-24
MISSING = -3.0  # has distance 1 from values in [0, 1] and codes, 0 from itself
ROWS = 8  # rows whose neighbors are searched together
CHUNK, SPAN = 16, 64  # distances with a kept minimum; arrays are padded to full spans
FAR = 2**63 - 1  # above all distances


@compiled_part
def _squared(a, b):
    away = min(abs(a - b), 1.0)
    return np.rint(away * away * DISTANCE_UNIT)


@compiled
def add_distances(distances, left, right, sign):
    """Add sign times d_f^2 of one column, scaled cells (m,) and (n,), to the distances (m, n)."""
    m, n = distances.shape
    for i in range(m):
        for j in range(n):
            distances[i, j] += sign * _squared(left[i], right[j])


@inlined
def changed_distance(distance, a, b, sign):
    """Add sign (1, -1) times d_f^2 of values a and b, in units of 2^-12, to a squared distance."""
    away = a - b
    return distance + np.int32(np.rint(sign * min(away * away, DISTANCE_UNIT)))


@compiled
def count_votes_of_others(distances, codes, k, votes, winner):
    """Count votes (m, classes) and find winners (m,) of rows at distances (m, n)."""
    m, n = distances.shape
    fold, own = np.zeros((1, n), dtype=np.int64), np.full((ROWS, 1), -1)
    away, lowest, who, near, found, level, since = room_for(n, k, 1, votes.shape[1], FAR, np.int64)
    wanted = np.full(ROWS, k)
    for start in range(0, m, ROWS):
        count = min(ROWS, m - start)
        for b in range(count):
            for j in range(n):
                away[b, j] = np.int64(distances[start + b, j])
            find_lowest(away, b, lowest, FAR)
        nearest_rows(
            away, count, n, wanted, lowest, FAR, codes, fold, own, who, near, found, level, since
        )
        for b in range(count):
            of = votes[start + b]
            if shared(near, found, level, b, 0, k):
                winner[start + b] = elect_shared(who, near, found, level, since, b, 0, k, codes, of)
            else:
                winner[start + b] = elect(who, b, 0, min(k, found[b, 0]), codes, of)


@compiled_part
def room_for(n, k, divisions, classes, far, dtype):
    """Allocate the arrays of :func:`nearest_rows`."""
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)
    away = np.full((ROWS, chunks * CHUNK), far, dtype)  # entries beyond n stay
    lowest = np.empty((ROWS, chunks), dtype)
    who = np.empty((ROWS, divisions, k), dtype=np.int64)
    near = np.empty((ROWS, divisions, k), dtype)
    found = np.empty((ROWS, divisions), dtype=np.int64)
    level = np.zeros((ROWS, divisions, classes + 1), dtype=np.int64)
    since = np.zeros((ROWS, divisions, classes), dtype=np.int64)
    return away, lowest, who, near, found, level, since


@inlined
def length_of_chunks(away, lowest):
    """Return CHUNK as a runtime value, so that the compiler makes vector instructions."""
    return away.shape[1] // lowest.shape[1] // CHUNK * CHUNK


@inlined
def find_lowest(away, b, lowest, far):
    """Compute the smallest distance of each chunk of the b-th row."""
    length = length_of_chunks(away, lowest)
    for q in range(lowest.shape[1]):
        low = far
        for j in range(length):
            low = min(low, away[b, q * length + j])
        lowest[b, q] = low


@inlined
def nearest_rows(
    away, count, n, wanted, lowest, far, codes, fold, own, who, near, found, level, since
):
    """Find the nearest rows outside the own fold, for a few rows and divisions into folds.

    The smallest distance is that of the chunk with the smallest minimum. It is removed repeatedly
    until every division has enough rows. No branch depends on the distances, so that a processor
    handles several rows at once. Only the search for rows that tie with the last one has branches.

    Input: away (ROWS, chunks * CHUNK) has the distances of `count` rows from n rows; `far` marks
    entries without a row. wanted (ROWS,) is the number of rows to find, at least 1. fold
    (divisions, n) and own (ROWS, divisions) define the rows to leave out. away and lowest (ROWS,
    chunks) are overwritten.

    Output: who and near (ROWS, divisions, wanted or more) are the nearest rows and their distances;
    found (ROWS, divisions) is their number; level (ROWS, divisions, classes + 1) counts further
    rows that tie with the last one, by class and in total; since (ROWS, divisions, classes) is the
    first of these.
    """
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)  # a known multiple makes loops fast
    for b in range(count):
        for r in range(found.shape[1]):
            found[b, r] = 0
            for c in range(level.shape[2]):
                level[b, r, c] = 0
    length = length_of_chunks(away, lowest)
    going_on = True
    while going_on:
        going_on = False
        for b in range(count):
            fewest = wanted[b]
            for r in range(found.shape[1]):
                fewest = min(fewest, found[b, r])
            if fewest == wanted[b]:
                continue
            least = far
            for q in range(chunks):
                least = min(least, lowest[b, q])
            if least == far:
                continue
            going_on = True
            chunk = np.int32(chunks)
            for q in range(chunks):
                chunk = min(chunk, np.int32(q) if lowest[b, q] == least else np.int32(chunks))
            first, place, low, alike = chunk * CHUNK, np.int32(CHUNK), far, np.int32(0)
            for j in range(length):
                d = away[b, first + j]
                place = min(place, np.int32(j) if d == least else np.int32(CHUNK))
                alike += np.int32(d == least)
                low = min(low, far if d == least else d)
            row = first + place
            away[b, row] = far
            low = least if alike > 1 else low
            lowest[b, chunk] = low
            for r in range(found.shape[1]):
                if fold[r, row] == own[b, r]:
                    continue
                if found[b, r] < wanted[b]:
                    who[b, r, found[b, r]] = row
                    near[b, r, found[b, r]] = least
                    found[b, r] += 1
                elif least == near[b, r, found[b, r] - 1]:
                    c = codes[row]
                    since[b, r, c] = row if level[b, r, c] == 0 else since[b, r, c]
                    level[b, r, c] += 1
                    level[b, r, level.shape[2] - 1] += 1
    for b in range(count):
        least = far
        for q in range(chunks):
            least = min(least, lowest[b, q])
        for r in range(found.shape[1]):
            if found[b, r] == wanted[b] and least == near[b, r, found[b, r] - 1]:
                count_level(away, lowest, b, r, least, codes, fold, own[b, r], level, since)


@compiled_part
def count_level(away, lowest, b, r, least, codes, fold, own, level, since):
    """Count the rows of each class at the smallest distance, and find the first of them."""
    every = 0
    for q in range(lowest.shape[1]):
        if lowest[b, q] == least:
            for row in range(q * CHUNK, min(len(codes), q * CHUNK + CHUNK)):
                if away[b, row] == least and fold[r, row] != own:
                    c = codes[row]
                    if level[b, r, c] == 0:
                        since[b, r, c] = row
                    level[b, r, c] += 1
                    every += 1
    level[b, r, level.shape[2] - 1] += every


@inlined
def shared(near, found, level, b, r, k):
    """Check whether more rows tie with the k-th nearest one than there are votes."""
    if found[b, r] > k:
        return near[b, r, k] == near[b, r, k - 1]
    return found[b, r] == k and level[b, r, level.shape[2] - 1] > 0


@inlined
def elect(who, b, r, k, codes, votes):
    """Return the class with most votes; in a tie the first among the k nearest rows."""
    for c in range(votes.shape[0]):
        votes[c] = 0
    for m in range(k):
        votes[codes[who[b, r, m]]] += 1
    winner, most = 0, 0
    for m in range(k):
        c = codes[who[b, r, m]]
        if votes[c] > most:
            winner, most = c, votes[c]
    return winner


@compiled_part
def elect_shared(who, near, found, level, since, b, r, k, codes, votes):
    """Elect with shared votes: all votes are multiplied by the number of tied rows."""
    for c in range(votes.shape[0]):
        votes[c] = 0
    winner, most, unseen = 0, 0, False
    farthest, closer, last = near[b, r, k - 1], 0, k
    while near[b, r, closer] < farthest:
        closer += 1
    while last < found[b, r] and near[b, r, last] == farthest:
        last += 1
    beyond = last == found[b, r]  # further tied rows are counted in level
    share, alike = k - closer, last - closer
    if beyond:
        alike += level[b, r, votes.shape[0]]
    for m in range(last):
        votes[codes[who[b, r, m]]] += alike if m < closer else share
    if beyond:
        for c in range(votes.shape[0]):
            votes[c] += share * level[b, r, c]
    for m in range(last):
        c = codes[who[b, r, m]]
        if votes[c] > most:
            winner, most = c, votes[c]
    if beyond:  # classes without a found row
        for c in range(votes.shape[0]):
            earlier = unseen and votes[c] == most and since[b, r, c] < since[b, r, winner]
            if votes[c] > most or earlier:
                winner, most, unseen = c, votes[c], True
    return winner


class NeighborTarget(NamedTuple):
    """Numbers or survival times of rows, for compiled functions."""

    steps: np.ndarray  # (n,): numbers in steps of 2^-24 of their range; dense ranks of times
    events: np.ndarray  # (n,): 1 for an event, else 0
    later: np.ndarray  # (n,): number of rows with the same time or a later one
    order: np.ndarray  # (n,): rows, the latest times first; row order for numbers
    survival: bool


def told_numbers(values: np.ndarray) -> NeighborTarget:
    """Make the numeric target (n,)."""
    steps = np.rint(unit_scale(values[:, None])[:, 0] * FINE_GRID).astype(np.int64)
    none = np.zeros(len(steps), dtype=np.int64)
    return NeighborTarget(steps, none, none, np.arange(len(steps)), False)


def told_times(times: np.ndarray, events: np.ndarray) -> NeighborTarget:
    """Make the target of survival times (n,) and events (n,)."""
    ranks, counts = np.unique(times, return_inverse=True, return_counts=True)[1:]
    ranks = ranks.astype(np.int64)
    later = np.cumsum(counts[::-1])[::-1].astype(np.int64)[ranks]
    order = np.argsort(-ranks, kind="stable").astype(np.int64)
    return NeighborTarget(ranks, np.asarray(events).astype(np.int64), later, order, True)


@compiled_part
def nearest_distances(away, k, far, near):
    """Write the k smallest distances (n,) below `far` to near (k,); return their number."""
    found = 0
    for m in range(k):
        near[m] = far
    for j in range(away.shape[0]):
        d = away[j]
        if d < near[k - 1]:
            m = min(found, k - 1)
            while m > 0 and near[m - 1] > d:
                near[m] = near[m - 1]
                m -= 1
            near[m] = d
            found = min(found + 1, k)
    return found


@compiled_part
def rows_within(away, order, farthest, who):
    """Write the rows within `farthest`, in the given order, to who (n,); return their number."""
    count = 0
    for m in range(order.shape[0]):
        who[count] = order[m]
        count += away[order[m]] <= farthest
    return count


@compiled_part
def estimate_by_nearest(away, who, count, k, farthest, told):
    """Estimate a number in [0, 1], or a mortality, by the k nearest rows."""
    steps, events, later, _, survival = told
    closer, level = 0, 0
    for m in range(count):
        closer += away[who[m]] < farthest
        level += away[who[m]] == farthest
    share = k - closer
    if not survival:
        total = 0
        for m in range(count):
            d = away[who[m]]
            if d <= farthest:
                total += steps[who[m]] * (level if d < farthest else share)
        return total / (level * k) / FINE_GRID
    hazard, at_risk, died = 0.0, 0, 0
    for m in range(count):
        d, j = away[who[m]], who[m]
        if d <= farthest:
            weight = level if d < farthest else share
            at_risk += weight
            died += weight * events[j]
        if m == count - 1 or steps[who[m + 1]] != steps[j]:
            if died > 0:
                hazard += later[j] * (died / at_risk)
            died = 0
    return np.rint(hazard * GRID) / GRID


@compiled
def estimates_of_others(distances, k, told):
    """Estimate numbers in [0, 1], or mortalities, (m,) of rows at distances (m, n)."""
    m, n = distances.shape
    out = np.empty(m)
    away, near = np.empty(n, dtype=np.int64), np.empty(k, dtype=np.int64)
    who = np.empty(n, dtype=np.int64)
    for i in range(m):
        for j in range(n):
            away[j] = np.int64(distances[i, j])
        nearest_distances(away, k, FAR, near)
        count = rows_within(away, told[3], near[k - 1], who)
        out[i] = estimate_by_nearest(away, who, count, k, near[k - 1], told)
    return out
