"""One column: what it is, and how its cells become numbers."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pandas.api import types

Kind = Literal["continuous", "ordinal", "nominal"]
Wanted = Mapping[str, tuple[Kind, tuple[Any, ...] | None]]

FEW = 10  # this many distinct whole numbers may well be codes
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


class TableError(ValueError):
    """A table, a target or an option that cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Column:
    """What one column is.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
        How its values compare.
    levels : tuple
        The levels of a nominal or ordinal column; the position of a level is its code.
    date : bool
        The cells are dates; their value is in days since 1970-01-01.
    note : str
        What could not be known, and the option that settles it; empty when nothing is open.
    """

    name: str
    kind: Kind
    levels: tuple[Any, ...] = ()
    date: bool = False
    note: str = ""


def listed(items: Iterable[Any], limit: int = 6) -> str:
    """The items in words, the first few of many."""
    texts = [str(item) for item in items]
    if len(texts) > limit:
        return ", ".join(texts[: limit - 1]) + f", ... ({len(texts)} in all)"
    return ", ".join(texts)


class Block(NamedTuple):
    """The columns of numpy numbers of a frame, read at once: there may be many thousands.

    Parameters
    ----------
    mask : ndarray of bool, shape (p,)
        Which columns they are.
    values : ndarray of shape (n, number of them), float64
    """

    mask: np.ndarray
    values: np.ndarray


def number_block(frame: pd.DataFrame) -> Block:
    """The columns of numpy numbers; refuses infinities."""
    kinds = [dtype.kind if isinstance(dtype, np.dtype) else "" for dtype in frame.dtypes]
    mask = np.array([kind in ("i", "u", "f") for kind in kinds])
    index = np.flatnonzero(mask)
    if len(index) > 50 or mask.all():
        values = (frame if mask.all() else frame.iloc[:, index]).to_numpy(dtype=np.float64)
    else:  # a few columns one by one: taking them out of the frame costs more
        values = np.empty((len(frame), len(index)))
        for place, j in enumerate(index.tolist()):
            values[:, place] = frame.iloc[:, j].to_numpy()
    _refuse_infinite(values, frame.columns[mask])
    return Block(mask, values)


def describe(frame: pd.DataFrame, wanted: Wanted, block: Block) -> Iterator[Column]:
    """What each column of a frame is; `wanted` has the kinds that the user settled."""
    names = frame.columns.tolist()
    notes = _block_notes(
        [names[j] for j in np.flatnonzero(block.mask).tolist()], block.values, wanted
    )
    if len(notes) == len(names):
        yield from (Column(name, "continuous", note=notes[name]) for name in names)
        return
    for name, cells in zip(names, (cells for _, cells in frame.items()), strict=True):
        if name in notes:
            yield Column(name, "continuous", note=notes[name])
        else:
            yield _describe_one(name, cells, *wanted.get(name, (None, None)))


def _block_notes(names: Sequence[str], values: np.ndarray, wanted: Wanted) -> dict[str, str]:
    """Note on each column of numbers that the user has not settled: name -> note."""
    if (empty := np.isnan(values).all(axis=0)).any():
        _refuse_empty([names[j] for j in np.flatnonzero(empty).tolist()])
    notes = {name: "" for name in names if name not in wanted}
    # a column is looked at more closely only if its first rows could be codes
    head = values[:64]
    candidates = ((head == np.round(head)) | np.isnan(head)).all(axis=0)
    for j in np.flatnonzero(candidates).tolist():
        if names[j] in notes:
            notes[names[j]] = _codes_note(names[j], values[:, j])
    return notes


def _codes_note(name: str, values: np.ndarray) -> str:
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) > FEW or len(distinct) < 2 or (distinct != np.round(distinct)).any():
        return ""
    return (
        f"only {len(distinct)} distinct whole numbers: taken as continuous; "
        f"nominal=[{name!r}] or ordinal=[{name!r}] if they are codes"
    )


def _describe_one(
    name: str, cells: pd.Series, kind: Kind | None, order: tuple[Any, ...] | None
) -> Column:
    categorical = isinstance(cells.dtype, pd.CategoricalDtype)
    n_present = int((cells.array.codes >= 0).sum()) if categorical else cells.count()
    if not n_present:
        _refuse_empty([name])
    form = _form(cells)
    if kind == "continuous" or (kind is None and form in ("number", "date")):
        values, date = _numbers(name, cells, form)
        note = ""
        if kind is None and form == "date":
            note = f"dates: taken as continuous, in days; drop {name!r} if it is no measurement"
        elif kind is None:
            note = _codes_note(name, values)
        return Column(name, "continuous", date=date, note=note)
    levels, ordered = _levels(cells, form)
    if kind is None:
        kind = "ordinal" if ordered else "nominal"
        note = _text_note(name, cells) if form == "text" else ""
        if not note and form in ("text", "category"):
            note = _many_levels_note(name, len(levels), n_present)
        return Column(name, kind, levels, note=note)
    if kind == "ordinal" and order is not None:
        levels = _given_order(name, levels, order)
    elif kind == "ordinal" and not ordered and form != "number":
        raise TableError(
            f"ordinal column {name!r} holds text, which has no order of its own: "
            f"give it as ordinal={{{name!r}: [lowest, ..., highest]}}; "
            f"its levels are {listed(levels)}"
        )
    return Column(name, kind, levels)


def _form(cells: pd.Series) -> Literal["number", "date", "category", "flag", "text"]:
    """What the cells of a column are, by dtype; objects by their values."""
    dtype = cells.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    if types.is_bool_dtype(dtype):
        return "flag"
    if types.is_datetime64_any_dtype(dtype) or types.is_timedelta64_dtype(dtype):
        return "date"
    if isinstance(dtype, pd.ArrowDtype):
        if dtype.kind in "Mm":
            return "date"
        if "dictionary" in str(dtype):
            return "category"
        if dtype.kind == "O" and not types.is_string_dtype(dtype):
            present = cells.dropna()
            if all(isinstance(v, numbers.Number) or hasattr(v, "as_tuple") for v in present):
                return "number"
            return "date" if hasattr(present.iloc[0], "toordinal") else "text"
    if types.is_complex_dtype(dtype):
        raise TableError(
            f"Complex data not supported: column {cells.name!r} holds complex numbers; "
            "split it into two real columns"
        )
    if types.is_numeric_dtype(dtype):
        return "number"
    if isinstance(dtype, np.dtype) and dtype.kind == "O":
        return _object_form(cells)
    if types.is_string_dtype(dtype):
        return "text"
    if isinstance(dtype, pd.PeriodDtype):
        return "date"
    return "text"


def _object_form(cells: pd.Series) -> Literal["number", "date", "flag", "text"]:
    present = cells.dropna()
    for value in present:
        if isinstance(value, dict | list | set | tuple | np.ndarray):
            # the wording of scikit-learn's own check of object arrays
            raise TypeError(
                f"a cell must be a number, a string or a flag (argument must be a string or a "
                f"number). Column {cells.name!r} holds a {type(value).__name__}"
            )
    if all(isinstance(v, bool | np.bool_) for v in present):
        return "flag"
    if all(isinstance(v, numbers.Number) or hasattr(v, "as_tuple") for v in present):
        return "number"
    if all(hasattr(v, "toordinal") for v in present):
        return "date"
    return "text"


def _numbers(name: str, cells: pd.Series, form: str) -> tuple[np.ndarray, bool]:
    """Cells as float64 (dates in days), and whether they are dates."""
    if form == "date":
        return _days(name, cells), True
    if form == "flag":
        return _float(cells.astype("object").map({True: 1.0, False: 0.0})), False
    if form == "category":
        cells = cells.astype("object")
    try:
        values = (
            _float(pd.to_numeric(cells.astype("object"))) if form != "number" else _float(cells)
        )
    except (ValueError, TypeError) as reason:
        if form == "text":
            return _days(name, cells), True
        raise TableError(f"continuous column {name!r} does not hold numbers: {reason}") from None
    _refuse_infinite(values[:, None], [name])
    return values, False


def _float(cells: pd.Series) -> np.ndarray:
    if cells.dtype == object:
        return np.array([np.nan if pd.isna(v) else float(v) for v in cells], dtype=np.float64)
    return cells.to_numpy(dtype=np.float64, na_value=np.nan)


def _days(name: str, cells: pd.Series) -> np.ndarray:
    if isinstance(cells.dtype, pd.ArrowDtype) and cells.dtype.kind == "m":
        cells = cells.astype("timedelta64[ns]")
    if types.is_timedelta64_dtype(cells.dtype):
        days = cells.dt.total_seconds() / 86_400
        return days.to_numpy(dtype=np.float64, na_value=np.nan)
    if isinstance(cells.dtype, pd.PeriodDtype):
        cells = cells.dt.to_timestamp()
    try:
        # text in one form only: whether 1/2/2020 is in January would be a guess
        stamps = pd.to_datetime(cells.astype("object"), utc=True, format="ISO8601")
    except (ValueError, TypeError):
        bad = [v for v in cells.dropna() if not (_is_number(v) or _ISO_DATE.match(str(v)))]
        raise TableError(
            f"continuous column {name!r} must hold numbers, or dates such as 2020-12-31. "
            f"Got {(bad or list(cells.dropna()))[0]!r}"
        ) from None
    epoch = pd.Timestamp(0, tz="UTC")
    return ((stamps - epoch) / pd.Timedelta(days=1)).to_numpy(dtype=np.float64)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _levels(cells: pd.Series, form: str) -> tuple[tuple[Any, ...], bool]:
    """Levels of a column in their own order, and whether that order means something."""
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return tuple(_simple(v) for v in cells.array.categories), bool(cells.array.ordered)
    present = pd.unique(cells.dropna().astype("object"))
    if form == "date":
        return tuple(sorted(str(v) for v in present)), True
    simple = {_simple(v) for v in present}
    if form in ("number", "flag"):
        return tuple(sorted(simple)), False
    return tuple(sorted({str(v) for v in simple})), False


def _simple(value: Any) -> Any:
    """A level as a plain Python value; whole floats are the same level as integers."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) or hasattr(value, "as_tuple"):
        number = float(value)
        return int(number) if number.is_integer() else number
    return str(value)


def _given_order(name: str, levels: Sequence[Any], order: Sequence[Any]) -> tuple[Any, ...]:
    given = tuple(_simple(v) for v in order)
    lacking = [v for v in levels if v not in given]
    if len(set(given)) != len(given):
        raise TableError(f"ordinal={{{name!r}: ...}} names a level twice: {listed(given)}")
    if lacking:
        raise TableError(
            f"ordinal={{{name!r}: ...}} must name every level of the column. "
            f"It lacks {listed(lacking)}"
        )
    return given


def _text_note(name: str, cells: pd.Series) -> str:
    texts = {str(v) for v in cells.dropna().astype("object")}
    if all(_is_number(t) for t in texts):
        return f"text that reads as numbers: taken as nominal; continuous=[{name!r}] if measured"
    if all(_DATE.match(t) for t in texts):
        if all(_ISO_DATE.match(t) for t in texts):
            return f"text that reads as dates: taken as nominal; continuous=[{name!r}] for days"
        return (
            "text that reads as dates: taken as nominal; write them as 2020-12-31 and give "
            f"continuous=[{name!r}] for days"
        )
    if any(_is_number(t) for t in texts) and len(texts) > FEW:
        odd = listed(sorted(t for t in texts if not _is_number(t)), 4)
        return (
            f"numbers mixed with text ({odd}): taken as nominal; if those mark missing cells, "
            "name them as missing when the table is read"
        )
    return ""


def _many_levels_note(name: str, n_levels: int, n_present: int) -> str:
    if n_levels == n_present and n_present > 2:
        return f"every value occurs once, as in an identifier: taken as nominal; drop {name!r}?"
    if n_levels > max(FEW, n_present // 2):
        return f"{n_levels} levels in {n_present} rows: taken as nominal; drop {name!r}?"
    return ""


def _refuse_infinite(values: np.ndarray, names: Sequence[str] | pd.Index) -> None:
    bad = np.isinf(values)
    if bad.any():
        row, j = np.argwhere(bad)[0]
        raise TableError(
            f"column {names[j]!r} holds an infinity (inf) in row {row} (counted from 0): "
            "replace it by a number, or by NaN if it is missing"
        )


def _refuse_empty(names: Sequence[str]) -> None:
    if len(names) > 1:
        raise TableError(
            f"{len(names)} columns have no value at all, every cell is missing: drop them: "
            + listed(names, 20)
        )
    raise TableError(f"column {names[0]!r} has no value at all, every cell is missing: drop it")


def encode(
    frame: pd.DataFrame,
    columns: Sequence[Column],
    unseen: Literal["error", "separate"],
    block: Block,
) -> np.ndarray:
    """Cells of a frame (its columns in the order of `columns`) as floats (n, p)."""
    numbers_only = [column.kind == "continuous" and not column.date for column in columns]
    plain = np.array(numbers_only) & block.mask
    if plain.all():
        return block.values
    values = np.empty((len(frame), len(columns)))
    values[:, plain] = block.values[:, plain[block.mask]]
    for j, (column, (_, cells)) in enumerate(zip(columns, frame.items(), strict=True)):
        if plain[j]:
            continue
        if column.kind == "continuous":
            values[:, j] = _encode_numbers(column, cells)
        else:
            values[:, j] = _encode_levels(column, cells, unseen)
    return values


def _encode_numbers(column: Column, cells: pd.Series) -> np.ndarray:
    if cells.isna().all():
        return np.full(len(cells), np.nan)
    values, date = _numbers(column.name, cells, _form(cells))
    if date != column.date:
        have, want = ("dates", "numbers") if date else ("numbers", "dates")
        raise TableError(f"column {column.name!r} held {want} when it was fitted. Got {have}")
    return values


def _encode_levels(column: Column, cells: pd.Series, unseen: str) -> np.ndarray:
    if isinstance(cells.dtype, pd.CategoricalDtype):
        used, categories = cells.array.codes, cells.array.categories
        if tuple(categories.tolist()) == column.levels:
            return np.where(used < 0, np.nan, used)
    else:
        used, categories = pd.factorize(cells.astype("object"))
    positions = {level: code for code, level in enumerate(column.levels)}
    positions |= {str(level): code for level, code in positions.items() if level is not None}
    code_of = np.full(len(categories) + 1, np.nan)
    strange: list[Any] = []
    present = set(np.unique(used).tolist())
    for place, category in enumerate(categories):
        level = _simple(category)
        code = positions.get(level, positions.get(str(level)))
        if code is None and place in present:
            code = len(column.levels) + 1 + len(strange)  # one more is "missing", kept apart
            strange.append(level)
        code_of[place] = np.nan if code is None else code
    if strange and (unseen == "error" or column.kind == "ordinal"):
        known = f"known are {listed(column.levels)}"
        advice = (
            "unseen='separate' treats it as a level of its own"
            if column.kind == "nominal"
            else "an ordinal column cannot place it"
        )
        raise TableError(
            f"column {column.name!r} holds a level that was not there when it was fitted: "
            f"{listed(strange)}; {known}. {advice}"
        )
    return code_of[used]  # code -1, missing, is the last entry
