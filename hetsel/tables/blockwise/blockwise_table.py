"""A table that fetches its cells in blocks of columns, from where they lie."""

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from hetsel.ground.memory import refuse_bytes
from hetsel.tables.table import Schema, Table, read_only

Rows = slice | np.ndarray | None


class Source(Protocol):
    """Where the encoded cells of p columns of n rows lie."""

    shape: tuple[int, int]
    gaps: np.ndarray  # (p,): which columns have missing cells

    def fetch(self, columns: np.ndarray, rows: Rows) -> np.ndarray:
        """Cells (rows, k), as floats, of these columns (k,); rows None are all of them."""
        ...


class BlockwiseTable(Table):
    """A table whose cells are fetched when they are asked for, a block of columns at a time.

    It answers like the :class:`Table` of the same cells, to the last bit; `values` is made, and
    kept, where a method asks for all. It has some columns and rows of its source, None for all of
    them; `in_gaps` (p,) stands in place of a missing cell of each column, NaN where it is.
    """

    def __init__(
        self,
        source: Source,
        schema: Schema,
        *,
        columns: np.ndarray | None = None,
        rows: Rows = None,
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

    _source: Source
    _columns: np.ndarray
    _rows: Rows
    _n: int
    _in_gaps: np.ndarray

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.shape[0]:,} rows and {self.shape[1]:,} columns>"

    def __reduce__(self) -> tuple[Any, ...]:
        """What is sent elsewhere takes its cells with it."""
        return Table, (self.values, self.schema, self.fill)

    @cached_property
    def values(self) -> np.ndarray:
        """All cells (n, p)."""
        n, p = self.shape
        blockwise = "a method that takes columns block by block, such as rfe-mkl with solver="
        refuse_bytes("the table of all cells", n, 8.0 * n * p, lambda _: f"{blockwise}'additive'")
        return read_only(self._fetched(np.arange(p)))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._n, len(self._columns)

    def block(self, columns: Any) -> np.ndarray:
        """Values (n, k) of some columns: a slice, or their indices."""
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
        """The table of these rows and columns (indices or masks; None takes all)."""
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
