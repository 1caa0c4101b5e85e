"""Columns by name: the options that name them, and a later frame matched to those of a schema."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_whole
from hetsel.ground.text import did_you_mean, listed
from hetsel.tables.column import Kind

ALL = 100  # names of columns that an error lists
Names = Sequence[Any] | Mapping[Any, Any] | slice | None
Wanted = Mapping[str, tuple[Kind, tuple[Any, ...] | None]]


def wanted_kinds(frame: pd.DataFrame, **options: Names) -> Wanted:
    """Columns whose kind the user settles: name -> (kind, levels in order or None)."""
    wanted: dict[str, tuple[Kind, tuple[Any, ...] | None]] = {}
    columns = frame.columns.tolist()
    known = {*columns}
    for kind, names in options.items():
        if isinstance(names, str) or is_whole(names):
            names = [names]
        levels = names if isinstance(names, Mapping) else {}
        for given in listed_names(names, kind, frame.shape[1]):
            name = find_column(columns, given, option=kind, known=known)
            if name in wanted and wanted[name][0] != kind:
                raise TableError(f"column {name!r} is named in both {wanted[name][0]} and {kind}")
            order = _ordered(name, levels.get(given))
            wanted[name] = (cast(Kind, kind), order)
    return wanted


def _ordered(name: str, levels: Any) -> tuple[Any, ...] | None:
    if levels is None:
        return None
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise TableError(
            f"the order of the levels of column {name!r} must be a list, the lowest first. "
            f"Got {levels!r:.60}"
        )
    return tuple(levels)


def listed_names(names: Any, option: str, p: int) -> Iterable[Any]:
    """Names or positions that an option lists; of a logical value for each column the true ones."""
    if names is None:
        return []
    if isinstance(names, slice):
        return range(p)[names]
    if not isinstance(names, Iterable):
        raise TableError(
            f"{option} must be names or positions of columns, or a logical value for each. "
            f"Got {names!r:.60}"
        )
    array = np.asarray(list(names), dtype=object)
    if len(array) and all(isinstance(v, bool | np.bool_) for v in array):
        if len(array) != p:
            raise TableError(
                f"{option} must have one logical value for each of the {p} columns. "
                f"Got {len(array)}"
            )
        return list(np.flatnonzero(array.astype(bool)))
    return list(array)


def find_column(
    names: list[str], given: Any, option: str, known: Collection[str] | None = None
) -> str:
    """Name of a column given by name or position; the error suggests the nearest name. `known` are
    the names once more, as a set, where many columns are asked for."""
    known = names if known is None else known
    if is_whole(given) and str(given) not in known:
        given = int(given)
    if isinstance(given, int | np.integer) and str(given) not in known:
        if -len(names) <= given < len(names):
            return names[given]
        raise TableError(f"{option}: the table has {len(names)} columns. Got position {given}")
    if str(given) in known:
        return str(given)
    hint = did_you_mean(given, names) or f"; the columns are {listed(names, ALL)}"
    raise TableError(f"{option}: the table has no column {str(given)!r}{hint}")


def refuse_twice(names: Iterable[str], file: str = "") -> None:
    """Refuse a name of a column that is there twice, in a file perhaps."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            who = f"{file} has" if file else "Got"
            raise TableError(
                f"column names must be unique. {who} {name!r} more than once: rename one"
            )
        seen.add(name)


def words_of(name: str) -> list[str]:
    """Split the name of a column into its words, in small letters.

    >>> words_of("PatientID"), words_of("t.tdm"), words_of("follow-up time (months)")
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
