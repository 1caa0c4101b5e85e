"""One column: what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from hetsel.text import in_ranges, without_numbers

Kind = Literal["continuous", "ordinal", "nominal"]


@dataclass(frozen=True)
class Column:
    """What one column is.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"continuous", "ordinal", "nominal"}
        How its values compare.
    levels : tuple
        The levels of a nominal or ordinal column; the position of a level is its code.
    date : bool
        The cells are dates; their value is in days since 1970-01-01.
    note : str
        What could not be known, and the option that settles it; empty when nothing is open.
    """

    name: str
    kind: Kind
    levels: tuple[Any, ...] = ()
    date: bool = False
    note: str = ""


def open_questions(columns: Iterable[Column]) -> list[tuple[list[str], str]]:
    """The notes of columns with the names they are about; notes of one wording stand together.

    Of several columns a note says NAME for the name, and ranges for numbers that differ.

    Examples
    --------
    >>> notes = [Column("a", "nominal", note="4 levels: drop 'a'?")]
    >>> notes += [Column("b", "nominal", note="9 levels: drop 'b'?"), Column("c", "continuous")]
    >>> open_questions(notes)
    [(['a', 'b'], "4 to 9 levels: drop 'NAME'?")]
    """
    groups: dict[tuple[str, ...], list[tuple[Column, str]]] = {}
    for column in columns:
        if column.note:
            text = column.note.replace(repr(column.name), "'NAME'")
            groups.setdefault(without_numbers(text), []).append((column, text))
    return [
        (
            [column.name for column, _ in group],
            group[0][0].note if len(group) == 1 else in_ranges(text for _, text in group),
        )
        for group in groups.values()
    ]
