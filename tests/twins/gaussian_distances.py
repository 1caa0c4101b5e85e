"""Slow twins of the distances of Gaussian classes: written out, from the cells of a subset."""

import numpy as np


def plain_columns(table, subset):
    """A number as it is, a nominal feature as the indicators of all levels but its first."""
    columns = []
    for f in subset:
        x = table.values[:, f]
        if table.nominal[f]:
            columns += [(x == level).astype(float) for level in np.unique(x)[1:]]
        else:
            gaps = np.isnan(x)
            flat = len(set(x[~gaps].tolist())) < 2
            columns += [] if flat else [np.where(gaps, 7.0, x)]
            columns += [gaps.astype(float)] if gaps.any() else []
    return np.array([c for c in columns if np.ptp(c) > 0]).reshape(-1, len(table.values)).T


def ridge_of(table, subset, ridge):
    """ridge times the covariance over all rows, with 0 between columns of two features."""
    parts = [plain_columns(table, [f]) for f in subset]
    size = sum(part.shape[1] for part in parts)
    out, at = np.zeros((size, size)), 0
    for part in parts:
        end = at + part.shape[1]
        out[at:end, at:end] = ridge * np.cov(part.T, bias=True).reshape(end - at, end - at)
        at = end
    return out


def moments(table, y, subset, ridge):
    """Share, mean and covariance of each class."""
    columns = plain_columns(table, subset)
    extra = ridge_of(table, subset, ridge)
    d = columns.shape[1]
    for c in sorted(set(y.tolist())):
        part = columns[y == c]
        cov = np.cov(part.T, bias=True).reshape(d, d) if d else np.zeros((0, 0))
        yield np.mean(y == c), part.mean(axis=0), cov + extra


def mean_of_pairs(table, y, subset, ridge, distance):
    """Mean over pairs of classes of distance(mean, covariance, mean, covariance, pooled)."""
    classes = list(moments(table, y, subset, ridge))
    pooled = sum(share * cov for share, _, cov in classes)
    total = weights = 0.0
    for a, (share, mean, cov) in enumerate(classes):
        for other_share, other_mean, other_cov in classes[a + 1 :]:
            weight = share * other_share
            total += weight * distance(mean, cov, other_mean, other_cov, pooled)
            weights += weight
    return total / weights


def bhattacharyya(m, s, other_m, other_s, pooled):
    middle, away = (s + other_s) / 2, m - other_m
    logs = [np.linalg.slogdet(matrix)[1] for matrix in (middle, s, other_s)]
    return away @ np.linalg.solve(middle, away) / 8 + logs[0] / 2 - (logs[1] + logs[2]) / 4


def mahalanobis(m, s, other_m, other_s, pooled):
    return (m - other_m) @ np.linalg.solve(pooled, m - other_m)


def one_way(m, s, other_m, other_s):
    """Kullback-Leibler divergence of the first Gaussian from the second."""
    away, inverse = other_m - m, np.linalg.inv(other_s)
    logs = np.linalg.slogdet(other_s)[1] - np.linalg.slogdet(s)[1]
    return 0.5 * (np.trace(inverse @ s) + away @ inverse @ away - len(m) + logs)


def divergence(m, s, other_m, other_s, pooled):
    return one_way(m, s, other_m, other_s) + one_way(other_m, other_s, m, s)
