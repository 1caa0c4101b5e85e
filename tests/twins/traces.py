"""Slow twins of what Gram matrices say of classes: traces of full matrices."""

import numpy as np
from twins.kernel_sums import feature_gram


def class_gram(y):
    """I(y_i = y_j) n / (c n_y), row by row."""
    n, n_classes = len(y), len(set(y))
    gram = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if y[i] == y[j]:
                gram[i, j] = n / (n_classes * sum(other == y[i] for other in y))
    return gram


def centered(gram):
    """H K H by two products of matrices."""
    n = len(gram)
    center = np.eye(n) - np.ones((n, n)) / n
    return center @ gram @ center


def hsic(gram, y):
    """tr(K H L H) / (n - 1)^2."""
    return np.trace(gram @ centered(class_gram(y))) / (len(y) - 1) ** 2


def gaussian_gram(column):
    """exp(-(a - b)^2 / (2 s^2)) of the present cells; 1 between missing ones, else 0."""
    n = len(column)
    spread = np.nanstd(column)
    gram = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            a, b = column[i], column[j]
            if np.isnan(a) or np.isnan(b):
                gram[i, j] = float(np.isnan(a) and np.isnan(b))
            else:
                gram[i, j] = np.exp(-((a - b) ** 2) / (2 * spread**2)) if spread else 1.0
    return gram


def product_gram(values, nominal, subset):
    """Product over the subset of exp(-d_f / v), d_f of mean 1; v of them vary."""
    n = len(values)
    total, varying = np.zeros((n, n)), 0
    for f in subset:
        column = values[:, f]
        gaps = np.isnan(column)
        if nominal[f]:
            away = (column[:, None] != column[None, :]).astype(float)
            away[np.ix_(gaps, gaps)] = 0.0
        else:
            away = (column[:, None] - column[None, :]) ** 2
        mean = np.nanmean(away)
        if mean > 0:
            away /= mean
        away[gaps[:, None] != gaps[None, :]] = 1.0 if not nominal[f] else 1.0 / mean
        away[np.ix_(gaps, gaps)] = 0.0
        total += away
        varying += bool(away.any())
    return np.exp(-total / varying) if varying else np.ones((n, n))


def alignment(values, nominal, y, subset):
    """<K, L> / (|K| |L|) of the centered sum of the clinical kernels."""
    if not subset:
        return 0.0
    gram = centered(sum(feature_gram(values[:, f], nominal[f]) for f in subset))
    target = centered(class_gram(y))
    norm = np.linalg.norm(gram)
    return (gram * target).sum() / norm / np.linalg.norm(target) if norm > 1e-9 else 0.0
