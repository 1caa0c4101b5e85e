"""The canonical form of a table, independent of orders, names and units.

The stopping point of an iterative solver depends on the order of the rows and on the last bits of
the values. On the canonical form the solver takes the same steps for equivalent tables.
"""

from typing import NamedTuple

import numpy as np

from hetsel.ground import column_blocks
from hetsel.ground.equal_numbers import FINE_GRID, unit_scale
from hetsel.tables.content import column_parts, content_order, content_ranks
from hetsel.tables.table import Table

MOST_ROUNDS = 4  # most tables need none
MANY_ROWS = 10_000  # rows that are compared at a time
MOST_CODES = 1000  # most target codes that orient a column with mean 1/2


class CanonicalForm(NamedTuple):
    """A table independent of the orders, names and units of the original."""

    # (p, n), column by row: continuous and ordinal columns in [0, 1], levels of nominal ones
    # numbered as they appear; NaN is missing
    cells: np.ndarray
    nominal: np.ndarray  # (p,)
    codes: np.ndarray  # (n,), of classes
    columns: np.ndarray  # (p,): which column of the table each one is
    rows: np.ndarray  # (n,): which row of the table each one is
    # (p,): largest rounding error of a value of each column, as a fraction of the range: up to
    # 2^-25 for rounded numbers, 0 for nominal columns
    off: np.ndarray


def canonical_form(table: Table, codes: np.ndarray) -> CanonicalForm:
    """Return a complete table in canonical units and canonical orders of rows and columns.

    The codes (n,) are those of classes, or dense ranks of numbers. Numbers are scaled to [0, 1] and
    rounded to a grid of 2^-24, where 1 - x is exact. The clinical kernel is the same for x and
    1 - x, so a column is reversed if its mean exceeds 1/2. If the mean is 1/2, the first class with
    another mean decides, and then the first value in the canonical order that is not 1/2. Tables
    that differ in the order of rows or columns, in names of levels or in units (also by negative
    factors) have the same form, except for values within rounding of a grid edge: fewer than one in
    a million.
    """
    numbers = ~table.nominal
    away = unit_scale(table.values[:, numbers]).T  # in place: new memory is slow
    away *= FINE_GRID
    off = np.zeros(table.shape[1])
    off[numbers] = _to_grid(away)
    away -= FINE_GRID / 2  # whole numbers from here on: their sums are exact
    level = _lean(away, codes)
    folded = away.copy() if len(level) else away
    folded[level] = -np.abs(away[level])
    names = table.values[:, ~numbers].T
    rows = np.argsort(_row_colors(folded, names, codes), kind="stable")
    away = away[:, rows]
    uneven = np.nan_to_num(away[level])
    first = np.take_along_axis(uneven, np.argmax(uneven != 0, axis=1)[:, None], axis=1)
    away[level] *= np.where(first > 0, -1.0, 1.0)
    content = np.empty(table.shape[::-1], dtype=np.int32)
    away += FINE_GRID / 2
    away[np.isnan(away)] = -1.0
    content[numbers] = away
    content[~numbers] = content_ranks(names[:, rows].T, np.ones(len(names), dtype=bool))
    columns = content_order(content, table.nominal)
    nominal = table.nominal[columns]
    cells = content.take(columns, axis=0).astype(np.float64)
    cells[cells < 0.0] = np.nan
    cells[: numbers.sum()] /= FINE_GRID  # in this order numbers come first
    return CanonicalForm(cells, nominal, codes[rows], columns, rows, off[columns])


def content_order_of_rows(table: Table, codes: np.ndarray) -> np.ndarray:
    """Order rows (n,) by their content, in an otherwise arbitrary order.

    The key is a hash (color) of the code, the numbers and the frequencies of the levels of a row.
    If different rows have the same color, the order is that of :func:`canonical_form`.
    """
    colors = mix(codes.astype(np.uint64))
    numbers = np.flatnonzero(~table.nominal)
    for block in column_blocks(len(codes), len(numbers)):
        steps = unit_scale(table.values[:, numbers[block]]).T
        steps *= FINE_GRID
        _to_grid(steps)
        steps -= FINE_GRID / 2
        np.abs(steps, out=steps)  # independent of the direction of a column
        colors += _cell_colors(steps).sum(axis=0, dtype=np.uint64)
    for levels in table.values[:, table.nominal].T:
        places = np.where(np.isnan(levels), np.nanmax(levels, initial=0.0) + 1, levels)
        places = places.astype(np.intp)
        colors += mix(mix(np.bincount(places).astype(np.uint64)))[places]
    order = np.argsort(colors, kind="stable")
    twins = np.flatnonzero(colors[order[1:]] == colors[order[:-1]])
    for start in range(0, len(twins), MANY_ROWS):
        pairs = twins[start : start + MANY_ROWS]
        one, other = order[pairs], order[pairs + 1]
        same = np.array_equal(table.values[one], table.values[other], equal_nan=True)
        if not same or (codes[one] != codes[other]).any():
            return canonical_form(table, codes).rows
    return order


def _to_grid(steps: np.ndarray) -> np.ndarray:
    """Round values (p, n) in grid steps in place; return the largest change of each column.

    The change is a fraction of the range and includes the rounding of the division by the range.
    """
    off = np.empty(len(steps))
    for part in column_parts(steps):
        rounded = np.rint(steps[part])
        moved = np.nan_to_num(np.abs(steps[part] - rounded))
        off[part] = moved.max(axis=1, initial=0.0) / FINE_GRID + 2.0**-52
        steps[part] = rounded
    return off


def _lean(away: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Orient columns (p, n) of steps from 1/2 in place; return those that cannot be oriented.

    The mean becomes negative. If it is 0, the first class with another mean decides.
    """
    gaps = np.isnan(away)
    present = np.where(gaps, 0.0, away) if gaps.any() else away
    lean = np.sign(present.sum(axis=1))
    for c in range(min(int(codes.max()) + 1, MOST_CODES)):
        level = np.flatnonzero(lean == 0)
        if not len(level):
            break
        lean[level] = np.sign(present[np.ix_(level, np.flatnonzero(codes == c))].sum(axis=1))
    away *= np.where(lean > 0, -1.0, 1.0)[:, None]
    return np.flatnonzero(lean == 0)


def _row_colors(steps: np.ndarray, levels: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return a color (n,) of each row: different for different rows, whatever the orders.

    `steps` (p, n) are numbers in grid steps from 1/2; `levels` (q, n) are nominal columns. The
    first color of a row comes from its class and its numbers. If these do not separate the rows,
    colors are refined (Weisfeiler and Leman 1968): the color of a level is the sum of the colors of
    its rows, the color of a column comes from its values and the colors of their rows, and the next
    color of a row comes from its values and their columns. Sums of unsigned 64-bit integers do not
    depend on their order.
    """
    colors = mix(codes.astype(np.uint64))
    for part in column_parts(steps):
        colors += _cell_colors(steps[part]).sum(axis=0, dtype=np.uint64)
    if _all_differ(colors):
        return colors
    cells = _cell_colors(steps)
    width = int(np.nanmax(levels, initial=0.0)) + 2
    places = np.where(np.isnan(levels), width - 1, levels).astype(np.intp)
    places += width * np.arange(len(levels))[:, None]
    for _ in range(MOST_ROUNDS):
        sums = np.zeros(width * len(levels), dtype=np.uint64)
        np.add.at(sums, places, np.broadcast_to(colors, places.shape))
        kinds = (cells, mix(mix(sums))[places])
        colors = mix(colors + sum(_shares(looks, colors) for looks in kinds))
        if _all_differ(colors):
            break
    return colors


def _cell_colors(steps: np.ndarray) -> np.ndarray:
    missing = 2.0 * FINE_GRID
    return mix(np.where(np.isnan(steps), missing, steps).astype(np.int64).view(np.uint64))


def _all_differ(colors: np.ndarray) -> bool:
    return len(np.unique(colors)) == len(colors)


def _shares(looks: np.ndarray, colors: np.ndarray) -> np.ndarray:
    """Return the contribution of values (p, n) to the next colors (n,) of their rows."""
    columns = mix(mix(looks + colors).sum(axis=1, dtype=np.uint64))
    return np.asarray(mix(looks + columns[:, None]).sum(axis=0, dtype=np.uint64))


def mix(colors: np.ndarray) -> np.ndarray:
    """Hash unsigned 64-bit integers (splitmix64; Steele et al. 2014)."""
    mixed = colors + np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
