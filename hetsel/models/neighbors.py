"""Nearest neighbors in the heterogeneous Euclidean-overlap metric (paul2015, Eq. 9-11).

    d(a, b)^2 = sum_f d_f(a_f, b_f)^2,
    d_f = I(a_f != b_f) (nominal), |a_f - b_f| / (max_f - min_f) (continuous, ordinal)

with d_f = 0 for a constant column. A missing cell is at distance 0 from another one and at distance
1 from a present one. Each d_f^2 is rounded to 2^-24, so that sums are exact, distances that are
equal on paper tie, and a column that is added and taken away again leaves no trace.

Of the rows at one distance the lower index is nearer. Of the classes with most votes the one whose
nearest row is nearer wins.
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
    """Votes (m, classes) and winners (m,) of rows at distances (m, n) from the training rows."""
    m, n = distances.shape
    fold, own = np.zeros((1, n), dtype=np.int64), np.full((ROWS, 1), -1)
    away, lowest, who, found = room_for(n, k, 1, distances.dtype)
    for start in range(0, m, ROWS):
        count = min(ROWS, m - start)
        away[:count, :n] = distances[start : start + count]
        nearest_rows(away, count, n, k, lowest, np.inf, fold, own, who, found)
        for b in range(count):
            i = start + b
            votes[i] = 0
            count_votes(who, b, 0, 0, found[b, 0], codes, votes[i])
            winner[i] = elect(who, b, 0, found[b, 0], codes, votes[i])


@inlined
def room_for(n, k, divisions, dtype):
    """Arrays for :func:`nearest_rows`: distances, smallest distances, rows, numbers of rows."""
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)
    away, lowest = np.empty((ROWS, chunks * CHUNK), dtype=dtype), np.empty((ROWS, chunks), dtype)
    who = np.empty((ROWS, divisions, k + 1), dtype=np.int64)
    return away, lowest, who, np.empty((ROWS, divisions), dtype=np.int64)


@inlined
def nearest_rows(away, count, n, k, lowest, far, fold, own, who, found):
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
    who : ndarray of int, shape (ROWS, divisions, k + 1 or more)
        Into it: the nearest rows, the nearest first; place k is not one of them.
    found : ndarray of int, shape (ROWS, divisions)
        Into it: how many there are, k at most.
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
                who[b, r, found[b, r]] = row
                found[b, r] = min(k, found[b, r] + (fold[r, row] != own[b, r]))


@inlined
def count_votes(who, b, r, first, stop, codes, votes):
    """Add the votes of the nearest rows who[b, r] of the places first..stop - 1."""
    for m in range(first, stop):
        votes[codes[who[b, r, m]]] += 1


@inlined
def elect(who, b, r, k, codes, votes):
    """The class with most votes; of several the one that comes first among the k nearest rows."""
    winner, most = 0, 0
    for m in range(k):
        c = codes[who[b, r, m]]
        if votes[c] > most:
            winner, most = c, votes[c]
    return winner
