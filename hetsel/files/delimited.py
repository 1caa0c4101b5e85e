"""Delimited text whose form is known, as a frame: numbers, also with a sign such as %, and text.

Nothing is dropped or guessed that is not said.
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
    """Data frame of a text, of the columns that have a name; `file` is its name, for the errors."""
    return _parsed(checked_form(text, file, layout))


def _parsed(form: Form) -> pd.DataFrame:
    """Data frame of a text whose rows are checked."""
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
        # the copy has all columns of numbers in one piece, as they are looked at
        frame = pd.read_csv(io.StringIO(form.rows), usecols=named, dtype=dtype, **options).copy()
        floats = frame.loc[:, (frame.dtypes == np.float64).to_numpy()]
        largest = np.fmax.reduce(np.abs(floats.to_numpy()), axis=0, initial=0.0)
        if beyond := list(floats.columns[largest > EXACT]):  # beside a gap, whole ones are floats
            texts = pd.read_csv(io.StringIO(form.rows), usecols=beyond, dtype=str, **options)
            for column in beyond:
                frame[column] = whole_numbers(texts[column], frame[column])
    except (ValueError, pd.errors.ParserError) as reason:
        raise TableError(f"{form.file} cannot be read: {str(reason).splitlines()[0]}") from None
    if len(frame) != form.n_rows:  # the two parsers disagree, so neither is to be trusted
        raise TableError(
            f"{form.file} cannot be read: {form.n_rows} rows, of which {len(frame)} parse"
        )
    return _tidied(frame, form)


def read_column(cells: Sequence[str], column: str, form: Form) -> pd.DataFrame:
    """A column of a file from the text of its cells, as :func:`read_delimited` reads it."""
    quoted = (cell.replace('"', '""') for cell in cells)
    text = "".join([f'0\t"{cell}"\n' for cell in quoted])
    codes = [column] if any(CODE.fullmatch(cell.strip()) for cell in cells) else []
    layout = replace(form.layout, separator="\t")
    return _parsed(
        Form(text, form.file, layout, ("", column), n_rows=len(cells), codes=frozenset(codes))
    )


def _tidied(frame: pd.DataFrame, form: Form) -> pd.DataFrame:
    """The frame with its columns of text tidied; in `attrs` what is to be said of them."""
    notes = [*form.notes]
    columns: dict[Any, pd.Series] = dict(frame.items())
    untidy = _untidy(frame, form)
    for name in untidy:
        columns[name], note = _tidy_text(frame[name], form)
        if note is not None:
            notes.append(Note((f"{name}: ", *note.parts), note.fixes))
    if untidy:  # all at once: putting one column into a frame of many takes long
        frame = pd.DataFrame(columns)
    frame.attrs["notes"] = tuple(notes)
    return frame


def _untidy(frame: pd.DataFrame, form: Form) -> list[str]:
    """The columns of text, but for those that :func:`_tidy_text` leaves as they are."""
    tidy: dict[str, tuple[bool, bool]] = {}
    marks = {*form.layout.missing_marks}

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
        and (column in form.codes or column not in known or not plain(known[column].levels))
    ]


def _stays(text: str) -> bool:
    """Whether a text has no blanks around it and nothing that a spreadsheet's safety put there."""
    if not text or text.strip() != text or (text[0] == "'" and without_apostrophe(text) != text):
        return False
    # what is a blank of other scripts may differ between libraries
    return text.isascii() or (text[0].isalnum() and text[-1].isalnum())


def _tidy_text(cells: pd.Series, form: Form) -> tuple[pd.Series, Note | None]:
    """Text without blanks around it; marks that had some are missing after all."""
    if not all(isinstance(cell, str) for cell in cells.dropna()):
        return cells, None  # flags, some of them missing
    text = cells.str.strip()
    text = text.mask(text.isin(form.layout.missing_marks))
    if cells.name in form.codes and text.dropna().str.fullmatch("[0-9]+").all():
        numbers = pd.to_numeric(text)
        if numbers.nunique() < text.nunique():  # 7 and 007 are two codes
            return text, None
        fix = Fix("nominal", (str(cells.name),), "if they are codes")
        return numbers, Note(("whole numbers with leading zeros, which are dropped",), (fix,))
    numbers, note = text_as_numbers(text, form)
    return (text.map(without_apostrophe, na_action="ignore") if numbers is text else numbers), note
