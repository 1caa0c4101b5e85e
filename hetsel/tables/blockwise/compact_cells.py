"""Columns of few bytes a cell, that give back each cell to the last bit."""

from typing import NamedTuple

import numpy as np

from hetsel.tables.encode import quiet

WHOLE = (np.int8, np.int16, np.int32)
ROWS = 2**12  # that are written at a time, so that cells of one row meet in a near cache


class CompactCells(NamedTuple):
    """The cells of a column.

    Parameters
    ----------
    cells : ndarray of shape (n,)
        Numbers of any type that turn into float64.
    whole : bool
        Whether they are whole numbers in place of floats; the least of their type is missing.
    """

    cells: np.ndarray
    whole: bool = False

    @classmethod
    def of(cls, values: np.ndarray) -> "CompactCells":
        """Floats (n,) in the fewest bytes that hold each of them.

        Examples
        --------
        >>> CompactCells.of(np.array([2.0, np.nan, 300.0])).cells
        array([     2, -32768,    300], dtype=int16)
        >>> CompactCells.of(np.array([0.5, 0.1])).cells.dtype
        dtype('float64')
        """
        gaps = np.isnan(values)
        present = values[~gaps]
        if not ((present == 0.0) & np.signbit(present)).any():  # no whole number is -0
            low, high = present.min(initial=0.0), present.max(initial=0.0)
            for dtype in WHOLE:
                least = np.iinfo(dtype).min
                if least < low and high <= np.iinfo(dtype).max:
                    cells = np.where(gaps, least, values).astype(dtype)
                    if np.array_equal(cells[~gaps], present):
                        return cls(cells, True)
                    break
        with np.errstate(over="ignore", under="ignore"):
            short = values.astype(np.float32)
        same = np.array_equal(short.astype(np.float64), values, equal_nan=True)
        return cls(short if same else values)

    def write(self, out: np.ndarray, rows: slice) -> None:
        """Write some of the cells, as floats, to an array (len(rows),)."""
        cells = self.cells[rows]
        out[:] = cells
        if self.whole:
            out[cells == np.iinfo(cells.dtype).min] = np.nan


def written(columns: list[CompactCells], n: int, rows: slice | np.ndarray | None) -> np.ndarray:
    """The cells of columns of n rows, or of some of these rows, as floats (rows, k)."""
    if rows is not None:
        columns = [CompactCells(column.cells[rows], column.whole) for column in columns]
        n = len(range(n)[rows]) if isinstance(rows, slice) else len(rows)
    out = np.empty((n, len(columns)))
    for start in range(0, n, ROWS):
        some = slice(start, start + ROWS)
        for j, column in enumerate(columns):
            column.write(out[some, j], some)
    return quiet(out)
