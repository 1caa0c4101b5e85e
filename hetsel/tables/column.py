"""One column: what it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from hetsel.ground.errors import Face, Fix, in_python, worded
from hetsel.tables.dates_and_times import Time

Kind = Literal["continuous", "ordinal", "nominal"]
Part = str | int | float | tuple[int | float, int | float]
MOST_NAMES = 8  # of columns that the fix for several names one by one


@dataclass(frozen=True)
class Note:
    """What is open about a column: a sentence in parts, and the fixes that settle it.

    >>> print(Note(("only ", 3, " distinct whole numbers"), (Fix("nominal", ("x",), "if codes"),)))
    only 3 distinct whole numbers; nominal=['x'] if codes
    """

    parts: tuple[Part, ...]  # words and numbers apart; of several columns (least, largest)
    fixes: tuple[Fix, ...] = ()  # those about a column name it in their value

    def __str__(self) -> str:
        return self.in_words(in_python)

    def in_words(self, face: Face) -> str:
        """The sentence and the fixes in the words of a face."""
        return worded("".join(map(_shown, self.parts)), self.fixes, face)


def _shown(part: Part) -> str:
    """Words as they are, numbers without the digits of rounding, a range by its ends."""
    if isinstance(part, tuple):
        return " to ".join(map(_shown, part))
    return f"{part:.15g}" if isinstance(part, float) else str(part)


class Column(NamedTuple):
    """What one column is.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
        How its values compare.
    levels : tuple
        The levels of a nominal or ordinal column; the position of a level is its code.
    time : {"date", "duration", "time of day"}, optional
        What the cells of a continuous column are that are no plain numbers; their values are in
        days since 1970-01-01, in days, in hours since midnight.
    note : Note, optional
        What could not be known, and the options that settle it; None when nothing is open.
    declared : bool
        The dtype or an option names the levels; else they are those of the cells.
    """

    name: str
    kind: Kind
    levels: tuple[Any, ...] = ()
    time: Time | None = None
    note: Note | None = None
    declared: bool = False


class ColumnEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A column in the file of a schema; see :class:`Column`."""

    name: str
    kind: Kind
    levels: tuple[str | bool | int | float, ...] = ()
    time: Time | None = None
    note: Note | None = None
    declared: bool = False


def open_questions(columns: Iterable[Column]) -> list[tuple[list[str], Note]]:
    """The notes of columns with the names they are about; those that say the same stand together,
    with the range of each number that differs and fixes that name all the columns, or NAME if many.

    >>> notes = [Note((n, " levels"), (Fix("drop", (name,)),)) for n, name in ((4, "a"), (9, "b"))]
    >>> columns = [Column("a", "nominal", note=notes[0]), Column("b", "nominal", note=notes[1])]
    >>> [(names, str(note)) for names, note in open_questions(columns)]
    [(['a', 'b'], "4 to 9 levels; drop 'a', 'b'")]
    """
    groups: dict[tuple[Any, ...], list[tuple[str, Note]]] = {}
    for column in columns:
        if column.note is not None:
            words = tuple(part if isinstance(part, str) else None for part in column.note.parts)
            advice = tuple((fix.option, fix.then, fix.levels) for fix in column.note.fixes)
            groups.setdefault((words, advice), []).append((column.name, column.note))
    return [
        ([name for name, _ in group], _merged([note for _, note in group]))
        for group in groups.values()
    ]


def _merged(notes: Sequence[Note]) -> Note:
    """One note for notes that differ in numbers and in the values of their fixes only."""
    if len(notes) == 1:
        return notes[0]
    parts: list[Part] = []
    for alike in zip(*(note.parts for note in notes), strict=True):
        numbers = [part for part in alike if isinstance(part, int | float)]
        varies = len(set(numbers)) > 1
        parts.append((min(numbers), max(numbers)) if varies else alike[0])
    fixes = []
    for same in zip(*(note.fixes for note in notes), strict=True):
        values = tuple(dict.fromkeys(value for fix in same for value in fix.values))
        several = ("VALUE",) if same[0].option == "missing_marks" else ("NAME",)
        fixes.append(replace(same[0], value=values if len(values) <= MOST_NAMES else several))
    return Note(tuple(parts), tuple(fixes))
