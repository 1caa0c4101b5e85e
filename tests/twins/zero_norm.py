"""Slow twin of L2-AROM: the multiplicative update on rescaled rows, with an outside machine."""

import numpy as np
from sklearn.svm import SVC


def radius_C(rows):
    """1 over the square of the mean length of the rows."""
    return 1.0 / (sum(np.sqrt(row @ row) for row in rows) / len(rows)) ** 2


def l2_arom(columns, feature, y, C, iterations=20, threshold=1e-3):
    """Features from first to last, and their factors, never scaled back.

    columns (n, d) stand for feature (d,); y holds 0, 1, ...; C(scaled rows) is the bound.
    """
    p = max(feature) + 1
    left, factors, order = list(range(p)), np.ones(p), []
    labels = [y == k for k in range(1, 2)] if y.max() == 1 else [y == k for k in range(y.max() + 1)]
    for _ in range(iterations):
        kept = [c for c in range(len(feature)) if feature[c] in left]
        rows = columns[:, kept] * factors[[feature[c] for c in kept]]
        update = np.zeros(p)
        for label in labels:
            weights = (
                SVC(kernel="linear", C=C(rows), tol=1e-6, shrinking=False).fit(rows, label).coef_[0]
            )
            squares = np.zeros(p)
            for c, weight in zip(kept, weights, strict=True):
                squares[feature[c]] += weight**2
            update += np.sqrt(squares)
        before = factors / max(factors)
        factors = factors * update
        share = factors / max(factors)
        fallen = [f for f in left if share[f] <= threshold]
        order = sorted(fallen, key=lambda f: -share[f]) + order
        left = [f for f in left if f not in fallen]
        if not fallen and all(abs(share[f] - before[f]) <= 1e-3 * before[f] for f in left):
            break
    return sorted(left, key=lambda f: -factors[f]) + order, factors / max(factors)
