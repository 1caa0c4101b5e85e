"""Slow twins of the criteria: cross-validated rates of a subset, all computed anew."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from twins.neighbors import (
    mortality,
    nearest_votes,
    nearest_weights,
    squared_distance,
    weighted_mean,
    winner_of,
)


def balanced_rate(predicted, y):
    """Mean over classes of the share predicted right, as a fraction."""
    shares = []
    for c in sorted(set(y.tolist())):
        rows = [i for i in range(len(y)) if y[i] == c]
        shares.append(Fraction(sum(int(predicted[i] == c) for i in rows), len(rows)))
    return sum(shares, Fraction(0)) / len(shares)


def scaled(column):
    """Column scaled to [0, 1]."""
    width = np.nanmax(column) - np.nanmin(column)
    return (column - np.nanmin(column)) / (width if width > 0 else 1.0)


def naive_bayes_likelihoods(column, nominal, y, fold, smoothing):
    """Held-out log P(x | class) of one column without missing cells, by scikit-learn's models."""
    out = np.empty((len(y), len(set(y.tolist()))))
    codes = np.unique(column, return_inverse=True)[1]
    for k in sorted(set(fold.tolist())):
        held, rest = fold == k, fold != k
        if nominal:
            model = CategoricalNB(alpha=smoothing, min_categories=codes.max() + 1)
            model.fit(codes[rest, None], y[rest])
            out[held] = np.array([model.feature_log_prob_[0][:, c] for c in codes[held]])
        else:
            x = scaled(column)[:, None]
            model = GaussianNB().fit(x[rest], y[rest])
            for c, (mean, var) in enumerate(zip(model.theta_, model.var_, strict=True)):
                var = var if var > 0 else 1.0  # constant: the same for every class
                gauss = -0.5 * (np.log(2 * np.pi * var) + (x[held] - mean) ** 2 / var)
                out[held, c] = gauss[:, 0]
    return out


def naive_bayes_rate(values, nominal, y, fold, subset, smoothing=1.0):
    """Cross-validated BCR of naive Bayes on a subset of complete columns, all computed anew."""
    total = np.empty((len(y), len(set(y.tolist()))))
    for i in range(len(y)):
        rest = y[fold != fold[i]]
        total[i] = [np.log(np.mean(rest == c)) for c in range(total.shape[1])]
    for f in subset:
        total += naive_bayes_likelihoods(values[:, f], nominal[f], y, fold, smoothing)
    near = total > total.max(axis=1, keepdims=True) - 1e-9  # of equal ones the first
    return balanced_rate(np.argmax(near, axis=1), y)


def neighbor_classes(values, nominal, y, fold, subset, neighbors=5):
    """Class of every held-out row by its nearest rows, all distances as exact fractions."""
    values, nominal = values[:, subset].tolist(), [nominal[f] for f in subset]
    present = [[v for v in column if not isnan(v)] for column in zip(*values, strict=True)]
    lowest, highest = [min(c) for c in present], [max(c) for c in present]
    predicted = []
    for i, row in enumerate(values):
        others = [j for j in range(len(values)) if fold[j] != fold[i]]
        away = [squared_distance(row, values[j], nominal, lowest, highest) for j in others]
        classes = [int(y[j]) for j in others]
        predicted.append(winner_of(nearest_votes(away, classes, neighbors)))
    return np.array(predicted)


def neighbor_rate(values, nominal, y, fold, subset, neighbors=5):
    """Cross-validated BCR of nearest neighbors on a subset of columns."""
    return balanced_rate(neighbor_classes(values, nominal, y, fold, subset, neighbors), y)


def neighbor_weights(values, nominal, fold, subset, neighbors):
    """For every row the rows of the other folds and their weights, by exact distances."""
    values, nominal = values[:, subset].tolist(), [nominal[f] for f in subset]
    present = [[v for v in column if not isnan(v)] for column in zip(*values, strict=True)]
    lowest, highest = [min(c) for c in present], [max(c) for c in present]
    for i, row in enumerate(values):
        others = [j for j in range(len(values)) if fold[j] != fold[i]]
        away = [squared_distance(row, values[j], nominal, lowest, highest) for j in others]
        yield others, nearest_weights(away, neighbors)


def neighbor_means(values, nominal, y, fold, subset, neighbors=5):
    """Mean number of the nearest rows of every held-out row."""
    found = neighbor_weights(values, nominal, fold, subset, neighbors)
    return [float(weighted_mean(weights, y[others].tolist())) for others, weights in found]


def neighbor_mortalities(values, nominal, times, events, fold, subset, neighbors=5):
    """Mortality by the nearest rows of every held-out row."""
    found = neighbor_weights(values, nominal, fold, subset, neighbors)
    told = times.tolist(), events.tolist()
    return [
        float(mortality(weights, *([part[j] for j in others] for part in told), told[0]))
        for others, weights in found
    ]
