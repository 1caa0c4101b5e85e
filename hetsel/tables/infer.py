"""Infer the kind of each column from its dtype and the options; notes hold open questions."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, listed
from hetsel.ground.errors import LOWEST_TO_HIGHEST
from hetsel.tables import encode, levels_and_times
from hetsel.tables.column import Column, ColumnKind, Note, WantedKinds, split_name
from hetsel.tables.levels_and_times import Leveled, Time
from hetsel.tables.missing_cells import COMMON_MARKS

NUMBERS_LIKE_CODES = 10  # up to so many distinct whole numbers may be codes
MARKS = 4  # most texts among numbers that may mark missing values; or a tenth of all
LONG = 100_000  # row codes are at least as large; measurements rarely are
COUNTS = 5  # at least so many distinct whole numbers from 0 on may be counts
MIXED = "numbers mixed with text"
_MEASURED = {"age", "year", "years", "count", "counts", "number", "num", "no", "total"}
_TIMES = {"date", "day", "month", "quarter", "time", "week", "year", "years"}
_IDENTIFIER = re.compile(r"(.*[\W_])?id", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,3}:[0-5]\d(?::[0-5]\d)?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_WITH_UNIT = re.compile(r"[-+]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+) ?([^\W\d_].*|[°%‰].*)")


def describe(cells: encode.FrameCells, wanted: WantedKinds) -> tuple[Column, ...]:
    """Describe each column of a frame; `wanted` has the kinds that the user specified."""
    numbers = [name for name, number in zip(cells.names, cells.mask, strict=True) if number]
    notes = _number_notes(numbers, cells.numbers, wanted)
    settled = [name for name in numbers if name in wanted and wanted[name][0] != "continuous"]
    known = cells.leveled(settled)
    columns = []
    for name in cells.names:
        if name in notes:
            columns.append(Column(name, "continuous", note=notes[name]))
            continue
        kind, order = wanted.get(name, (None, None))
        if name in known and kind != "continuous":
            columns.append(_describe_leveled(name, known[name], kind, order))
        else:
            columns.append(_describe_one(name, cells.column(name), kind, order))
    return tuple(columns)


def _number_notes(
    names: Sequence[str], values: np.ndarray, wanted: WantedKinds
) -> dict[str, Note | None]:
    """Return the notes on numeric columns without a specified kind: name -> note."""
    if (empty := np.isnan(values).all(axis=0)).any():
        _refuse_empty([names[j] for j in np.flatnonzero(empty).tolist()])
    notes: dict[str, Note | None] = {name: None for name in names if name not in wanted}
    # only columns whose first rows could be codes, or whose ends are suspicious, are checked in
    # full
    head = values[:64]
    candidates = ((head == np.round(head)) | np.isnan(head)).all(axis=0)
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    candidates |= (
        (lowest == highest) | np.isin(lowest, COMMON_MARKS) | np.isin(highest, COMMON_MARKS)
    )
    for j in np.flatnonzero(candidates).tolist():
        if names[j] in notes:
            notes[names[j]] = _number_note(names[j], values[:, j])
    return notes


def _number_note(name: str, values: np.ndarray) -> Note | None:
    """Return the note on a numeric column (n,), if any."""
    present = values[~np.isnan(values)]
    distinct = np.unique(present)
    if len(distinct) == 1:
        return _constant_note(name)
    for mark, others in ((distinct[0], distinct[1:]), (distinct[-1], distinct[:-1])):
        count = int((present == mark).sum())
        # halves, since the difference of two numbers may overflow
        far = np.abs(mark / 2 - others / 2).min() > others[-1] / 2 - others[0] / 2 > 0
        if far and mark in COMMON_MARKS and (count > 1 or abs(mark) > 99):
            fix = Fix("missing_marks", (f"{mark:g}",), "if it marks missing values")
            values_are = " value is " if count == 1 else " values are "
            return Note((count, f"{values_are}{mark:g}, far from all others"), (fix,))
    return _whole_numbers_note(name, present, distinct, len(values))


def _constant_note(name: str) -> Note:
    return Note(("the same value in every row: uninformative",), (Fix("drop", (name,)),))


def _whole_numbers_note(
    name: str, present: np.ndarray, distinct: np.ndarray, n: int
) -> Note | None:
    """Return a note if whole numbers may be codes or an identifier; n is the number of rows."""
    number = len(distinct)
    if number < 2 or (distinct != np.round(distinct)).any():
        return None
    if number <= NUMBERS_LIKE_CODES:
        if not _may_be_codes(name, distinct, present):
            return None
        if number == 2:
            fix = Fix("nominal", (name,), "if they are codes")
            return Note(("only 2 distinct whole numbers, treated as continuous",), (fix,))
        return Note(
            ("only ", number, " distinct whole numbers, treated as continuous"),
            (Fix("nominal", (name,)), Fix("ordinal", (name,), "if they are codes")),
        )
    if _looks_like_an_identifier(name, distinct, len(present)):
        middle = " distinct whole numbers in "
        end = " rows, as in an identifier; treated as continuous"
        return Note((number, middle, n, end), (Fix("drop", (name,), "if it is an identifier"),))
    return None


def _may_be_codes(name: str, distinct: np.ndarray, present: np.ndarray) -> bool:
    """Check whether few whole numbers, ascending, may be codes.

    They are no codes if the name is that of a measurement, if they begin at 100 or higher (years),
    if fewer than half follow their predecessor (doses), or if they are counts: five or more numbers
    from 0 on whose frequencies fall from 1 on, with a rare last one.
    """
    following = int((distinct[1:] / 2 - distinct[:-1] / 2 == 0.5).sum())  # no overflow
    if set(split_name(name)) & _MEASURED or distinct[0] >= 100:
        return False
    if 2 * following < len(distinct) - 1:
        return False
    if len(distinct) < COUNTS or distinct[0] != 0:
        return True
    rows = np.unique(present, return_counts=True)[1]
    falling = rows[1:] <= rows[:-1] + 2 * np.sqrt(rows[:-1])
    return not (falling[1:].all() and 4 * rows[-1] <= rows.max())


def _looks_like_an_identifier(name: str, distinct: np.ndarray, n_present: int) -> bool:
    """Check whether ascending whole numbers count the rows, have one length or are named id."""
    number = len(distinct)
    if number == n_present and not set(split_name(name)) & _TIMES:
        digits = {len(f"{value:.0f}") for value in distinct[[0, -1]]}
        codes = number > NUMBERS_LIKE_CODES and distinct[0] >= LONG and len(digits) == 1
        if codes or distinct[-1] / 2 - distinct[0] / 2 == (number - 1) / 2:
            return True
    return _IDENTIFIER.fullmatch(name) is not None and number > n_present / 2


def _describe_leveled(
    name: str, cells: Leveled, kind: ColumnKind | None, order: tuple[Any, ...] | None
) -> Column:
    """Describe a column with known levels: text, logical values, categories or numbers."""
    if not cells.n_present:
        _refuse_empty([name])
    declared = cells.form == "category"
    time = levels_and_times.time_of_texts(cells.levels) if cells.form == "text" else None
    if kind is not None:
        in_order = cells.ordered or cells.form == "number" or time is not None
        levels = cells.levels
        if time is not None:  # texts of times in the order of the times
            moments = levels_and_times.numbers_of_times("", pd.Series(levels, dtype=object), time)
            levels = tuple([levels[place] for place in np.argsort(moments, kind="stable")])
        return _settled(name, levels, in_order, kind, order, declared)
    if time is not None:
        return Column(name, "continuous", time=time, note=_time_note(name, time))
    note = _text_note(name, cells.levels) if cells.form == "text" else None
    if note is None and cells.form in ("text", "category"):
        note = _levels_note(name, cells.levels, cells.n_present)
    kind = "ordinal" if cells.ordered else "nominal"
    return Column(name, kind, cells.levels, note=note, declared=declared)


def _describe_one(
    name: str, cells: pd.Series, kind: ColumnKind | None, order: tuple[Any, ...] | None
) -> Column:
    categorical = isinstance(cells.dtype, pd.CategoricalDtype)
    n_present = int((cells.array.codes >= 0).sum()) if categorical else cells.count()
    if not n_present:
        _refuse_empty([name])
    form = encode.form_of(cells)
    if kind == "continuous" or (kind is None and form in ("number", *levels_and_times.TIMES)):
        values, time = encode.numbers_of(name, cells, form)
        note = None
        if kind is None:
            note = _number_note(name, values) if time is None else _time_note(name, time)
        return Column(name, "continuous", time=time, note=note)
    levels, ordered = encode.levels_of(cells, form)
    column = Leveled(form, levels, np.empty(0, dtype=np.int64), n_present, ordered)
    return _describe_leveled(name, column, kind, order)


def _settled(
    name: str,
    levels: tuple[Any, ...],
    in_order: bool,
    kind: ColumnKind,
    order: tuple[Any, ...] | None,
    declared: bool = False,
) -> Column:
    """Describe a column of levels with a specified kind; `in_order`: the levels have an order."""
    if kind == "ordinal" and order is not None:
        levels = levels_and_times.given_order(name, levels, order)
    elif kind == "ordinal" and not in_order:
        raise TableError(
            f"ordinal column {name!r} must have an order. Its levels are text without an order: "
            f"{listed(levels)}",
            Fix("ordinal", (name,), "to give the order", levels=LOWEST_TO_HIGHEST),
        )
    return Column(name, kind, levels, declared=declared or order is not None)


def _time_note(name: str, time: Time) -> Note:
    said = {
        "date": "dates, treated as continuous in days",
        "duration": "durations, treated as continuous in days",
        "time of day": "times of day, treated as continuous in hours since midnight",
    }
    drop = Fix("drop", (name,), "if they are not measurements")
    return Note((said[time],), (drop, Fix("nominal", (name,), "if they are levels")))


def _text_note(name: str, texts: Collection[str]) -> Note | None:
    """Return the note on the distinct texts of a column, if any."""
    levels = (Fix("nominal", (name,), "if they are levels"),)
    if all(levels_and_times.reads_as_number(t) for t in texts):
        fix = Fix("continuous", (name,), "if they are measurements")
        return Note(("numbers stored as text, treated as nominal",), (fix,))
    if all(_DATE.match(t) for t in texts):
        if not all(levels_and_times.ISO_DATE.match(t) for t in texts):
            what = "dates in another form than 2020-12-31, treated as nominal"
            advice = ". Write them in that form"
            return Note((what + advice,), (Fix("continuous", (name,), "to treat them as days"),))
        odd = sorted(t for t in texts if not levels_and_times.time_of_texts([t]))
        if not odd:
            what = "dates with and without a time zone, treated as nominal. Write them in one form"
            return Note((what,))
        fix = Fix("missing_marks", tuple(odd[:MARKS]), "if this text marks missing values")
        what = f"dates mixed with other text ({listed(odd, MARKS)}), treated as nominal"
        return Note((what,), (fix,))
    if (
        all(levels_and_times.reads_as_number(t.replace(",", ".")) for t in texts)
        and len(texts) > NUMBERS_LIKE_CODES
    ):
        what = "numbers with decimal commas and with decimal points, treated as nominal"
        return Note((f"{what}. Write all of them in one form",), levels)
    if all(map(_CLOCK.fullmatch, texts)) and len(texts) > NUMBERS_LIKE_CODES:
        what = f"clock times or ratios such as {min(texts)!r}, treated as nominal"
        advice = "Write times of day as 08:30:00 and durations in one unit"
        return Note((f"{what}. {advice}",), levels)
    units = {(found := _WITH_UNIT.fullmatch(t)) and found[1].strip() for t in texts}
    if len(units) == 1 and None not in units and len(texts) > NUMBERS_LIKE_CODES:
        what = f"numbers with a unit, such as {min(texts)!r}, treated as nominal"
        return Note((f"{what}. Write them without the unit",), levels)
    odd = sorted(t for t in texts if not levels_and_times.reads_as_number(t))
    if len(texts) > NUMBERS_LIKE_CODES and 0 < len(odd) <= max(MARKS, len(texts) // 10):
        marks = tuple(odd) if len(odd) <= 2 * MARKS else ("VALUE",)
        fix = Fix("missing_marks", marks, "if this text marks missing values")
        return Note((f"{MIXED} ({listed(odd, MARKS)}), treated as nominal",), (fix,))
    return None


def _levels_note(name: str, levels: Collection[Any], n_present: int) -> Note | None:
    """Return the note on the levels of a column: one, too many, or some that may be equal."""
    n_levels = len(levels)
    if n_levels == 1:
        return _constant_note(name)
    if n_levels == n_present and n_present > 2:
        what = "every value occurs once, as in an identifier; treated as nominal"
        return Note((what,), (Fix("drop", (name,), "if it is an identifier"),))
    if n_levels > max(NUMBERS_LIKE_CODES, n_present // 2):
        fix = Fix("drop", (name,), "if the levels do not form groups")
        return Note((n_levels, " levels in ", n_present, " rows, treated as nominal"), (fix,))
    if alike := alike_texts(levels):
        return Note(("levels that " + alike,))
    if "None" in levels:
        fix = Fix("missing_marks", ("None",), "if it marks missing values")
        return Note(("None is treated as a level",), (fix,))
    return None


def alike_texts(labels: Collection[Any]) -> str:
    """Describe labels that differ by case, blanks or the encoding of a letter only; else empty.

    >>> alike_texts(["no", "yes", "Yes "]).partition(".")[0]
    "differ by case or blanks only ('yes', 'Yes ') are treated as different"
    """
    first: dict[str, str] = {}
    for label in labels:
        if isinstance(label, str):
            plain = unicodedata.normalize("NFC", " ".join(label.casefold().split()))
            other = first.setdefault(plain, label)
            if other != label:
                what = f"differ by case or blanks only ({other!r}, {label!r})"
                return f"{what} are treated as different. If they mean the same, write them alike"
    return ""


def _refuse_empty(names: Sequence[str]) -> None:
    fix = Fix("drop", tuple(names) if len(names) <= 20 else ("NAME",))
    what = "no value at all"
    if len(names) == 1:
        raise TableError(f"column {names[0]!r} has {what}", fix)
    raise TableError(f"{len(names)} columns have {what}: {listed(names, 20)}", fix)
