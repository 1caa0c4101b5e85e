"""A table in bins and in one form, whatever its rows, columns, levels and units are called.

What :mod:`hetsel.tables.canonical_table` is, for many rows: no array of all cells but the codes.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from hetsel.kernels.binned import binned_loops as loops
from hetsel.kernels.binned.binned_columns import (
    MOST_BINS,
    BinnedColumns,
    ColumnBins,
    bins_of,
    check_bins,
    rearranged,
)
from hetsel.tables import Table
from hetsel.tables.canonical_table import MOST_ROUNDS, mix
from hetsel.tables.content import content_order

TOGETHER = 8  # columns of numbers: the cells of a row are in one line of the memory
HEAD = 1_000  # rows by which columns are ordered; where these do not part them, colors do
FEW = 20_000  # rows of a table whose order is that of its canonical form


class BinnedForm(NamedTuple):
    """A table in bins that does not know how its rows, columns, levels and units were called."""

    columns: BinnedColumns
    codes: np.ndarray  # (n,): class codes, or the dense ranks of numbers
    order: np.ndarray  # (p,): which column of the table each one is
    rows: np.ndarray  # (n,): which row of the table each one is
    off: np.ndarray  # (p,): how far rounding to the grid moved a cell, as a share of the range


class _Steps(NamedTuple):
    """A column as whole numbers: steps from the middle of its range, or levels."""

    f: int  # which column of the table it is
    steps: np.ndarray  # (n,), their mean not above the middle; `loops.MISSING` is a missing cell
    off: float  # how far rounding to a step moved a cell, as a share of the range
    level: bool  # whether it could as well point the other way


def binned_form(table: Table, codes: np.ndarray, bins: int = MOST_BINS) -> BinnedForm:
    """The table (n, p) in at most `bins` bins a column, rows and columns ordered by their content.

    Missing cells are resolved, codes (n,) are of classes, or dense ranks of numbers. Cells are
    rounded to 2^-24 of their range and columns turned around as in `canonical_form`.
    """
    check_bins(bins)
    n, p = table.shape
    colors = _colors_of_rows(table, codes)
    rows = np.argsort(colors, kind="stable")
    off, keys, looks = np.zeros(p), np.empty(p, dtype=np.uint64), np.empty(n, dtype=np.uint64)
    heads = np.empty((p, min(n, HEAD)), dtype=np.int32)
    found: list[ColumnBins | None] = [None] * p
    whole = np.empty((n, p), dtype=np.uint8)
    for column in _columns(table, codes):
        f, nominal = column.f, bool(table.nominal[column.f])
        off[f] = column.off
        _set_looks(column, nominal, colors, looks)
        keys[f] = loops.color_of(looks, colors)
        steps = column.steps[rows]
        if nominal:
            loops.number_as_they_appear(steps)
        else:
            loops.point_down(steps, column.level)
        heads[f] = steps[:HEAD]
        own, found[f] = bins_of(steps, nominal, bins)
        if own.dtype != np.uint8 and whole.dtype == np.uint8:
            whole = whole.astype(np.uint16)
        whole[:, f] = own
    order = np.argsort(keys, kind="stable")
    order = order[content_order(heads[order], table.nominal[order])]
    put = rearranged(whole, order)
    parts = [part for f in order if (part := found[f]) is not None]
    return BinnedForm(
        BinnedColumns.of(put, parts, table.nominal[order]), codes[rows], order, rows, off[order]
    )


def _colors_of_rows(table: Table, codes: np.ndarray) -> np.ndarray:
    """A number for each row (n,), different for rows that differ (Weisfeiler and Leman 1968)."""
    n = len(codes)
    colors, looks = mix(codes.astype(np.uint64)), np.empty(n, dtype=np.uint64)
    for column in _columns(table, codes):
        if not table.nominal[column.f]:
            loops.set_number_looks(column.steps, column.level, looks)
            colors += looks
    kinds = len(np.unique(colors))
    for _ in range(MOST_ROUNDS if kinds < n else 0):
        before, colors = colors, colors.copy()
        for column in _columns(table, codes):
            _set_looks(column, bool(table.nominal[column.f]), before, looks)
            loops.add_shares(looks, before, colors)
        colors = mix(colors)
        last, kinds = kinds, len(np.unique(colors))
        if kinds == n or (kinds == last and n > FEW):
            break
    return colors


def _set_looks(column: _Steps, nominal: bool, colors: np.ndarray, looks: np.ndarray) -> None:
    """Looks (n,) of cells, in place: their number, or the colors of the rows of their level."""
    if nominal:
        loops.set_level_looks(column.steps, colors, looks)
    else:
        loops.set_number_looks(column.steps, column.level, looks)


def _columns(table: Table, codes: np.ndarray) -> Iterator[_Steps]:
    """The columns of a table, those of numbers before the nominal ones."""
    numbers, n = np.flatnonzero(~table.nominal), table.shape[0]
    classes = int(codes.max()) + 1
    steps = np.empty((TOGETHER, n), dtype=np.int32)
    for start in range(0, len(numbers), TOGETHER):
        block = numbers[start : start + TOGETHER]
        off = np.empty(len(block))
        loops.set_steps(np.ascontiguousarray(table.block(block)), steps, off)
        for own, f, moved in zip(steps, block.tolist(), off.tolist(), strict=False):
            level = loops.lean(own, codes, min(classes, loops.MOST_CODES))
            yield _Steps(f, own, moved, bool(level))
    for f in np.flatnonzero(table.nominal).tolist():
        levels = np.nan_to_num(table.block([f])[:, 0], nan=loops.MISSING).astype(np.int32)
        yield _Steps(f, levels, 0.0, False)
