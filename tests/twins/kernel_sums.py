"""Slow twin of the kernels and their sums: two loops over the rows."""

import numpy as np


def feature_gram(column, nominal, low=None, span=None):
    """k_f between all rows of one column, Eq. 2 of paul2015; NaN is a value of its own."""
    n = len(column)
    present = column[~np.isnan(column)]
    if low is None:
        low = present.min() if len(present) else 0.0
        span = (present.max() - present.min()) if len(present) else 0.0
    gram = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            a, b = column[i], column[j]
            if np.isnan(a) or np.isnan(b):
                gram[i, j] = float(np.isnan(a) and np.isnan(b))
            elif nominal:
                gram[i, j] = float(a == b)
            elif span == 0:
                gram[i, j] = 1.0
            else:
                gram[i, j] = (span - abs(a - b)) / span
    return gram


def weighted_gram(values, nominal, weights):
    """sum_f w_f K_f of a table (n, p)."""
    grams = [
        w * feature_gram(column, kind)
        for column, kind, w in zip(values.T, nominal, weights, strict=True)
    ]
    return np.sum(grams, axis=0)
