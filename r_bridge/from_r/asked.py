"""What R sends, read: the columns of a data frame, the target, kinds and numbers.

An annotation of an argument says how it is read from its object of R, see :func:`read_asked`; one
without is a plain value. Columns come as R has them: doubles, integers, logical and character
vectors, factors, dates and times, differences of times.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np
import pandas as pd

from hetsel.ground.errors import PlanError, TableError
from hetsel.tables import survival
from hetsel.tables.encode import quiet
from r_bridge.r_objects import NA_INTEGER, RVector, plain

SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}


def read_asked(function: Callable[..., Any], asked: RVector | None) -> dict[str, Any]:
    """The arguments of a function, from a list of R with their names.

    Raises
    ------
    TypeError
        An argument that it has not.
    """
    if asked is None:
        return {}
    readers = _readers(function)
    every = dict(zip(asked.names or (), asked.values, strict=True))
    return {
        name: None if given is None else readers.get(name, plain)(given)
        for name, given in every.items()
    }


@functools.cache
def _readers(function: Callable[..., Any]) -> dict[str, Callable[[RVector], Any]]:
    hints = get_type_hints(inspect.unwrap(function), include_extras=True)
    found: dict[str, Callable[[RVector], Any]] = {}
    for name, hint in hints.items():
        for kind in (hint, *get_args(hint)):
            if readers := getattr(kind, "__metadata__", ()):
                found[name] = readers[0]
    return found


def frame_of(columns: RVector) -> pd.DataFrame:
    """The data frame of a list of columns, the way a Python user would hold it."""
    names = columns.names or []
    frame = pd.DataFrame(
        {name: cells_of(c) for name, c in zip(names, columns.values, strict=True)}, copy=False
    )
    if frame.shape[1] < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise TableError(f"column names must be unique. Got {twice!r} more than once: rename one")
    return frame


def cells_of(column: RVector) -> Any:
    """One column the way a Python user would hold it: an array of numbers, or a Series."""
    if column.kind == "character":
        return pd.Series(column.values, dtype=object)
    gaps = column.values == NA_INTEGER if column.kind != "double" else np.isnan(column.values)
    if "factor" in column.classes:
        return _factor(column, gaps)
    if column.kind == "logical":
        cells = column.values.astype(bool)
        if not gaps.any():
            return pd.Series(cells)
        return pd.Series(np.where(gaps, None, cells), dtype=object)
    values = column.values
    if column.kind == "integer":
        values = np.where(gaps, np.nan, values)
    values = quiet(values)
    if "POSIXct" in column.classes:
        values = values / SECONDS["days"]
    if {"POSIXct", "Date"} & {*column.classes}:
        return pd.to_datetime(pd.Series(values), unit="D")
    unit = column.attributes.get("units")
    return values if unit is None else values * (SECONDS[unit.values[0]] / SECONDS["days"])


def _factor(column: RVector, gaps: np.ndarray) -> pd.Series:
    """A categorical one; a level that is NA, as addNA() makes it, is a missing cell."""
    levels = column.attributes["levels"]
    assert levels is not None
    known = np.array([level is not None for level in [*levels.values, None]])
    codes = np.where(known, np.cumsum(known) - 1, -1)[np.where(gaps, 0, column.values) - 1]
    labels = pd.Index([level for level in levels.values if level is not None])
    ordered = "ordered" in column.classes
    return pd.Series(pd.Categorical.from_codes(codes, labels, ordered=ordered))


def target_of(target: RVector) -> Any:
    """Class labels; those of a factor in the order of its levels, whole numbers as such.

    Survival times are a list of ``times`` and ``events``, 1 or 0.
    """
    if target.kind == "list":
        return survival(*(quiet(cells.values) for cells in target.values))
    labels = cells_of(target)
    if isinstance(getattr(labels, "dtype", None), pd.CategoricalDtype):
        return labels.cat.remove_unused_categories()
    if isinstance(labels, np.ndarray) and np.array_equal(labels, np.trunc(labels)):
        return labels.astype(np.int64) if np.abs(labels).max(initial=0) < 2**53 else labels
    return labels


def kinds_of(kinds: RVector) -> dict[str, Any]:
    """Which columns are nominal, ordinal, continuous: the options of a schema.

    Levels in order are a column of their own, so that numbers are numbers.
    """
    chosen: dict[str, Any] = {}
    for kind, given in zip(kinds.names or (), kinds.values, strict=True):
        if given is None:
            continue
        if given.kind == "list" and given.names is not None:
            levels = zip(given.names, given.values, strict=True)
            chosen[kind] = {name: list(cells_of(column)) for name, column in levels}
        else:
            chosen[kind] = strings(plain(given)) or None
    return chosen


Frame = Annotated[pd.DataFrame, frame_of]
Column = Annotated[Any, cells_of]
Target = Annotated[Any, target_of]
Kinds = Annotated[Mapping[str, Any], kinds_of]


def strings(values: Any) -> list[str]:
    """Text, one or several."""
    return [values] if isinstance(values, str) else [str(v) for v in values or ()]


def numbers(values: Any) -> np.ndarray:
    """Doubles, one or several."""
    return quiet(np.atleast_1d(np.asarray(values, dtype=np.float64)))


def whole(value: Any) -> Any:
    """R counts in doubles: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def usable_jobs(jobs: Any) -> int | None:
    """Number of worker processes."""
    jobs = whole(jobs)
    if jobs is not None and not isinstance(jobs, int):
        raise PlanError(f"jobs must be a whole number, 0 or larger. Got {jobs}")
    return jobs
