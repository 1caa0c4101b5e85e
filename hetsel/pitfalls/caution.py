"""Cautions: a sentence on a column or on rows, its numbers and its fixes."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from hetsel.ground import Face, listed
from hetsel.ground.errors import in_python
from hetsel.tables.column import Column, Note, open_questions

What = Literal[
    "rows",
    "identifier",
    "group",
    "outcome",
    "labels",
    "sentinel",
    "outlier",
    "heavy tail",
    "leak",
    "copy",
    "kind",
    "codes",
    "order",
    "indicators",
]


@dataclass(frozen=True)
class Caution:
    """Describe a column, or rows, that can mislead a selection.

    Parameters
    ----------
    what : str
        The kind of caution; see :func:`hetsel.cautions`.
    columns : tuple of str
        Name of the column; for a copy also the name of the earlier column; for indicators all of
        them. For rows, the columns in which the rows of a group are equal, unless they are (nearly)
        equal in all columns.
    facts : mapping of str to float
        The numbers of the rule; see :func:`hetsel.cautions`.
    note : Note
        The sentence with its fixes.
    groups : ndarray of int, shape (n,), optional
        Group of each row; for rows, and for an identifier that may name groups of rows.

    See Also
    --------
    hetsel.cautions : Find the cautions on a table.

    Examples
    --------
    >>> from hetsel.ground.errors import Fix
    >>> note = Note(("was it known before?",), (Fix("drop", ("time",), "if not"),))
    >>> print(Caution("leak", ("time",), {"rate": 0.99}, note))
    time: was it known before? If not, drop 'time'
    """

    what: What
    columns: tuple[str, ...]
    facts: Mapping[str, float] = field(hash=False)
    note: Note = field(hash=False)
    groups: np.ndarray | None = field(default=None, hash=False, compare=False, repr=False)

    @property
    def label(self) -> str:
        """The name of the column, or "rows" or "target"."""
        if self.what == "indicators":
            return f"{self.columns[0]} to {self.columns[-1]}"
        return {"rows": "rows", "labels": "target"}.get(self.what) or " and ".join(self.columns)

    def in_words(self, face: Face = in_python) -> str:
        """Return the sentence and its fixes in the words of a face."""
        return self.note.in_words(face)

    def __str__(self) -> str:
        return f"{listed([self.label])}: {self.in_words()}"

    def to_dict(self, face: Face = in_python) -> dict[str, Any]:
        """Return a plain dictionary for JSON; the sentence has the words of a face."""
        return {
            "what": self.what,
            "columns": list(self.columns),
            "facts": dict(self.facts),
            "note": self.in_words(face),
            "fixes": [asdict(fix) for fix in self.note.fixes],
        }


class Cautions(tuple[Caution, ...]):
    """Cautions on a table, a tuple that prints one line for each kind; see :func:`hetsel.cautions`.

    Examples
    --------
    >>> Cautions()
    no cautions
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(in_lines(self)) or "no cautions"


def in_lines(cautions: Iterable[Caution], face: Face = in_python) -> list[str]:
    """Write a line for each kind of caution; numbers that differ between columns become ranges.

    >>> def far(name, rows):
    ...     return Caution("outlier", (name,), {}, Note((rows, " values are far from the others",)))
    >>> in_lines([far("age", 2), far("weight", 3)])
    ['age, weight: 2 to 3 values are far from the others']
    """
    columns = [Column(one.label, "continuous", note=one.note) for one in cautions]
    return [f"{listed(names)}: {note.in_words(face)}" for names, note in open_questions(columns)]
