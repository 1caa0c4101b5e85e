"""Numbers cut into bins of about as many rows each."""

from __future__ import annotations

import numpy as np

from hetsel.tables.table import Table
from hetsel.tables.ties import on_grid, unit_scale
from hetsel.tables.validation import at_least


def equal_frequency_bins(values: np.ndarray, bins: int) -> np.ndarray:
    """Bin (n,) of each number, counted from 0 in ascending order; rows of one value share a bin.

    With L rows below a value and E rows equal to it, the value lies at u = (L + E/2) / n and goes
    to bin floor(bins u). On the edge of two bins it goes to the one nearer to the middle; on the
    edge in the middle (an even number of bins) it has a bin of its own. So the bins of -x are those
    of x in reverse order. Numbers with no more than `bins` distinct values keep them apart.

    Parameters
    ----------
    values : ndarray of shape (n,)
        NaN is missing, and has the bin behind all others.
    bins : int
        Two or more.

    Raises
    ------
    ValueError
        bins below 2.

    Examples
    --------
    >>> equal_frequency_bins(np.array([5.0, 1, 2, 9, 7, 8, 2]), 3)
    array([1, 0, 0, 2, 1, 2, 0])
    """
    at_least("bins", bins, 2)
    present = ~np.isnan(values)
    distinct, place, count = np.unique(values[present], return_inverse=True, return_counts=True)
    out = np.empty(len(values), dtype=np.int64)
    if len(distinct) > bins:
        n = int(count.sum())
        middle = 2 * np.cumsum(count) - count
        bin_of, rest = np.divmod(bins * middle, 2 * n)
        bin_of = 2 * bin_of  # room for the bin in the middle
        bin_of[(rest == 0) & (middle > n)] -= 2
        bin_of[(rest == 0) & (middle == n)] -= 1
        place = np.unique(bin_of, return_inverse=True)[1][place]
    out[present] = place
    out[~present] = place.max(initial=-1) + 1
    return out


def discrete_codes(table: Table, bins: int) -> np.ndarray:
    """Codes (p, n), from 0: bins of continuous columns, levels of nominal and ordinal ones.

    A missing cell is a level of its own.
    """
    numbers = on_grid(unit_scale(table.values))
    categorical = table.schema.categorical
    codes = np.empty(numbers.shape[::-1], dtype=np.int64)
    for f, column in enumerate(numbers.T):
        if categorical[f]:
            codes[f] = np.unique(column, return_inverse=True)[1]
        else:
            codes[f] = equal_frequency_bins(column, bins)
    return codes
