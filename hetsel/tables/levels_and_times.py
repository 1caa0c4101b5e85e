"""Levels of many columns at once; dates, durations and times of day as numbers."""

import datetime
import numbers
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import repeat
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from pandas.api import types

from hetsel.ground import TableError, listed
from hetsel.tables.content import content_ranks, parts_of_columns

MOST_CELLS = 2**20  # values that are handled together, to limit memory


class Leveled(NamedTuple):
    """A column as levels and the code of each value."""

    form: str  # type of the values, such as "text"
    levels: tuple[Any, ...]  # distinct values, ascending, or categories
    codes: np.ndarray  # (n,): position of the level of each value; -1 is missing
    n_present: int  # number of values that are not missing
    ordered: bool = False  # whether the order of the categories is meaningful

    def as_they_appear(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Return codes and levels in the order of their first rows; categories stay.

        >>> Leveled("text", ("a", "b"), np.array([1, -1, 0, 1]), 3).as_they_appear()
        (array([ 0, -1,  1,  0]), ('b', 'a'))
        """
        if self.form == "category":
            return self.codes, self.levels
        order = [code for code in pd.unique(self.codes).tolist() if code >= 0]
        place = np.full(len(self.levels) + 1, -1)
        place[order] = np.arange(len(order))
        return place[self.codes], tuple([self.levels[code] for code in order])


def leveled_columns(frame: pd.DataFrame) -> dict[str, Leveled]:
    """Return the columns of only text, logical values or plain categories, by name."""
    found: dict[str, Leveled] = {}
    names, dtypes = frame.columns.tolist(), frame.dtypes.tolist()
    kinds = [_may_hold(dtype) for dtype in dtypes]
    flags, texts, categories = (
        [name for name, kind in zip(names, kinds, strict=True) if kind == form]
        for form in ("flag", "text", "category")
    )
    for part in parts_of_columns(len(flags), len(frame), MOST_CELLS):
        some = flags[part]
        cells = np.array([frame[name].to_numpy() for name in some])
        several = _leveled("flag", cells, cells.astype(np.float64), tuple)
        found |= zip(some, several, strict=True)
    for part in parts_of_columns(len(texts), len(frame), MOST_CELLS):
        some = texts[part]
        cells = np.empty((len(some), len(frame)), dtype=object)
        for place, name in enumerate(some):
            cells[place] = frame[name].to_numpy(dtype=object)
        pairs = zip(some, leveled_texts(cells), strict=True)
        found |= {name: column for name, column in pairs if column is not None}
    return found | _leveled_categories(frame, categories)


def _leveled_categories(frame: pd.DataFrame, names: list[str]) -> dict[str, Leveled]:
    """Return the columns of plain categories, by name."""
    found = {}
    known: dict[int, tuple[pd.Index, tuple[Any, ...]]] = {}  # many columns may share them
    for name in names:
        array = frame[name].array
        given, codes = array.categories, array.codes
        if id(given) not in known:
            values = given.tolist()
            levels = tuple(map(simple_level, values))
            known[id(given)] = given, levels if levels == tuple(values) else ()
        levels = known[id(given)][1]
        if levels:
            n_present = int(np.count_nonzero(codes >= 0))
            found[name] = Leveled("category", levels, codes, n_present, bool(array.ordered))
    return found


def _may_hold(dtype: Any) -> str:
    """Return what a dtype can hold: logical values, text, categories or neither."""
    if isinstance(dtype, np.dtype):
        return {"b": "flag", "O": "text"}.get(dtype.kind, "")
    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    return "text" if pd.api.types.is_string_dtype(dtype) else ""


def simple_level(value: Any) -> Any:
    """Return a level as a plain Python value; whole floats become integers."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if hasattr(value, "as_tuple") and value == value.to_integral_value():
        return int(value)  # floats cannot hold all decimals
    if isinstance(value, numbers.Real) or hasattr(value, "as_tuple"):
        number = float(value)
        return int(number) if number.is_integer() else number
    return str(value)


def given_order(name: str, levels: Sequence[Any], order: Sequence[Any]) -> tuple[Any, ...]:
    """Return the levels of an ordinal column in the specified order: all, each once."""
    by_text = {str(level): level for level in levels}  # the shell and a plan write 2 as text
    given = tuple(by_text.get(str(simple_level(v)), simple_level(v)) for v in order)
    lacking = [v for v in levels if v not in given]
    if len(set(given)) != len(given):
        raise TableError(
            f"the order of the levels of ordinal column {name!r} must name each level once. "
            f"Got {listed(given)}"
        )
    if lacking:
        raise TableError(
            f"the order of the levels of ordinal column {name!r} must name every level. "
            f"Got {listed(given)}. Missing: {listed(lacking)}"
        )
    return given


def leveled_texts(cells: np.ndarray) -> list[Leveled | None]:
    """Return the levels of columns (k, n) of text; None for a column with other types."""
    present = ~pd.isna(cells)
    if set(map(type, cells[present])) <= {str}:
        fit = np.ones(len(cells), dtype=bool)
    else:
        alike = (set(map(type, row[own])) for row, own in zip(cells, present, strict=True))
        fit = np.fromiter((kinds <= {str} for kinds in alike), dtype=bool, count=len(cells))
        cells = cells[fit]
    # sort the texts of all columns together, which is faster
    codes, texts = pd.factorize(cells.ravel())
    ranks = np.empty(len(texts) + 1)
    ranks[np.argsort(texts, kind="stable")] = np.arange(len(texts))
    ranks[-1] = np.nan  # code -1, missing, is the last entry
    found = _leveled("text", cells, ranks[codes].reshape(cells.shape), tuple)
    return [next(found) if own else None for own in fit.tolist()]


def leveled_numbers(cells: np.ndarray) -> list[Leveled]:
    """Return the levels of columns (k, n) of numbers; whole numbers become integers."""

    def plain(values: list[float]) -> tuple[float, ...]:
        return tuple([int(value) if value.is_integer() else value for value in values])

    return list(_leveled("number", cells, cells, plain))


def _leveled(
    form: str, cells: np.ndarray, values: np.ndarray, plain: Callable[[list[Any]], tuple[Any, ...]]
) -> Iterator[Leveled]:
    """Make levels of columns (k, n) by numbers in the same order; NaN is missing."""
    codes = content_ranks(values.T, np.zeros(len(values), dtype=bool))
    counts = codes.max(axis=1, initial=-1) + 1
    distinct = np.empty((len(cells), counts.max(initial=0)), dtype=cells.dtype)
    places, rows = np.nonzero(codes >= 0)
    distinct[places, codes[places, rows]] = cells[places, rows]
    present = np.bincount(places, minlength=len(cells)).tolist()
    levels = (
        plain(several[:count])
        for several, count in zip(distinct.tolist(), counts.tolist(), strict=True)
    )
    return map(Leveled, repeat(form), levels, codes, present)


Time = Literal["date", "duration", "time of day"]
TIMES: tuple[Time, ...] = get_args(Time)
UNITS: dict[Time, str] = {
    "date": "days since 1970-01-01",
    "duration": "days",
    "time of day": "hours since midnight",
}
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_CLOCK = r"\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?"
_ZONE = re.compile(r":.*[Z+-]")  # after the time of a date
_FORMS: dict[Time, re.Pattern[str]] = {
    "date": re.compile(
        rf"\d{{4}}-\d{{2}}-\d{{2}}(?:[T ](?:{_CLOCK}|\d{{2}}:\d{{2}})(?:Z|[+-]\d{{2}}:?\d{{2}})?)?",
        re.ASCII,
    ),
    "time of day": re.compile(_CLOCK, re.ASCII),
    # as pandas writes them, and as ISO 8601 does
    "duration": re.compile(
        rf"-?\d+ days(?: \+?{_CLOCK})?|-?P(?=[\dT])(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?"
        r"(?:\d+(?:\.\d+)?S)?)?",
        re.ASCII,
    ),
}


def time_of_texts(texts: Collection[str]) -> Time | None:
    """Return the type of time that all texts have, or None.

    Dates are 2020-12-31, with or without a time; times of day are 14:30:00; durations have the form
    of pandas or of ISO 8601.

    >>> time_of_texts(["2020-12-31", "2021-01-02"]), time_of_texts(["2020-02-30"])
    ('date', None)
    >>> time_of_texts(["14:30:00"]), time_of_texts(["1 days 02:00:00", "P1DT2H"])
    ('time of day', 'duration')
    """
    fitting = (time for time, form in _FORMS.items() if all(map(form.fullmatch, texts)))
    time = next(fitting, None) if len(texts) else None
    if time is None or (time == "date" and len({bool(_ZONE.search(text)) for text in texts}) > 1):
        return None  # some without a time zone: theirs is unknown
    try:
        numbers_of_times("", pd.Series([*texts], dtype=object), time)
    except TableError:
        return None
    return time


def numbers_of_times(name: str, cells: pd.Series, time: Time) -> np.ndarray:
    """Convert values (n,) of a column to numbers in the unit of `time`; NaN is missing."""
    if time == "time of day":
        return np.array([_hours(name, cell) for cell in cells.astype("object")], dtype=np.float64)
    return _days_long(name, cells) if time == "duration" else _days(name, cells)


def _hours(name: str, cell: Any) -> float:
    """Return hours since midnight, equal for a time and its text."""
    if pd.isna(cell):
        return np.nan
    text = cell.isoformat() if isinstance(cell, datetime.time) else str(cell)
    clock, _, fraction = text[: 8 + text[8:9].count(".") * 10].partition(".")
    hours, minutes, seconds = (
        map(int, clock.split(":")) if _FORMS["time of day"].fullmatch(clock) else (24, 0, 0)
    )
    if hours > 23 or minutes > 59 or seconds > 59:
        raise TableError(
            f"continuous column {name!r} must hold times of day such as 14:30:00. Got {text!r}"
        )
    whole = (hours * 60 + minutes) * 60 + seconds
    return (whole * 10**9 + int(fraction.ljust(9, "0"))) / 3.6e12


def _days_long(name: str, cells: pd.Series) -> np.ndarray:
    if isinstance(cells.dtype, pd.ArrowDtype) and cells.dtype.kind == "m":
        cells = cells.astype("timedelta64[ns]")
    if not types.is_timedelta64_dtype(cells.dtype):
        try:
            cells = pd.to_timedelta(cells.astype("object"))
        except (ValueError, TypeError, OverflowError) as reason:
            raise TableError(f"continuous column {name!r} must hold durations: {reason}") from None
    return (cells.dt.total_seconds() / 86_400).to_numpy(dtype=np.float64, na_value=np.nan)


def _days(name: str, cells: pd.Series) -> np.ndarray:
    if cells.dtype == object:
        cells = cells.infer_objects()  # periods
    if isinstance(cells.dtype, pd.PeriodDtype):
        cells = cells.dt.to_timestamp()
    try:
        # ISO 8601 only: 1/2/2020 is ambiguous
        stamps = pd.to_datetime(cells.astype("object"), utc=True, format="ISO8601")
    except (ValueError, TypeError):
        bad = [v for v in cells.dropna() if not (reads_as_number(v) or ISO_DATE.match(str(v)))]
        raise TableError(
            f"continuous column {name!r} must hold numbers, or dates such as 2020-12-31. "
            f"Got {(bad or list(cells.dropna()))[0]!r}"
        ) from None
    # in seconds: nanoseconds end in 2262, and many tables use 9999-12-31 for "no end"
    epoch = pd.Timestamp("1970-01-01", tz="UTC").as_unit("s")
    day = pd.Timedelta(days=1).as_unit("s")
    return ((stamps - epoch) / day).to_numpy(dtype=np.float64)


def reads_as_number(value: Any) -> bool:
    """Check whether a value or its text is a number; like pandas, refuse 1_000 and non-ASCII."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, str) or (number == number and value.isascii() and "_" not in value)
