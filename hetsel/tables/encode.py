"""Encode the values of columns as numbers, by their dtype and content."""

import datetime
import itertools
import math
import numbers
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api import types

from hetsel.ground import Fix, TableError, listed
from hetsel.ground.errors import CellError
from hetsel.tables import levels_and_times
from hetsel.tables.column import Column
from hetsel.tables.levels_and_times import Leveled, Time

CellForm = Literal["number", "category", "flag", "text"] | Time
SOME = 256  # columns that are encoded together
EXACT = 2.0**53  # floats hold every whole number up to here
_OBJECTS: dict[Time, tuple[type, ...]] = {
    "date": (datetime.date, np.datetime64, pd.Period),
    "duration": (datetime.timedelta, np.timedelta64),
    "time of day": (datetime.time,),
}
_SEVERAL = {"date": "dates", "duration": "durations", "time of day": "times of day"}
_QUIET = np.uint64(1 << 51)  # the bit of a quiet NaN


class FrameCells:
    """The values of a frame with unique names.

    Columns of one dtype are taken together and others once each, since taking one of many thousand
    columns takes as long as encoding it. `mask` (p,) marks the columns of numpy numbers; `numbers`
    holds their values, none infinite.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._taken: dict[str, pd.Series] = {}
        self._leveled: dict[str, Leveled] | None = None
        self.names = frame.columns.tolist()
        kinds = [dtype.kind if isinstance(dtype, np.dtype) else "" for dtype in frame.dtypes]
        self.mask = np.array([kind in ("i", "u", "f") for kind in kinds])
        index = np.flatnonzero(self.mask).tolist()
        with np.errstate(over="ignore"):  # a long double beyond the range becomes an infinity
            if len(index) > 50 or self.mask.all():
                some = frame if self.mask.all() else frame.iloc[:, index]
                self.numbers = some.to_numpy(dtype=np.float64)
            else:  # a few columns: one by one is faster
                self.numbers = np.empty((len(frame), len(index)))
                for place, j in enumerate(index):
                    self.numbers[:, place] = self.column(self.names[j]).to_numpy()
        _refuse_infinite(self.numbers, [self.names[j] for j in index])
        self.numbers = quiet(self.numbers)

    def column(self, name: str) -> pd.Series:
        """Return the values of one column."""
        if name not in self._taken:
            self._taken[name] = self._frame[name]
        return self._taken[name]

    def leveled(self, numbers: Collection[str] = ()) -> Mapping[str, Leveled]:
        """Return the levels of columns of text, logical values, categories and given numbers.

        Left out are columns of mixed types, numbers beyond 2^53, categories of other types and
        Arrow levels.
        """
        if self._leveled is None:
            self._leveled = levels_and_times.leveled_columns(self._frame)
        if asked := {*numbers}.difference(self._leveled):
            wanted = np.array([name in asked for name in self.names])[self.mask]
            wanted &= ~beyond_exact(self.numbers)
            names = np.array(self.names, dtype=object)[self.mask][wanted]
            several = levels_and_times.leveled_numbers(
                np.ascontiguousarray(self.numbers[:, wanted].T)
            )
            self._leveled |= zip(names.tolist(), several, strict=True)
        return self._leveled

    def encode(
        self, columns: Sequence[Column], unseen: Literal["error", "separate"] = "error"
    ) -> np.ndarray:
        """Encode the values as floats (n, p), by the kind of each column."""
        numbers_only = [column.kind == "continuous" and not column.time for column in columns]
        plain = np.array(numbers_only) & self.mask
        for j in np.flatnonzero(plain[self.mask] & beyond_exact(self.numbers)).tolist():
            name = np.array(self.names, dtype=object)[self.mask][j]
            refuse_merged(name, self.column(name), self.numbers[:, j])
        if plain.all():
            return self.numbers
        values = np.empty((len(self._frame), len(columns)))
        values[:, plain] = self.numbers[:, plain[self.mask]]
        others = np.flatnonzero(~plain)
        known = self.leveled([self.names[j] for j in np.flatnonzero(~plain & self.mask)])
        for start in range(0, len(others), SOME):  # blocks: writing single columns is slow
            some = others[start : start + SOME]
            cells = np.empty((len(some), len(values)))
            for place, j in enumerate(some.tolist()):
                cells[place] = self._encoded(columns[j], self.names[j], known, unseen)
            values[:, some] = cells.T
        return values

    def _encoded(
        self, column: Column, name: str, known: Mapping[str, Leveled], unseen: str
    ) -> np.ndarray:
        """Encode the values (n,) of a column other than a continuous one of numpy numbers."""
        if column.kind == "continuous":
            return _encode_numbers(column, self.column(name))
        if name in known:
            leveled = known[name]
            if leveled.levels == column.levels:
                return np.where(leveled.codes < 0, np.nan, leveled.codes)
            return _encode_levels(column, *leveled.as_they_appear(), unseen)
        cells = self.column(name)
        if isinstance(cells.dtype, pd.CategoricalDtype):
            return _encode_levels(column, cells.array.codes, cells.array.categories, unseen)
        return _encode_levels(column, *pd.factorize(cells.astype("object")), unseen)


def _encode_numbers(column: Column, cells: pd.Series) -> np.ndarray:
    if cells.isna().all():
        return np.full(len(cells), np.nan)
    values, time = numbers_of(column.name, cells, form_of(cells))
    if time != column.time:
        have, want = (_SEVERAL[one] if one else "numbers" for one in (time, column.time))
        raise TableError(f"column {column.name!r} must hold {want}, as in fit. Got {have}")
    return values


def _encode_levels(
    column: Column, used: np.ndarray, categories: Iterable[Any], unseen: str
) -> np.ndarray:
    """Encode values (n,) as positions of levels, given categories and the category of each."""
    categories = list(categories)
    positions = {level: code for code, level in enumerate(column.levels)}
    positions |= {str(level): code for level, code in positions.items() if level is not None}
    if all(isinstance(level, bool) for level in column.levels):
        positions |= {word: positions[level] for level in column.levels for word in _words(level)}
    code_of = np.full(len(categories) + 1, np.nan)
    strange: list[Any] = []
    present = set(np.unique(used).tolist())
    for place, category in enumerate(categories):
        level = levels_and_times.simple_level(category)
        code = positions.get(level, positions.get(str(level)))
        if code is None and isinstance(level, bool):
            code = next((positions[word] for word in _words(level) if word in positions), None)
        if code is None and place in present:
            code = len(column.levels) + 1 + len(strange)  # the next code is "missing"
            strange.append(level)
        code_of[place] = np.nan if code is None else code
    if strange and (unseen == "error" or column.kind == "ordinal"):
        nominal = column.kind == "nominal"
        raise TableError(
            f"column {column.name!r} must hold levels that occurred in the training rows: "
            f"{listed(column.levels)}. Got the unseen {'level' if len(strange) == 1 else 'levels'} "
            f"{listed(strange)}"
            + ("" if nominal else ", which has no place in the order of an ordinal column"),
            *([Fix("unseen", "separate", "to treat each as a separate level")] if nominal else []),
        )
    return code_of[used]  # code -1 (missing) takes the last entry


def _words(flag: bool) -> tuple[str, str]:
    """Write a logical value as R and as JSON do."""
    return str(flag).upper(), str(flag).lower()


def form_of(cells: pd.Series) -> CellForm:
    """Return the type of the values of a column, by dtype; of objects by their values."""
    dtype = cells.dtype
    arrow = isinstance(dtype, pd.ArrowDtype)
    if types.is_complex_dtype(dtype):
        raise _complex(cells)
    if isinstance(dtype, pd.CategoricalDtype) or (arrow and "dictionary" in str(dtype)):
        return "category"
    if types.is_bool_dtype(dtype):
        return "flag"
    if isinstance(dtype, pd.PeriodDtype) or dtype.kind in "Mm":
        return "duration" if dtype.kind == "m" else "date"
    if types.is_numeric_dtype(dtype):
        return "number"
    objects = (arrow and not types.is_string_dtype(dtype)) or isinstance(dtype, np.dtype)
    return _object_form(cells) if objects and dtype.kind == "O" else "text"


def _object_form(cells: pd.Series) -> CellForm:
    present = cells.dropna()
    for value in present:
        if not _is_cell(value):
            # scikit-learn requires the words in parentheses
            raise CellError(
                "a value must be a number, text or a logical value (argument must be a string or a "
                f"number). Column {cells.name!r} holds a {type(value).__name__}"
            )
        if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real):
            raise _complex(cells)
    if all(isinstance(v, bool | np.bool_) for v in present):
        return "flag"
    if all(isinstance(v, numbers.Number) or hasattr(v, "as_tuple") for v in present):
        return "number"
    for time, kinds in _OBJECTS.items():
        if all(isinstance(v, kinds) for v in present):
            return time
    return "text"


def _is_cell(value: Any) -> bool:
    """Check that a value is no container and has a text form."""
    if isinstance(value, str | bytes | numbers.Number):
        return True
    kind = type(value)
    silent = kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__
    return not (isinstance(value, Iterable) or silent)


def _complex(cells: pd.Series) -> TableError:
    return TableError(
        f"Complex data not supported: column {cells.name!r} holds complex numbers. "
        "Split it into two real columns"
    )


def numbers_of(name: str, cells: pd.Series, form: CellForm) -> tuple[np.ndarray, Time | None]:
    """Return values as float64 and the type of time that they are, with its unit in UNITS."""
    if form in levels_and_times.TIMES:
        values = levels_and_times.numbers_of_times(name, cells, form)
        refuse_merged(name, cells, values)
        return values, form
    if form == "flag":
        return _float(cells.astype("object").map({True: 1.0, False: 0.0})), None
    if form == "category":
        cells = cells.astype("object")
    try:
        values = (
            _float(pd.to_numeric(cells.astype("object"))) if form != "number" else _float(cells)
        )
    except (ValueError, TypeError) as reason:
        if form == "text":
            time = levels_and_times.time_of_texts([*map(str, cells.dropna().unique())]) or "date"
            return levels_and_times.numbers_of_times(name, cells, time), time
        raise TableError(f"continuous column {name!r} must hold numbers: {reason}") from None
    _refuse_infinite(values[:, None], [name])
    if beyond_exact(values[:, None])[0]:
        refuse_merged(name, cells, values)
    return values, None


def beyond_exact(values: np.ndarray) -> np.ndarray:
    """Mark columns (p,) with numbers beyond 2^53, where floats skip whole numbers."""
    if not len(values):
        return np.zeros(values.shape[1], dtype=bool)
    return np.asarray(np.fmax.reduce(np.abs(values), axis=0) > EXACT)


def refuse_merged(name: str, cells: pd.Series, values: np.ndarray) -> None:
    """Refuse different values that become one float, such as 2^60 and 2^60 + 1."""
    distinct = cells.dropna().unique()
    if len(distinct) <= len(np.unique(values[~np.isnan(values)])):
        return
    number = {cell: value for cell, value in zip(cells, values.tolist(), strict=True)}
    ordered = sorted(distinct)
    one, other = next((a, b) for a, b in itertools.pairwise(ordered) if number[a] == number[b])
    raise TableError(
        f"continuous column {name!r} must hold values that differ as floating-point numbers. Got "
        f"{one} and {other}. Subtract a constant from the column",
        Fix("nominal", (name,), "if they are codes"),
        Fix("drop", (name,), "if it is an identifier"),
    )


def _float(cells: pd.Series) -> np.ndarray:
    if cells.dtype == object:
        return np.array([np.nan if pd.isna(v) else _as_float(v) for v in cells], dtype=np.float64)
    with np.errstate(over="ignore"):  # a long double beyond the range is refused as an infinity
        return quiet(cells.to_numpy(dtype=np.float64, na_value=np.nan))


def quiet(values: np.ndarray) -> np.ndarray:
    """Replace every NaN by a quiet one; R's NA is a signaling NaN.

    >>> na_of_r = np.array([0x7FF00000000007A2], np.uint64).view(np.float64)
    >>> hex(quiet(na_of_r).view(np.uint64)[0])
    '0x7ff8000000000000'
    """
    gaps = np.isnan(values)
    if not gaps.any() or (values[gaps].view(np.uint64) & _QUIET).all():
        return values
    values = np.copy(values)  # keeps its memory order
    values[gaps] = np.nan
    return values


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def levels_of(cells: pd.Series, form: str) -> tuple[tuple[Any, ...], bool]:
    """Return the levels of a column, and whether their order is meaningful."""
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return tuple(levels_and_times.simple_level(v) for v in cells.array.categories), bool(
            cells.array.ordered
        )
    present = pd.unique(cells.dropna().astype("object"))
    if form in levels_and_times.TIMES:
        return tuple(dict.fromkeys(str(v) for v in sorted(present))), True
    simple = {levels_and_times.simple_level(v) for v in present}
    if form in ("number", "flag"):
        return tuple(sorted(simple)), False
    return tuple(sorted({str(v) for v in simple})), False


def _refuse_infinite(values: np.ndarray, names: Sequence[str] | pd.Index) -> None:
    bad = np.isinf(values)
    if bad.any():
        row, j = np.argwhere(bad)[0]
        raise TableError(
            f"column {names[j]!r} holds an infinity (inf) in row {row} (counted from 0). "
            "Replace it by a number below 1.8e308, or mark it as missing"
        )
