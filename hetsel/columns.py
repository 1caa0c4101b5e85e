"""One column: what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["continuous", "ordinal", "nominal"]


class TableError(ValueError):
    """A table, a target or an option that cannot be used; the message says what to do."""


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


def listed(items: Iterable[Any], limit: int = 6) -> str:
    """The items in words, the first few of many."""
    texts = [str(item) for item in items]
    if len(texts) > limit:
        return ", ".join(texts[: limit - 1]) + f", ... ({len(texts)} in all)"
    return ", ".join(texts)
