"""Numbers on a common scale and a fixed grid, so that no rounding decides a tie.

The same column in centimeters and in inches, or the same sum in another order, differs in the
last bits. Where such bits could break a tie, values are first put on a grid far coarser than the
rounding and far finer than anything in the data.
"""

from __future__ import annotations

import numpy as np

GRID = 2.0**32


def unit_scale(values: np.ndarray) -> np.ndarray:
    """Columns scaled to [0, 1]: (x - min) / (max - min), with 0 for a constant column.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        NaN is missing and stays so.

    Returns
    -------
    ndarray of shape (n, p), in Fortran order

    Examples
    --------
    >>> unit_scale(np.array([[30.0, 7.0], [60.0, 7.0], [40.0, np.nan]]))[:, 0].round(3)
    array([0.   , 1.   , 0.333])
    """
    half = np.array(values, dtype=np.float64, order="F")
    half *= 0.5  # so that the range of no column overflows
    lowest = np.fmin.reduce(half, axis=0)
    width = np.fmax.reduce(half, axis=0) - lowest
    width[~(width > 0)] = 1.0
    half -= lowest
    half /= width
    return half


def on_grid(values: np.ndarray) -> np.ndarray:
    """Values rounded to multiples of 2^-32; infinities and NaN stay."""
    return np.rint(values * GRID) / GRID
