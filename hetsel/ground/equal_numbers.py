"""Rules for equal numbers: a common scale, fixed grids and a tie width.

A column in other units, and a sum in another order, differ in their last bits. So values are
rounded to a grid that is far finer than any difference in the data. Results of a solver tie within
its tolerance.
"""

import numpy as np

GRID = 2.0**32
# for table values: so coarse that a change of units hardly ever moves a value by one step
FINE_GRID = 2.0**24
SAME_INFORMATION = 1.5 / FINE_GRID  # values on both sides of a grid edge are equal
# relative to the largest value: well above the error of solvers at their default tolerance
TIE_WIDTH = 1e-8
NORM_WIDTH = 1e-10  # relative to the full norm, for norms of parts of an exactly solved machine
LONGEST_TIE = 10.0  # widths; a longer chain of values is not a tie


def unit_scale(values: np.ndarray) -> np.ndarray:
    """Scale columns (n, p) to [0, 1] by (x - min) / (max - min); constant columns become 0.

    NaN stays; the result is in Fortran order.
    """
    scaled = np.array(values, dtype=np.float64, order="F")
    lowest, highest = np.fmin.reduce(scaled, axis=0), np.fmax.reduce(scaled, axis=0)
    exact = exact_factor(np.maximum(-lowest, highest))
    scaled *= exact
    lowest *= exact
    width = highest * exact - lowest
    width[~(width > 0)] = 1.0
    scaled -= lowest
    scaled /= width
    return scaled


def exact_factor(largest: np.ndarray) -> np.ndarray:
    """Return the power of two (p,) that scales columns before their range is computed.

    `largest` (p,) holds the largest absolute values. The factor is 1/2, so that no range overflows,
    or 2^500 for tiny values.
    """
    return np.where(largest < 2.0**-500, 2.0**500, 0.5)


def on_grid(values: np.ndarray) -> np.ndarray:
    """Round values to multiples of 2^-32; infinities and NaN stay."""
    return np.rint(values * GRID) / GRID


def equalized(values: np.ndarray) -> np.ndarray:
    """Make values (k,) equal that differ by one step of the grid or less.

    The step is 2^-32, relative to the size of the value from 1 on. This is for numbers that are
    exact up to rounding, each on its own scale, such as logarithms of p-values. Mathematically
    equal values may lie on both sides of a grid edge. So neighbors one step apart, and chains of
    them that span at most ten steps, become the larger value. Infinities and NaN stay.
    """
    out = np.array(values, dtype=np.float64)
    finite = np.flatnonzero(np.isfinite(out))
    numbers = out[finite]
    if not len(numbers):
        return out
    step = np.ldexp(1.0 / GRID, np.frexp(np.maximum(np.abs(numbers), 0.5))[1])
    numbers = np.rint(numbers / step) * step
    ascending = np.argsort(numbers, kind="stable")
    widths = 1.5 * step[ascending]
    out[finite[ascending]] = _chained(numbers[ascending], widths)
    return out + 0.0


def tied(values: np.ndarray) -> np.ndarray:
    """Make ties among values (k,) exact: each value becomes the largest one of its tie.

    Neighbors in size tie if they differ by at most TIE_WIDTH (1e-8) of the largest magnitude;
    chains of such neighbors tie if they span at most ten times as much.
    """
    if len(values) < 2:
        return values
    return merged(values, TIE_WIDTH * float(np.abs(values).max()))


def merged(values: np.ndarray, width: float) -> np.ndarray:
    """Set values (k,) that lie within `width` of each other to the largest of them.

    Chains of such neighbors count, too, if they span at most ten widths.
    """
    near = np.diff(np.sort(values)) <= width
    if not near.any():  # the usual case: sorting numbers is faster than argsort
        return values
    ascending = np.argsort(values)
    out = np.empty_like(values)
    out[ascending] = _chained(values[ascending], np.full(len(values), width))
    return out


def _chained(ascending: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Make short chains of ascending values (k,) equal; each value has a width (k,)."""
    apart = ascending[1:] - ascending[:-1] > np.maximum(widths[1:], widths[:-1])
    if apart.all():
        return ascending
    chain = np.concatenate([[0], np.cumsum(apart)])
    last = np.searchsorted(chain, chain, side="right") - 1
    first = np.searchsorted(chain, chain, side="left")
    short = ascending[last] - ascending[first] <= LONGEST_TIE * widths[last]
    return np.where(short, ascending[last], ascending)
