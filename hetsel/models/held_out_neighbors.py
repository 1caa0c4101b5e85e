"""Classes of held-out rows by their nearest rows, with each of many features added or taken away.

The nearest rows of a row are looked for only once for all numbers of neighbors and all divisions
into folds. Two bounds save work and change no result, with d^2 the squared distance of the subset
and s >= 0 the part of the feature:

- The k nearest rows of the subset give k distances with the feature, so that no row beyond the
  largest of them counts.
- d^2 + s >= d^2: where the k-th distance with a feature is at most a limit, the nearest rows are
  among those with d^2 at most the limit. They are listed once for all the features.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled, inlined
from hetsel.models.neighbors import (
    BLOCK,
    changed_distance,
    count_votes,
    elect,
    insert,
    largest_kept,
    nearest_rows,
    none_yet,
)

ROWS = 8  # rows that share one reading of a column
LISTS = 3  # of about n/4, n/16, n/64 rows
SAMPLE = 64  # distances from which the limits of the lists are taken
WORTH_A_LIST = 4  # features
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
    near = np.empty((divisions, k), dtype=distances.dtype)
    who = np.empty((divisions, k), dtype=np.int64)
    seeds = np.empty((ROWS, divisions, k), dtype=np.int64)
    own = np.empty(divisions, dtype=np.int64)
    away = np.empty(BLOCK, dtype=distances.dtype)
    votes = np.zeros(codes.max() + 1, dtype=np.int64)
    lists = LISTS if sign > 0 and len(features) >= WORTH_A_LIST else 0
    listed = np.empty((ROWS, lists, n), dtype=np.int32)
    size = np.zeros((ROWS, lists), dtype=np.int64)
    limits = np.empty((ROWS, lists), dtype=distances.dtype)
    for start in range(first, last, ROWS):
        stop = min(start + ROWS, last)
        for i in range(start, stop):
            for r in range(divisions):
                own[r] = fold[r, i]
            none_yet(near, who, far, n)
            nearest_rows(distances, i, cells, 0, 0, fold, own, near, who, away)
            elect_all(who, codes, ks, votes, winner, 0, i)
            for r in range(divisions):
                for m in range(k):
                    seeds[i - start, r, m] = who[r, m]
            if lists:
                list_rows(distances, i, listed, size, limits, i - start)
        for c in range(len(features)):
            f = features[c]
            for i in range(start, stop):
                b = i - start
                for r in range(divisions):
                    own[r] = fold[r, i]
                from_seeds(distances, cells, f, sign, i, seeds, b, far, near, who)
                if not found_in_lists(
                    distances, cells, f, i, listed, size, limits, b, fold, own, near, who
                ):
                    nearest_rows(distances, i, cells, f, sign, fold, own, near, who, away)
                elect_all(who, codes, ks, votes, winner, 1 + c, i)


@compiled
def update_distances(distances, cells, features, sign, first, last):
    """Add sign times d_f^2 of some features (c,) to rows first..last - 1 of the distances."""
    step = np.int32(sign)
    for i in range(first, last):
        for f in features:
            for j in range(distances.shape[1]):
                distances[i, j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)


@inlined
def elect_all(who, codes, ks, votes, winner, c, i):
    """Winners of row i, for each number of neighbors and division, into winner[c, :, :, i]."""
    for r in range(who.shape[0]):
        for k in range(votes.shape[0]):
            votes[k] = 0
        counted = 0
        for q in range(ks.shape[0]):
            count_votes(who, r, counted, ks[q], codes, votes)
            counted = ks[q]
            winner[c, q, r, i] = elect(who, r, counted, codes, votes)


@inlined
def from_seeds(distances, cells, f, sign, i, seeds, b, far, near, who):
    """Fill `near` with distances above that of the k-th row, known from k rows seeds[b]."""
    n = distances.shape[1]
    none_yet(near, who, far, n)
    for r in range(near.shape[0]):
        bound = -1.0
        for m in range(near.shape[1]):
            j = seeds[b, r, m]
            if j == n:
                bound = np.inf
                break
            away = changed_distance(distances[i, j], cells[f, j], cells[f, i], sign)
            bound = max(bound, float(away))
        if bound < far:
            for m in range(near.shape[1]):
                near[r, m] = bound + 1.0


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
    before = n
    for s in range(size.shape[1]):
        limit = sample[count >> (2 * s + 2)]
        found = 0
        for m in range(before):
            j = listed[b, s - 1, m] if s else m
            listed[b, s, found] = j
            found += distances[i, j] <= limit
        size[b, s] = before = found
        limits[b, s] = limit


@inlined
def found_in_lists(distances, cells, f, i, listed, size, limits, b, fold, own, near, who):
    """Look for the nearest rows in the lists, the shortest first, until one has all of them."""
    n, last = distances.shape[1], near.shape[1] - 1
    for s in range(size.shape[1] - 1, -1, -1):
        if 2 * size[b, s] > n:
            return False
        if size[b, s] < WORTH_A_LOOK * near.shape[1]:
            continue
        limit = largest_kept(near)
        for m in range(size[b, s]):
            j = listed[b, s, m]
            away = changed_distance(distances[i, j], cells[f, j], cells[f, i], 1)
            if away < limit:
                limit = insert(away, j, fold, own, near, who)
        if limit <= limits[b, s]:
            return True
        for r in range(near.shape[0]):  # the next list has these rows too
            bound = near[r, last] + (who[r, last] < n)
            for m in range(last + 1):
                near[r, m] = bound
                who[r, m] = n
    return False
