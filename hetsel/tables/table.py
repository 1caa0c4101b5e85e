"""Typed tables: the schema of the columns, fixed at fit, and the values as one array.

A continuous column holds its values. A nominal or ordinal column holds the positions of its levels.
NaN is missing. The notes of a :class:`Schema` hold what it cannot infer.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
import pandas as pd
from msgspec.structs import astuple

from hetsel.ground import (
    Face,
    TableError,
    counted,
    errors,
    listed,
    memory,
    sealed_json,
    shown,
    write_files,
)
from hetsel.tables import frames, levels_and_times, missing_cells
from hetsel.tables.column import (
    Column,
    ColumnEntry,
    ColumnKind,
    ColumnNames,
    matched,
    refuse_column_twice,
    wanted_kinds,
)
from hetsel.tables.content import content_order, content_ranks
from hetsel.tables.encode import FrameCells
from hetsel.tables.infer import describe
from hetsel.tables.missing_cells import Missing


@dataclass(frozen=True)
class Schema:
    """Describe the columns of a table: inferred once, applied to every later table.

    Parameters
    ----------
    columns : tuple of Column
        The columns, in order.

    See Also
    --------
    hetsel.Table : The values of a table with its schema.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [61.0, 54.5, 47.0], "sex": ["f", "m", "f"]})
    >>> schema = Schema.infer(frame)
    >>> [(column.name, column.kind) for column in schema.columns]
    [('age', 'continuous'), ('sex', 'nominal')]
    >>> schema.encode(frame).values
    array([[61. ,  0. ],
           [54.5,  1. ],
           [47. ,  0. ]])
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if not self.columns:
            raise TableError("the table has no columns")
        refuse_column_twice(self.names)

    @property
    def names(self) -> list[str]:
        """Names of the columns, in order."""
        return [column.name for column in self.columns]

    @cached_property
    def nominal(self) -> np.ndarray:
        """Mask (p,) of the nominal columns."""
        mask = np.array([column.kind == "nominal" for column in self.columns])
        mask.flags.writeable = False
        return mask

    @property
    def categorical(self) -> np.ndarray:
        """Mask (p,) of the nominal and ordinal columns."""
        return np.array([column.kind != "continuous" for column in self.columns])

    @classmethod
    def infer(
        cls,
        data: Any,
        *,
        nominal: ColumnNames = None,
        ordinal: ColumnNames = None,
        continuous: ColumnNames = None,
    ) -> "Schema":
        """Infer the kind of each column from its dtype and from the options.

        A note marks every column whose kind is in doubt; print the schema to see the notes.

        Parameters
        ----------
        data : DataFrame (pandas, polars, Arrow, ...) or array of shape (n, p)
            A plain array of numbers has continuous columns only.
        nominal, continuous : sequence of names or positions, or slice of positions
            Columns of this kind, whatever their dtype; `slice(None)` means all columns.
        ordinal : sequence of names or positions, or mapping of name to levels in order
            Columns with ordered levels. Numbers are ordered by value and ordered categories by
            their order; text needs the mapping.

        Returns
        -------
        Schema

        Raises
        ------
        TableError
            Duplicate names, infinities, a column without values, an option with an unknown column.
        """
        return Table.read(data, nominal=nominal, ordinal=ordinal, continuous=continuous).schema

    def encode(self, data: Any, *, unseen: Literal["error", "separate"] = "error") -> "Table":
        """Encode the values of a table as numbers, by this schema.

        Columns are matched by name, or by position for a plain array. So their order may differ,
        and additional columns are ignored.

        Parameters
        ----------
        data : DataFrame or array of shape (n, p)
        unseen : {"error", "separate"}
            How to handle an unseen level: refuse it, or treat it as a separate level that equals no
            known level.

        Returns
        -------
        Table

        Raises
        ------
        TableError
            A missing column, an unseen level, a value of another type than the column, infinities.
        """
        if unseen not in ("error", "separate"):
            raise TableError(f"unseen must be one of error, separate. Got {unseen!r}")
        data = frames.frame_or_array(data)
        frame = matched(as_frame(data), self.names, isinstance(data, pd.DataFrame))
        with memory.no_collection():
            return Table(FrameCells(frame).encode(self.columns, unseen), self)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as a plain dictionary, for JSON."""
        return {
            "columns": [
                {**c._asdict(), "levels": list(c.levels), "note": c.note and asdict(c.note)}
                for c in self.columns
            ]
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Schema":
        """Make a schema from the dictionary of :meth:`to_dict`."""
        return cls._from_entries(content, "this content")

    @classmethod
    def _from_entries(cls, content: Any, where: str) -> "Schema":
        entries = content.get("columns") if isinstance(content, Mapping) else None
        if not isinstance(entries, list | tuple):
            raise TableError(
                f"{where} must be a schema that hetsel saved. It has no list of columns"
            )
        columns = []
        for number, entry in enumerate(entries, 1):
            name, kind = number, ""
            if isinstance(entry, Mapping):
                name, kind = entry.get("name", number), entry.get("kind", "")
            if not isinstance(kind, str) or kind not in get_args(ColumnKind):
                raise TableError(
                    f"{where} must be a schema that hetsel saved. The kind of column {name!r:.60} "
                    f"must be one of {', '.join(get_args(ColumnKind))}. Got {kind!r:.60}"
                )
            column = sealed_json.read_as(f"{where}: column {name!r:.60}", entry, ColumnEntry)
            if len({repr(level) for level in column.levels}) < len(column.levels):
                raise TableError(f"{where}: levels of column {name!r:.60} must differ")
            columns.append(Column(*astuple(column)))
        return cls(tuple(columns))

    def save(self, path: str | Path) -> None:
        """Write the schema as JSON."""
        write_files({path: self.to_json()})

    def to_json(self) -> str:
        """Return the schema as JSON text, as :meth:`save` writes it."""
        text = json.dumps(self.to_dict(), indent=1, ensure_ascii=False, default=_plain)
        return text + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "Schema":
        """Read a schema that :meth:`save` wrote.

        Raises
        ------
        TableError
            The file does not exist or holds no schema.
        """
        return cls._from_entries(
            sealed_json.read_json(sealed_json.written_text(path), str(path)), str(path)
        )

    def __str__(self) -> str:
        return Table(np.full((0, len(self.columns)), np.nan), self).summary()

    def _repr_html_(self) -> str:
        """Show the columns as a table in notebooks; names and levels are escaped."""
        rows = [(c.name, c.kind, listed(c.levels), str(c.note or "")) for c in self.columns]
        frame = pd.DataFrame(rows, columns=["column", "kind", "levels", "open"])
        return frame.to_html(index=False, max_rows=60)


class ReadOnlyArrays:
    """Base of frozen classes with read-only arrays; unpickled arrays would be writable."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ReadOnlyArrays.__post_init__(self)


@dataclass(frozen=True)
class Table(ReadOnlyArrays):
    """Hold the encoded values of a table with their schema.

    Selectors accept a data frame and encode it themselves. Encode it once with :meth:`Table.read`
    to use it many times or to inspect what hetsel infers.

    Parameters
    ----------
    values : ndarray of shape (n, p), float64
        The value (continuous) or the position of the level (nominal, ordinal); NaN is missing.
        The array is read-only; take a copy to change it.
    schema : Schema
        The p columns.

    See Also
    --------
    hetsel.Schema : The kinds and levels of the columns.
    hetsel.cautions : Check a table for rows and columns that mislead a selection.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [61.5, 54.0, 47.2], "sex": ["f", "m", "f"]})
    >>> table = Table.read(frame)
    >>> table.shape, table.names
    ((3, 2), ['age', 'sex'])
    >>> print(table)
    3 rows, 2 columns: 1 continuous, 1 nominal
      age  continuous  47.2 to 61.5
      sex  nominal     2 levels: f, m
    """

    values: np.ndarray
    schema: Schema
    fill: np.ndarray | None = field(default=None, compare=False)

    @classmethod
    def read(
        cls,
        data: Any,
        *,
        nominal: ColumnNames = None,
        ordinal: ColumnNames = None,
        continuous: ColumnNames = None,
    ) -> "Table":
        """Infer the schema of a data frame or an array and encode it; see :meth:`Schema.infer`."""
        frame = as_frame(data)
        wanted = wanted_kinds(frame, nominal=nominal, ordinal=ordinal, continuous=continuous)
        with memory.no_collection():
            cells = FrameCells(frame)
            schema = Schema(describe(cells, wanted))
            return cls(cells.encode(schema.columns), schema)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return cast(tuple[int, int], self.values.shape)

    @property
    def names(self) -> list[str]:
        """Names of the columns, in order."""
        return self.schema.names

    @property
    def nominal(self) -> np.ndarray:
        """Mask (p,) of the nominal columns."""
        return self.schema.nominal

    def block(self, columns: Any) -> np.ndarray:
        """Return the values (n, k) of some columns: a slice or their indices."""
        return self.values[:, columns]

    def take(self, rows: Any = None, columns: Any = None) -> "Table":
        """Return the table of these rows and columns (indices or masks; None takes all)."""
        values, schema, fill = self.values, self.schema, self.fill
        if rows is not None:
            values = values[rows]
        if columns is not None:
            index = np.arange(len(schema.columns))[columns]
            values = values[:, index]
            schema = Schema(tuple(schema.columns[i] for i in index))
            fill = None if fill is None else fill[index]
        return Table(values, schema, fill)

    def resolve_missing(self, missing: Missing, like: "Table | None" = None) -> "Table":
        """Handle the missing values.

        Parameters
        ----------
        missing : {"impute", "separate", "error"}
            "impute" replaces a missing value by the median (continuous), the lower median (ordinal)
            or the most frequent level (nominal) of the training rows. Among equally frequent levels
            :func:`hetsel.tables.content.by_content` chooses by the other values of their rows.
            "separate" treats missing as a separate value. In a nominal column it becomes one more
            level. Elsewhere it stays NaN; methods treat it as equal to another missing value and
            different from every other value. "error" refuses missing values.
        like : Table, optional
            The resolved training table, whose imputed values are used; None uses this table.

        Returns
        -------
        Table
        """
        resolved = missing_cells.in_place_of_missing(self, self._with_gaps(), missing, like)
        return self._filled(*resolved)

    def _with_gaps(self) -> np.ndarray:
        """Mark the columns (p,) with missing values."""
        return np.asarray(np.isnan(self.values).any(axis=0))

    def _filled(self, cells: np.ndarray | None = None, fill: np.ndarray | None = None) -> "Table":
        """Return the table with `cells` (p,) in place of missing values; it keeps `fill`."""
        values = self.values
        if cells is not None:
            values = np.where(np.isnan(values), cells, values)
        return Table(values, self.schema, fill)

    def fill_values(self, columns: np.ndarray | None = None) -> np.ndarray:
        """Return the values (p,) that replace missing ones; NaN for columns outside `columns`.

        `columns` is a mask. A resolved table keeps the values that it was imputed with.
        """
        known = np.full(self.shape[1], np.nan) if self.fill is None else self.fill.copy()
        wanted = np.isnan(known) if columns is None else np.isnan(known) & columns
        return np.where(wanted, missing_cells.typical_cells(self, wanted), known)

    def canonical_order(self) -> np.ndarray:
        """Return the order (p,) of the columns by content, whatever their place, name or unit.

        Methods use this order where rounding or random draws would make the result depend on the
        order of the columns. Columns with equal content keep their order.
        """
        return content_order(content_ranks(self.values, self.nominal), self.nominal)

    def summary(self, limit: int = 40, face: Face = errors.in_python) -> str:
        """Summarize the table, one line per column; columns beyond `limit` are only counted.

        `face` writes the notes for Python, the shell or R; see :mod:`hetsel.ground.errors`.
        """
        columns, values = self.schema.columns, self.values
        kinds = [c.kind for c in columns]
        counts = ", ".join(f"{kinds.count(k)} {k}" for k in get_args(ColumnKind) if k in kinds)
        rows = f"{counted(len(values), 'row')}, " if len(values) else ""
        lines = [f"{rows}{counted(len(columns), 'column')}: {counts}"]
        missing = np.isnan(values).sum(axis=0)
        places = list(range(len(columns)))
        if len(places) > limit:
            places = sorted({*range(limit // 2), *[j for j in places if columns[j].note][:limit]})
        names = {j: shown(columns[j].name) for j in places}
        width = max(map(len, names.values()))
        for j in places:
            column = columns[j]
            text = f"  {names[j]:<{width}}  {column.kind:<10}  {_content(column, values[:, j])}"
            if len(values) and missing[j]:
                text += f", {missing[j]} missing"
            lines.append(text.rstrip())
            if column.note is not None:
                lines.append(f"  {'':<{width}}  ? {column.note.in_words(face)}")
        if len(places) < len(columns):
            left = counted(len(columns) - len(places), "more column")
            lines.append(f"  ... and {left}")
        return "\n".join(lines)

    __str__ = summary


def read_only(array: np.ndarray) -> np.ndarray:
    """Return a read-only view of an array.

    Give compiled functions a copy: they would be compiled again for the read-only type.
    """
    view = array.view()
    view.flags.writeable = False
    return view


def as_frame(data: Any) -> pd.DataFrame:
    """Return a pandas frame of a table of any library; columns of an array are x0, x1, ..."""
    if isinstance(data, Table):
        raise TableError(
            "the table must be a data frame or an array. Got a Table, which is already encoded"
        )
    table = frames.frame_or_array(data)
    if isinstance(table, pd.DataFrame):
        return table
    frame = pd.DataFrame(table, columns=[f"x{j}" for j in range(table.shape[1])], copy=False)
    return frame.infer_objects() if table.dtype == object else frame


def _content(column: Column, values: np.ndarray) -> str:
    if column.kind != "continuous":
        return f"{counted(len(column.levels), 'level')}: {listed(column.levels)}"
    present = values[~np.isnan(values)]
    text = f"{present.min():g} to {present.max():g}" if len(present) else ""
    return f"{text} {levels_and_times.UNITS[column.time]}" if column.time else text


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)
