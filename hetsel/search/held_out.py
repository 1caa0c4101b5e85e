"""The compiled loops of the criteria: plain arrays in, plain arrays out.

`column` is one feature (n,), `y` the class codes (n,), `fold` the fold (n,) in which a row is held
out.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hetsel.tables.ties import GRID

DISTANCE_UNIT = 2.0**24  # squared distances are counted in units of 2^-24
MISSING = -3.0  # at distance 1 from any value in [0, 1] and any code, at 0 from another


@njit(cache=True)
def gaussian_likelihoods(column, y, fold, smoothing, var_smoothing, out):
    """Held-out log-likelihood (n, classes) of a column of numbers, into `out`."""
    n, n_classes = out.shape
    n_folds = fold.max() + 1
    gaps = np.isnan(column)
    some_missing = gaps.any()
    # the last class is all rows
    count = np.zeros((n_folds, n_classes + 1))
    present = np.zeros((n_folds, n_classes + 1))
    mean = np.zeros((n_folds, n_classes + 1))
    var = np.zeros((n_folds, n_classes + 1))
    for k in range(n_folds):
        for i in range(n):
            if fold[i] != k:
                count[k, y[i]] += 1
                if not gaps[i]:
                    present[k, y[i]] += 1
                    present[k, n_classes] += 1
                    mean[k, y[i]] += column[i]
                    mean[k, n_classes] += column[i]
        for c in range(n_classes + 1):
            mean[k, c] /= max(present[k, c], 1.0)
        for i in range(n):
            if fold[i] != k and not gaps[i]:
                var[k, y[i]] += (column[i] - mean[k, y[i]]) ** 2
                var[k, n_classes] += (column[i] - mean[k, n_classes]) ** 2
        for c in range(n_classes + 1):
            var[k, c] /= max(present[k, c], 1.0)
    for i in range(n):
        k = fold[i]
        for c in range(n_classes):
            value = 0.0
            if some_missing:
                missing = count[k, c] - present[k, c]
                cell = missing if gaps[i] else present[k, c]
                value = np.log((cell + smoothing) / (count[k, c] + 2 * smoothing))
            if not gaps[i] and present[k, n_classes] > 0:
                # a class without any value is described by all rows
                by = c if present[k, c] > 0 else n_classes
                spread = var[k, by] + var_smoothing * var[k, n_classes]
                if spread == 0.0:
                    spread = 1.0  # constant in the training rows: the same for every class
                away = column[i] - mean[k, by]
                value -= 0.5 * (np.log(2 * np.pi * spread) + away * away / spread)
            out[i, c] = np.rint(value * GRID) / GRID


@njit(cache=True)
def level_likelihoods(codes, n_levels, y, fold, smoothing, out):
    """Held-out log-likelihood (n, classes) of a column of level codes, into `out`."""
    n, n_classes = out.shape
    n_folds = fold.max() + 1
    count = np.zeros((n_folds, n_classes))
    cells = np.zeros((n_folds, n_classes, n_levels))
    for i in range(n):
        for k in range(n_folds):
            if fold[i] != k:
                count[k, y[i]] += 1
                cells[k, y[i], codes[i]] += 1
    for i in range(n):
        k = fold[i]
        for c in range(n_classes):
            share = (cells[k, c, codes[i]] + smoothing) / (count[k, c] + n_levels * smoothing)
            out[i, c] = np.rint(np.log(share) * GRID) / GRID


@njit(cache=True)
def most_likely(total, extra):
    """Class (n,) with the largest sum of log-likelihoods; of several the first."""
    n, n_classes = total.shape
    predicted = np.empty(n, dtype=np.int64)
    for i in range(n):
        best = 0
        for c in range(1, n_classes):
            if total[i, c] + extra[i, c] > total[i, best] + extra[i, best]:
                best = c
        predicted[i] = best
    return predicted


@njit(cache=True)
def _squared(a, b):
    away = min(abs(a - b), 1.0)
    return np.rint(away * away * DISTANCE_UNIT)


@njit(cache=True)
def add_distances(distances, column):
    """Add d_f^2 of one column to the squared distances (n, n), in place."""
    n = len(column)
    for i in range(n):
        for j in range(n):
            distances[i, j] += _squared(column[i], column[j])


@njit(cache=True)
def nearest_class(distances, column, y, fold, n_neighbors, n_classes):
    """Class (n,) of most of the nearest rows of the other folds, with d_f^2 of `column` added.

    Equal distances: the lower row index is nearer. Equal votes: the class whose nearest row is
    nearer.
    """
    n = len(y)
    predicted = np.empty(n, dtype=np.int64)
    row = np.empty(n)
    nearest = np.empty(n_neighbors, dtype=np.int64)
    votes = np.empty(n_classes, dtype=np.int64)
    for i in range(n):
        for j in range(n):
            row[j] = distances[i, j] + _squared(column[i], column[j])
        found = 0
        for j in range(n):
            if fold[j] == fold[i]:
                continue
            if found == n_neighbors:
                if row[j] >= row[nearest[found - 1]]:
                    continue
            else:
                found += 1
            place = found - 1
            while place > 0 and row[j] < row[nearest[place - 1]]:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = j
        votes[:] = 0
        for m in range(found):
            votes[y[nearest[m]]] += 1
        most = votes.max()
        for m in range(found):
            if votes[y[nearest[m]]] == most:
                predicted[i] = y[nearest[m]]
                break
    return predicted


@njit(cache=True)
def mean_recall(predicted, y, n_classes):
    """Balanced classification rate: the mean over classes of the share predicted right."""
    right = np.zeros(n_classes)
    count = np.zeros(n_classes)
    for i in range(len(y)):
        count[y[i]] += 1
        if predicted[i] == y[i]:
            right[y[i]] += 1
    rate = 0.0
    for c in range(n_classes):
        rate += right[c] / count[c]
    return np.rint(rate / n_classes * GRID) / GRID
