"""Large frames as tables that encode a block of columns at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from hetsel.ground.collection import no_collection
from hetsel.ground.column_blocks import column_blocks
from hetsel.ground.errors import TableError
from hetsel.tables.blockwise.blockwise_table import BlockwiseTable, Rows
from hetsel.tables.blockwise.compact_cells import CompactCells, written
from hetsel.tables.column import Column
from hetsel.tables.encode import Cells
from hetsel.tables.infer import describe
from hetsel.tables.names import Names, matched, wanted_kinds
from hetsel.tables.table import Schema, Table, as_frame

MANY_CELLS = 10_000_000  # of a table whose cells are not held as one array
MANY_ROWS = 20_000  # of such a table: what goes through a wide one column by column takes long


class CellsOfFrame:
    """The cells of a frame: its own columns of numbers, and others in few bytes each.

    Parameters
    ----------
    columns : sequence of CompactCells
    gaps : ndarray of bool, shape (p,)
    """

    def __init__(self, columns: Sequence[CompactCells], gaps: np.ndarray) -> None:
        self.shape = len(columns[0].cells), len(columns)
        self.gaps = gaps
        self._columns = columns

    def fetch(self, columns: np.ndarray, rows: Rows) -> np.ndarray:
        """Cells (rows, k), as floats, of these columns (k,); rows None are all of them."""
        return written([self._columns[j] for j in columns], self.shape[0], rows)


def read_large(
    data: Any, *, nominal: Names = None, ordinal: Names = None, continuous: Names = None
) -> Table:
    """What :meth:`Table.read` reads; no array of all cells is made of a large frame."""
    frame = as_frame(data)
    options = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    if not worth_blocks(frame):
        return Table.read(frame, **options)
    wanted = wanted_kinds(frame, **options)
    try:
        columns, source = _encoded(frame, lambda cells, _: describe(cells, wanted), "error")
    except TableError:
        # what is refused of several columns at once, or first of them, is for it to say
        return Table.read(frame, **options)
    return BlockwiseTable(source, Schema(columns))


def encode_large(
    data: Any, schema: Schema, *, unseen: Literal["error", "separate"] = "error"
) -> Table:
    """What :meth:`Schema.encode` encodes; no array of all cells is made of a large frame."""
    known = matched(as_frame(data), schema.names, isinstance(data, pd.DataFrame))
    if not worth_blocks(known):
        return schema.encode(data, unseen=unseen)
    try:
        _, source = _encoded(known, lambda _, part: schema.columns[part], unseen)
    except TableError:
        return schema.encode(data, unseen=unseen)
    return BlockwiseTable(source, schema)


def worth_blocks(frame: pd.DataFrame) -> bool:
    """Whether a frame is large, and no array already."""
    n, p = frame.shape
    if n * p <= MANY_CELLS or n < MANY_ROWS:
        return False
    if not all(dtype == np.float64 for dtype in frame.dtypes):
        return True
    head = frame.iloc[:1]
    return not np.shares_memory(head.to_numpy(), head.iloc[:, 0].to_numpy())


def _encoded(
    frame: pd.DataFrame, described: Any, unseen: Literal["error", "separate"]
) -> tuple[tuple[Column, ...], CellsOfFrame]:
    """What the columns are, and their cells; `described(cells, part)` says it of a part of them."""
    n, p = frame.shape
    columns: list[Column] = []
    kept: list[CompactCells] = []
    gaps = np.zeros(p, dtype=bool)
    with no_collection():
        for part in column_blocks(n, p):
            some = frame.iloc[:, part]
            cells = Cells(some)
            own = described(cells, part)
            values = cells.encode(own, unseen)
            gaps[part] = np.isnan(values).any(axis=0)
            for j, column in enumerate(own):
                if cells.mask[j] and column.kind == "continuous":
                    kept.append(CompactCells(some.iloc[:, j].to_numpy()))
                else:
                    kept.append(CompactCells.of(values[:, j].copy()))
            columns += own
    return tuple(columns), CellsOfFrame(kept, gaps)
