"""Columns that may mislead a ranking, in the words of the shell."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hetsel.tables.rescaling import Scale
    from hetsel.tables.table import Table


def print_cautions(
    table: Table, y: Any = None, scale: Scale = "range", groups: Any = None
) -> list[dict[str, Any]]:
    """Print a note on stderr for each kind of caution; all of them as plain data, for JSON.

    A mark that the note on the column itself names is not named twice, nor are repeated rows that
    the groups of the rows hold together. A target that is none tells of no leaks.
    """
    from hetsel.ground.errors import TableError
    from hetsel.pitfalls.caution import in_lines
    from hetsel.pitfalls.cautions_on_columns import of_table
    from hetsel.pitfalls.cautions_on_rows import together
    from hetsel.shell.error_wording import in_shell
    from hetsel.tables.target import Classes, Numbers, Survival, Target

    target: Target | None = None
    if isinstance(y, Numbers | Survival):
        target = y
    elif y is not None:
        with suppress(TableError):
            target = Classes.of(y, fewest=1)
    found = [one for one in of_table(table, target, scale) if not together(one.groups, groups)]
    marked = {
        column.name
        for column in table.schema.columns
        if column.note and any(fix.option == "missing_marks" for fix in column.note.fixes)
    }
    new = [one for one in found if one.what != "sentinel" or one.columns[0] not in marked]
    for line in in_lines(new, in_shell):
        print(f"hetsel: note: {line}", file=sys.stderr)
    return [one.to_dict(in_shell) for one in found]


def print_notes(table: Table, missing: str) -> None:
    """What is open about the columns, and what becomes of missing cells."""
    import numpy as np

    from hetsel.ground.text import listed
    from hetsel.shell.error_wording import in_shell
    from hetsel.tables.column import open_questions

    for names, note in open_questions(table.schema.columns):
        print(f"hetsel: note: {listed(names)}: {note.in_words(in_shell)}", file=sys.stderr)
    gaps = np.isnan(table.values)
    if gaps.any() and missing != "error":
        columns = table.schema.columns
        where = listed(columns[j].name for j in np.flatnonzero(gaps.any(axis=0)))
        done = "filled in" if missing == "impute" else "kept as a value of their own"
        print(f"hetsel: note: {int(gaps.sum())} missing cells {done}: {where}", file=sys.stderr)
