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
CHUNK, SPAN = 8, 64  # distances: of one smallest, and of a whole number of smallest


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
    fold, own, rows = np.zeros((1, n), dtype=np.int64), np.full(1, -1), np.arange(n).reshape(1, n)
    away, lowest = room_for(n, distances.dtype)
    who, found = np.empty((1, k + 1), dtype=np.int64), np.empty(1, dtype=np.int64)
    for i in range(m):
        away[:n] = distances[i]
        nearest_rows(away, n, lowest, np.inf, rows, 0, fold, own, who, found)
        votes[i] = 0
        count_votes(who, 0, 0, found[0], codes, votes[i])
        winner[i] = elect(who, 0, found[0], codes, votes[i])


@inlined
def room_for(n, dtype):
    """Arrays for n distances in whole spans, and for the smallest of each chunk."""
    chunks = (n + SPAN - 1) // SPAN * (SPAN // CHUNK)
    return np.empty(chunks * CHUNK, dtype=dtype), np.empty(chunks, dtype=dtype)


@inlined
def nearest_rows(away, n, lowest, far, rows, line, fold, own, who, found):
    """The nearest of n rows that are not of the own fold, for each of several divisions into folds.

    The smallest distance is that of the chunk whose smallest is smallest. It is taken away until
    every division has k rows. No branch depends on the distances: it takes as long whatever they
    are.

    Parameters
    ----------
    away : ndarray of shape (chunks * CHUNK,)
        Distances; `far` counts as no row. It is overwritten.
    n : int
    lowest : ndarray of shape (chunks,)
        Into it: the smallest of each chunk.
    rows, line : ndarray of int and int
        rows[line] are the rows that the distances belong to, ascending.
    fold : ndarray of int, shape (divisions, rows)
    own : ndarray of int, shape (divisions,)
        The fold whose rows are left out.
    who : ndarray of int, shape (divisions, k + 1)
        Into it: the nearest rows, the nearest first; the last column is not one of them.
    found : ndarray of int, shape (divisions,)
        Into it: how many there are, k at most.

    Returns
    -------
    int or float
        The largest of their distances; `far` if a division has fewer than k.
    """
    k, spans = who.shape[1] - 1, (n + SPAN - 1) // SPAN
    chunks = spans * (SPAN // CHUNK)
    for j in range(n, chunks * CHUNK):
        away[j] = far
    for b in range(chunks):
        low = away[b * CHUNK]
        for j in range(b * CHUNK + 1, b * CHUNK + CHUNK):
            low = min(low, away[j])
        lowest[b] = low
    fewest, least = 0, far
    for r in range(found.shape[0]):
        found[r] = 0
    while fewest < k:
        least = lowest[0]
        for b in range(1, chunks):
            least = min(least, lowest[b])
        if least == far:
            break
        chunk = np.int32(chunks)
        for b in range(chunks):
            chunk = min(chunk, np.int32(b) if lowest[b] == least else np.int32(chunks))
        first, place, low = chunk * CHUNK, CHUNK, far
        for j in range(CHUNK):
            place = min(place, j if away[first + j] == least else CHUNK)
        away[first + place] = far
        for j in range(CHUNK):
            low = min(low, away[first + j])
        lowest[chunk] = low
        row, fewest = rows[line, first + place], k
        for r in range(found.shape[0]):
            who[r, found[r]] = row
            found[r] = min(k, found[r] + (fold[r, row] != own[r]))
            fewest = min(fewest, found[r])
    return least


@inlined
def count_votes(who, r, first, stop, codes, votes):
    """Add the votes of the nearest rows (divisions, ...) first..stop - 1 of division r."""
    for m in range(first, stop):
        votes[codes[who[r, m]]] += 1


@inlined
def elect(who, r, k, codes, votes):
    """The class with most votes; of several the one that comes first among the k nearest rows."""
    winner, most = 0, 0
    for m in range(k):
        c = codes[who[r, m]]
        if votes[c] > most:
            winner, most = c, votes[c]
    return winner
