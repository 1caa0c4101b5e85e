"""Numbers and risks of held-out rows by their nearest rows, with each of many features changed."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.models.neighbor_estimates import estimate, nearest_distances, rows_within
from hetsel.models.neighbors import changed_distance


@compiled
def held_out_estimates(distances, cells, features, sign, told, fold, ks, far, first, last, out):
    """Numbers or mortalities by the nearest rows of the other folds, for rows first..last - 1.

    Parameters
    ----------
    distances, cells, features, sign, fold, ks, far, first, last
        As in :func:`hetsel.search.criteria.rates.neighbors_by_feature.held_out_winners`.
    told : tuple
        A :class:`hetsel.models.neighbor_estimates.Told`, as a plain tuple.
    out : ndarray of shape (1 + c, q, divisions, n)
        Into it: the estimates by the subset itself (if sign is 1), then by the changed ones.
    """
    n, most = distances.shape[0], ks[-1]
    changed, away = np.empty(n, dtype=distances.dtype), np.empty(n, dtype=distances.dtype)
    near, who = np.empty(most, dtype=distances.dtype), np.empty(n, dtype=np.int64)
    for c in range(0 if sign > 0 else 1, 1 + len(features)):
        f, step = (features[c - 1], float(sign)) if c > 0 else (0, 0.0)
        for i in range(first, last):
            for j in range(n):
                changed[j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)
            for r in range(fold.shape[0]):
                for j in range(n):
                    away[j] = far if fold[r, j] == fold[r, i] else changed[j]
                found = nearest_distances(away, most, far, near)
                count = rows_within(away, told[3], near[found - 1], who)
                for q in range(ks.shape[0]):
                    k = min(ks[q], found)
                    out[c, q, r, i] = estimate(away, who, count, k, near[k - 1], told)
