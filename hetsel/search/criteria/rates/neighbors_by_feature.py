"""Classes of held-out rows by their nearest rows, with each of many features added or removed.

The nearest rows of a row are searched once for all numbers of neighbors and divisions into folds.
Let d^2 be the squared distance of the subset and s >= 0 the part of an added feature, so that d^2 +
s >= d^2. A row keeps its class without a search if more than k/2 rows of this class are, with the
feature, nearer than all but a few of the others were without it. And if the k nearest of a few
dozen rows around are nearer than all other rows were without the feature, they are the k nearest of
all.
"""

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part, inlined
from hetsel.models.neighbors import (
    ROWS,
    changed_distance,
    elect,
    elect_shared,
    find_lowest,
    nearest_rows,
    room_for,
    shared,
)

BLOCK = 32  # rows that share one pass over a column
REACH = 12  # nearest rows stored for the subset itself, beyond 2k
FAR_REACH = 36  # the same for many rows and features, beyond 4k
CELLS_WITH_FAR_REACH = 20_000  # rows times features
TRIALS = 64  # searches among the nearest rows only, given up if a quarter of them fails
SPARE = 4  # rows of the winning class that are checked beyond those it needs
WORTH_A_LOOK = 4  # features from which on the shortcut pays


@compiled
def held_out_winners(distances, cells, features, sign, codes, fold, ks, far, first, last, winner):
    """Write the winning classes by the nearest rows of the other folds, for rows first..last - 1.

    Takes the squared distances (n, n) of the subset, whole numbers below `far`, and values (p, n)
    as in :func:`hetsel.models.neighbors.changed_distance`; classes (n,) and folds (divisions, n).
    Features (c,) are added one at a time if sign is 1, removed if it is -1; ks (q,) are numbers of
    neighbors, ascending. Writes into `winner` (1 + c, q, divisions, n): classes by the subset
    itself (if sign is 1), then by the changed ones.
    """
    n, k, divisions = codes.shape[0], ks[-1], fold.shape[0]
    looks = sign > 0 and len(features) >= WORTH_A_LOOK
    reach = k
    if looks:
        large = n * len(features) >= CELLS_WITH_FAR_REACH
        reach = min(n, 4 * k + FAR_REACH if large else 2 * k + REACH)
    votes = np.zeros(codes.max() + 1, dtype=np.int64)
    away, lowest, who, near, found, level, since = room_for(
        n, reach, divisions, votes.shape[0], far, distances.dtype
    )
    own = np.empty((ROWS, divisions), dtype=np.int64)
    wanted, asked = np.full(ROWS, reach), np.empty(BLOCK, dtype=np.int64)
    allies = np.empty((BLOCK, divisions, len(ks), k // 2 + SPARE + 2), dtype=np.int64)
    others = np.zeros((BLOCK, divisions, len(ks)), dtype=distances.dtype)
    around = np.empty((BLOCK if looks else 0, divisions, reach), dtype=np.int64)
    border = np.empty((BLOCK, divisions), dtype=distances.dtype)
    waiting = np.empty(BLOCK, dtype=np.int64)
    tried, listed = TRIALS, TRIALS
    for start in range(first, last, BLOCK):
        stop = min(start + BLOCK, last)
        for c in range(0 if sign > 0 else 1, 1 + len(features)):
            f, step = (features[c - 1], float(sign)) if c > 0 else (0, 0.0)
            open_rows = 0
            for i in range(start, stop):
                place = i - start
                asked[place] = ks.shape[0]
                if looks and c > 0:
                    asked[place] = unsettled(distances, cells, f, i, allies, others, place, ks)
                    for r in range(divisions):
                        for q in range(asked[place], ks.shape[0]):
                            winner[c, q, r, i] = winner[0, q, r, i]
                is_open = asked[place] > 0
                if looks and c > 0 and is_open and 4 * listed > 3 * tried:
                    tried += 1
                    most = ks[asked[place] - 1]
                    if nearest_around(
                        distances,
                        cells,
                        f,
                        i,
                        around,
                        border,
                        place,
                        most,
                        codes,
                        who,
                        near,
                        found,
                        level,
                        since,
                    ):
                        is_open = False
                        listed += 1
                        for r in range(divisions):
                            for q in range(asked[place]):
                                if shared(near, found, level, 0, r, ks[q]):
                                    winner[c, q, r, i] = elect_shared(
                                        who, near, found, level, since, 0, r, ks[q], codes, votes
                                    )
                                else:
                                    winner[c, q, r, i] = elect(who, 0, r, ks[q], codes, votes)
                if is_open:
                    waiting[open_rows] = i
                    open_rows += 1
            for head in range(0, open_rows, ROWS):
                rows = waiting[head : min(head + ROWS, open_rows)]
                count = len(rows)
                for b in range(count):
                    i = rows[b]
                    for r in range(divisions):
                        own[b, r] = fold[r, i]
                    wanted[b] = ks[asked[i - start] - 1] if c > 0 else reach
                read_distances(distances, cells, f, step, rows, fold, far, away, lowest)
                nearest_rows(
                    away,
                    count,
                    n,
                    wanted,
                    lowest,
                    far,
                    codes,
                    fold,
                    own,
                    who,
                    near,
                    found,
                    level,
                    since,
                )
                for b in range(count):
                    i = rows[b]
                    for r in range(divisions):
                        for q in range(asked[i - start]):
                            if shared(near, found, level, b, r, ks[q]):
                                winner[c, q, r, i] = elect_shared(
                                    who, near, found, level, since, b, r, ks[q], codes, votes
                                )
                            else:
                                few = min(ks[q], found[b, r])
                                winner[c, q, r, i] = elect(who, b, r, few, codes, votes)
                    if c == 0 and looks:
                        for r in range(divisions):
                            for m in range(found[b, r]):
                                around[i - start, r, m] = who[b, r, m]
                            border[i - start, r] = -1
                            if found[b, r] == reach:
                                border[i - start, r] = near[b, r, reach - 1]
                        nearest = (winner, who, found, b)
                        compare(distances, i, codes, ks, nearest, allies, others, i - start, far)


@compiled_part
def read_distances(distances, cells, f, step, rows, fold, far, away, lowest):
    """Return distances of rows with f changed; omit the row and, for one division, its fold."""
    n = distances.shape[0]
    for b in range(len(rows)):
        i = rows[b]
        cell, left_out = cells[f, i], fold[0, i] if len(fold) == 1 else -1
        for j in range(n):
            d = changed_distance(distances[i, j], cells[f, j], cell, step)
            away[b, j] = far if fold[0, j] == left_out else d
        away[b, i] = far
        find_lowest(away, b, lowest, far)


@compiled
def update_distances(distances, cells, features, sign, first, last):
    """Add sign times d_f^2 of some features (c,) to rows first..last - 1 of the distances."""
    step = float(sign)
    for i in range(first, last):
        for f in features:
            for j in range(distances.shape[1]):
                distances[i, j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)


@inlined
def compare(distances, i, codes, ks, nearest, allies, others, place, far):
    """Record what row i knows of the subset: allies[place, r, q, :] up to -1, others[place, r, q].

    Allies have the winning class and are nearer than others; fewer than k / 2 other rows are.
    """
    winner, who, found, b = nearest
    for r in range(who.shape[1]):
        for q in range(ks.shape[0]):
            few, strange, limit = (ks[q] - 1) // 2, 0, far
            for m in range(found[b, r]):
                row = who[b, r, m]
                if strange <= few and codes[row] != winner[0, q, r, i]:
                    limit = distances[i, row]
                    strange += 1
            if strange <= few and found[b, r] == who.shape[2]:  # farther than the last one
                limit = distances[i, who[b, r, found[b, r] - 1]]
            others[place, r, q] = limit
            count = 0
            for m in range(found[b, r]):
                row = who[b, r, m]
                near = distances[i, row] < limit and codes[row] == winner[0, q, r, i]
                if near and count < allies.shape[3] - 1:
                    allies[place, r, q, count] = row
                    count += 1
            allies[place, r, q, count] = -1


@inlined
def unsettled(distances, cells, f, i, allies, others, place, ks):
    """Return how many of ks may have other winners with f, since too few allies remain."""
    for q in range(ks.shape[0] - 1, -1, -1):
        for r in range(others.shape[1]):
            missing, m = ks[q] // 2 + 1, 0
            while missing > 0 and allies[place, r, q, m] >= 0:
                j = allies[place, r, q, m]
                away = changed_distance(distances[i, j], cells[f, j], cells[f, i], 1.0)
                missing -= away < others[place, r, q]
                m += 1
            if missing > 0:
                return q + 1
    return 0


@inlined
def nearest_around(
    distances, cells, f, i, around, border, place, k, codes, who, near, found, level, since
):
    """Find the k nearest, with a feature added, of the rows around row i, for each division.

    Returns True if they are nearer than the border, which all other rows reach. Then the first of
    who and the others are as in :func:`hetsel.models.neighbors.nearest_rows`.
    """
    for r in range(border.shape[1]):
        if border[place, r] < 0:
            return False
        count, edge = 0, border[place, r]
        for t in range(around.shape[2]):
            j = around[place, r, t]
            d = changed_distance(distances[i, j], cells[f, j], cells[f, i], 1.0)
            m = count
            if count == k:
                last = near[0, r, k - 1]
                if d > last or (d == last and j > who[0, r, k - 1]):
                    edge = min(edge, d)
                    continue
                edge, m = min(edge, last), k - 1
            while m > 0 and (
                near[0, r, m - 1] > d or (near[0, r, m - 1] == d and who[0, r, m - 1] > j)
            ):
                near[0, r, m] = near[0, r, m - 1]
                who[0, r, m] = who[0, r, m - 1]
                m -= 1
            near[0, r, m] = d
            who[0, r, m] = j
            count = min(count + 1, k)
        farthest = near[0, r, k - 1]
        if farthest >= border[place, r]:
            return False
        found[0, r] = k
        for c in range(level.shape[2]):
            level[0, r, c] = 0
        if edge == farthest:
            for t in range(around.shape[2]):
                j = around[place, r, t]
                d = changed_distance(distances[i, j], cells[f, j], cells[f, i], 1.0)
                if d == farthest and j > who[0, r, k - 1]:
                    c = codes[j]
                    since[0, r, c] = j if level[0, r, c] == 0 else min(j, since[0, r, c])
                    level[0, r, c] += 1
                    level[0, r, level.shape[2] - 1] += 1
    return True
