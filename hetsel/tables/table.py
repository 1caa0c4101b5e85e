"""Typed tables: what each column is, fixed when fitted and replayed later, and the cells as one
array.

A continuous column holds its values, a nominal or ordinal one the positions of its levels; NaN is
missing. :meth:`Schema.infer` reports what it cannot know.
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
    """The columns of a table, in order: inferred once, replayed on every later table.

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
        """Mask (p,) of the nominal and the ordinal columns."""
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
        """Say what each column is: from its dtype, from the options, never from a silent guess.

        Parameters
        ----------
        data : DataFrame (pandas, polars, Arrow, ...) or array of shape (n, p)
            A plain array of numbers has continuous columns only.
        nominal, continuous : sequence of names or positions, or slice of positions
            Columns that are of this kind whatever their dtype; `slice(None)` is all of them.
        ordinal : sequence of names or positions, or mapping of name to levels in order
            Columns with ordered levels. Numbers are ordered by value, an ordered category by its
            order; text needs the mapping.

        Raises
        ------
        TableError
            Duplicate names, infinities, a column without any value, an option that names a column
            which is not there.
        """
        return Table.read(data, nominal=nominal, ordinal=ordinal, continuous=continuous).schema

    def encode(self, data: Any, *, unseen: Literal["error", "separate"] = "error") -> "Table":
        """Turn the cells of a table into numbers, the way the schema was fitted.

        Columns are matched by name (by position for a plain array), so their order may differ and
        further columns are ignored.

        Parameters
        ----------
        data : DataFrame or array of shape (n, p)
        unseen : {"error", "separate"}
            What to do with a level that the schema does not know: refuse it, or let it be a level
            of its own, equal to no known one.

        Raises
        ------
        TableError
            A missing column, an unseen level, a cell that does not fit the column, infinities.
        """
        if unseen not in ("error", "separate"):
            raise TableError(f"unseen must be 'error' or 'separate'. Got {unseen!r}")
        data = frames.frame_or_array(data)
        frame = matched(as_frame(data), self.names, isinstance(data, pd.DataFrame))
        with memory.no_collection():
            return Table(FrameCells(frame).encode(self.columns, unseen), self)

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionary of the schema, for JSON."""
        return {
            "columns": [
                {**c._asdict(), "levels": list(c.levels), "note": c.note and asdict(c.note)}
                for c in self.columns
            ]
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Schema":
        """Schema from the dictionary that :meth:`to_dict` made."""
        return cls._from_entries(content, "this")

    @classmethod
    def _from_entries(cls, content: Any, where: str) -> "Schema":
        entries = content.get("columns") if isinstance(content, Mapping) else None
        if not isinstance(entries, list | tuple):
            raise TableError(
                f"{where} is not a schema that hetsel saved: it has no list of columns"
            )
        columns = []
        for number, entry in enumerate(entries, 1):
            name, kind = number, ""
            if isinstance(entry, Mapping):
                name, kind = entry.get("name", number), entry.get("kind", "")
            if not isinstance(kind, str) or kind not in get_args(ColumnKind):
                raise TableError(
                    f"{where} is not a schema that hetsel saved: kind of column {name!r:.60} must "
                    f"be one of {', '.join(get_args(ColumnKind))}. Got {kind!r:.60}"
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
        """The schema as the text of a JSON file, what :meth:`save` writes."""
        text = json.dumps(self.to_dict(), indent=1, ensure_ascii=False, default=_plain)
        return text + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "Schema":
        """Read a schema that :meth:`save` wrote.

        Raises
        ------
        TableError
            No such file, or it holds no schema.
        """
        return cls._from_entries(
            sealed_json.read_json(sealed_json.written_text(path), str(path)), str(path)
        )

    def __str__(self) -> str:
        return Table(np.full((0, len(self.columns)), np.nan), self).summary()

    def _repr_html_(self) -> str:
        """The columns as a table for notebooks; names and levels are text, never HTML."""
        rows = [(c.name, c.kind, listed(c.levels), str(c.note or "")) for c in self.columns]
        frame = pd.DataFrame(rows, columns=["column", "kind", "levels", "open"])
        return frame.to_html(index=False, max_rows=60)


class ReadOnlyArrays:
    """What is frozen with all its arrays; those that come out of a pickle could be written."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ReadOnlyArrays.__post_init__(self)


@dataclass(frozen=True)
class Table(ReadOnlyArrays):
    """A table of numbers with its schema.

    Parameters
    ----------
    values : ndarray of shape (n, p), float64
        Value (continuous) or position of the level (nominal, ordinal); NaN is missing. Read-only:
        who wants to write takes a copy.
    schema : Schema
        The p columns.
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
        """Values (n, k) of some columns: a slice, or their indices."""
        return self.values[:, columns]

    def take(self, rows: Any = None, columns: Any = None) -> "Table":
        """The table of these rows and columns (indices or masks; None takes all)."""
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
        """Settle the missing cells.

        Parameters
        ----------
        missing : {"impute", "separate", "error"}
            "impute": median (continuous), lower median (ordinal) or most frequent level (nominal;
            of equally frequent ones :func:`hetsel.tables.content.by_content` takes one, by
            what else is in their rows) of the training rows. "separate": missing is a value of its
            own; in a nominal column it becomes a further level, elsewhere the cell stays NaN and
            the methods treat it as equal to another missing cell and different from every present
            one. "error": refuse.
        like : Table, optional
            The resolved training table, whose values are used; None takes this table's own.
        """
        resolved = missing_cells.in_place_of_missing(self, self._with_gaps(), missing, like)
        return self._filled(*resolved)

    def _with_gaps(self) -> np.ndarray:
        """Which columns (p,) have missing cells."""
        return np.asarray(np.isnan(self.values).any(axis=0))

    def _filled(self, cells: np.ndarray | None = None, fill: np.ndarray | None = None) -> "Table":
        """The table with `cells` (p,) in place of missing ones, that remembers what filled them."""
        values = self.values
        if cells is not None:
            values = np.where(np.isnan(values), cells, values)
        return Table(values, self.schema, fill)

    def fill_values(self, columns: np.ndarray | None = None) -> np.ndarray:
        """What missing cells are filled with, (p,); NaN for those not among `columns` (a mask).

        A resolved table remembers what its own gaps were filled with.
        """
        known = np.full(self.shape[1], np.nan) if self.fill is None else self.fill.copy()
        wanted = np.isnan(known) if columns is None else np.isnan(known) & columns
        return np.where(wanted, missing_cells.typical_cells(self, wanted), known)

    def canonical_order(self) -> np.ndarray:
        """Order (p,) of the columns by their content, whatever their place, name or positive scale.

        Methods whose result would otherwise depend on the order of the columns by rounding or by
        the draws of a generator work in this order. Columns of equal content keep their order.
        """
        return content_order(content_ranks(self.values, self.nominal), self.nominal)

    def summary(self, limit: int = 40, face: Face = errors.in_python) -> str:
        """What the table holds, one line a column; columns beyond `limit` are only counted.

        What is open about a column is said in the words of a face, see :mod:`hetsel.ground.errors`.
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
            lines.append(f"  ... and {len(columns) - len(places)} columns more")
        return "\n".join(lines)

    __str__ = summary


def read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written through; the array itself stays as it is. Compiled functions
    take it for another type, for which they are compiled once more: they are given a copy."""
    view = array.view()
    view.flags.writeable = False
    return view


def as_frame(data: Any) -> pd.DataFrame:
    """Data frame of a table or of any library's: names become text, an array's are x0, x1, ..."""
    if isinstance(data, Table):
        raise TableError("expected a data frame or an array. Got a Table, which is encoded already")
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
