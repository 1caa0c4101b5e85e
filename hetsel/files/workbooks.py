"""Sheets of workbooks: read as the same table in delimited text would be, with its dates."""

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

# of private use: what a cell of a date or a duration begins with, on its way through text
DATE, DURATION = "\ue000", "\ue001"
MOST_CELLS = 100_000_000
_COLUMNS = re.compile(rb"""\br=["']([A-Z]{1,9})""")  # of the places of cells, such as r="AB12"
_ROWS = re.compile(rb"""\br=["'][A-Z]{0,9}([0-9]+)""")
# a formula, not one of text, which may be empty, without a value
_UNSAVED = re.compile(
    rb"""<c\b(?![^>]*\bt=["']str["'])[^>]*><f\b(?:[^>]*/>|[^<]*</f>)(?:<v ?/>|<v></v>)?</c>"""
)
LONGEST_TAG = 1000  # bytes
COPIES = 2  # of the text of a workbook, in memory
_UNUSED = str.maketrans("", "", f"{DATE}{DURATION}\0")
WHOLE = 1e15  # up to here a whole number is written without an exponent


def read_workbook(path: Path, sheet: str | None, layout: delimited_form.Layout) -> pd.DataFrame:
    """Data frame of a sheet, the first one that holds something where none is named."""
    chosen, filled = _sheet(path, sheet)
    others = [Fix("sheet", other, "reads another one") for other in filled if other != chosen.name]
    several = f"sheet {chosen.name!r}, the first of {len(filled)}: {listed(filled)}"
    notes = []
    if sheet is None and others:
        if chosen.width == 1:
            raise TableError(f"{several}, has one column, which is no table", *others[:1])
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
        raise TableError(f"{several}: {reason.sentence}", *reason.fixes, *others[:1]) from None
    notes += [*chosen.notes, *frame.attrs.pop("notes", ())]
    for name in list(frame.columns):
        cells = frame[name]
        if pd.api.types.is_string_dtype(cells.dtype) or cells.dtype == object:
            frame[name] = _times(cells)
    frame.columns = [name.replace(DATE, "").replace(DURATION, "") for name in frame.columns]
    frame.attrs["notes"] = tuple(notes)
    return frame


class _Sheet(NamedTuple):
    """A sheet: its rows of cells from the first one on, how many columns hold something."""

    name: str
    rows: list[list[Any]]
    width: int
    notes: tuple[Note, ...]


def _sheet(path: Path, sheet: str | None) -> tuple[_Sheet, list[str]]:
    """The sheet that is named or the first that holds something, and the names of all that do."""
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
        raise TableError(f"{path.name} has a password: save it without one") from None
    except TableError:
        raise
    except BaseException as reason:
        # a panic of the library is no Exception
        if not isinstance(reason, Exception) and type(reason).__name__ != "PanicException":
            raise
        with path.open("rb") as file:
            old = file.read(4) == b"\xd0\xcf\x11\xe0"
        if not zipfile.is_zipfile(path) and not old:
            raise TableError(
                f"{path.name} cannot be read as a workbook: it is none, or damaged. If it is text, "
                "name it .csv or .tsv"
            ) from None
        what = f"{path.name} cannot be read as a workbook: {unpacking.first_line(reason):.200}"
        raise TableError(what) from None
    if found is None:
        raise TableError(f"{path.name} is empty")
    return found, filled


def _merged(sheet: Any) -> list[Note]:
    """What is to be said of merged cells below the first row."""
    ranges = sorted(ends for ends in sheet.merged_cell_ranges or () if ends[1][0] > 0)
    if not ranges:
        return []
    row, column = ranges[0][0]
    what = " merged cells, the first one in row " if len(ranges) > 1 else " merged cell, in row "
    where = f", column {column + 1}: its value is that of its first cell, the others are missing"
    return [Note((len(ranges), what, row + 1, where))]


def _looked_through(path: Path) -> list[Note]:
    """Notes on the formulas of a workbook, without a part of it in memory. Parts so large, or a
    cell so far from the others, that the whole sheet would fill the memory are refused."""
    size = unsaved = 0
    instead = "save it as .csv, if it is one"
    with zipfile.ZipFile(path) as parts:
        # as they are declared; what is not so is counted below
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
                    f"{path.name} has a cell in row {rows} or column {columns}, beyond a table of "
                    f"{MOST_CELLS:,} cells: delete what is far from the table, or save it as .csv"
                )
    if not unsaved:
        return []
    what = " formulas have" if unsaved > 1 else " formula has"
    why = " no value saved with them: missing; open and save the workbook in a spreadsheet program"
    return [Note((unsaved, what, why))]


def _column(letters: bytes) -> int:
    """Number of a column, 1 for A."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _named(sheet: str, names: Sequence[str], file: str) -> str:
    """The name of a sheet, which is given by its name or by its place, from 1 on."""
    if sheet in names:
        return sheet
    if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise TableError(
        f"sheet must be one of {listed(map(repr, names))}, or its place. "
        f"Got {sheet!r} of {file}{did_you_mean(sheet, names)}"
    )


def _without_margins(rows: list[list[Any]], layout: delimited_form.Layout) -> list[list[Any]]:
    """The rows, those to skip emptied, without the columns that are empty in all of them: a row
    keeps the number that the sheet gives it."""
    rows = [[] if number < layout.skip else row for number, row in enumerate(rows)]
    width = max(map(len, rows), default=0)
    used = [j for j in range(width) if any(row[j : j + 1] not in ([], [""]) for row in rows)]
    return (
        [[row[j] for j in used] if any(c != "" for c in row) else [] for row in rows]
        if used
        else []
    )


def _refuse_lines_before(rows: list[list[Any]], name: str, layout: delimited_form.Layout) -> None:
    """Refuse a title above a table: rows of one cell before the first of more."""
    counts = [sum(cell != "" for cell in row) for row in rows]
    first = next((number for number, count in enumerate(counts) if count > 1), 0)
    if any(counts[:first]):
        raise TableError(
            f"the first row of {name} is no part of its table",
            Fix("skip", first, "leaves out the rows before the table"),
        )


def _text(rows: list[list[Any]], decimal: str) -> str:
    """The rows as text with commas, an empty line for an empty row."""
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
    """Cells that are all dates, or durations, as such; a date beside text as text."""
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
