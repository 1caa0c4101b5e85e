"""When two numbers count as equal: a common scale, fixed grids and a width for ties.

The same column in other units, or a sum in another order, differs in the last bits: values are put
on a grid far finer than anything in the data. What a solver found ties within its tolerance.
"""

import numpy as np

GRID = 2.0**32
# for cells: few enough steps that hardly any cell lies where a change of units moves it by one
FINE_GRID = 2.0**24
SAME_INFORMATION = 1.5 / FINE_GRID  # what lies on both sides of an edge of that grid is equal
# of the largest of the values: well above what solvers at their default tolerance leave open
TIE_WIDTH = 1e-8
NORM_WIDTH = 1e-10  # of the whole, for norms of parts of a machine that is solved to the end
LONGEST_TIE = 10.0  # widths; a longer chain of values is a crowd, not a tie


def unit_scale(values: np.ndarray) -> np.ndarray:
    """Columns (n, p) scaled to [0, 1]: (x - min) / (max - min), with 0 for a constant column. NaN
    is missing and stays so; the result is in Fortran order."""
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
    """Power of two (p,) by which columns are multiplied before their range is looked at, by their
    largest absolute values (p,): 1/2, so that no range overflows, or 2^500 for tiny cells."""
    return np.where(largest < 2.0**-500, 2.0**500, 0.5)


def on_grid(values: np.ndarray) -> np.ndarray:
    """Values rounded to multiples of 2^-32; infinities and NaN stay."""
    return np.rint(values * GRID) / GRID


def equalized(values: np.ndarray) -> np.ndarray:
    """Values (k,) on the grid of 2^-32, or of 2^-32 of their size from 1 on; a step apart they tie.

    For numbers known to rounding, each on its own scale, such as logarithms of p-values. Neighbors
    a step apart, and chains of them that span at most ten, become the larger one: values equal on
    paper may lie on both sides of an edge of the grid. Infinities and NaN stay.
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
    """Values (k,) with ties made exact: each becomes the largest of the values that it ties with.

    Neighbors in size tie that differ by at most TIE_WIDTH (1e-8) of the largest magnitude, and
    chains of them that span ten times as much: values equal on paper part only if a solver missed
    by more.
    """
    if len(values) < 2:
        return values
    return merged(values, TIE_WIDTH * float(np.abs(values).max()))


def merged(values: np.ndarray, width: float) -> np.ndarray:
    """Values (k,) of which neighbors in size at most `width` apart, and chains of them that span at
    most ten widths, are made equal to the largest of them."""
    near = np.diff(np.sort(values)) <= width
    if not near.any():  # mostly: sorting numbers is faster than sorting their places
        return values
    ascending = np.argsort(values)
    out = np.empty_like(values)
    out[ascending] = _chained(values[ascending], np.full(len(values), width))
    return out


def _chained(ascending: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Ascending values (k,) of which short chains are made equal, each value with a width (k,)."""
    apart = ascending[1:] - ascending[:-1] > np.maximum(widths[1:], widths[:-1])
    if apart.all():
        return ascending
    chain = np.concatenate([[0], np.cumsum(apart)])
    last = np.searchsorted(chain, chain, side="right") - 1
    first = np.searchsorted(chain, chain, side="left")
    short = ascending[last] - ascending[first] <= LONGEST_TIE * widths[last]
    return np.where(short, ascending[last], ascending)
