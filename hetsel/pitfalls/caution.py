"""What to look at in a column before it is ranked: a sentence, its numbers and what can be done."""

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
    """A column that may mislead a ranking, or rows that may.

    Parameters
    ----------
    what : the kind of caution, see :func:`hetsel.cautions`
    columns : tuple of str
        Name of the column; of a copy also the earlier column that it is like; of indicators all of
        them. Of rows the columns that are constant within their groups, if these are not alike in
        all.
    facts : mapping of str to float
        The numbers of the rule that it meets; see :func:`hetsel.cautions`.
    note : Note
        The sentence with its fixes.
    groups : ndarray of int, shape (n,), optional
        Of rows, and of an identifier that may name groups of rows: the group of each.

    Examples
    --------
    >>> from hetsel.ground.errors import Fix
    >>> note = Note(("was it known before?",), (Fix("drop", ("time",), "if not"),))
    >>> print(Caution("leak", ("time",), {"rate": 0.99}, note))
    time: was it known before?; drop 'time' if not
    """

    what: What
    columns: tuple[str, ...]
    facts: Mapping[str, float] = field(hash=False)
    note: Note = field(hash=False)
    groups: np.ndarray | None = field(default=None, hash=False, compare=False, repr=False)

    @property
    def label(self) -> str:
        """The column, as a list of several names it; or the rows."""
        if self.what == "indicators":
            return f"{self.columns[0]} to {self.columns[-1]}"
        return {"rows": "rows", "labels": "target"}.get(self.what) or " as ".join(self.columns)

    def in_words(self, face: Face = in_python) -> str:
        """The sentence and its fixes in the words of a face."""
        return self.note.in_words(face)

    def __str__(self) -> str:
        return f"{listed([self.label])}: {self.in_words()}"

    def to_dict(self, face: Face = in_python) -> dict[str, Any]:
        """Plain dictionary, for JSON; the sentence in the words of a face."""
        return {
            "what": self.what,
            "columns": list(self.columns),
            "facts": dict(self.facts),
            "note": self.in_words(face),
            "fixes": [asdict(fix) for fix in self.note.fixes],
        }


class Cautions(tuple[Caution, ...]):
    """Cautions on a table; they print as :func:`in_lines` has them."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(in_lines(self)) or "no cautions"


def in_lines(cautions: Iterable[Caution], face: Face = in_python) -> list[str]:
    """A line for each kind of caution, with the first names of those that it is about. Numbers that
    differ between the columns become ranges.

    >>> def far(name, rows):
    ...     return Caution("outlier", (name,), {}, Note((rows, " cells are far from the others",)))
    >>> in_lines([far("age", 2), far("weight", 3)])
    ['age, weight: 2 to 3 cells are far from the others']
    """
    columns = [Column(one.label, "continuous", note=one.note) for one in cautions]
    return [f"{listed(names)}: {note.in_words(face)}" for names, note in open_questions(columns)]
