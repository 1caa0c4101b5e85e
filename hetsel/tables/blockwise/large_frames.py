"""Large frames as tables that encode and fetch one block of columns at a time."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import pandas as pd

from hetsel.ground import TableError, column_blocks, refuse_bytes
from hetsel.ground.memory import no_collection
from hetsel.tables import encode, infer
from hetsel.tables.column import Column, ColumnNames, WantedKinds, matched, wanted_kinds
from hetsel.tables.table import Schema, Table, as_frame, read_only

RowChoice = slice | np.ndarray | None


class CellSource(Protocol):
    """A source of the encoded values of n rows and p columns."""

    shape: tuple[int, int]
    gaps: np.ndarray  # (p,): which columns have missing values

    def fetch(self, columns: np.ndarray, rows: RowChoice) -> np.ndarray:
        """Return the values (rows, k) of these columns (k,) as floats; None takes all rows."""
        ...


class BlockwiseTable(Table):
    """A table whose values are fetched on demand, one block of columns at a time.

    Its results equal those of the :class:`Table` of the same values exactly. `values` is made, and
    kept, when a method needs all values. `columns` and `rows` select from the source; None takes
    all. `in_gaps` (p,) replaces missing values of each column; NaN replaces none.
    """

    def __init__(
        self,
        source: CellSource,
        schema: Schema,
        *,
        columns: np.ndarray | None = None,
        rows: RowChoice = None,
        in_gaps: np.ndarray | None = None,
        fill: np.ndarray | None = None,
    ) -> None:
        n, p = source.shape
        known = {
            "schema": schema,
            "fill": None if fill is None else read_only(fill),
            "_source": source,
            "_columns": np.arange(p) if columns is None else columns,
            "_rows": rows,
            "_n": n if rows is None else len(range(n)[rows] if isinstance(rows, slice) else rows),
            "_in_gaps": np.full(len(schema.columns), np.nan) if in_gaps is None else in_gaps,
        }
        self.__dict__.update(known)

    _source: CellSource
    _columns: np.ndarray
    _rows: RowChoice
    _n: int
    _in_gaps: np.ndarray

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.shape[0]:,} rows and {self.shape[1]:,} columns>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a Table with all its values."""
        return Table, (self.values, self.schema, self.fill)

    @cached_property
    def values(self) -> np.ndarray:
        """All values (n, p)."""
        n, p = self.shape
        blockwise = "a method that reads the columns block by block, such as rfe-mkl with solver="
        refuse_bytes("the table of all values", n, 8.0 * n * p, lambda _: f"{blockwise}'additive'")
        return read_only(self._fetched(np.arange(p)))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._n, len(self._columns)

    def block(self, columns: Any) -> np.ndarray:
        """Return the values (n, k) of some columns: a slice or their indices."""
        if "values" in self.__dict__:
            return super().block(columns)
        return self._fetched(np.arange(self.shape[1])[columns])

    def _fetched(self, columns: np.ndarray) -> np.ndarray:
        cells = self._source.fetch(self._columns[columns], self._rows)
        for place in np.flatnonzero(~np.isnan(self._in_gaps[columns])).tolist():
            own = cells[:, place]
            own[np.isnan(own)] = self._in_gaps[columns[place]]
        return cells

    def take(self, rows: Any = None, columns: Any = None) -> Table:
        """Return the table of these rows and columns (indices or masks; None takes all)."""
        if "values" in self.__dict__:
            return super().take(rows, columns)
        if rows is not None and not (isinstance(rows, slice) and self._rows is None):
            whole = np.arange(self._source.shape[0])
            rows = (whole if self._rows is None else whole[self._rows])[rows]
        index = slice(None) if columns is None else np.arange(self.shape[1])[columns]
        schema = self.schema
        if columns is not None:
            schema = Schema(tuple(schema.columns[i] for i in np.arange(self.shape[1])[index]))
        return BlockwiseTable(
            self._source,
            schema,
            columns=self._columns[index],
            rows=self._rows if rows is None else rows,
            in_gaps=self._in_gaps[index],
            fill=None if self.fill is None else self.fill[index],
        )

    def _with_gaps(self) -> np.ndarray:
        gaps = self._source.gaps[self._columns] & np.isnan(self._in_gaps)
        if self._rows is not None:
            for j in np.flatnonzero(gaps).tolist():
                gaps[j] = np.isnan(self.block([j])).any()
        return np.asarray(gaps)

    def _filled(self, cells: np.ndarray | None = None, fill: np.ndarray | None = None) -> Table:
        in_gaps = self._in_gaps
        if cells is not None:
            in_gaps = np.where(np.isnan(in_gaps), cells, in_gaps)
        return BlockwiseTable(
            self._source,
            self.schema,
            columns=self._columns,
            rows=self._rows,
            in_gaps=in_gaps,
            fill=fill,
        )


MANY_CELLS = 10_000_000  # more values are not held as one array
MANY_ROWS = 20_000  # fewest rows of such a table: wide tables are slow column by column

Unseen = Literal["error", "separate"]
# describes the columns of a block, from its values and its place among all columns
Described = Callable[[encode.FrameCells, slice], tuple[Column, ...]]
WHOLE = (np.int8, np.int16, np.int32)
ROWS = 2**12  # rows that are written at a time, to use a near cache


class CellsOfFrame:
    """The values of a frame: its own numeric columns, and others in compact form."""

    def __init__(self, columns: "Sequence[CompactCells]", gaps: np.ndarray) -> None:
        self.shape = len(columns[0].cells), len(columns)
        self.gaps = gaps
        self._columns = columns

    def fetch(self, columns: np.ndarray, rows: RowChoice) -> np.ndarray:
        """Return the values (rows, k) of these columns (k,) as floats; None takes all rows."""
        return cells_as_floats([self._columns[j] for j in columns], self.shape[0], rows)


def read_large_frame(
    data: Any,
    *,
    nominal: ColumnNames = None,
    ordinal: ColumnNames = None,
    continuous: ColumnNames = None,
) -> Table:
    """Read a frame like :meth:`Table.read`, without one array of a large frame."""
    frame = as_frame(data)
    options = {"nominal": nominal, "ordinal": ordinal, "continuous": continuous}
    if not worth_blocks(frame):
        return Table.read(frame, **options)
    try:
        return _encoded(frame, inferred(wanted_kinds(frame, **options)))
    except TableError:
        # Table.read reports errors over all columns
        return Table.read(frame, **options)


def encode_large(data: Any, schema: Schema) -> Table:
    """Encode a frame like :meth:`Schema.encode`, without one array of a large frame."""
    known = matched(as_frame(data), schema.names, isinstance(data, pd.DataFrame))
    if not worth_blocks(known):
        return schema.encode(data)
    try:
        return _encoded(known, lambda _, part: schema.columns[part])
    except TableError:
        return schema.encode(data)


def worth_blocks(frame: pd.DataFrame) -> bool:
    """Check whether a frame is large and not already one array of floats."""
    n, p = frame.shape
    if n * p <= MANY_CELLS or n < MANY_ROWS:
        return False
    if not all(dtype == np.float64 for dtype in frame.dtypes):
        return True
    head = frame.iloc[:1]
    if not np.shares_memory(head.to_numpy(), head.iloc[:, 0].to_numpy()):
        return True
    cells = frame.to_numpy()
    parts = (cells[start : start + ROWS] for start in range(0, n, ROWS))
    return any(np.isnan(part).any() for part in parts)  # imputing them needs a copy


def inferred(wanted: WantedKinds) -> Described:
    """Return a function that describes a block; `wanted` has the specified kinds."""
    return lambda cells, _: infer.describe(cells, wanted)


def encode_blockwise(
    shape: tuple[int, int],
    frame_of: Callable[[slice], pd.DataFrame],
    described: Described,
    unseen: Unseen,
    plain_cells: Callable[[pd.Series], "CompactCells | None"],
    source: Callable[[Any, np.ndarray], CellSource],
) -> BlockwiseTable:
    """Encode a frame block by block.

    `frame_of` returns the columns of a slice. `source` receives the values and a mask (p,) of
    columns with missing values. `plain_cells` returns the values of a numeric column.
    """
    columns: list[Column] = []
    kept: list[CompactCells | None] = []
    gaps = np.zeros(shape[1], dtype=bool)
    for part in column_blocks(*shape):
        with no_collection():
            frame = frame_of(part)
            cells = encode.FrameCells(frame)
            here = described(cells, part)
            values = cells.encode(here, unseen)
        gaps[part] = np.isnan(values).any(axis=0)
        plain = cells.mask & [column.kind == "continuous" for column in here]
        for j, same in enumerate(plain.tolist()):
            kept.append(
                plain_cells(frame.iloc[:, j]) if same else CompactCells.of(values[:, j].copy())
            )
        columns += here
    return BlockwiseTable(source(kept, gaps), Schema(tuple(columns)))


def _encoded(frame: pd.DataFrame, described: Described) -> BlockwiseTable:
    """Encode a frame without copying its numeric columns."""
    return encode_blockwise(
        frame.shape,
        lambda part: frame.iloc[:, part],
        described,
        "error",
        lambda cells: CompactCells(cells.to_numpy()),
        CellsOfFrame,
    )


class CompactCells(NamedTuple):
    """The values of a column in compact form."""

    cells: np.ndarray  # (n,): numbers of any type that float64 holds
    whole: bool = False  # integers in place of floats; the lowest of the type is missing

    @classmethod
    def of(cls, values: np.ndarray) -> "CompactCells":
        """Store floats (n,) in the fewest bytes without loss."""
        gaps = np.isnan(values)
        present = values[~gaps]
        if not ((present == 0.0) & np.signbit(present)).any():  # integers have no -0
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
        """Write some values as floats to an array (len(rows),)."""
        cells = self.cells[rows]
        out[:] = cells
        if self.whole:
            out[cells == np.iinfo(cells.dtype).min] = np.nan


def cells_as_floats(
    columns: list[CompactCells], n: int, rows: slice | np.ndarray | None
) -> np.ndarray:
    """Return the values of columns as floats (rows, k), of all n rows or some."""
    if rows is not None:
        columns = [CompactCells(column.cells[rows], column.whole) for column in columns]
        n = len(range(n)[rows]) if isinstance(rows, slice) else len(rows)
    out = np.empty((n, len(columns)))
    for start in range(0, n, ROWS):
        some = slice(start, start + ROWS)
        for j, column in enumerate(columns):
            column.write(out[some, j], some)
    return encode.quiet(out)
