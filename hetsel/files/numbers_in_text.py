"""Text of a column read as numbers, with the marks of its file, of percent and of money."""

import re

import pandas as pd

from hetsel.files.delimited_form import Form
from hetsel.ground import Fix, TableError
from hetsel.tables import Note

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


def may_be_number(text: str) -> bool:
    """Whether a text may be a number to `text_as_numbers`, which takes all of a column or none."""
    return _MAYBE.fullmatch(text) is not None


def text_as_numbers(cells: pd.Series, form: Form) -> tuple[pd.Series, Note | None]:
    """Text (n,), as numbers where it is some, and a note on what was left out or is open."""
    decimal, thousands = form.layout.decimal, form.layout.thousands
    texts = pd.Series(cells.dropna().unique(), dtype=object)
    if texts.empty or not all(map(may_be_number, texts)):
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
    return whole_numbers(cells.map(values), cells.map(numbers)), note


def whole_numbers(texts: pd.Series, numbers: pd.Series) -> pd.Series:
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
