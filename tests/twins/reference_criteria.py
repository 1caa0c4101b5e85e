"""Slow twins of the criteria and of the methods that search with them: loops and exact numbers."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB


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
    return balanced_rate(np.argmax(total, axis=1), y)


def squared_distance(a, b, nominal, lowest, highest):
    """HEOM between two rows as an exact fraction (paul2015, Eq. 9 and 10)."""
    total = Fraction(0)
    for f in range(len(a)):
        if isnan(a[f]) or isnan(b[f]):
            total += isnan(a[f]) != isnan(b[f])
        elif nominal[f]:
            total += a[f] != b[f]
        elif highest[f] > lowest[f]:
            width = Fraction(highest[f]) - Fraction(lowest[f])
            total += ((Fraction(a[f]) - Fraction(b[f])) / width) ** 2
    return total


def neighbor_classes(values, nominal, y, fold, subset, neighbors=5):
    """Class of every held-out row by its nearest rows, all distances as exact fractions."""
    values, nominal = values[:, subset].tolist(), [nominal[f] for f in subset]
    present = [[v for v in column if not isnan(v)] for column in zip(*values, strict=True)]
    lowest, highest = [min(c) for c in present], [max(c) for c in present]
    predicted = []
    for i, row in enumerate(values):
        others = [j for j in range(len(values)) if fold[j] != fold[i]]
        away = {j: squared_distance(row, values[j], nominal, lowest, highest) for j in others}
        nearest = sorted(others, key=lambda j: (away[j], j))[:neighbors]
        votes = [int(y[j]) for j in nearest]
        predicted.append(max(votes, key=lambda c: (votes.count(c), -votes.index(c))))
    return np.array(predicted)


def neighbor_rate(values, nominal, y, fold, subset, neighbors=5):
    """Cross-validated BCR of nearest neighbors on a subset of columns."""
    return balanced_rate(neighbor_classes(values, nominal, y, fold, subset, neighbors), y)


def hybrid_order(rate, pvalue, nominal):
    """Greedy merge of the two lists: features in order and the rate after each.

    `rate(subset)` is the criterion, computed anew for every candidate.
    """
    numbers = sorted((f for f in range(len(pvalue)) if not nominal[f]), key=lambda f: pvalue[f])
    levels = sorted((f for f in range(len(pvalue)) if nominal[f]), key=lambda f: pvalue[f])
    chosen, rates = [], []
    while numbers or levels:
        heads = [queue[0] for queue in (numbers, levels) if queue]
        scores = {f: rate([*chosen, f]) for f in heads}
        best = min(heads, key=lambda f: (-scores[f], pvalue[f], f))
        (numbers if numbers and best == numbers[0] else levels).pop(0)
        chosen.append(best)
        rates.append(float(scores[best]))
    return chosen, rates
