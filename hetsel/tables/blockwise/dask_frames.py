"""Frames of Dask as tables: cells stay with the workers, in few bytes, and come block by block.

Every partition is read once, and a block of columns after the other brought here as the frame that
computing it would give, so that the same code says what it is and what is refused. Columns of
levels then stay here, as codes; columns of numbers are fetched again when they are asked for.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hetsel.ground import TableError, column_blocks
from hetsel.tables import encode, levels_and_times, table
from hetsel.tables.blockwise import large_frames
from hetsel.tables.column import ColumnNames, matched, wanted_kinds
from hetsel.tables.frames import named


class _Numbers(NamedTuple):
    """A column of numpy numbers, and of which type they were."""

    cells: large_frames.CompactCells
    dtype: np.dtype

    def series(self) -> pd.Series:
        values = self.cells.cells
        if values.dtype != self.dtype or self.cells.whole:
            values = large_frames.cells_as_floats([self.cells], len(values), None)[:, 0].astype(
                self.dtype
            )
        return pd.Series(values)


class _Texts(NamedTuple):
    """A column of text: the distinct texts, and which one each cell is; -1 is missing."""

    codes: np.ndarray
    texts: tuple[str, ...]
    dtype: Any

    def series(self) -> pd.Series:
        cells = np.array([*self.texts, None], dtype=object)[self.codes]
        return pd.Series(cells, dtype=self.dtype)


class _Others(NamedTuple):
    """A column as it is."""

    cells: pd.Series

    def series(self) -> pd.Series:
        return self.cells


PartColumn = _Numbers | _Texts | _Others
PartitionColumns = list[PartColumn]


def compact_partition(frame: pd.DataFrame) -> PartitionColumns:
    """The columns of a partition in few bytes."""
    return [_part_column(frame.iloc[:, j]) for j in range(frame.shape[1])]


def _part_column(cells: pd.Series) -> PartColumn:
    dtype = cells.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf":
        with np.errstate(over="ignore"):
            values = encode.quiet(cells.to_numpy(dtype=np.float64))
        if encode.beyond_exact(values[:, None])[
            0
        ]:  # infinities, and what floats may not tell apart
            return _Numbers(large_frames.CompactCells(cells.to_numpy()), dtype)
        return _Numbers(large_frames.CompactCells.of(values), dtype)
    text = isinstance(dtype, pd.StringDtype) or (isinstance(dtype, np.dtype) and dtype.kind == "O")
    found = (
        levels_and_times.leveled_texts(cells.to_numpy(dtype=object)[None])[0]
        if text and len(cells)
        else None
    )
    if found is None:
        return _Others(cells.reset_index(drop=True))
    short = np.min_scalar_type(-1 - len(found.levels))
    return _Texts(found.codes.astype(short), found.levels, dtype)


def partition_columns(part: PartitionColumns, places: Sequence[int]) -> PartitionColumns:
    """Some columns of a partition."""
    return [part[j] for j in places]


def numbers_of_part(
    part: PartitionColumns, places: Sequence[int], rows: slice
) -> list[large_frames.CompactCells]:
    """Some rows of some columns of numbers of a partition."""
    found = []
    for j in places:
        column = part[j]
        assert isinstance(column, _Numbers)
        found.append(large_frames.CompactCells(column.cells.cells[rows], column.cells.whole))
    return found


class CellsOfPartitions:
    """The cells of a Dask frame: numbers with the workers, codes of levels here (`columns`).

    `parts` are made by :func:`compact_partition`, whose rows begin at `ends` (partitions + 1,).
    """

    def __init__(
        self,
        parts: Sequence[Any],
        ends: np.ndarray,
        columns: Sequence[large_frames.CompactCells | None],
        gaps: np.ndarray,
    ) -> None:
        self.shape, self.gaps = (int(ends[-1]), len(columns)), gaps
        self._parts, self._ends, self._columns = parts, ends, columns

    def fetch(self, columns: np.ndarray, rows: large_frames.RowChoice) -> np.ndarray:
        """Cells (rows, k), as floats, of these columns (k,); rows None are all of them."""
        n = self.shape[0]
        asked = range(n)[rows] if isinstance(rows, slice) else range(n)
        if asked.step != 1 or isinstance(rows, np.ndarray):
            whole = self.fetch(columns, None)
            return np.ascontiguousarray(whole[rows])
        out = np.empty((len(asked), len(columns)))
        away = [k for k, j in enumerate(columns) if self._columns[j] is None]
        for k, j in enumerate(columns):
            if (column := self._columns[j]) is not None:
                column._replace(cells=column.cells[asked.start : asked.stop]).write(
                    out[:, k], slice(0, len(asked))
                )
        for block in column_blocks(len(asked), len(away)) if away else ():
            self._fetch(columns[away[block]].tolist(), asked, out, away[block])
        return out

    def _fetch(self, columns: list[int], asked: range, out: np.ndarray, places: list[int]) -> None:
        """Write the cells of columns that are away to their places in the columns of `out`."""
        from dask import delayed

        pieces, at = [], []
        for part, start, end in zip(self._parts, self._ends, self._ends[1:], strict=False):
            first, last = max(asked.start, start), min(asked.stop, end)
            if first < last:
                rows = slice(int(first - start), int(last - start))
                pieces.append(delayed(numbers_of_part)(part, columns, rows))
                at.append(slice(int(first - asked.start), int(last - asked.start)))
        for where, found in zip(at, _computed(pieces), strict=True):
            out[where, places] = large_frames.cells_as_floats(found, where.stop - where.start, None)


def read_dask(
    data: Any,
    *,
    nominal: ColumnNames = None,
    ordinal: ColumnNames = None,
    continuous: ColumnNames = None,
) -> large_frames.BlockwiseTable:
    """The table of a Dask frame, as :meth:`Table.read` reads the frame that it computes to."""
    head = names_of(data)
    wanted = wanted_kinds(head, nominal=nominal, ordinal=ordinal, continuous=continuous)
    return _encoded(data, head.columns.tolist(), large_frames.inferred(wanted), "error")


def encode_dask(
    data: Any, schema: table.Schema, *, unseen: large_frames.Unseen = "error"
) -> large_frames.BlockwiseTable:
    """The table of a Dask frame, as :meth:`Schema.encode` makes it of what it computes to."""
    own = columns_named(data, schema.names)
    return _encoded(own, schema.names, lambda _, part: schema.columns[part], unseen)


def columns_named(data: Any, names: list[str]) -> Any:
    """The columns of a Dask frame that have these names, as a frame of Dask."""
    head = names_of(data)
    places = head.columns.get_indexer(matched(head, names, True).columns).tolist()
    return data[[data.columns[j] for j in places]]


def brought_here(data: Any) -> Any:
    """What Dask computes of a series or an array of its own; all else as it is."""
    return _computed([data])[0] if hasattr(data, "__dask_graph__") else data


def names_of(data: Any) -> pd.DataFrame:
    """The columns of a Dask frame, named by text, as a frame without rows."""
    head = named(pd.DataFrame(columns=data.columns))
    if not head.shape[1]:
        raise TableError("the table has no columns")
    return head


def _encoded(
    data: Any, names: list[str], described: large_frames.Described, unseen: large_frames.Unseen
) -> large_frames.BlockwiseTable:
    from dask import delayed, persist
    from dask.dataframe import methods

    frames = data.to_delayed()
    pairs = [(delayed(compact_partition)(frame), delayed(len)(frame)) for frame in frames]
    kept = _computed([one for pair in pairs for one in pair], persist)
    parts, lengths = kept[::2], _computed(kept[1::2])
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if not ends[-1]:
        raise TableError("the table has no rows")

    def frame_of(block: slice) -> pd.DataFrame:
        places = list(range(len(names)))[block]
        found = _computed([delayed(partition_columns)(part, places) for part in parts])
        several = [
            pd.DataFrame({names[j]: own.series() for j, own in zip(places, part, strict=True)})
            for part in found
        ]
        return methods.concat(several, ignore_index=True)  # as `compute` does

    return large_frames.encode_blockwise(
        (int(ends[-1]), len(names)),
        frame_of,
        described,
        unseen,
        lambda _: None,  # fetched again
        lambda here, gaps: CellsOfPartitions(parts, ends, here, gaps),
    )


def _computed(
    tasks: Sequence[Any], how: Callable[..., tuple[Any, ...]] | None = None
) -> tuple[Any, ...]:
    """What tasks of Dask compute, with whatever scheduler is in use; `how` may be `persist`."""
    from dask import compute

    try:
        return tuple((how or compute)(*tasks))
    except Exception as reason:  # it is the user's own code that makes the partitions
        raise TableError(
            f"a partition of the Dask frame could not be computed: {type(reason).__name__}: "
            f"{reason}"
        ) from reason
