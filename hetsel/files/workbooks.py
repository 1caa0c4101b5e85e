"""Read sheets of workbooks like the same table in delimited text, but with dates."""

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from hetsel.files import delimited, delimited_form, unpacking
from hetsel.ground import Fix, TableError, did_you_mean, listed, need
from hetsel.tables import Note

# private characters that mark dates and durations while they are text
DATE, DURATION = "\ue000", "\ue001"
MOST_CELLS = 100_000_000
_COLUMNS = re.compile(rb"""\br=["']([A-Z]{1,9})""")  # of cell references such as r="AB12"
_ROWS = re.compile(rb"""\br=["'][A-Z]{0,9}([0-9]+)""")
# a formula without a value, except a formula of text, whose value may be empty
_UNSAVED = re.compile(
    rb"""<c\b(?![^>]*\bt=["']str["'])[^>]*><f\b(?:[^>]*/>|[^<]*</f>)(?:<v ?/>|<v></v>)?</c>"""
)
LONGEST_TAG = 1000  # bytes
COPIES = 2  # of the text of a workbook, in memory
_UNUSED = str.maketrans("", "", f"{DATE}{DURATION}\0")
WHOLE = 1e15  # below it, a whole number is written without an exponent


def read_workbook(path: Path, sheet: str | None, layout: delimited_form.Layout) -> pd.DataFrame:
    """Read a sheet of a workbook; without a name, the first sheet with values."""
    chosen, filled = _sheet(path, sheet)
    others = [Fix("sheet", other, "to read another") for other in filled if other != chosen.name]
    several = f"sheet {chosen.name!r} is the first of {len(filled)} ({listed(filled)})"
    notes = []
    if sheet is None and others:
        if chosen.width == 1:
            raise TableError(f"{several} and has only one column", *others[:1])
        notes.append(Note((several,), (*others[:1],)))
    rows = _without_margins(chosen.rows, layout)
    if not rows:
        raise TableError(f"sheet {chosen.name!r} of {path.name} is empty")
    try:
        _refuse_lines_before(rows, path.name, layout)
        by_commas = replace(layout, separator=",", thousands=None)
        frame = delimited.read_delimited(_text(rows, layout.decimal), path.name, by_commas)
    except TableError as reason:
        if not notes:
            raise
        raise TableError(f"{several}. {reason.sentence}", *reason.fixes, *others[:1]) from None
    notes += [*chosen.notes, *frame.attrs.pop("notes", ())]
    for name in list(frame.columns):
        cells = frame[name]
        if pd.api.types.is_string_dtype(cells.dtype) or cells.dtype == object:
            frame[name] = _times(cells)
    frame.columns = [name.replace(DATE, "").replace(DURATION, "") for name in frame.columns]
    frame.attrs["notes"] = tuple(notes)
    return frame


class _Sheet(NamedTuple):
    """Hold the rows of a sheet from the first one on, and the number of its columns with values."""

    name: str
    rows: list[list[Any]]
    width: int
    notes: tuple[Note, ...]


def _sheet(path: Path, sheet: str | None) -> tuple[_Sheet, list[str]]:
    """Return the named or first filled sheet, and the names of all sheets with values."""
    python_calamine = need("python_calamine")
    notes: list[Note] = []
    found, filled = None, []
    try:
        if zipfile.is_zipfile(path):
            notes += _looked_through(path)
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            names = book.sheet_names
            for name in names if sheet is None else [_named(sheet, names, path.name)]:
                calamine = book.get_sheet_by_name(name)
                if calamine.height or sheet is not None:
                    filled.append(name)
                if found is None and filled:
                    notes += _merged(calamine)
                    rows = calamine.to_python(skip_empty_area=False)
                    found = _Sheet(name, rows, calamine.width, tuple(notes))
    except python_calamine.PasswordError:
        raise TableError(f"{path.name} has a password. Save it without password") from None
    except TableError:
        raise
    except BaseException as reason:
        # a panic of the library is a BaseException
        if not isinstance(reason, Exception) and type(reason).__name__ != "PanicException":
            raise
        with path.open("rb") as file:
            old = file.read(4) == b"\xd0\xcf\x11\xe0"
        if not zipfile.is_zipfile(path) and not old:
            raise TableError(
                f"{path.name} cannot be read as a workbook, since it is damaged or of another "
                "format. Rename it to .csv or .tsv if it is text"
            ) from None
        what = f"{path.name} cannot be read as a workbook: {unpacking.first_line(reason):.200}"
        raise TableError(what) from None
    if found is None:
        raise TableError(f"{path.name} is empty")
    return found, filled


def _merged(sheet: Any) -> list[Note]:
    """Return a note on merged cells below the first row."""
    ranges = sorted(ends for ends in sheet.merged_cell_ranges or () if ends[1][0] > 0)
    if not ranges:
        return []
    row, column = ranges[0][0]
    what = " merged cells, the first in row " if len(ranges) > 1 else " merged cell, in row "
    where = (
        f", column {column + 1}: the value is read in its first cell, the other cells are missing"
    )
    return [Note((len(ranges), what, row + 1, where))]


def _looked_through(path: Path) -> list[Note]:
    """Return notes on the formulas of a workbook without loading its parts into memory.

    Raises an error if a part is so large, or a cell so far from the others, that the sheet would
    fill the memory.
    """
    size = unsaved = 0
    instead = "save it as .csv if it is a table"
    with zipfile.ZipFile(path) as parts:
        # by the declared sizes; the true sizes are counted below
        unpacking.refuse_expansion(
            path, sum(part.file_size for part in parts.infolist()), COPIES, instead
        )
        for part in parts.namelist():
            rows = columns = 0
            rest = b""
            if not part.endswith(".xml"):
                continue
            with parts.open(part) as content:
                while piece := content.read(unpacking.CHUNK):
                    size += len(piece)
                    unpacking.refuse_expansion(path, size, COPIES, instead)
                    if part.startswith("xl/worksheets/"):
                        piece = rest + piece
                        rows = max([rows, *(int(n[-20:]) for n in set(_ROWS.findall(piece)))])
                        columns = max([columns, *map(_column, set(_COLUMNS.findall(piece)))])
                        unsaved += len(_UNSAVED.findall(piece))
                        rest = piece[piece.rfind(b"<") :][-LONGEST_TAG:]
            if rows * columns > MOST_CELLS:
                raise TableError(
                    f"{path.name} has a cell in row {rows} or column {columns}, and a table can "
                    f"have at most {MOST_CELLS:,} cells. Delete cells far from the table, or save "
                    "it as .csv"
                )
    if not unsaved:
        return []
    what = " formulas have" if unsaved > 1 else " formula has"
    read = "they are" if unsaved > 1 else "it is"
    why = f" no saved value: {read} missing; open and save the workbook in a spreadsheet program"
    return [Note((unsaved, what, why))]


def _column(letters: bytes) -> int:
    """Return the number of a column, 1 for A."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _named(sheet: str, names: Sequence[str], file: str) -> str:
    """Return the name of a sheet that is specified by its name or its position from 1."""
    if sheet in names:
        return sheet
    if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise TableError(
        f"sheet must be one of {listed(map(repr, names))}, or a position. "
        f"Got {sheet!r} of {file}{did_you_mean(sheet, names)}"
    )


def _without_margins(rows: list[list[Any]], layout: delimited_form.Layout) -> list[list[Any]]:
    """Empty the rows to skip, and remove columns that are empty in all rows.

    A row keeps its number in the sheet.
    """
    rows = [[] if number < layout.skip else row for number, row in enumerate(rows)]
    width = max(map(len, rows), default=0)
    used = [j for j in range(width) if any(row[j : j + 1] not in ([], [""]) for row in rows)]
    return (
        [[row[j] for j in used] if any(c != "" for c in row) else [] for row in rows]
        if used
        else []
    )


def _refuse_lines_before(rows: list[list[Any]], name: str, layout: delimited_form.Layout) -> None:
    """Raise an error for a title: rows of one value above the first wider row."""
    counts = [sum(cell != "" for cell in row) for row in rows]
    first = next((number for number, count in enumerate(counts) if count > 1), 0)
    if any(counts[:first]):
        raise TableError(
            f"the first row of {name} is not part of its table",
            Fix("skip", first, "to skip the rows before the table"),
        )


def _text(rows: list[list[Any]], decimal: str) -> str:
    """Write the rows as text with commas; an empty row becomes an empty line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        if row:
            writer.writerow([_cell(cell, decimal) for cell in row])
        else:
            out.write("\n")
    return out.getvalue()


def _cell(cell: Any, decimal: str) -> str:
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, int | float):
        number = float(cell)
        whole = number.is_integer() and abs(number) < WHOLE
        return str(int(number)) if whole else repr(number).replace(".", decimal)
    if isinstance(cell, datetime.datetime | datetime.date):
        return DATE + cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        return DURATION + repr(cell.total_seconds() / 86_400)
    if isinstance(cell, datetime.time):
        return cell.isoformat()
    return " ".join(str(cell).splitlines()).translate(_UNUSED)


def _times(cells: pd.Series) -> pd.Series:
    """Convert values that are all dates or durations; a date beside text stays text."""
    texts = [cell for cell in cells.dropna() if isinstance(cell, str)]
    whole = len(texts) == cells.count()
    for mark in (DATE, DURATION):
        if not any(text.startswith(mark) for text in texts):
            continue
        cells = cells.map(lambda c, mark=mark: c.removeprefix(mark) if isinstance(c, str) else c)
        if whole and all(text.startswith(mark) for text in texts):
            if mark == DATE:
                return pd.to_datetime(cells, format="ISO8601")
            return pd.to_timedelta(cells.astype(float), unit="D").dt.round("us")
    with suppress(ValueError):  # durations beside plain numbers, which are days
        if any(text.startswith(DURATION) for text in texts):
            return pd.to_numeric(cells)
    return cells
