"""Dask frames as tables: compact values stay with the workers and are fetched block by block.

Each partition is read once. Each block of columns is then fetched as the frame that computing it
would give, so that the same code infers its kinds and refuses errors. Columns of levels stay here
as codes; columns of numbers are fetched again when they are needed.
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
    """A column of numpy numbers and its original dtype."""

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
    """A column of text: distinct texts and the code of each value; -1 is missing."""

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
    """Return the columns of a partition in compact form."""
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
    """Return some columns of a partition."""
    return [part[j] for j in places]


def numbers_of_part(
    part: PartitionColumns, places: Sequence[int], rows: slice
) -> list[large_frames.CompactCells]:
    """Return some rows of some numeric columns of a partition."""
    found = []
    for j in places:
        column = part[j]
        assert isinstance(column, _Numbers)
        found.append(large_frames.CompactCells(column.cells.cells[rows], column.cells.whole))
    return found


class CellsOfPartitions:
    """The values of a Dask frame: numbers stay with the workers, codes of levels here (`columns`).

    `parts` come from :func:`compact_partition`; their rows begin at `ends` (partitions + 1,).
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
        """Return the values (rows, k) of these columns (k,) as floats; None takes all rows."""
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
        """Fetch columns from the workers and write them to their places in `out`."""
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
    """Read a Dask frame as :meth:`Table.read` reads the computed frame."""
    head = names_of(data)
    wanted = wanted_kinds(head, nominal=nominal, ordinal=ordinal, continuous=continuous)
    return _encoded(data, head.columns.tolist(), large_frames.inferred(wanted), "error")


def encode_dask(
    data: Any, schema: table.Schema, *, unseen: large_frames.Unseen = "error"
) -> large_frames.BlockwiseTable:
    """Encode a Dask frame as :meth:`Schema.encode` encodes the computed frame."""
    own = columns_named(data, schema.names)
    return _encoded(own, schema.names, lambda _, part: schema.columns[part], unseen)


def columns_named(data: Any, names: list[str]) -> Any:
    """Return the columns of a Dask frame with these names as a Dask frame."""
    head = names_of(data)
    places = head.columns.get_indexer(matched(head, names, True).columns).tolist()
    return data[[data.columns[j] for j in places]]


def brought_here(data: Any) -> Any:
    """Compute a Dask series or array; return other data as they are."""
    return _computed([data])[0] if hasattr(data, "__dask_graph__") else data


def names_of(data: Any) -> pd.DataFrame:
    """Return the text names of the columns of a Dask frame, as a frame without rows."""
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
    """Compute Dask tasks with the current scheduler; `how` may be `persist`."""
    from dask import compute

    try:
        return tuple((how or compute)(*tasks))
    except Exception as reason:  # user code makes the partitions
        raise TableError(
            f"a partition of the Dask frame could not be computed: {type(reason).__name__}: "
            f"{reason}"
        ) from reason
