"""Compiled loops of the final classifiers; plain arrays in, plain arrays out.

As in hetsel.kernels.sums, values are (p, n): feature by row, continuous features scaled to
[0, 1], nominal ones as level codes, NaN a missing cell that is a value of its own.
"""

import numpy as np
from numba import njit

from hetsel.kernels.sums import similarity


@njit(cache=True)
def add_kernels(gram, left, right, nominal, gaps, features):
    """gram (n, m): add the unweighted kernels k_f of these features, all of it."""
    n, m = gram.shape
    for f in features:
        column = right[f]
        for i in range(n):
            row = gram[i]
            a = left[f, i]
            if gaps[f]:
                for j in range(m):
                    row[j] += similarity(a, column[j], nominal[f])
            elif nominal[f]:
                for j in range(m):
                    row[j] += 1.0 if column[j] == a else 0.0
            else:
                for j in range(m):
                    row[j] += 1.0 - abs(column[j] - a)


@njit(cache=True)
def decide(cross, beta, bias, out):
    """out (m,): decision values cross (m, n) @ beta + bias, summed in the order of the rows."""
    m, n = cross.shape
    for i in range(m):
        total = bias
        for j in range(n):
            if beta[j] != 0.0:
                total += beta[j] * cross[i, j]
        out[i] = total


@njit(cache=True)
def add_squares(distances, left, right, nominal, features):
    """distances (n, m): add the squared HEOM distances d_f^2 of these features."""
    n, m = distances.shape
    for f in features:
        for i in range(n):
            for j in range(m):
                a, b = left[f, i], right[f, j]
                if np.isnan(a) or np.isnan(b):
                    distances[i, j] += 0.0 if np.isnan(a) and np.isnan(b) else 1.0
                elif nominal[f]:
                    distances[i, j] += 0.0 if a == b else 1.0
                else:
                    distances[i, j] += (a - b) * (a - b)
