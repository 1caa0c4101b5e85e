"""Delimited text: its rows as a frame, with nothing dropped or guessed that is not said."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.files.delimited_form import Form, Layout, cells_of_lines, find_form, no_name
from hetsel.files.numbers_in_text import EXACT, may_be_number, read_numbers, whole_numbers
from hetsel.ground.errors import Fix, TableError
from hetsel.ground.writing import without_apostrophe
from hetsel.tables import Note
from hetsel.tables.leveled import leveled_columns

_QUOTE = '"'
_CODE = re.compile("0[0-9]+")
_MAYBE_CODES = re.compile(r"(?:^|[^\d.])0\d", re.MULTILINE)


def read_delimited(text: str, name: str, layout: Layout) -> pd.DataFrame:
    """Data frame of a delimited text; `name` is the file's, for the errors.

    Raises
    ------
    TableError
        A text that is no table by this layout; the message says why and what to do.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, layout, form, notes = find_form(text, name, layout)
    n_rows, codes = check_rows(text, name, layout, form)
    frame, own = _tidy(_parsed(text, name, layout, form, n_rows, codes), name, layout, codes)
    frame.attrs["notes"] = (*notes, *own)
    return frame


def read_cells(cells: Sequence[str], column: str, name: str, layout: Layout) -> pd.DataFrame:
    """A column from the text of its cells, as :func:`read_delimited` reads it in a table."""
    text = "".join([f'0\t"{cell.replace(_QUOTE, 2 * _QUOTE)}"\n' for cell in cells])
    form, layout = Form(("", column), 0), replace(layout, separator="\t")
    codes = {column} if any(_CODE.fullmatch(cell.strip()) for cell in cells) else set()
    frame = _parsed(text, name, layout, form, len(cells), codes)
    frame, notes = _tidy(frame, name, layout, codes)
    frame.attrs["notes"] = notes
    return frame


def _tidy(
    frame: pd.DataFrame, name: str, layout: Layout, codes: set[str]
) -> tuple[pd.DataFrame, tuple[Note, ...]]:
    """The frame with its columns of text tidied, and what is to be said of them."""
    notes = []
    tidied: dict[str, pd.Series] = {}
    for column in _untidy(frame, layout, codes):
        tidied[column], note = _tidy_text(frame[column], name, layout, column in codes)
        if note is not None:
            notes.append(Note((f"{column}: ", *note.parts), note.fixes))
    if tidied:  # all at once: putting one column into a frame of many takes long
        frame = pd.DataFrame(
            {name: tidied[name] if name in tidied else frame[name] for name in frame.columns}
        )
    return frame, tuple(notes)


def _body(text: str, form: Form) -> str:
    """The lines of the rows."""
    return "".join(text.split("\n", form.body)[form.body :])


def check_rows(text: str, name: str, layout: Layout, form: Form) -> tuple[int, set[str]]:
    """Number of rows, each of the one width, and the columns with whole numbers such as 007."""
    codes: set[str] = set()
    row_names: set[str] = set()
    width, n_rows = len(form.names), 0
    begin = form.body + layout.skip
    unnamed = [j for j, given in enumerate(form.names) if j and not given]
    maybe_codes = _MAYBE_CODES.search(text) is not None
    for line, cells in cells_of_lines(_body(text, form), layout.separator or ",", name):
        n_rows += 1
        if len(cells) != width:
            raise _wrong_width(cells, line + begin, name, width)
        if len(cells) > 1 and form.body and cells[-1] == form.names[-1] and repeats(cells, form):
            raise TableError(
                f"line {line + begin} of {name} repeats the names of the columns, as where files "
                "are put together: take it out"
            )
        if form.names_rows:
            row_names.add(cells[0])
            if len(row_names) < n_rows:
                raise TableError(
                    f"the rows of {name} have {width} cells, its first line {width - 1}, and their "
                    f"first cells are no names of rows: {cells[0]!r} is there twice"
                )
        for j in unnamed:
            if cells[j] not in ("", *layout.missing_marks):
                raise no_name(j + 1, name, begin, [])
        if maybe_codes:
            zeros = [j for j, cell in enumerate(cells) if cell[:1] == "0" and cell.isdigit()]
            found = [j for j in zeros if _CODE.fullmatch(cells[j])]
            codes.update(form.names[j] for j in found)
    if n_rows == 0:
        raise TableError(f"{name} has a header but no rows")
    return n_rows, codes


def repeats(cells: Sequence[str], form: Form) -> bool:
    """Whether the cells of a row are the names of the columns."""
    return all(cell == given for cell, given in zip(cells, form.names, strict=True) if given)


def _wrong_width(cells: list[str], line: int, name: str, width: int) -> TableError:
    hint = ""
    if any("\n" in cell for cell in cells):
        hint = ": is a quotation mark left open?"
    elif cells[0].startswith("#"):
        hint = ": if it is a comment, take it out"
    number = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
    return TableError(f"line {line} of {name} has {number}, expected {width} as in the first{hint}")


def _parsed(
    text: str, name: str, layout: Layout, form: Form, n_rows: int, codes: set[str]
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
