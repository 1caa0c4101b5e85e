"""Delimited text: where its table begins, what separates its cells, which of them are the table."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from hetsel.files.numbers_in_text import (
    EXACT,
    NUMBER,
    may_be_number,
    read_numbers,
    whole_numbers,
)
from hetsel.ground.errors import Fix, TableError
from hetsel.ground.text import counted, listed
from hetsel.ground.writing import without_apostrophe
from hetsel.tables.column import Note
from hetsel.tables.leveled import leveled_columns

SEPARATORS = {",": "','", ";": "';'", "\t": "'\\t'", "|": "'|'", " ": "' '"}
_SAMPLE = 40  # lines, from which the form of a table shows
_SAYS_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\n')  # the first line, as Excel writes it
_MAYBE_CODES = re.compile(r"(?:^|[^\d.])0\d", re.MULTILINE)


@dataclass(frozen=True)
class Layout:
    """How a text is read; see :func:`hetsel.files.reading.read_table`."""

    separator: str | None = None
    header: bool | None = None
    skip: int = 0
    decimal: str = "."
    thousands: str | None = None
    missing_marks: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class _Form:
    """Which cells of a line are the table.

    Parameters
    ----------
    names : tuple of str
        Of all columns; the empty ones are left out.
    body : int
        Number of lines before the first row.
    names_rows : bool
        The header has no cell above the first one of the rows, which then names the row.
    notes : tuple of Note
    """

    names: tuple[str, ...]
    body: int
    names_rows: bool = False
    notes: tuple[Note, ...] = ()


def read_delimited(text: str, name: str, layout: Layout) -> pd.DataFrame:
    """Data frame of a delimited text; `name` is the file's, for the errors.

    Raises
    ------
    TableError
        A text that is no table by this layout; the message says why and what to do.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, layout = _after_skipped(text, name, layout)
    if layout.separator is None:
        separator = _fitting_separator(text, name, layout.skip)
        notes = [Note((f"cells separated by {SEPARATORS[separator]}",))]
    else:
        separator, notes = layout.separator, []
    if separator == " ":
        text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    layout = replace(layout, separator=separator)
    form = _form(text, name, layout)
    n_rows, codes = _check_rows(text, name, layout, form)
    frame = _parsed(text, name, layout, form, n_rows, codes)
    tidied: dict[str, pd.Series] = {}
    for column in _untidy(frame, layout, codes):
        tidied[column], note = _tidy_text(frame[column], name, layout, column in codes)
        if note is not None:
            notes.append(Note((f"{column}: ", *note.parts), note.fixes))
    if tidied:  # all at once: putting one column into a frame of many takes long
        frame = pd.DataFrame(
            {name: tidied[name] if name in tidied else frame[name] for name in frame.columns}
        )
    frame.attrs["notes"] = (*form.notes, *notes)
    return frame


def _after_skipped(text: str, name: str, layout: Layout) -> tuple[str, Layout]:
    """The text without the lines to skip; a first line `sep=;` names the separator."""
    said = _SAYS_SEPARATOR.match(text)
    if said and not layout.skip:
        layout = replace(layout, separator=said[1], skip=1)
    if not layout.skip:
        return text, layout
    lines = text.split("\n", layout.skip)
    if len(lines) <= layout.skip or not lines[-1].strip():
        raise TableError(f"{name} has no table after {counted(layout.skip, 'line')}")
    return lines[-1], layout


def _cells(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each line that is not blank."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    try:
        for cells in reader:
            if len(cells) > 1 or (cells and cells[0].strip()):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as reason:
        raise TableError(f"{name} cannot be read: {reason}") from None


def _sample(text: str, separator: str, name: str) -> list[tuple[int, list[str]]]:
    """Line number and cells of the first lines."""
    if separator == " ":
        lines = text.split("\n", _SAMPLE)[:_SAMPLE]
        text = "\n".join(" ".join(line.split()) for line in lines)
    return list(islice(_cells(text, separator, name), _SAMPLE))


def _fitting_separator(text: str, name: str, skipped: int) -> str:
    """The one separator by which the first lines have equally many cells, more than one.

    Where none does, that by which the header alone has one cell less, as R names its rows.
    """
    records = {separator: _sample(text, separator, name) for separator in SEPARATORS}
    fitting = [s for s, several in records.items() if _fits(several)]
    if not fitting:
        short = {s: len(several[0][1]) for s, several in records.items() if _fits(several[1:])}
        fitting = [s for s, width in short.items() if 1 < width == len(records[s][1][1]) - 1]
    if len(fitting) > 1 and fitting[-1] == " ":
        fitting.pop()  # blanks inside the cells
    if len(fitting) == 1:
        return fitting[0]
    which = "none fits" if not fitting else "several fit: " + listed(_shown(fitting))
    starts = {s: _lines_before(several) for s, several in records.items()}
    fixes = [
        Fix("skip", before + skipped, "leaves out the lines before the table")
        for separator, before in starts.items()
        if before and not fitting and separator != " "
    ]
    raise TableError(
        f"cannot tell what separates the cells of {name} ({which})",
        *fixes[:1],
        Fix("separator", then=f"names it, one of {listed(_shown(SEPARATORS))}"),
    )


def _shown(separators: Iterable[str]) -> list[str]:
    return [SEPARATORS[separator] for separator in separators]


def _lines_before(records: Sequence[tuple[int, list[str]]]) -> int:
    """Lines before the first one that has as many cells as most, or nearly so; 0 if it is it."""
    widths = [len(cells) for _, cells in records]
    usual = Counter(width for width in widths if width > 1).most_common(1)
    if not usual or usual[0][1] < max(2, len(records) // 2):
        return 0
    near = [abs(width - usual[0][0]) <= 1 and width > 1 for width in widths]
    first = near.index(True)
    return records[first - 1][0] if first else 0


def _form(text: str, name: str, layout: Layout) -> _Form:
    """The names of the columns and where the rows begin."""
    separator = layout.separator or ","
    records = _sample(text, separator, name)
    line, cells = records[0]
    if len(cells) == 1:
        fitting = [s for s in SEPARATORS if _fits(_sample(text, s, name))]
        _refuse_other_separator(text, name, separator, fitting)
    if before := _lines_before(records):
        what = "line of" if before == 1 else f"{before} lines of"
        raise TableError(
            f"the first {what} {name} {'is' if before == 1 else 'are'} no part of its table",
            Fix("skip", before + layout.skip, "leaves them out" if before > 1 else "leaves it out"),
        )
    if len(cells) == 1:
        _refuse_other_separator(text, name, separator, SEPARATORS)
    if layout.header is False:
        return _Form(tuple(f"x{j}" for j in range(len(cells))), 0)
    _refuse_values_as_names(cells, name, layout)
    rows = [row for _, row in records[1:]]
    names, notes = _all_names(cells, rows), []
    if names[0] == "" and len(names) > 1:
        what = "the first column has no name: taken for the names of the rows and left out"
        notes.append(Note((what,)))
    for place, given in enumerate(names[1:], start=2):
        filled = any(row[place - 1 : place] not in ([], [""]) for row in rows)
        if given == "" and (filled or any(names[place:])):
            raise _no_name(place, name, line + layout.skip, rows)
    named = [given for given in names if given]
    if not named:
        raise _no_name(1, name, line + layout.skip, rows)
    seen: set[str] = set()
    for given in named:
        if given in seen:
            raise TableError(
                f"column names must be unique. {name} has {given!r} more than once: rename one"
            )
        seen.add(given)
    names = [without_apostrophe(given) for given in names]
    return _Form(tuple(names), line, len(names) > len(cells) and names[0] == "", tuple(notes))


def _all_names(header: list[str], rows: list[list[str]]) -> list[str]:
    """A name for each cell of a row; empty ones for names of rows and for ends without a cell."""
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        return header
    width = widths.pop()
    if width == len(header) + 1:
        if not any(row[-1] for row in rows):
            return [*header, ""]
        return ["", *header]
    if width < len(header) and not any(header[width:]):
        return header[:width]
    return header


def _refuse_values_as_names(cells: list[str], name: str, layout: Layout) -> None:
    odd = [
        cell for cell in cells if NUMBER.fullmatch(cell) or (cell and cell in layout.missing_marks)
    ]
    if layout.header is None and odd:
        raise TableError(
            f"the first line of {name} does not look like column names (it holds {listed(odd)})",
            Fix("header", False, "if the file has none"),
            Fix("header", True, "if these are names"),
        )


def _no_name(place: int, name: str, line: int, rows: list[list[str]]) -> TableError:
    """The error of a column without a name; a line of words below it may be the header."""
    fixes = []
    if rows and all(cell and not NUMBER.fullmatch(cell) for cell in rows[0]):
        fixes = [Fix("skip", line, "if the names stand in the line below")]
    return TableError(f"column {place} of {name} has no name in line {line}: name it", *fixes)


def _fits(records: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether the first lines have equally many cells, more than one."""
    widths = {len(cells) for _, cells in records}
    return len(widths) == 1 and widths != {1}


def _refuse_other_separator(text: str, name: str, separator: str, among: Iterable[str]) -> None:
    """Refuse a table of one column whose first line holds another separator, one of `among`."""
    first = text.lstrip("\n").split("\n", 1)[0]
    others = [s for s in among if s not in (separator, " ") and s in first]
    if not others and " " in first.strip() and separator != " ":
        widths = {len(line.split()) for line in text.split("\n")[:20] if line.strip()}
        others = [" "] if len(widths) == 1 else []
    if others:
        found = max(others, key=first.count)
        raise TableError(
            f"{name} has only one column when {SEPARATORS[separator]} separates the cells, but "
            f"its first line holds {SEPARATORS[found]}",
            Fix("separator", found, "reads it so"),
        )


def _body(text: str, form: _Form) -> str:
    """The lines of the rows."""
    return "".join(text.split("\n", form.body)[form.body :])


def _check_rows(text: str, name: str, layout: Layout, form: _Form) -> tuple[int, set[str]]:
    """Number of rows, each of the one width, and the columns with whole numbers such as 007."""
    codes: set[str] = set()
    row_names: set[str] = set()
    width, n_rows = len(form.names), 0
    begin = form.body + layout.skip
    unnamed = [j for j, given in enumerate(form.names) if j and not given]
    maybe_codes = _MAYBE_CODES.search(text) is not None
    for line, cells in _cells(_body(text, form), layout.separator or ",", name):
        n_rows += 1
        if len(cells) != width:
            raise _wrong_width(cells, line + begin, name, width)
        if form.names_rows:
            row_names.add(cells[0])
            if len(row_names) < n_rows:
                raise TableError(
                    f"the rows of {name} have {width} cells, its first line {width - 1}, and their "
                    f"first cells are no names of rows: {cells[0]!r} is there twice"
                )
        for j in unnamed:
            if cells[j] not in ("", *layout.missing_marks):
                raise _no_name(j + 1, name, begin, [])
        if maybe_codes:
            zeros = [j for j, cell in enumerate(cells) if cell[:1] == "0" and cell.isdigit()]
            found = [j for j in zeros if re.fullmatch("0[0-9]+", cells[j])]
            codes.update(form.names[j] for j in found)
    if n_rows == 0:
        raise TableError(f"{name} has a header but no rows")
    return n_rows, codes


def _wrong_width(cells: list[str], line: int, name: str, width: int) -> TableError:
    hint = ""
    if any("\n" in cell for cell in cells):
        hint = ": is a quotation mark left open?"
    elif cells[0].startswith("#"):
        hint = ": if it is a comment, take it out"
    number = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
    return TableError(f"line {line} of {name} has {number}, expected {width} as in the first{hint}")


def _parsed(
    text: str, name: str, layout: Layout, form: _Form, n_rows: int, codes: set[str]
) -> pd.DataFrame:
    """The frame of the columns that have a name."""
    named = [j for j, given in enumerate(form.names) if given]
    options: dict[str, Any] = {
        "sep": layout.separator,
        "names": [given or f"\0{j}" for j, given in enumerate(form.names)],
        "header": None,
        "index_col": False,
        "decimal": layout.decimal,
        "skipinitialspace": True,
        "keep_default_na": False,
        "na_values": list(layout.missing_marks),
        "low_memory": False,
    }
    body = _body(text, form)
    try:
        dtype = {column: str for column in codes if column}
        # the copy has all columns of numbers in one piece, as they are looked at
        frame = pd.read_csv(io.StringIO(body), usecols=named, dtype=dtype, **options).copy()
        floats = frame.loc[:, (frame.dtypes == np.float64).to_numpy()]
        largest = np.fmax.reduce(np.abs(floats.to_numpy()), axis=0, initial=0.0)
        if beyond := list(floats.columns[largest > EXACT]):  # beside a gap, whole ones are floats
            texts = pd.read_csv(io.StringIO(body), usecols=beyond, dtype=str, **options)
            for column in beyond:
                frame[column] = whole_numbers(texts[column], frame[column])
    except (ValueError, pd.errors.ParserError) as reason:
        raise TableError(f"{name} cannot be read: {str(reason).splitlines()[0]}") from None
    if len(frame) != n_rows:  # the two parsers disagree, so neither is to be trusted
        raise TableError(f"{name} cannot be read: {n_rows} rows, of which {len(frame)} parse")
    return frame


def _untidy(frame: pd.DataFrame, layout: Layout, codes: set[str]) -> list[str]:
    """The columns of text, but for those that :func:`_tidy_text` leaves as they are."""
    tidy: dict[str, tuple[bool, bool]] = {}
    marks = {*layout.missing_marks}

    def plain(texts: tuple[str, ...]) -> bool:
        """Whether none of these texts changes, and one of them at least is no number."""
        for text in texts:
            if text not in tidy:
                tidy[text] = _stays(text) and text not in marks, may_be_number(text)
        if not texts:
            return True
        return all(tidy[text][0] for text in texts) and not all(tidy[text][1] for text in texts)

    known = leveled_columns(frame)
    return [
        column
        for column, dtype in zip(frame.columns.tolist(), frame.dtypes, strict=True)
        if (pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype))
        and (column in codes or column not in known or not plain(known[column].levels))
    ]


def _stays(text: str) -> bool:
    """Whether a text has no blanks around it and nothing that a spreadsheet's safety put there."""
    if not text or text.strip() != text or without_apostrophe(text) != text:
        return False
    # what is a blank of other scripts may differ between libraries
    return text.isascii() or (text[0].isalnum() and text[-1].isalnum())


def _tidy_text(
    cells: pd.Series, name: str, layout: Layout, codes: bool
) -> tuple[pd.Series, Note | None]:
    """Text without blanks around it; marks that had some are missing after all."""
    if not all(isinstance(cell, str) for cell in cells.dropna()):
        return cells, None  # flags, some of them missing
    text = cells.str.strip()
    text = text.mask(text.isin(layout.missing_marks))
    if codes and text.dropna().str.fullmatch("[0-9]+").all():
        numbers = pd.to_numeric(text)
        if numbers.nunique() < text.nunique():  # 7 and 007 are two codes
            return text, None
        fix = Fix("nominal", (str(cells.name),), "if they are codes")
        return numbers, Note(("whole numbers with leading zeros, which are dropped",), (fix,))
    numbers, note = read_numbers(text, name, layout.decimal, layout.thousands)
    return (text.map(without_apostrophe, na_action="ignore") if numbers is text else numbers), note
