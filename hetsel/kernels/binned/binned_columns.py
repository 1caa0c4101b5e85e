"""Columns of at most some hundred different cells each: codes of one or two bytes.

A kernel of one column, summed over the rows, is then a small table with one entry a bin, whatever
the number of rows: sums of kernels take memory and time linear in the rows and in the columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hetsel.ground.errors import TableError

MOST_BINS = 256  # of a column: codes of one byte
COARSE = 2**16  # steps of the range in which the cells of a column are counted
STEPS = 2**24  # steps of the range, of cells in canonical form
FINER = 2.0**8  # parts of a step, to which means are rounded: their differences have no rounding


class BinnedColumns(NamedTuple):
    """Columns as codes, and where the bins of each lie.

    Parameters
    ----------
    codes : ndarray of shape (n, p), uint8 or uint16
        Bin of each cell, row by row.
    starts : ndarray of int, shape (p + 1,)
        Where the bins of each column begin among those of all columns.
    positions : ndarray of shape (bins,)
        Of the bins of numbers, ascending in [0, 1]: the mean of the cells. 0 of levels.
    nominal : ndarray of bool, shape (p,)
    gaps : ndarray of bool, shape (p,)
        Whether the last bin holds the missing cells.
    rounding : ndarray of shape (p,)
        How far a cell of each column is from the position of its bin at most; 0 of levels, and of
        columns with a bin for every different cell.
    """

    codes: np.ndarray
    starts: np.ndarray
    positions: np.ndarray
    nominal: np.ndarray
    gaps: np.ndarray
    rounding: np.ndarray

    def take(self, columns: np.ndarray) -> BinnedColumns:
        """Some of the columns, in this order."""
        at = [np.arange(self.starts[f], self.starts[f + 1]) for f in columns]
        return BinnedColumns(
            np.ascontiguousarray(self.codes[:, columns]),
            np.concatenate([[0], np.cumsum([len(own) for own in at])]).astype(np.int64),
            self.positions[np.concatenate(at)],
            self.nominal[columns],
            self.gaps[columns],
            self.rounding[columns],
        )


def binned(cells: np.ndarray, nominal: np.ndarray, bins: int = MOST_BINS) -> BinnedColumns:
    """Columns in at most this many bins each, one for every different cell where that is enough.

    Where it is not, half of the cuts part the range evenly, half part the rows evenly: no cell is
    further from the others of its bin than 2 / bins of the range, and where many rows lie the bins
    are narrow. A missing cell has a bin of its own, beyond these. Columns of more levels
    than 256 take codes of two bytes; levels are never merged.

    Parameters
    ----------
    cells : ndarray of shape (p, n)
        Numbers on the grid of 2^-24 in [0, 1], levels as codes from 0; NaN is missing.
    nominal : ndarray of bool, shape (p,)
    bins : int
        From 4 to 65,535.

    Raises
    ------
    TableError
        bins out of its range, or a column of more than 65,535 levels.
    """
    p, n = cells.shape
    check_bins(bins)
    found = [_column(cells[f], bool(nominal[f]), bins) for f in range(p)]
    counts = np.array([len(own[1]) + own[2] for own in found])
    if counts.max() > 2**16:
        raise TableError(f"a column has {counts.max():,} levels: at most 65,535 have codes")
    codes = np.empty((n, p), dtype=np.uint8 if counts.max() <= 2**8 else np.uint16)
    for f, own in enumerate(found):
        codes[:, f] = own[0]
    return BinnedColumns(
        codes,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([np.append(own[1], np.zeros(int(own[2]))) for own in found]),
        np.array(nominal, dtype=bool),
        np.array([own[2] for own in found]),
        np.array([own[3] for own in found]),
    )


def check_bins(bins: Any) -> None:
    """Refuse a number of bins that is none.

    Raises
    ------
    TableError
    """
    whole = isinstance(bins, int | np.integer) and not isinstance(bins, bool)
    if not whole or not 4 <= bins < 2**16:
        raise TableError(f"bins must be a whole number from 4 to 65,535. Got {bins!r}")


def _column(
    cells: np.ndarray, nominal: bool, bins: int
) -> tuple[np.ndarray, np.ndarray, bool, float]:
    """Codes (n,) of a column, positions of its bins, whether cells are missing, the rounding."""
    gap = np.isnan(cells)
    missing = bool(gap.any())
    present = cells[~gap] if missing else cells
    if nominal:
        levels = int(present.max(initial=0.0)) + 1
        own, positions, rounding = present.astype(np.uint16), np.zeros(levels), 0.0
    else:
        own, positions, rounding = _numbers((present * STEPS).astype(np.int64), bins)
    if not missing:
        return own, positions, False, rounding
    codes = np.full(len(cells), len(positions), dtype=np.uint16)
    codes[~gap] = own
    return codes, positions, True, rounding


def _numbers(steps: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Codes, positions and rounding of cells in whole steps of the grid."""
    coarse = steps * (COARSE - 1) // STEPS
    counts = np.bincount(coarse, minlength=COARSE)
    used = np.flatnonzero(counts)
    if len(used) <= bins:
        values, codes = np.unique(steps, return_inverse=True)
        if len(values) <= bins:
            return codes.astype(np.uint16), values / STEPS, 0.0
    # a cut between two coarse steps: by the range, and by the rows
    even = np.arange(1, bins // 2) * COARSE // (bins // 2)
    shares = np.arange(1, bins // 2 + 1) / (bins // 2 + 1) * counts.sum()
    cuts = np.union1d(even, np.searchsorted(np.cumsum(counts), shares) + 1)
    places = np.searchsorted(cuts, np.arange(COARSE), side="right")
    names = np.cumsum(np.bincount(places[used], minlength=len(cuts) + 1) > 0) - 1
    codes = names[places].astype(np.uint16)[coarse]
    rows = np.bincount(codes)
    means = np.rint(np.bincount(codes, weights=steps) / rows * FINER) / FINER
    return codes, means / STEPS, float(np.abs(steps - means[codes]).max()) / STEPS
