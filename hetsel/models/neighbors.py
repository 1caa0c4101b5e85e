"""Nearest neighbors in the heterogeneous Euclidean-overlap metric (paul2015, Eq. 9-11).

    d(a, b)^2 = sum_f d_f(a_f, b_f)^2,
    d_f = I(a_f != b_f) (nominal), |a_f - b_f| / (max_f - min_f) (continuous, ordinal)

with d_f = 0 for a constant column. A missing cell is at distance 0 from another one and at distance
1 from a present one. Each d_f^2 is rounded to 2^-24, so that sums are exact, distances that are
equal on paper tie, and a column that is added and taken away again leaves no trace.

Each of the k nearest rows has a vote. Rows as far as the k-th share the votes that the nearer ones
leave, so that none is preferred for its place in the table: with columns of levels many rows are
equally far. Of the classes with most votes the one whose nearest row is nearer wins, of rows at one
distance that with the lower index.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled, inlined

DISTANCE_UNIT = 2.0**24  # squared distances are counted in units of 2^-24
MISSING = -3.0  # at distance 1 from any value in [0, 1] and any code, at 0 from another
ROWS = 8  # whose nearest rows are looked for at once
CHUNK, SPAN = 16, 64  # distances: of one smallest, and of a whole number of smallest


@compiled
def _squared(a, b):
    away = min(abs(a - b), 1.0)
    return np.rint(away * away * DISTANCE_UNIT)


@compiled
def add_distances(distances, left, right, sign):
    """Add sign times d_f^2 of one column to the squared distances (m, n).

    `left` (m,) and `right` (n,) are scaled to [0, 1], level codes as they are, MISSING for NaN.
    """
    m, n = distances.shape
    for i in range(m):
        for j in range(n):
            distances[i, j] += sign * _squared(left[i], right[j])


@inlined
def changed_distance(distance, a, b, sign):
    """A squared distance with sign times d_f^2 of a column with the cells a and b.

    The cells are those of :func:`add_distances` times 2^12, so that their squares are in the unit
    of the distances. Sign is 1 or -1.
    """
    away = a - b
    return distance + sign * np.int32(np.rint(min(away * away, DISTANCE_UNIT)))


@compiled
def count_votes_of_others(distances, codes, k, votes, winner):
    """Votes (m, classes) and winners (m,) of rows at distances (m, n) from the training rows.

    The votes are whole numbers: where rows share some, all are multiplied by the number of rows.
    """
    m, n = distances.shape
    fold, own = np.zeros((1, n), dtype=np.int64), np.full((ROWS, 1), -1)
    away, lowest, who, near, found, level = room_for(n, k, 1, distances.dtype)
    first, held = np.empty((2, votes.shape[1]), dtype=np.int64)
    for start in range(0, m, ROWS):
        count = min(ROWS, m - start)
        away[:count, :n] = distances[start : start + count]
        nearest_rows(away, count, n, k, lowest, np.inf, fold, own, who, near, found, level)
        for b in range(count):
            i = start + b
            of_k = (who, near, found, level, b, 0, k)
            closer = closer_votes(of_k, codes, votes[i], first)
            left = min(k, found[b, 0]) - closer
            if left:
                rows_at(of_k, closer, away, lowest, codes, held, first)
                share_votes(left, held, votes[i])
            winner[i] = elect(votes[i], first)


@inlined
def room_for(n, k, divisions, dtype):
    """Arrays for :func:`nearest_rows`: away, lowest, who, near, found, level."""
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)
    away, lowest = np.empty((ROWS, chunks * CHUNK), dtype=dtype), np.empty((ROWS, chunks), dtype)
    who = np.empty((ROWS, divisions, k), dtype=np.int64)
    near = np.empty((ROWS, divisions, k), dtype=dtype)
    found = np.empty((ROWS, divisions), dtype=np.int64)
    return away, lowest, who, near, found, np.empty((ROWS, divisions), dtype=np.bool_)


@inlined
def nearest_rows(away, count, n, k, lowest, far, fold, own, who, near, found, level):
    """The nearest rows that are not of the own fold, for a few rows and divisions into folds.

    The smallest distance is that of the chunk whose smallest is smallest. It is taken away until
    every division has k rows. No branch depends on the distances, so it takes as long whatever they
    are; a processor works at several rows at once.

    Parameters
    ----------
    away : ndarray of shape (ROWS, chunks * CHUNK)
        Distances of `count` rows from n rows; `far` counts as no row. They are overwritten.
    count, n, k : int
    lowest : ndarray of shape (ROWS, chunks)
        Into it: the smallest of each chunk.
    fold : ndarray of int, shape (divisions, n)
    own : ndarray of int, shape (ROWS, divisions)
        The fold whose rows are left out.
    who, near : ndarray of shape (ROWS, divisions, k or more)
        Into them: the nearest rows, the nearest first, and their distances.
    found : ndarray of int, shape (ROWS, divisions)
        Into it: how many there are, k at most.
    level : ndarray of bool, shape (ROWS, divisions)
        Into it: whether further rows may be as far as the last one.
    """
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)  # so said, loops over it run fast
    for b in range(count):
        for j in range(n, chunks * CHUNK):
            away[b, j] = far
        for q in range(chunks):
            low = away[b, q * CHUNK]
            for j in range(q * CHUNK + 1, q * CHUNK + CHUNK):
                low = min(low, away[b, j])
            lowest[b, q] = low
        for r in range(found.shape[1]):
            found[b, r] = 0
            level[b, r] = False
    going_on = True
    while going_on:
        going_on = False
        for b in range(count):
            fewest = k
            for r in range(found.shape[1]):
                fewest = min(fewest, found[b, r])
            if fewest == k:
                continue
            least = lowest[b, 0]
            for q in range(1, chunks):
                least = min(least, lowest[b, q])
            if least == far:
                continue
            going_on = True
            chunk = np.int32(chunks)
            for q in range(chunks):
                chunk = min(chunk, np.int32(q) if lowest[b, q] == least else np.int32(chunks))
            first, place, low = chunk * CHUNK, CHUNK, far
            for j in range(CHUNK):
                place = min(place, j if away[b, first + j] == least else CHUNK)
            row = first + place
            away[b, row] = far
            for j in range(CHUNK):
                low = min(low, away[b, first + j])
            lowest[b, chunk] = low
            for r in range(found.shape[1]):
                if found[b, r] == k:
                    level[b, r] |= least == near[b, r, k - 1]
                elif fold[r, row] != own[b, r]:
                    who[b, r, found[b, r]] = row
                    near[b, r, found[b, r]] = least
                    found[b, r] += 1
    for b in range(count):
        least = lowest[b, 0]
        for q in range(1, chunks):
            least = min(least, lowest[b, q])
        for r in range(found.shape[1]):
            if found[b, r] == k:
                level[b, r] |= least == near[b, r, k - 1]


@inlined
def closer_votes(of_k, codes, votes, first):
    """Count the votes of those of the k nearest rows that share none; how many these are.

    Fewer than k where further rows are as far as the k-th, see :func:`share_votes`.

    Parameters
    ----------
    of_k : tuple
        who, near, found and level of :func:`nearest_rows`, row, division and k.
    votes, first : ndarray of int, shape (classes,)
        Into them: votes of each class, and place of its nearest row; 2 n if it has none.
    """
    who, near, found, level, b, r, k = of_k
    for c in range(votes.shape[0]):
        votes[c] = 0
        first[c] = 2 * codes.shape[0]
    closer = min(k, found[b, r])
    shared = near[b, r, k] == near[b, r, k - 1] if k < found[b, r] else level[b, r]
    if shared and k <= found[b, r]:
        while closer > 0 and near[b, r, closer - 1] == near[b, r, k - 1]:
            closer -= 1
    for m in range(closer):
        c = codes[who[b, r, m]]
        votes[c] += 1
        first[c] = min(first[c], m)
    return closer


@inlined
def rows_at(of_k, closer, away, lowest, codes, held, first):
    """Count the rows as far as the nearest row `closer` into held (classes,), and set `first`.

    They are among the nearest rows, or still in `away`: where there is one division only.
    """
    who, near, found, _, b, r, _ = of_k
    n, farthest, last = codes.shape[0], near[b, r, closer], found[b, r] - 1
    for c in range(held.shape[0]):
        held[c] = 0
    for m in range(closer, last + 1):
        if near[b, r, m] == farthest:
            c = codes[who[b, r, m]]
            held[c] += 1
            first[c] = min(first[c], n + who[b, r, m])
    if near[b, r, last] == farthest:
        for q in range(lowest.shape[1]):
            if lowest[b, q] == farthest:
                for j in range(q * CHUNK, q * CHUNK + CHUNK):
                    if away[b, j] == farthest:
                        held[codes[j]] += 1
                        first[codes[j]] = min(first[codes[j]], n + j)


@inlined
def rows_of_all_at(farthest, column, fold, r, own, codes, held, first):
    """The same by a look at all rows; `column` is (distances, cells, i, f, step)."""
    distances, cells, i, f, step = column
    n = codes.shape[0]
    for c in range(held.shape[0]):
        held[c] = 0
    for j in range(n):
        d = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)
        if d == farthest and fold[r, j] != own:
            held[codes[j]] += 1
            first[codes[j]] = min(first[codes[j]], n + j)


@inlined
def share_votes(left, held, votes):
    """Share `left` votes among the rows held (classes,): all votes times their number."""
    tied = held.sum()
    for c in range(votes.shape[0]):
        votes[c] = votes[c] * tied + held[c] * left


@inlined
def elect(votes, first):
    """The class with most votes; of several the one whose nearest row comes first."""
    winner = 0
    for c in range(1, votes.shape[0]):
        if votes[c] > votes[winner] or (votes[c] == votes[winner] and first[c] < first[winner]):
            winner = c
    return winner
