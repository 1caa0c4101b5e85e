"""Numbers that differ by rounding alone: the one rule for ranks, differences and bounds of scores.

The same mean, summed in another order, differs in its last bits. Two scores that agree to 12 digits
of the largest they stand beside are equal: far coarser than any rounding, far finer than anything a
score says. The scores are put on a grid, so that being equal is transitive.

Two tests have rules of their own, R's: which column is constant (`column_tests.ROUNDING`), and
which table is as probable as the observed one (`fisher.columns.TIE`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

DIGITS = 12
HALF_A_DIGIT = 0.5 * 10.0**-DIGITS
UNDERFLOW = 1e-280  # below this a p-value of scipy loses digits on its way to 0


def rounded(values: ArrayLike) -> NDArray[np.float64]:
    """Values divided by the largest of their row and rounded: what is equal on paper is equal here.

    Parameters
    ----------
    values : array-like, shape (..., m)

    Returns
    -------
    ndarray, shape (..., m)
        In -1..1; a row of zeros stays.

    Examples
    --------
    >>> rounded([0.3, 0.1 + 0.2, 0.6])
    array([0.5, 0.5, 1. ])
    """
    numbers = np.asarray(values, dtype=np.float64)
    largest = np.abs(numbers).max(axis=-1, keepdims=True)
    return np.asarray(np.round(numbers / np.where(largest > 0, largest, 1.0), DIGITS))


def within_share(values: ArrayLike, best: float, share: float) -> NDArray[np.bool_]:
    """Whether values are treated as equal to the best one, or are better: (1 - share) best or more.

    Below a negative best one the bound lies by the share of its size. Half a unit of the twelfth
    digit counts as none: where a value stands exactly at the bound, sums and products of its parts
    do not, and two shares of rows are never so near unless they are equal.

    Parameters
    ----------
    values : array-like
    best : float
    share : float
        In [0, 1].

    Returns
    -------
    ndarray of bool, of the shape of the values

    Examples
    --------
    >>> 24 / 44 >= (1 - 0.04) * (25 / 44), bool(within_share(24 / 44, 25 / 44, 0.04))
    (False, True)
    """
    return np.asarray(np.asarray(values) >= best - (share + HALF_A_DIGIT) * abs(best))


def reaches(values: ArrayLike, bound: float) -> NDArray[np.bool_]:
    """Whether values are at the bound or above it.

    Parameters
    ----------
    values : array-like, shape (m,)
    bound : float

    Returns
    -------
    ndarray of bool, shape (m,)

    Examples
    --------
    >>> reaches([0.1 + 0.2, 0.29, 0.31], 0.3)
    array([ True, False,  True])
    """
    grid = rounded(np.append(np.asarray(values, dtype=np.float64), bound))
    return np.asarray(grid[:-1] >= grid[-1])
