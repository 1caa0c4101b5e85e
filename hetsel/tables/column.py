"""Columns: their kinds, the notes on them, and columns by name."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import pandas as pd
from msgspec import Struct

from hetsel.ground import Face, Fix, TableError, did_you_mean, is_whole, listed
from hetsel.ground.errors import in_python, worded
from hetsel.tables.levels_and_times import Time

ColumnKind = Literal["continuous", "ordinal", "nominal"]
NotePart = str | int | float | tuple[int | float, int | float]
MOST_NAMES = 8  # most columns that a fix names one by one


@dataclass(frozen=True)
class Note:
    """An open question about a column: a sentence in parts, and its fixes."""

    parts: tuple[NotePart, ...]  # words; numbers; (smallest, largest) of columns
    fixes: tuple[Fix, ...] = ()  # a fix for a column has its name as value

    def __str__(self) -> str:
        return self.in_words(in_python)

    def in_words(self, face: Face) -> str:
        """Return the sentence and the fixes in the words of a face."""
        return worded("".join(map(_shown, self.parts)), self.fixes, face)


def _shown(part: NotePart) -> str:
    """Write words as they are, numbers without rounding digits, a range by its ends."""
    if isinstance(part, tuple):
        return " to ".join(map(_shown, part))
    return f"{part:.15g}" if isinstance(part, float) else str(part)


class Column(NamedTuple):
    """Describe one column of a table.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
        Kind of the feature.
    levels : tuple
        The levels of a nominal or ordinal column; the position of a level is its code.
    time : {"date", "duration", "time of day"}, optional
        Meaning of a continuous column that does not hold plain numbers. The unit is days since
        1970-01-01 for dates, days for durations, hours since midnight for times of day.
    note : Note, optional
        An open question about the column, and the options that answer it.
    declared : bool
        Whether the dtype or an option declares the levels; otherwise they are the observed values.

    See Also
    --------
    hetsel.Schema : All columns of a table.

    Examples
    --------
    >>> Column("grade", "ordinal", levels=("low", "high")).levels
    ('low', 'high')
    """

    name: str
    kind: ColumnKind
    levels: tuple[Any, ...] = ()
    time: Time | None = None
    note: Note | None = None
    declared: bool = False


class ColumnEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A column in a schema file; see :class:`Column`."""

    name: str
    kind: ColumnKind
    levels: tuple[str | bool | int | float, ...] = ()
    time: Time | None = None
    note: Note | None = None
    declared: bool = False


def open_questions(columns: Iterable[Column]) -> list[tuple[list[str], Note]]:
    """Group the notes of columns: those that differ in numbers only become one.

    A number that differs becomes a range. The fixes name all columns, or NAME if there are many.
    """
    groups: dict[tuple[Any, ...], list[tuple[str, Note]]] = {}
    for column in columns:
        if column.note is not None:
            words = tuple(part if isinstance(part, str) else None for part in column.note.parts)
            advice = tuple((fix.option, fix.then, fix.levels) for fix in column.note.fixes)
            groups.setdefault((words, advice), []).append((column.name, column.note))
    return [
        ([name for name, _ in group], _merged([note for _, note in group]))
        for group in groups.values()
    ]


def _merged(notes: Sequence[Note]) -> Note:
    """Merge notes that differ only in numbers and in the values of their fixes."""
    if len(notes) == 1:
        return notes[0]
    parts: list[NotePart] = []
    for alike in zip(*(note.parts for note in notes), strict=True):
        numbers = [part for part in alike if isinstance(part, int | float)]
        varies = len(set(numbers)) > 1
        parts.append((min(numbers), max(numbers)) if varies else alike[0])
    fixes = []
    for same in zip(*(note.fixes for note in notes), strict=True):
        values = tuple(dict.fromkeys(value for fix in same for value in fix.values))
        several = ("VALUE",) if same[0].option == "missing_marks" else ("NAME",)
        fixes.append(replace(same[0], value=values if len(values) <= MOST_NAMES else several))
    return Note(tuple(parts), tuple(fixes))


ALL = 100  # most column names that an error lists
ColumnNames = Sequence[Any] | Mapping[Any, Any] | slice | None
WantedKinds = Mapping[str, tuple[ColumnKind, tuple[Any, ...] | None]]


def wanted_kinds(frame: pd.DataFrame, **options: ColumnNames) -> WantedKinds:
    """Return the kinds that the user specified: name -> (kind, levels in order or None)."""
    wanted: dict[str, tuple[ColumnKind, tuple[Any, ...] | None]] = {}
    columns = frame.columns.tolist()
    known = {*columns}
    for kind, names in options.items():
        if isinstance(names, str) or is_whole(names):
            names = [names]
        levels = names if isinstance(names, Mapping) else {}
        for given in listed_names(names, kind, frame.shape[1]):
            name = find_column(columns, given, option=kind, known=known)
            if name in wanted and wanted[name][0] != kind:
                raise TableError(
                    f"column {name!r} must have one kind. Got both {wanted[name][0]} and {kind}"
                )
            order = _ordered(name, levels.get(given))
            wanted[name] = (cast(ColumnKind, kind), order)
    return wanted


def _ordered(name: str, levels: Any) -> tuple[Any, ...] | None:
    if levels is None:
        return None
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise TableError(
            f"the levels of column {name!r} must be a list, from lowest to highest. "
            f"Got {levels!r:.60}"
        )
    return tuple(levels)


def listed_names(names: Any, option: str, p: int) -> Iterable[Any]:
    """Return the names or positions of an option; of logical values, the true positions."""
    if names is None:
        return []
    if isinstance(names, slice):
        return range(p)[names]
    if not isinstance(names, Iterable):
        raise TableError(
            f"{option} must be column names, column positions or a logical value for each column. "
            f"Got {names!r:.60}"
        )
    array = np.asarray(list(names), dtype=object)
    if len(array) and all(isinstance(v, bool | np.bool_) for v in array):
        if len(array) != p:
            raise TableError(
                f"{option} must have a logical value for each of the {p} columns. Got {len(array)}"
            )
        return list(np.flatnonzero(array.astype(bool)))
    return list(array)


def find_column(
    names: list[str], given: Any, option: str, known: Collection[str] | None = None
) -> str:
    """Return the name of a column given by name or position; the error suggests the nearest name.

    `known` is the set of the names, to find many columns fast.
    """
    known = names if known is None else known
    if is_whole(given) and str(given) not in known:
        given = int(given)
    if isinstance(given, int | np.integer) and str(given) not in known:
        if -len(names) <= given < len(names):
            return names[given]
        raise TableError(
            f"{option} must be names of columns, or positions in 0..{len(names) - 1}. Got {given}"
        )
    if str(given) in known:
        return str(given)
    hint = did_you_mean(given, names) or f". The columns are {listed(names, ALL)}"
    raise TableError(f"{option}: the table has no column {str(given)!r}{hint}")


def refuse_column_twice(names: Iterable[str], file: str = "") -> None:
    """Refuse a repeated column name; `file` is the file that has it, if any."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            who = f"{file} has" if file else "Got"
            raise TableError(
                f"column names must be unique. {who} {name!r} more than once. Rename one"
            )
        seen.add(name)


def split_name(name: str) -> list[str]:
    """Split a column name into its words, in lower case.

    >>> split_name("PatientID"), split_name("t.tdm"), split_name("follow-up time (months)")
    (['patient', 'id'], ['t', 'tdm'], ['follow', 'up', 'time', 'months'])
    """
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\W\d_]+", parts.lower()) if word]


def matched(frame: pd.DataFrame, names: list[str], by_name: bool) -> pd.DataFrame:
    if not by_name:
        if frame.shape[1] != len(names):
            raise TableError(f"the table must have {len(names)} columns. Got {frame.shape[1]}")
        return frame.set_axis(names, axis=1)
    present = set(frame.columns.tolist())
    absent = [name for name in names if name not in present]
    if absent:
        raise TableError(f"the table lacks {len(absent)} of {len(names)} columns: {listed(absent)}")
    return frame if frame.columns.tolist() == names else frame[names]
