"""Numbers that differ by rounding only: one rule for ranks, differences and bounds of scores.

Sums in another order differ in their last bits. Two scores a and b tie if they differ by at most

    1e-12 max(|a|, |b|), but at most 1e-8 of the spread of their row (values with a large offset).

This width is at least four units in the last place of the larger score. Next to 0 it is at least
the twelfth decimal, or four units in the last place of the largest score of the row where that is
less. If a row spans at most 64 units in the last place, all its scores tie. Ties are transitive:
chains of tied values tie.

Two tests use the rules of R instead: which column is constant (`column_tests.ROUNDING`), and which
table is as probable as the observed one (`fisher.columns.TIE`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.array_types import Floats

DIGITS = 12
UNIT = 10.0**-DIGITS
HALF_A_DIGIT = 0.5 * UNIT
OF_SPREAD = 1e-8
EPS = float(np.finfo(np.float64).eps)
EPS_OF_ONE = 4 * EPS  # rounding of one number
EPS_OF_SUM = 64 * EPS  # of a long sum, relative to its size
UNDERFLOW = 1e-280  # below this a p-value of scipy loses digits on its way to 0


def scaled_to_one(values: Floats, like: Floats | None = None) -> Floats:
    """Scale values by the power of two that brings the largest of `like` into [1/2, 1).

    Differences, squares and ratios of the result do not overflow; zeros stay.

    >>> scaled_to_one(np.array([3.0, -12.0]))
    array([ 0.1875, -0.75  ])
    """
    return np.ldexp(values, -np.frexp(np.abs(values if like is None else like).max())[1])


def tie_rows(values: ArrayLike, size: ArrayLike | None = None) -> Floats:
    """Make tied values (..., m) equal: each becomes the smallest of its chain of ties; NaN stays.

    Where the values are differences, `size` (..., m) is the size of the numbers subtracted.
    """
    numbers = np.array(values, dtype=np.float64)
    if numbers.shape[-1] < 2:
        return numbers
    order = np.argsort(numbers, axis=-1, kind="stable")
    ascending = np.take_along_axis(numbers, order, axis=-1)
    sizes = np.abs(ascending)
    if size is not None:
        known = np.broadcast_to(np.asarray(size, dtype=np.float64), numbers.shape)
        sizes = np.take_along_axis(known, order, axis=-1)
    widths = _widths(np.fmax(sizes[..., 1:], sizes[..., :-1]), ascending, sizes)
    with np.errstate(over="ignore", invalid="ignore"):
        apart = ~(np.diff(ascending, axis=-1) <= widths)
    first = np.zeros(ascending.shape, dtype=np.intp)
    first[..., 1:] = np.where(apart, np.arange(1, ascending.shape[-1]), 0)
    first = np.maximum.accumulate(first, axis=-1)
    out = np.empty_like(numbers)
    np.put_along_axis(out, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return out


def _widths(pairs: Floats, values: Floats, sizes: Floats) -> Floats:
    """Return the largest difference at which two values of a row tie, by the size of the larger."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.fmax.reduce(values, axis=-1, initial=-np.inf, keepdims=True)
        spread = spread - np.fmin.reduce(values, axis=-1, initial=np.inf, keepdims=True)
    largest = np.fmax.reduce(sizes, axis=-1, initial=0.0, keepdims=True)
    varied = spread > EPS_OF_SUM * largest
    widths = np.where(varied, np.fmin(UNIT * pairs, OF_SPREAD * spread), UNIT * pairs)
    least = np.fmin(UNIT, EPS_OF_ONE * largest)
    return np.asarray(np.fmax(np.fmax(widths, EPS_OF_ONE * pairs), least))


def within_share(values: ArrayLike, best: float, share: float) -> NDArray[np.bool_]:
    """Check whether values reach (1 - share) best, or (1 + share) best where best is negative.

    Half a unit of the twelfth digit is tolerated: different proportions of rows differ by more.
    """
    return np.asarray(np.asarray(values) >= best - (share + HALF_A_DIGIT) * abs(best))


def reaches(values: ArrayLike, bound: float) -> NDArray[np.bool_]:
    """Check whether values (m,) lie at or above the bound, or tie with it."""
    numbers = np.asarray(values, dtype=np.float64)
    sizes = np.fmax(np.abs(numbers), abs(bound))
    with np.errstate(invalid="ignore"):
        near = numbers >= bound - _widths(sizes, numbers, sizes)
    return np.asarray(near | (numbers >= bound))


def exceeds(values: ArrayLike, bound: float, size: ArrayLike | None = None) -> NDArray[np.bool_]:
    """Check whether each value exceeds the bound by more than the twelfth digit of the larger one.

    Where the values are sums or differences, `size` is the size of the numbers added.
    """
    numbers = np.asarray(values, dtype=np.float64)
    sizes = np.fmax(np.abs(numbers) if size is None else np.asarray(size), abs(bound))
    return np.asarray(numbers > bound + UNIT * sizes)
