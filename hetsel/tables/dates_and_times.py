"""Dates, durations and times of day: cells as numbers with a unit, and text that reads as one."""

import datetime
import re
from collections.abc import Collection
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from pandas.api import types

from hetsel.ground.errors import TableError

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
    """What texts are that all read as dates (2020-12-31, with a time or without), times of day
    (14:30:00) or durations (as pandas writes them or ISO 8601); None of all others.

    >>> time_of_texts(["2020-12-31", "2021-01-02"]), time_of_texts(["2020-02-30"])
    ('date', None)
    >>> time_of_texts(["14:30:00"]), time_of_texts(["1 days 02:00:00", "P1DT2H"])
    ('time of day', 'duration')
    """
    fitting = (time for time, form in _FORMS.items() if all(map(form.fullmatch, texts)))
    time = next(fitting, None) if len(texts) else None
    if time is None or (time == "date" and len({bool(_ZONE.search(text)) for text in texts}) > 1):
        return None  # where only some have a time zone, the others could be of any
    try:
        numbers_of_times("", pd.Series([*texts], dtype=object), time)
    except TableError:
        return None
    return time


def numbers_of_times(name: str, cells: pd.Series, time: Time) -> np.ndarray:
    """Cells (n,) of a column as numbers in the unit of `time`; missing ones are NaN."""
    if time == "time of day":
        return np.array([_hours(name, cell) for cell in cells.astype("object")], dtype=np.float64)
    return _days_long(name, cells) if time == "duration" else _days(name, cells)


def _hours(name: str, cell: Any) -> float:
    """Hours since midnight, by whole nanoseconds: a time and its text are one number."""
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
            raise TableError(
                f"continuous column {name!r} does not hold durations: {reason}"
            ) from None
    return (cells.dt.total_seconds() / 86_400).to_numpy(dtype=np.float64, na_value=np.nan)


def _days(name: str, cells: pd.Series) -> np.ndarray:
    if cells.dtype == object:
        cells = cells.infer_objects()  # periods
    if isinstance(cells.dtype, pd.PeriodDtype):
        cells = cells.dt.to_timestamp()
    try:
        # text in one form only: whether 1/2/2020 is in January would be a guess
        stamps = pd.to_datetime(cells.astype("object"), utc=True, format="ISO8601")
    except (ValueError, TypeError):
        bad = [v for v in cells.dropna() if not (is_number(v) or ISO_DATE.match(str(v)))]
        raise TableError(
            f"continuous column {name!r} must hold numbers, or dates such as 2020-12-31. "
            f"Got {(bad or list(cells.dropna()))[0]!r}"
        ) from None
    # in seconds: nanoseconds end in the year 2262, and 9999-12-31 means "no end" in many tables
    epoch = pd.Timestamp("1970-01-01", tz="UTC").as_unit("s")
    day = pd.Timedelta(days=1).as_unit("s")
    return ((stamps - epoch) / day).to_numpy(dtype=np.float64)


def is_number(value: Any) -> bool:
    """Whether a cell, or its text, is a number: pandas does not take 1_000, nor other digits."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, str) or (number == number and value.isascii() and "_" not in value)
