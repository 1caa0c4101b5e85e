"""Naive Bayes for mixed columns: log P(c) + sum_f log P(x_f | c), one column at a time.

For level l of a nominal column with L_f levels, P(x_f | c) is (n_cl + s) / (n_c + s L_f). For
numbers (ordinal: of the levels) it is a Gaussian with mean and variance of the class. The variance
is increased by a fraction of the variance over all classes, as in scikit-learn's GaussianNB. In a
numeric column with missing values, missing is a level with the smoothed proportion (n_c,missing +
s) / (n_c + 2 s); other values have one minus that times their Gaussian density.

Log-likelihoods are rounded to 2^-32, so that their sums are exact in every order. Mathematically
equal products of proportions differ by one or two steps per column. So sums that differ by less
than 2^-20 are ties, and the first class wins a tie.
"""

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm, logarithms
from hetsel.compiling.compiled import compiled
from hetsel.ground.equal_numbers import GRID, merged

TIE = 2.0**-20  # smaller differences of log-likelihoods are ties


@compiled
def add_number_likelihoods(train, codes, test, smoothing, var_smoothing, missing, out):
    """Add log P(x | c) of test values (m,) of a numeric column to `out` (m, classes)."""
    n_classes = out.shape[1]
    # the last class is all rows
    count, present = np.zeros(n_classes + 1), np.zeros(n_classes + 1)
    mean, var = np.zeros(n_classes + 1), np.zeros(n_classes + 1)
    for i in range(len(train)):
        count[codes[i]] += 1
        if not np.isnan(train[i]):
            present[codes[i]] += 1
            present[n_classes] += 1
            mean[codes[i]] += train[i]
            mean[n_classes] += train[i]
    mean /= np.maximum(present, 1.0)
    for i in range(len(train)):
        if not np.isnan(train[i]):
            var[codes[i]] += (train[i] - mean[codes[i]]) ** 2
            var[n_classes] += (train[i] - mean[n_classes]) ** 2
    var /= np.maximum(present, 1.0)
    for c in range(n_classes):
        # a class without any value gets the moments of all rows
        by = c if present[c] > 0 else n_classes
        spread = var[by] + var_smoothing * var[n_classes]
        if spread == 0.0:
            spread = 1.0  # constant in the training rows: the same for every class
        height = logarithm(2 * np.pi * spread)
        for i in range(len(test)):
            gap = np.isnan(test[i])
            value = 0.0
            if missing:
                cell = count[c] - present[c] if gap else present[c]
                value = logarithm((cell + smoothing) / (count[c] + 2 * smoothing))
            if not gap and present[n_classes] > 0:
                away = test[i] - mean[by]
                value -= 0.5 * (height + away * away / spread)
            out[i, c] += np.rint(value * GRID) / GRID


@compiled
def add_level_likelihoods(train, codes, test, n_levels, smoothing, out):
    """Add log P(x | c) of test values (m,) of a column of level codes to `out` (m, classes)."""
    n_classes = out.shape[1]
    count = np.zeros(n_classes)
    cells = np.zeros((n_classes, n_levels))
    for i in range(len(train)):
        count[codes[i]] += 1
        cells[codes[i], int(train[i])] += 1
    for i in range(len(test)):
        level = int(test[i])
        for c in range(n_classes):
            seen = cells[c, level] if level < n_levels else 0.0
            share = (seen + smoothing) / (count[c] + n_levels * smoothing)
            out[i, c] += np.rint(logarithm(share) * GRID) / GRID


def log_priors(counts: np.ndarray) -> np.ndarray:
    """Return log P(c) (c,) of classes by their numbers of rows."""
    return np.asarray(np.rint(logarithms(counts / counts.sum()) * GRID) / GRID)


@compiled
def first_likely(totals):
    """Return the class (n,) of the largest log-likelihood (n, classes); the first wins ties."""
    n, n_classes = totals.shape
    winner = np.empty(n, dtype=np.int64)
    for i in range(n):
        largest = totals[i, 0]
        for c in range(1, n_classes):
            largest = max(largest, totals[i, c])
        best = 0
        while totals[i, best] < largest - TIE:
            best += 1
        winner[i] = best
    return winner


def log_odds(totals: np.ndarray) -> np.ndarray:
    """Return log-odds (m, 1) or log posteriors (m, c) from log P(c, x) (m, c), with equal ties."""
    if totals.shape[1] == 2:
        odds = totals[:, 1:] - totals[:, :1]
        odds[np.abs(odds) <= TIE] = 0.0
    else:
        odds = totals.copy()
        normalize_posteriors(odds)
    return np.column_stack([merged(column, TIE) for column in odds.T])


@compiled
def normalize_posteriors(totals):
    """Subtract from each row (m, c) the logarithm of the sum of its exponentials, in place."""
    for i in range(len(totals)):
        largest, evidence = totals[i].max(), 0.0
        for c in range(totals.shape[1]):
            if totals[i, c] >= largest - TIE:
                totals[i, c] = largest
            evidence += exponential(totals[i, c] - largest)
        totals[i] -= largest + logarithm(evidence)
