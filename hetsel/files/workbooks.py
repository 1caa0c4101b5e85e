"""Sheets of Excel workbooks: read as the same table in delimited text would be, with its dates."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from hetsel.files.delimited import read_delimited
from hetsel.files.delimited_form import Layout
from hetsel.ground.errors import Fix, TableError
from hetsel.ground.text import did_you_mean, listed
from hetsel.tables.column import Note

DATE = "\ue000"  # of private use: what a cell of a date begins with, on its way through text
MOST_CELLS = 100_000_000
_COLUMNS = re.compile(rb"""\br=["']([A-Z]{1,9})""")  # of the places of cells, such as r="AB12"
_ROWS = re.compile(rb"""\br=["'][A-Z]{0,9}([0-9]+)""")
WHOLE = 1e15  # up to here a whole number is written without an exponent


def read_workbook(path: Path, sheet: str | None, layout: Layout) -> pd.DataFrame:
    """Data frame of a sheet, the first one that holds something where none is named.

    Raises
    ------
    TableError
        python-calamine is not installed; no workbook, no such sheet, or no table in it.
    """
    sheets = _sheets(path)
    filled = [name for name, rows in sheets.items() if rows]
    if sheet is None and not filled:
        raise TableError(f"{path.name} is empty")
    chosen = filled[0] if sheet is None else _named(sheet, list(sheets), path.name)
    notes = []
    if sheet is None and len(filled) > 1:
        others = (Fix("sheet", other, "reads another one") for other in filled[1:2])
        what = f"sheet {chosen!r}, the first of {len(filled)}: {listed(filled)}"
        notes.append(Note((what,), tuple(others)))
    rows = _without_margins(sheets[chosen], layout)
    if not rows:
        raise TableError(f"sheet {chosen!r} of {path.name} is empty")
    _refuse_lines_before(rows, path.name, layout)
    frame = read_delimited(_text(rows, layout.decimal), path.name, _by_commas(layout))
    notes += frame.attrs.pop("notes", ())
    for name in list(frame.columns):
        cells = frame[name]
        if pd.api.types.is_string_dtype(cells.dtype) or cells.dtype == object:
            frame[name] = _dates(cells)
    frame.columns = [name.replace(DATE, "") for name in frame.columns]
    frame.attrs["notes"] = tuple(notes)
    return frame


def _by_commas(layout: Layout) -> Layout:
    return Layout(",", layout.header, layout.skip, layout.decimal, None, layout.missing_marks)


def _sheets(path: Path) -> dict[str, list[list[Any]]]:
    """Rows of cells of each visible sheet, by name."""
    try:
        import python_calamine
    except ImportError:
        raise TableError(
            "reading workbooks needs the package python-calamine: pip install 'hetsel[files]'"
        ) from None
    try:
        _refuse_far_cells(path)
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            return {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                for name in book.sheet_names
            }
    except python_calamine.PasswordError:
        raise TableError(f"{path.name} has a password: save it without one") from None
    except TableError:
        raise
    except BaseException as reason:
        # a panic of the library is no Exception
        if not isinstance(reason, Exception) and type(reason).__name__ != "PanicException":
            raise
        said = str(reason).splitlines()[0] if str(reason) else type(reason).__name__
        raise TableError(f"{path.name} cannot be read as a workbook: {said:.200}") from None


def _refuse_far_cells(path: Path) -> None:
    """Refuse a cell so far from the others that the sheet, all of it, would fill the memory.

    Raises
    ------
    TableError
    """
    with zipfile.ZipFile(path) as parts:
        for part in parts.namelist():
            if not part.startswith("xl/worksheets/"):
                continue
            content = parts.read(part)
            rows = max((int(row[-20:]) for row in set(_ROWS.findall(content))), default=0)
            columns = max(map(_column, set(_COLUMNS.findall(content))), default=1)
            if rows * columns > MOST_CELLS:
                raise TableError(
                    f"{path.name} has a cell in row {rows} or column {columns}, beyond a table of "
                    f"{MOST_CELLS:,} cells: delete what is far from the table, or save it as .csv"
                )


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


def _without_margins(rows: list[list[Any]], layout: Layout) -> list[list[Any]]:
    """The rows after those to skip, without the columns that are empty in all of them.

    Those to skip and empty rows stay, as empty ones: a row has the number that the sheet gives it.
    """
    rows = [[] if number < layout.skip else row for number, row in enumerate(rows)]
    width = max(map(len, rows), default=0)
    used = [j for j in range(width) if any(row[j : j + 1] not in ([], [""]) for row in rows)]
    return (
        [[row[j] for j in used] if any(c != "" for c in row) else [] for row in rows]
        if used
        else []
    )


def _refuse_lines_before(rows: list[list[Any]], name: str, layout: Layout) -> None:
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
        return repr(cell.total_seconds() / 86_400).replace(".", decimal)
    if isinstance(cell, datetime.time):
        return cell.isoformat()
    return " ".join(str(cell).splitlines()).replace(DATE, "").replace("\0", "")


def _dates(cells: pd.Series) -> pd.Series:
    """Cells that are all dates as dates; a date beside text as text."""
    present = cells.dropna()
    texts = [cell for cell in present if isinstance(cell, str)]
    if not any(text.startswith(DATE) for text in texts):
        return cells
    plain = cells.map(lambda cell: cell.removeprefix(DATE) if isinstance(cell, str) else cell)
    if not all(isinstance(cell, str) and cell.startswith(DATE) for cell in present):
        return plain
    return pd.to_datetime(plain, format="ISO8601")
