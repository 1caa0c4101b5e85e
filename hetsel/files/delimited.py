"""Delimited text whose form is known, as a frame: numbers, also with a sign such as %, and text.

Nothing is dropped or guessed that is not said.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.files.delimited_form import CODE, Form, Layout, checked_form
from hetsel.ground import Fix, TableError
from hetsel.ground.spreadsheet_apostrophes import without_apostrophe
from hetsel.tables import Note
from hetsel.tables.levels_and_times import leveled_columns

THOUSANDS = ",. '"
EXACT = 2**53  # up to here floats hold every whole number
_SIGNS = "$€£¥₹%‰"
_SIGNED = re.compile(rf"([-+]?)([{_SIGNS}]?) ?([-+]?[\d.].*?) ?([{_SIGNS}]?)", re.ASCII)
# all that may be some: most text is done with at its first cell
_MAYBE = re.compile(
    rf"[-+−]?[{_SIGNS}]? ?[-+−]?[\d.][\d.,'’ \u00a0\u202f\u2009]*([eE][-+]?\d+)? ?[{_SIGNS}]?",
    re.ASCII,
)
# no-break and thin blanks, the typographic apostrophe and minus
_PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'", "−": "-"})


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
                frame[column] = _whole_numbers(texts[column], frame[column])
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
                tidy[text] = _stays(text) and text not in marks, _may_be_number(text)
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
    numbers, note = _read_numbers(text, form)
    return (text.map(without_apostrophe, na_action="ignore") if numbers is text else numbers), note


def _may_be_number(text: str) -> bool:
    """Whether a text may be a number to `_read_numbers`, which takes all of a column or none."""
    return _MAYBE.fullmatch(text) is not None


def _read_numbers(cells: pd.Series, form: Form) -> tuple[pd.Series, Note | None]:
    """Text (n,), as numbers where it is some, and a note on what was left out or is open."""
    decimal, thousands = form.layout.decimal, form.layout.thousands
    texts = pd.Series(cells.dropna().unique(), dtype=object)
    if texts.empty or not all(map(_may_be_number, texts)):
        return cells, None
    plain = texts.str.translate(_PLAIN)
    note = None
    parts = plain.str.extract(rf"^{_SIGNED.pattern}$", re.ASCII)
    signs = (parts[1] + parts[3]).unique()
    if len(signs) == 1 and isinstance(signs[0], str) and signs[0]:
        plain = parts[0] + parts[2]
        note = Note((f"read as numbers without {signs[0]!r}, {texts[0]!r} and the like",))
    if not plain.str.fullmatch(_pattern(decimal, thousands)).all():
        return cells, _other_marks(cells.name, texts, plain, form.file, decimal)
    if thousands:
        plain = plain.str.replace(thousands, "", regex=False)
    values = dict(zip(texts, plain.str.replace(decimal, ".", regex=False), strict=True))
    numbers = dict(zip(texts, pd.to_numeric(pd.Series(values.values())), strict=True))
    return _whole_numbers(cells.map(values), cells.map(numbers)), note


def _whole_numbers(texts: pd.Series, numbers: pd.Series) -> pd.Series:
    """Numbers (n,), as they stand in texts (n,) where they are whole and floats merge them."""
    exact = numbers.dtype.kind != "f" or not (numbers.abs() > EXACT).any()
    if exact or not texts.dropna().str.strip().str.fullmatch("[-+]?[0-9]+").all():
        return numbers
    whole = [int(text) if isinstance(text, str) else None for text in texts]
    return pd.Series(whole, index=texts.index, name=texts.name, dtype=object)


def _pattern(decimal: str, thousands: str | None) -> re.Pattern[str]:
    """A number with this decimal mark, whose digits may be in groups of three."""
    point = re.escape(decimal)
    whole = r"\d+"
    if thousands:
        whole = rf"(?:\d+|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)"
    return re.compile(rf"[-+]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][-+]?\d+)?", re.ASCII)


def _other_marks(
    name: object, texts: pd.Series, plain: pd.Series, file: str, decimal: str
) -> Note | None:
    """What is to be said of numbers that are some by another decimal mark or by groups of digits. A
    blank and an apostrophe may group other things: text of this form is noted, not refused."""
    other = "," if decimal == "." else "."
    ways: list[tuple[str, str | None, list[Fix]]]
    ways = [(other, None, [Fix("decimal", other, "if it is the decimal mark")])]
    ways += [
        (decimal, mark, [Fix("thousands", mark, "if it groups the digits")])
        for mark in THOUSANDS
        if mark != decimal
    ]
    ways += [
        (other, mark, [Fix("decimal", other), Fix("thousands", mark, "reads them")])
        for mark in THOUSANDS
        if mark != other
    ]
    fitting = [way for way in ways if plain.str.fullmatch(_pattern(*way[:2])).all()]
    if not fitting:
        return None
    single = [way for way in fitting if len(way[2]) == 1] or fitting[:1]
    fixes = [fix for _, _, several in single for fix in several]
    marks = {mark for fix in fixes for mark in fix.values}
    example = next(text for text, bare in zip(texts, plain, strict=True) if set(bare) & marks)
    if not marks & {",", "."}:
        return Note(
            (f"text that reads as numbers in groups of digits, as in {example!r}",), (*fixes,)
        )
    what = "numbers with a comma" if marks == {","} else "numbers with other marks"
    raise TableError(f"column {name!r} of {file} holds {what}, as in {example!r}", *fixes)
