"""The command `hetsel inspect`; what it works with is loaded when it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hetsel.shell.command_line import add_command, add_json
from hetsel.shell.table_options import FILES, add_table_options

if TYPE_CHECKING:
    from hetsel.tables.table import Table


def add(commands: Any, summary: str) -> None:
    """Add the command to the command line."""
    command = add_command(commands, "inspect", summary, run, epilog=FILES)
    add_table_options(command)
    command.add_argument("--save-schema", metavar="FILE", help="write the schema as JSON")
    command.add_argument("--all", action="store_true", help="list all columns of a wide table")
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """What each column is taken for, what is open, missing cells and class counts."""
    from hetsel.ground.errors import Fix
    from hetsel.ground.text import counted, listed, shown
    from hetsel.ground.writing import write_files
    from hetsel.shell.error_wording import in_shell
    from hetsel.shell.output_files import output_paths
    from hetsel.shell.printed_cautions import print_cautions
    from hetsel.shell.printing import class_line, print_json
    from hetsel.shell.table_reading import encoded, read
    from hetsel.tables.column import Note
    from hetsel.tables.target import positive_label

    paths = output_paths(options)
    frame, target, name = read(options)
    y = None if target is None else frame[target]
    X = frame if target is None else frame.drop(columns=target)
    empty = [name for name in X.columns if X[name].isna().all()]
    empty = empty if len(empty) < X.shape[1] else []
    table = encoded(X.drop(columns=empty), options)
    counts = {} if y is None else {str(k): int(v) for k, v in y.value_counts().items()}
    n_unlabeled = 0 if y is None else int(y.isna().sum())
    positive = None if y is None else positive_label(y.dropna())
    columns = _columns(table)
    missing = sum(column["missing"] for column in columns)
    write_files({path: table.schema.to_json() for path in paths.values()})
    if y is None or not y.notna().any():
        cautions = print_cautions(table)
    else:
        cautions = print_cautions(table.take(y.notna().to_numpy()), y.dropna())
    if options.json:
        shape = {"rows": len(X), "columns": columns, "empty": empty, "missing": missing}
        about = {
            "target": target,
            "classes": counts,
            "positive": positive,
            "unlabeled": n_unlabeled,
        }
        print_json({"table": name, **shape, **about, "cautions": cautions})
    else:
        print(table.summary(len(columns) if options.all else 40, face=in_shell))
        if empty:
            what = f"no value at all in {counted(len(empty), 'column')}: {listed(empty, 20)}"
            print(Note((what,), (Fix("drop", tuple(empty)),)).in_words(in_shell))
        print(f"missing cells: {missing}")
        if y is not None:
            told = _numbers(y.dropna()) or class_line(counts, 0, positive)
            gaps = f"; missing in {counted(n_unlabeled, 'row')}" if n_unlabeled else ""
            print(f"target {shown(target)}: {told}{gaps}")
    return 0


def _numbers(y: Any) -> str:
    """What there is to say of a target of numbers; nothing of classes."""
    from hetsel.shell.target_options import target_facts, target_line
    from hetsel.tables.target import Numbers
    from hetsel.tables.validation import is_measured, target_cells

    if y.nunique() < 2 or not is_measured(target_cells(y, len(y))):
        return ""
    return target_line(target_facts(Numbers.of(y, len(y))))


def _columns(table: Table) -> list[dict[str, Any]]:
    """Each column for JSON: the schema, what is open in the words of the shell, missing cells."""
    import numpy as np

    from hetsel.shell.error_wording import in_shell

    missing = np.isnan(table.values).sum(axis=0)
    columns = []
    for j, entry in enumerate(table.schema.to_dict()["columns"]):
        note = table.schema.columns[j].note
        said = {"note": "", "fixes": []}
        if note is not None:
            said = {"note": note.in_words(in_shell), "fixes": entry["note"]["fixes"]}
        columns.append({**entry, **said, "missing": int(missing[j])})
    return columns
