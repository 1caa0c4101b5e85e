"""Compiled loops over features; plain arrays in, plain arrays out.

Throughout, `values` is (p, n): feature by row, continuous features scaled to [0, 1], nominal
features as level codes, NaN a missing cell that is a value of its own. `nominal` (p,) marks the
nominal features, `gaps` (p,) the features with a missing cell. Rows of the loops run over
contiguous memory, so that the compiler can use vector instructions.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def add_gram(gram, values, nominal, gaps, features, weights):
    """gram (n, n), lower triangle: add sum_f weights_f k_f over these features, in their order."""
    n = values.shape[1]
    for place in range(len(features)):
        f = features[place]
        w = weights[place]
        column = values[f]
        if gaps[f]:
            for i in range(n):
                for j in range(i + 1):
                    gram[i, j] += w * similarity(column[i], column[j], nominal[f])
        elif nominal[f]:
            for i in range(n):
                row = gram[i]
                a = column[i]
                for j in range(i + 1):
                    row[j] += w if column[j] == a else 0.0
        else:
            for i in range(n):
                row = gram[i]
                a = column[i]
                for j in range(i + 1):
                    row[j] += w - w * abs(column[j] - a)


@njit(cache=True)
def mirror(gram):
    """Copy the lower triangle of gram (n, n) onto the upper one."""
    n = gram.shape[0]
    for i in range(n):
        for j in range(i):
            gram[j, i] = gram[i, j]


@njit(cache=True)
def similarity(a, b, nominal):
    """k_f(a, b) of one feature, Eq. 2 of paul2015; equal if both are missing, 0 if one is."""
    if np.isnan(a) or np.isnan(b):
        return 1.0 if np.isnan(a) and np.isnan(b) else 0.0
    if nominal:
        return 1.0 if a == b else 0.0
    return 1.0 - abs(a - b)


@njit(cache=True)
def cross_gram(left, right, nominal, weights):
    """Weighted sum of k_f between the rows of left (p, n) and of right (p, m): (n, m)."""
    p, n = left.shape
    m = right.shape[1]
    gram = np.zeros((n, m))
    for f in range(p):
        for i in range(n):
            for j in range(m):
                gram[i, j] += weights[f] * similarity(left[f, i], right[f, j], nominal[f])
    return gram


@njit(cache=True)
def energies(values, order, nominal, features, beta, out):
    """out_f = beta' K_f beta of each feature, in O(n).

    `order` (p, n) has the rows of each feature sorted by value (missing last), of a nominal
    feature grouped by level. With S the sum of beta over the present rows, B_k its running sum in
    sorted order and M the sum over the missing rows,
    s_f = S^2 - 2 sum_k (x_(k+1) - x_(k)) B_k (S - B_k) + M^2   (continuous)
    s_f = sum_levels (sum of beta in the level)^2 + M^2          (nominal).
    """
    n = values.shape[1]
    for place, f in enumerate(features):
        rows = order[f]
        column = values[f]
        present = n
        missing = 0.0
        while present > 0 and np.isnan(column[rows[present - 1]]):
            present -= 1
            missing += beta[rows[present]]
        total = missing * missing
        if nominal[f]:
            level = 0.0
            for k in range(present):
                level += beta[rows[k]]
                if k + 1 == present or column[rows[k + 1]] != column[rows[k]]:
                    total += level * level
                    level = 0.0
        else:
            whole = 0.0
            for k in range(present):
                whole += beta[rows[k]]
            running = 0.0
            spread = 0.0
            for k in range(present - 1):
                running += beta[rows[k]]
                gap = column[rows[k + 1]] - column[rows[k]]
                spread += gap * running * (whole - running)
            total += whole * whole - 2.0 * spread
        out[place] += max(total, 0.0)
