"""What there is to say of a table that was read, in the words of the shell and for JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hetsel.tables import Note, Table
    from hetsel.tables.rescaling import Scale

# what the note on a column may say as well; that it tells the target, say, is no matter of a note
OF_CELLS = ("identifier", "sentinel", "outlier", "kind")


def say(
    options: argparse.Namespace, what: str, note: Note, columns: Iterable[str] = (), of: str = ""
) -> None:
    """Print a note on stderr, and keep it with the options, as plain data for JSON.

    Parameters
    ----------
    options : Namespace
        Its `notes` hold what was said.
    what : {"file", "target", "unlabeled", "missing", "rows", "unseen", "range"}
        What the note is about.
    note : Note
    columns : iterable of str
    of : str
        What begins the line; default: nothing.
    """
    from hetsel.shell.error_wording import in_shell

    text, fixes = note.in_words(in_shell), [asdict(fix) for fix in note.fixes]
    print(f"hetsel: note: {of}{': ' if of else ''}{text}", file=sys.stderr)
    said = {"what": what, "columns": [*columns], "note": text, "fixes": fixes}
    notes_of(options).append(said)


def notes_of(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The notes that were said while the table of these options was read."""
    if not hasattr(options, "notes"):
        options.notes = []
    return options.notes


def print_cautions(
    table: Table,
    y: Any = None,
    scale: Scale = "range",
    groups: Any = None,
    *,
    with_kinds: bool = True,
) -> list[dict[str, Any]]:
    """Print a note on stderr for each kind of caution; all of them as plain data, for JSON.

    A target that is none tells of no leaks. Without kinds, what the notes on the columns advise is
    not printed: it stands elsewhere.
    """
    from hetsel.ground.errors import TableError
    from hetsel.pitfalls.caution import in_lines
    from hetsel.pitfalls.cautions_on_columns import of_table
    from hetsel.shell.error_wording import in_shell
    from hetsel.tables import Classes, Numbers, Survival, Target

    target: Target | None = None
    if isinstance(y, Numbers | Survival):
        target = y
    elif y is not None:
        with suppress(TableError):
            target = Classes.of(y, fewest=1)
    found = of_table(table, target, scale, groups)
    advised = {
        (column.name, fix.option)
        for column in table.schema.columns
        if column.note and not with_kinds
        for fix in column.note.fixes
    }
    new = []
    for one in found:
        advice = {(*one.columns[:1], fix.option) for fix in one.note.fixes}
        noted = one.what == "kind" and not with_kinds
        if one.what not in OF_CELLS or (not advice and not noted) or not advice <= advised:
            new.append(one)
    for line in in_lines(new, in_shell):
        print(f"hetsel: note: {line}", file=sys.stderr)
    return [one.to_dict(in_shell) for one in found]


def say_missing(table: Table, options: argparse.Namespace) -> None:
    """What becomes of missing cells."""
    import numpy as np

    from hetsel.ground.text import listed
    from hetsel.tables import Note

    gaps = np.isnan(table.values)
    if gaps.any() and options.missing != "error":
        columns = [table.names[j] for j in np.flatnonzero(gaps.any(axis=0))]
        done = "filled in" if options.missing == "impute" else "kept as a value of their own"
        note = Note((int(gaps.sum()), f" missing cells {done}: {listed(columns)}"))
        say(options, "missing", note, columns)
