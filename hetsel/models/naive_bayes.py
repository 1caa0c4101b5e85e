"""Naive Bayes for mixed columns: log P(c) + sum_f log P(x_f | c), of one column at a time.

P(x_f | c) is (n_cl + s) / (n_c + s L_f) for level l of a nominal column with L_f levels, and a
Gaussian with mean and variance of the class for numbers (ordinal: of the levels); the variance is
increased by a share of that over all classes, as in scikit-learn's GaussianNB. In a column of
numbers with missing cells, missing is a level: its smoothed share (n_c,missing + s) / (n_c + 2 s),
or one minus that times the Gaussian of the present cells.

Log-likelihoods are rounded to 2^-32: their sums are exact, whatever the order. Products of shares
that are equal on paper differ by a step or two for each column: sums that differ by less than 2^-20
count as equal, and of equal classes the first wins.
"""

import numpy as np

from hetsel.compiling.arithmetic import exponential, logarithm, logarithms
from hetsel.compiling.compiled import compiled
from hetsel.ground.equal_numbers import GRID, merged

TIE = 2.0**-20  # of sums of log-likelihoods


@compiled
def add_number_likelihoods(train, codes, test, smoothing, var_smoothing, missing, out):
    """Add log P(x | c) of test cells (m,) of a column of numbers to `out` (m, classes)."""
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
        # a class without any value is described by all rows
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
    """Add log P(x | c) of the test cells (m,) to `out` (m, classes), a column of level codes."""
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
    """log P(c) (c,) of classes by their rows."""
    return np.asarray(np.rint(logarithms(counts / counts.sum()) * GRID) / GRID)


@compiled
def first_likely(totals):
    """Class (n,) of the largest sum of log-likelihoods (n, classes); of equal ones the first."""
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
    """Log-odds (m, 1) or log posteriors (m, c) from log P(c, x) (m, c); ties are equal."""
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
