"""Read delimited text of a known form: numbers, also with a sign such as %, and text.

Notes list everything that is left out or guessed.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.files.delimited_form import CODE, Form, Layout, checked_form
from hetsel.files.numbers_in_text import EXACT, may_be_number, text_as_numbers, whole_numbers
from hetsel.ground import Fix, TableError
from hetsel.ground.spreadsheet_apostrophes import without_apostrophe
from hetsel.tables import Note
from hetsel.tables.levels_and_times import leveled_columns


def read_delimited(text: str, file: str, layout: Layout) -> pd.DataFrame:
    """Read the named columns of a text; `file` is the file name for errors."""
    return _parsed(checked_form(text, file, layout))


def _parsed(form: Form) -> pd.DataFrame:
    """Read a text whose rows are checked."""
    layout = form.layout
    options: dict[str, Any] = {
        "sep": layout.separator,
        "names": [name or f"\0{j}" for j, name in enumerate(form.names)],
        "header": None,
        "index_col": False,
        "decimal": layout.decimal,
        "skipinitialspace": True,
        "keep_default_na": False,
        "na_values": list(layout.missing_marks),
        "low_memory": False,
    }
    named = [j for j, name in enumerate(form.names) if name]
    try:
        dtype = {column: str for column in form.codes if column}
        # the copy stores all numeric columns in one block
        frame = pd.read_csv(io.StringIO(form.rows), usecols=named, dtype=dtype, **options).copy()
        floats = frame.loc[:, (frame.dtypes == np.float64).to_numpy()]
        largest = np.fmax.reduce(np.abs(floats.to_numpy()), axis=0, initial=0.0)
        if beyond := list(
            floats.columns[largest > EXACT]
        ):  # beside a missing value, whole numbers are floats
            texts = pd.read_csv(io.StringIO(form.rows), usecols=beyond, dtype=str, **options)
            for column in beyond:
                frame[column] = whole_numbers(texts[column], frame[column])
    except (ValueError, pd.errors.ParserError) as reason:
        raise TableError(f"{form.file} cannot be read: {str(reason).splitlines()[0]}") from None
    if len(frame) != form.n_rows:  # the two parsers disagree, so hetsel trusts neither
        raise TableError(
            f"{form.file} cannot be read: only {len(frame)} of {form.n_rows} rows are readable. "
            "Check its quotation marks"
        )
    return _tidied(frame, form)


def read_column(cells: Sequence[str], column: str, form: Form) -> pd.DataFrame:
    """Read a column from the texts of its values, as :func:`read_delimited` does."""
    quoted = (cell.replace('"', '""') for cell in cells)
    text = "".join([f'0\t"{cell}"\n' for cell in quoted])
    codes = [column] if any(CODE.fullmatch(cell.strip()) for cell in cells) else []
    layout = replace(form.layout, separator="\t")
    return _parsed(
        Form(text, form.file, layout, ("", column), n_rows=len(cells), codes=frozenset(codes))
    )


def _tidied(frame: pd.DataFrame, form: Form) -> pd.DataFrame:
    """Clean the columns of text; `attrs` holds the notes on them."""
    notes = [*form.notes]
    columns: dict[Any, pd.Series] = dict(frame.items())
    untidy = _untidy(frame, form)
    for name in untidy:
        columns[name], note = _tidy_text(frame[name], form)
        if note is not None:
            notes.append(Note((f"{name}: ", *note.parts), note.fixes))
    if untidy:  # all at once: setting single columns of a wide frame is slow
        frame = pd.DataFrame(columns)
    frame.attrs["notes"] = tuple(notes)
    return frame


def _untidy(frame: pd.DataFrame, form: Form) -> list[str]:
    """Return the columns of text that :func:`_tidy_text` may change."""
    tidy: dict[str, tuple[bool, bool]] = {}
    marks = {*form.layout.missing_marks}

    def plain(texts: tuple[str, ...]) -> bool:
        """Return whether no text changes, and at least one is not a number."""
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
        and (column in form.codes or column not in known or not plain(known[column].levels))
    ]


def _stays(text: str) -> bool:
    """Return whether a text has no blanks around it and no apostrophe for spreadsheets."""
    if not text or text.strip() != text or (text[0] == "'" and without_apostrophe(text) != text):
        return False
    # libraries differ in what they regard as a blank outside ASCII
    return text.isascii() or (text[0].isalnum() and text[-1].isalnum())


def _tidy_text(cells: pd.Series, form: Form) -> tuple[pd.Series, Note | None]:
    """Remove blanks around texts, and set texts that then equal a mark to missing."""
    if not all(isinstance(cell, str) for cell in cells.dropna()):
        return cells, None  # booleans, some of them missing
    text = cells.str.strip()
    text = text.mask(text.isin(form.layout.missing_marks))
    if cells.name in form.codes and text.dropna().str.fullmatch("[0-9]+").all():
        numbers = pd.to_numeric(text)
        if numbers.nunique() < text.nunique():  # 7 and 007 are different codes
            return text, None
        fix = Fix("nominal", (str(cells.name),), "if they are codes")
        return numbers, Note(("whole numbers lost their leading zeros",), (fix,))
    numbers, note = text_as_numbers(text, form)
    return (text.map(without_apostrophe, na_action="ignore") if numbers is text else numbers), note
