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
BLOCK, PART = 64, 8  # distances that are compared with a limit at once


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
    fold, own, cells = np.zeros((1, n), dtype=np.int64), np.full(1, -1), np.zeros((1, n))
    near, who = np.empty((1, k), dtype=distances.dtype), np.empty((1, k), dtype=np.int64)
    away = np.empty(BLOCK, dtype=distances.dtype)
    for i in range(m):
        none_yet(near, who, np.inf, n)
        nearest_rows(distances, i, cells, 0, 0, fold, own, near, who, away)
        votes[i] = 0
        count_votes(who, 0, 0, k, codes, votes[i])
        winner[i] = elect(who, 0, k, codes, votes[i])


@inlined
def none_yet(near, who, far, n):
    """Fill with a distance above that of the k-th row and with n, which is no row."""
    for r in range(near.shape[0]):
        for m in range(near.shape[1]):
            near[r, m] = far
            who[r, m] = n


@inlined
def nearest_rows(distances, i, cells, f, sign, fold, own, near, who, away):
    """The nearest rows that are not of the own fold, for each of several divisions into folds.

    A block of distances is compared with those that are kept before any of it is looked at.

    Parameters
    ----------
    distances : ndarray of shape (m, n)
        The distances of the i-th row count, with sign (1, 0 or -1) times those of column f.
    cells : ndarray of shape (p, n)
        As in :func:`changed_distance`.
    fold : ndarray of int, shape (divisions, n)
    own : ndarray of int, shape (divisions,)
        The fold whose rows are left out.
    near, who : ndarray of shape (divisions, k)
        Distances and indices of the nearest rows, the nearest first. They come filled by
        :func:`none_yet`, which stays where there are fewer rows.
    """
    cell, step, limit = cells[f, i], np.int32(sign), largest_kept(near)
    n = distances.shape[1]
    i, f = np.uint64(i), np.uint64(f)
    for block in range(n // BLOCK):
        start = np.uint64(block * BLOCK)
        below = np.int32(0)
        for j in range(BLOCK):
            at = start + np.uint64(j)
            away[j] = changed_distance(distances[i, at], cells[f, at], cell, step)
            below |= np.int32(away[j] < limit)
        if below:
            for part in range(BLOCK // PART):
                first = part * PART
                if any_below(away, first, limit):
                    for j in range(first, first + PART):
                        if away[j] < limit:
                            limit = insert(away[j], block * BLOCK + j, fold, own, near, who)
    for j in range(n // BLOCK * BLOCK, n):
        last = changed_distance(distances[i, j], cells[f, j], cell, step)
        if last < limit:
            limit = insert(last, j, fold, own, near, who)


@inlined
def any_below(away, first, limit):
    """Whether one of PART distances is below a limit, without a branch for each."""
    below = np.int32(0)
    for j in range(PART):
        below |= np.int32(away[np.uint64(first + j)] < limit)
    return below > 0


@inlined
def insert(distance, row, fold, own, near, who):
    """Put a row behind those that are as near; the largest distance that is kept."""
    last = near.shape[1] - 1
    for r in range(near.shape[0]):
        if distance < near[r, last] and fold[r, row] != own[r]:
            place = last
            while place > 0 and distance < near[r, place - 1]:
                near[r, place] = near[r, place - 1]
                who[r, place] = who[r, place - 1]
                place -= 1
            near[r, place] = distance
            who[r, place] = row
    return largest_kept(near)


@inlined
def largest_kept(near):
    """The largest of the distances (divisions, k) of the k-th rows."""
    last = near.shape[1] - 1
    limit = near[0, last]
    for r in range(1, near.shape[0]):
        limit = max(limit, near[r, last])
    return limit


@inlined
def count_votes(who, r, first, stop, codes, votes):
    """Add the votes of the nearest rows (divisions, k) first..stop - 1 of division r."""
    for m in range(first, stop):
        if who[r, m] < len(codes):
            votes[codes[who[r, m]]] += 1


@inlined
def elect(who, r, k, codes, votes):
    """The class with most votes; of several the one that comes first among the k nearest rows."""
    winner, most = 0, 0
    for m in range(k):
        if who[r, m] < len(codes):
            c = codes[who[r, m]]
            if votes[c] > most:
                winner, most = c, votes[c]
    return winner
