"""Classes of held-out rows by their nearest rows, with each of many features added or taken away.

The nearest rows of a row are looked for only once for all numbers of neighbors and all divisions
into folds. With d^2 the squared distance of the subset and s >= 0 the part of a feature that is
added, d^2 + s >= d^2: where the k-th distance with it is at most a limit, the nearest rows are
among those with d^2 at most the limit. In tables of many rows these are listed once for all.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled, inlined
from hetsel.models.neighbors import (
    ROWS,
    changed_distance,
    count_votes,
    elect,
    nearest_rows,
    room_for,
)

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
    away, lowest, who, found, largest = room_for(n, k, divisions, distances.dtype)
    own = np.empty((ROWS, divisions), dtype=np.int64)
    votes = np.zeros(codes.max() + 1, dtype=np.int64)
    worth = sign > 0 and n >= WORTH_A_LIST[0] and len(features) >= WORTH_A_LIST[1]
    lists = LISTS if worth else 0
    listed = np.empty((ROWS * lists + 1, n), dtype=np.int32)
    for j in range(n):
        listed[-1, j] = j
    size = np.zeros((ROWS, lists), dtype=np.int64)
    limits = np.empty((ROWS, lists), dtype=distances.dtype)
    level, lines, counts = np.zeros((3, ROWS), dtype=np.int64)
    for start in range(first, last, ROWS):
        stop = min(start + ROWS, last)
        for i in range(start, stop):
            for r in range(divisions):
                own[i - start, r] = fold[r, i]
            if lists:
                list_rows(distances, i, listed, size, limits, i - start)
        for c in range(1 + len(features)):
            f, step = (features[c - 1], np.int32(sign)) if c > 0 else (0, np.int32(0))
            waiting = stop - start
            for b in range(waiting):
                level[b] = shortest(size, b, k, n) if c > 0 else -1
            for b in range(waiting, ROWS):
                level[b], counts[b] = -2, 0
            while waiting:  # the shortest list first, all rows in the end
                for b in range(stop - start):
                    i, s = start + b, level[b]
                    cell, line = cells[f, i], b * lists + s if s >= 0 else ROWS * lists
                    left_out = own[b, 0] if divisions == 1 else -1  # nobody else asks for them
                    counts[b] = 0
                    if s >= 0:
                        counts[b] = size[b, s]
                        for m in range(size[b, s]):
                            j = listed[line, m]
                            d = changed_distance(distances[i, j], cells[f, j], cell, step)
                            away[b, m] = far if fold[0, j] == left_out else d
                    elif s == -1:
                        counts[b] = n
                        for j in range(n):
                            d = changed_distance(distances[i, j], cells[f, j], cell, step)
                            away[b, j] = far if fold[0, j] == left_out else d
                        away[b, i] = far
                    lines[b] = line
                nearest_rows(
                    away, counts, lowest, far, listed, lines, fold, own, who, found, largest
                )
                for b in range(stop - start):
                    s = level[b]
                    if s == -1 or (s >= 0 and largest[b] <= limits[b, s]):
                        level[b] = -2
                        waiting -= 1
                    elif s >= 0:
                        level[b] = s - 1 if s > 0 and 2 * size[b, s - 1] <= n else -1
            for b in range(stop - start):
                elect_all(who, found, b, codes, ks, votes, winner, c, start + b)


@compiled
def update_distances(distances, cells, features, sign, first, last):
    """Add sign times d_f^2 of some features (c,) to rows first..last - 1 of the distances."""
    step = np.int32(sign)
    for i in range(first, last):
        for f in features:
            for j in range(distances.shape[1]):
                distances[i, j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)


@inlined
def elect_all(who, found, b, codes, ks, votes, winner, c, i):
    """Winners of row i, for each number of neighbors and division, into winner[c, :, :, i]."""
    for r in range(who.shape[1]):
        for v in range(votes.shape[0]):
            votes[v] = 0
        counted = 0
        for q in range(ks.shape[0]):
            stop = min(ks[q], found[b, r])
            count_votes(who, b, r, counted, stop, codes, votes)
            counted = stop
            winner[c, q, r, i] = elect(who, b, r, counted, codes, votes)


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
