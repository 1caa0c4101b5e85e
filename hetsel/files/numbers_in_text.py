"""Read text as numbers, with decimal marks, digit groups, percent and currency signs."""

import re

import pandas as pd

from hetsel.files.delimited_form import Form
from hetsel.ground import Fix, TableError
from hetsel.tables import Note

THOUSANDS = ",. '"
EXACT = 2**53  # up to here floats represent every whole number
_SIGNS = "$€£¥₹%‰"
_SIGNED = re.compile(rf"([-+]?)([{_SIGNS}]?) ?([-+]?[\d.].*?) ?([{_SIGNS}]?)", re.ASCII)
# matches all texts that may be numbers, so that most columns are decided by one value
_MAYBE = re.compile(
    rf"[-+−]?[{_SIGNS}]? ?[-+−]?[\d.][\d.,'’ \u00a0\u202f\u2009]*([eE][-+]?\d+)? ?[{_SIGNS}]?",
    re.ASCII,
)
# no-break and thin blanks, the typographic apostrophe and minus
_PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'", "−": "-"})


def may_be_number(text: str) -> bool:
    """Return whether a text may be a number; `text_as_numbers` converts all of a column or none."""
    return _MAYBE.fullmatch(text) is not None


def text_as_numbers(cells: pd.Series, form: Form) -> tuple[pd.Series, Note | None]:
    """Convert text (n,) to numbers if possible; return a note on signs or open questions."""
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
        note = Note((f"values such as {texts[0]!r} are read as numbers without {signs[0]!r}",))
    if not plain.str.fullmatch(_pattern(decimal, thousands)).all():
        return cells, _other_marks(cells.name, texts, plain, form.file, decimal)
    if thousands:
        plain = plain.str.replace(thousands, "", regex=False)
    values = dict(zip(texts, plain.str.replace(decimal, ".", regex=False), strict=True))
    numbers = dict(zip(texts, pd.to_numeric(pd.Series(values.values())), strict=True))
    return whole_numbers(cells.map(values), cells.map(numbers)), note


def whole_numbers(texts: pd.Series, numbers: pd.Series) -> pd.Series:
    """Keep whole numbers (n,) exact that floats would merge, by their texts (n,)."""
    exact = numbers.dtype.kind != "f" or not (numbers.abs() > EXACT).any()
    if exact or not texts.dropna().str.strip().str.fullmatch("[-+]?[0-9]+").all():
        return numbers
    whole = [int(text) if isinstance(text, str) else None for text in texts]
    return pd.Series(whole, index=texts.index, name=texts.name, dtype=object)


def _pattern(decimal: str, thousands: str | None) -> re.Pattern[str]:
    """Return the pattern of a number with this decimal mark and groups of three digits."""
    point = re.escape(decimal)
    whole = r"\d+"
    if thousands:
        whole = rf"(?:\d+|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)"
    return re.compile(rf"[-+]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][-+]?\d+)?", re.ASCII)


def _other_marks(
    name: object, texts: pd.Series, plain: pd.Series, file: str, decimal: str
) -> Note | None:
    """Raise an error for numbers with another decimal mark or digit groups.

    Blanks and apostrophes may group other things: such text gets a note instead.
    """
    other = "," if decimal == "." else "."
    ways: list[tuple[str, str | None, list[Fix]]]
    ways = [(other, None, [Fix("decimal", other, f"if {other!r} is the decimal mark")])]
    ways += [
        (decimal, mark, [Fix("thousands", mark, f"if {mark!r} groups the digits")])
        for mark in THOUSANDS
        if mark != decimal
    ]
    ways += [
        (other, mark, [Fix("decimal", other), Fix("thousands", mark, "together")])
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
            (f"text that may be numbers with groups of digits, as in {example!r}",), (*fixes,)
        )
    what = "numbers with a comma" if marks == {","} else "numbers with other marks"
    raise TableError(f"column {name!r} of {file} has {what}, as in {example!r}", *fixes)
