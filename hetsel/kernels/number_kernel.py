"""The kernel of a target of numbers, and its centered form as a sum of few directions.

    l(i, j) = exp(-(y_i - y_j)^2 / (2 s^2)),   s the standard deviation of y.

H L H = sum_d d d' with H = I - 11'/n, to 1e-12 in each entry: a Gaussian kernel of one number is of
low rank, some tens of directions for any number of rows (Cholesky's factors, the largest pivot
first; Fine and Scheinberg 2001, Journal of Machine Learning Research 2, 243-264).
"""

from __future__ import annotations

import numpy as np

from hetsel.compiling.arithmetic import exponentiate, product
from hetsel.ground.ties import unit_scale

ACCURACY = 1e-12  # of an entry of the kernel


def number_directions(values: np.ndarray) -> np.ndarray:
    """d (m, n) of numbers (n,) that are not all equal; the rows of it sum to 0.

    Examples
    --------
    >>> directions = number_directions(np.array([1.0, 3.0, 1.0, 3.0]))
    >>> (directions.T @ directions).round(3)
    array([[ 0.432, -0.432,  0.432, -0.432],
           [-0.432,  0.432, -0.432,  0.432],
           [ 0.432, -0.432,  0.432, -0.432],
           [-0.432,  0.432, -0.432,  0.432]])
    """
    cells = unit_scale(values[:, None])[:, 0]
    ascending, place = np.unique(cells, return_inverse=True)
    directions = gaussian_factors(ascending / cells.std())[:, place]
    return np.asarray(directions - directions.mean(axis=1, keepdims=True))


def gaussian_factors(cells: np.ndarray) -> np.ndarray:
    """Factors g (m, k) of the Gaussian kernel of width 1 of distinct numbers (k,): g' g is it.

    Examples
    --------
    >>> factors = gaussian_factors(np.array([0.0, 1.0]))
    >>> (factors.T @ factors).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """
    left = np.ones(len(cells))
    factors = np.empty((0, len(cells)))
    while left.max() > ACCURACY:
        pivot = int(left.argmax())
        row = -0.5 * (cells - cells[pivot]) ** 2
        exponentiate(row[None])
        known = product(factors[:, pivot][None], factors.T)[0]
        row = (row - known) / np.sqrt(left[pivot])
        factors = np.vstack([factors, row])
        left = np.maximum(left - row**2, 0.0)
        left[pivot] = 0.0
    return factors
