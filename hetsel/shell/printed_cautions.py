"""Print notes on a table, with fixes as options of the shell, and keep them for JSON."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hetsel.ground import Fix, TableError, listed
from hetsel.ground.errors import Value

if TYPE_CHECKING:
    from hetsel.tables import Note, ScaleKey, Table

# cautions that the note on a column may already contain
OF_CELLS = ("identifier", "sentinel", "outlier", "kind")


def say(
    options: argparse.Namespace, what: str, note: Note, columns: Iterable[str] = (), of: str = ""
) -> None:
    """Print a note on stderr, and keep it with the options, as plain data for JSON.

    Parameters
    ----------
    options : Namespace
        Its `notes` collect the printed notes.
    what : {"file", "target", "unlabeled", "missing", "rows", "unseen", "range"}
        Subject of the note.
    note : Note
    columns : iterable of str
    of : str
        Beginning of the line, such as the name of a file.
    """

    text, fixes = note.in_words(fix_in_shell), [asdict(fix) for fix in note.fixes]
    print(f"hetsel: note: {of}{': ' if of else ''}{text}", file=sys.stderr)
    said = {"what": what, "columns": [*columns], "note": text, "fixes": fixes}
    notes_of(options).append(said)


def notes_of(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the notes that were printed while the table of these options was read."""
    if not hasattr(options, "notes"):
        options.notes = []
    return options.notes


def print_cautions(
    table: Table,
    y: Any = None,
    scale: ScaleKey = "range",
    groups: Any = None,
    *,
    with_kinds: bool = True,
) -> list[dict[str, Any]]:
    """Print a note on stderr for each kind of caution, and return all cautions for JSON.

    A target that cannot be used is not searched for leaks. Without kinds, advice that the notes on
    columns already contain is not printed again.
    """
    from hetsel.pitfalls.caution import in_lines
    from hetsel.pitfalls.cautions_on_columns import cautions_on_table
    from hetsel.tables import Classes, Numbers, Survival, TypedTarget

    target: TypedTarget | None = None
    if isinstance(y, Numbers | Survival):
        target = y
    elif y is not None:
        with suppress(TableError):
            target = Classes.of(y, fewest=1)
    found = cautions_on_table(table, target, scale, groups)
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
    for line in in_lines(new, fix_in_shell):
        print(f"hetsel: note: {line}", file=sys.stderr)
    return [one.to_dict(fix_in_shell) for one in found]


def say_missing(table: Table, options: argparse.Namespace) -> None:
    """Print a note on the missing values and how they are handled."""
    import numpy as np

    from hetsel.tables import Note

    gaps = np.isnan(table.values)
    if gaps.any() and options.missing != "error":
        columns = [table.names[j] for j in np.flatnonzero(gaps.any(axis=0))]
        count = int(gaps.sum())
        done = "imputed" if options.missing == "impute" else "treated as a separate value"
        what = f" missing value{'s' if count > 1 else ''} {done} in {listed(columns)}"
        note = Note((count, what))
        say(options, "missing", note, columns)


# A fix of an error as an option of the shell, or as an entry of a plan.


# entries of a data set in a plan; parameters of a method are in its `params`
_OF_A_TABLE = (
    "nominal",
    "ordinal",
    "continuous",
    "drop",
    "missing",
    "scale",
    "row_groups",
    "missing_marks",
    "drop_unlabeled",
    "target_kind",
)
_OF_A_FILE = ("separator", "encoding", "decimal", "thousands", "header", "skip", "sheet")


_AS_OPTION = re.compile(r"-(?!$|\d*\.?\d+$)")
_OPTIONS = ("missing", "scale", "encoding", "decimal", "thousands", "skip", "sheet", "unsupported")


def fix_in_shell(fix: Fix) -> str:
    """Write a fix as an option of the shell; a parameter of a method becomes --param.

    Examples
    --------
    >>> fix_in_shell(Fix("nominal", ("a b",))), fix_in_shell(Fix("many_levels", "order"))
    ("--nominal 'a b'", '--param many_levels=order')
    """
    values = fix.values
    if fix.option == "run":
        return _run(fix)
    if fix.option == "unseen":  # no option of the shell sets it when a table is read
        return ""
    if fix.option in ("nominal", "continuous", "drop"):
        several = not any("," in name for name in values)
        return _each(fix.option, [",".join(values)] if several else values)
    if fix.option == "ordinal":
        order = "=" + "<".join(fix.levels) if fix.levels else ""
        return _each("ordinal", [name + order for name in values])
    if fix.option == "missing_marks":
        return _each("missing-mark", values)
    if fix.option == "header":
        return "--header yes" if fix.value else "--header no"
    if fix.option == "drop_unlabeled":
        return "--drop-unlabeled"
    if fix.option == "trust_edited":
        return "--trust-edited"
    if fix.option == "seen":
        return "--drop-seen"
    if fix.option == "separator":
        return f"--separator {_quoted(fix)}".rstrip()
    if fix.option == "event_value" and fix.value is None:
        return "--event-value VALUE"
    if fix.option in ("row_groups", "event_value", "positive", "jobs"):
        return _each(fix.option.replace("_", "-"), values)
    if fix.option == "target_kind":
        return _each("as", values)
    if fix.option in _OPTIONS:
        return _each(fix.option, values)
    return _each("param", [f"{fix.option}={value}" for value in values])


def _quoted(fix: Fix) -> str:
    """Quote a separator; write a tab as the option takes it."""
    return "".join(f"'{value}'" for value in fix.values).replace("\t", r"\t")


def _run(fix: Fix) -> str:
    return f"`hetsel study run{' --retry' if fix.value else ''}`"


def _each(option: str, values: tuple[str, ...] | list[str]) -> str:
    # a value that begins like an option and is not a number would be read as an option
    return " ".join(
        f"--{option}{'=' if _AS_OPTION.match(value) else ' '}{shlex.quote(value)}"
        for value in values
    )


def in_plan(fix: Fix) -> str:
    """Write a fix as an entry of a plan in TOML.

    Examples
    --------
    >>> in_plan(Fix("nominal", ("a", "b"))), in_plan(Fix("header", False))
    ('nominal = ["a", "b"]', 'header = false')
    """
    if fix.option == "run":
        return _run(fix)
    if fix.option == "jobs":  # an option of the command, not an entry of the plan
        return fix_in_shell(fix)
    if fix.option == "unseen":
        return ""
    if fix.levels:
        orders = ", ".join(f"{_toml(name)} = {_toml(fix.levels)}" for name in fix.values)
        return f"{fix.option} = {{{orders}}}"
    entry = f"{fix.option} = {_toml('VALUE' if fix.value is None else fix.value)}"
    if fix.option == "event_value":
        return f"target = {{..., {entry}}}"
    return entry if fix.option in (*_OF_A_TABLE, *_OF_A_FILE) else f"params = {{{entry}}}"


def _toml(value: Value) -> str:
    """Write a value in TOML; text, booleans and lists of text are as in JSON."""
    return json.dumps(value, ensure_ascii=False)
