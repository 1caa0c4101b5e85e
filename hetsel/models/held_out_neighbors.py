"""Classes of held-out rows by their nearest rows, with each of many features added or taken away.

The nearest rows of a row are looked for only once for all numbers of neighbors and all divisions
into folds. With d^2 the squared distance of the subset and s >= 0 the part of a feature that is
added, d^2 + s >= d^2: where the k-th distance with it is at most a limit, the nearest rows are
among those with d^2 at most the limit. In tables of many rows these are listed once for all.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled, inlined
from hetsel.models.neighbors import changed_distance, count_votes, elect, nearest_rows, room_for

ROWS = 8  # rows that share one reading of a column
LISTS = 3  # of about n/4, n/16, n/64 rows
SAMPLE = 64  # distances from which the limits of the lists are taken
WORTH_A_LIST = 1000, 4  # rows, features
WORTH_A_LOOK = 3  # rows of a list for each neighbor


@compiled
def held_out_winners(distances, cells, features, sign, codes, fold, ks, far, first, last, winner):
    """Classes that win by the nearest rows of the other folds, for rows first..last - 1.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        Squared distances of the subset, whole numbers of the type of `far`.
    cells : ndarray of shape (p, n)
        As in :func:`hetsel.models.neighbors.changed_distance`.
    features : ndarray of int, shape (c,)
        Added one at a time if sign is 1, taken away one at a time if it is -1.
    codes : ndarray of int, shape (n,)
        Classes.
    fold : ndarray of int, shape (divisions, n)
        Fold of each row, in each of several divisions.
    ks : ndarray of int, shape (q,)
        Numbers of neighbors, ascending.
    far : int32 or float64
        Above all distances.
    winner : ndarray of int, shape (1 + c, q, divisions, n)
        Into it: classes by the subset itself, then by the changed ones.
    """
    n, k, divisions = codes.shape[0], ks[-1], fold.shape[0]
    own, found = np.empty(divisions, dtype=np.int64), np.empty(divisions, dtype=np.int64)
    who = np.empty((divisions, k + 1), dtype=np.int64)
    away, lowest = room_for(n, distances.dtype)
    votes = np.zeros(codes.max() + 1, dtype=np.int64)
    worth = sign > 0 and n >= WORTH_A_LIST[0] and len(features) >= WORTH_A_LIST[1]
    lists = LISTS if worth else 0
    listed = np.empty((ROWS * lists + 1, n), dtype=np.int32)
    for j in range(n):
        listed[-1, j] = j
    size = np.zeros((ROWS, lists), dtype=np.int64)
    limits = np.empty((ROWS, lists), dtype=distances.dtype)
    for start in range(first, last, ROWS):
        stop = min(start + ROWS, last)
        if lists:
            for i in range(start, stop):
                list_rows(distances, i, listed, size, limits, i - start)
        for c in range(1 + len(features)):
            f, step = (features[c - 1], np.int32(sign)) if c > 0 else (0, np.int32(0))
            for i in range(start, stop):
                cell, b = cells[f, i], i - start
                for r in range(divisions):
                    own[r] = fold[r, i]
                left_out = own[0] if divisions == 1 else -1  # no other division asks for them
                s = shortest(size, b, k, n) if c > 0 else -1
                complete = False
                while not complete:  # the shortest list first, all rows in the end
                    if s >= 0:
                        count = size[b, s]
                        for m in range(count):
                            j = listed[b * lists + s, m]
                            d = changed_distance(distances[i, j], cells[f, j], cell, step)
                            away[m] = far if fold[0, j] == left_out else d
                    else:
                        count = n
                        for j in range(n):
                            d = changed_distance(distances[i, j], cells[f, j], cell, step)
                            away[j] = far if fold[0, j] == left_out else d
                        away[i] = far
                    line = b * lists + s if s >= 0 else ROWS * lists
                    largest = nearest_rows(
                        away, count, lowest, far, listed, line, fold, own, who, found
                    )
                    complete = s < 0 or largest <= limits[b, s]
                    s = s - 1 if s > 0 and 2 * size[b, s - 1] <= n else -1
                elect_all(who, found, codes, ks, votes, winner, c, i)


@compiled
def update_distances(distances, cells, features, sign, first, last):
    """Add sign times d_f^2 of some features (c,) to rows first..last - 1 of the distances."""
    step = np.int32(sign)
    for i in range(first, last):
        for f in features:
            for j in range(distances.shape[1]):
                distances[i, j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)


@inlined
def elect_all(who, found, codes, ks, votes, winner, c, i):
    """Winners of row i, for each number of neighbors and division, into winner[c, :, :, i]."""
    for r in range(who.shape[0]):
        for v in range(votes.shape[0]):
            votes[v] = 0
        counted = 0
        for q in range(ks.shape[0]):
            stop = min(ks[q], found[r])
            count_votes(who, r, counted, stop, codes, votes)
            counted = stop
            winner[c, q, r, i] = elect(who, r, counted, codes, votes)


@inlined
def list_rows(distances, i, listed, size, limits, b):
    """List the rows within limits that leave about n/4, n/16, ... of them; each list ascends."""
    n = distances.shape[1]
    count = min(n, SAMPLE, max(SAMPLE // 4, n // 16))
    sample = np.empty(count, dtype=distances.dtype)
    for m in range(count):
        away = distances[i, m * n // count]
        place = m
        while place > 0 and away < sample[place - 1]:
            sample[place] = sample[place - 1]
            place -= 1
        sample[place] = away
    before, line = n, b * size.shape[1]
    for s in range(size.shape[1]):
        limit = sample[count >> (2 * s + 2)]
        found = 0
        for m in range(before):
            j = listed[line + s - 1, m] if s else m
            listed[line + s, found] = j
            found += (distances[i, j] <= limit) & (j != i)
        size[b, s] = before = found
        limits[b, s] = limit


@inlined
def shortest(size, b, k, n):
    """The shortest list of row b that may hold its k nearest rows; -1 if none is worth a look."""
    for s in range(size.shape[1] - 1, -1, -1):
        if size[b, s] >= WORTH_A_LOOK * k:
            return s if 2 * size[b, s] <= n else -1
    return -1
