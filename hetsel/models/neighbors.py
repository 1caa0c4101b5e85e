"""Nearest neighbors in the heterogeneous Euclidean-overlap metric (paul2015, Eq. 9-11).

    d(a, b)^2 = sum_f d_f(a_f, b_f)^2,
    d_f = I(a_f != b_f) (nominal), |a_f - b_f| / (max_f - min_f) (continuous, ordinal)

with d_f = 0 for a constant column. A missing cell is at distance 0 from another one and at distance
1 from a present one. Each d_f^2 is rounded to 2^-24, so that sums are exact, distances that are
equal on paper tie, and a column that is added and taken away again leaves no trace.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled

DISTANCE_UNIT = 2.0**24  # squared distances are counted in units of 2^-24
MISSING = -3.0  # at distance 1 from any value in [0, 1] and any code, at 0 from another


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


@compiled
def count_votes(distances, column, sign, codes, fold, k, votes, winner):
    """Votes (n, classes) of the k nearest rows of other folds, and the class (n,) that wins.

    The distances (n, n) are those of the state, with sign times d_f^2 of `column` (n,) added.
    Equal distances: the lower row index is nearer. Equal votes: the class whose nearest row is
    nearer wins.
    """
    n = len(codes)
    row = np.empty(n)
    nearest = np.empty(k, dtype=np.int64)
    for i in range(n):
        for j in range(n):
            row[j] = distances[i, j] + sign * _squared(column[i], column[j])
        votes[i] = 0
        winner[i] = _vote(row, fold, fold[i], codes, nearest, votes[i])


@compiled
def count_votes_of_others(distances, codes, k, votes, winner):
    """Votes (m, classes) and winners (m,) of rows at distances (m, n) from the training rows."""
    m, n = distances.shape
    fold = np.zeros(n, dtype=np.int64)
    nearest = np.empty(k, dtype=np.int64)
    for i in range(m):
        votes[i] = 0
        winner[i] = _vote(distances[i], fold, -1, codes, nearest, votes[i])


@compiled
def _vote(row, fold, own, codes, nearest, votes):
    """Count the classes of the nearest rows that are not of the fold `own`; the class that wins."""
    k = len(nearest)
    found = 0
    for j in range(len(row)):
        if fold[j] == own:
            continue
        if found == k:
            if row[j] >= row[nearest[found - 1]]:
                continue
        else:
            found += 1
        place = found - 1
        while place > 0 and row[j] < row[nearest[place - 1]]:
            nearest[place] = nearest[place - 1]
            place -= 1
        nearest[place] = j
    for m in range(found):
        votes[codes[nearest[m]]] += 1
    most = votes.max()
    for m in range(found):
        if votes[codes[nearest[m]]] == most:
            return codes[nearest[m]]
    return 0
