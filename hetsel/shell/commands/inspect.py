"""Run the command `hetsel inspect`."""

import argparse
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import Fix, counted, listed, shown, write_files
from hetsel.shell import (
    output_files,
    printed_cautions,
    printing,
    row_groups_and_weights,
    table_reading,
)
from hetsel.shell.asked_target import target_facts, target_line, target_of_options
from hetsel.tables import Note, Survival, Table
from hetsel.tables.target import positive_label
from hetsel.tables.validation import weights_in_column


def run(options: argparse.Namespace) -> int:
    """Print the kind of each column, open questions, missing values and the target."""
    paths = output_files.output_paths(options)
    frame, target, name = table_reading.read_asked_table(options)
    unlabeled = int(frame[list(target)].isna().any(axis=1).sum())
    X, cells, groups = _parts(frame, target, options)
    empty = X.columns[X.isna().all().to_numpy()].tolist()
    empty = empty if len(empty) < X.shape[1] else []
    table = table_reading.encode_by_options(X.drop(columns=empty), options)
    labeled = cells.notna().all(axis=1).to_numpy()
    own = table_reading.is_data_set(options) and options.target is None
    y = _target(cells[labeled], options, own) if target and labeled.any() else None
    columns = _columns(table)
    missing = sum(column["missing"] for column in columns)
    write_files({path: table.schema.to_json() for path in paths.values()})
    known = table if y is None else table.take(labeled)
    if hasattr(groups, "loc") and y is not None:
        groups = groups[labeled]
    cautions = printed_cautions.print_cautions(known, y, options.scale, groups, with_kinds=False)
    if options.json:
        shape = {"rows": len(X), "columns": columns, "empty": empty, "missing": missing}
        about = {**_facts(target, y), "unlabeled": unlabeled}
        said = {"cautions": cautions, "notes": printed_cautions.notes_of(options)}
        printing.print_json({"table": name, **shape, **about, **said})
    else:
        print(
            table.summary(len(columns) if options.all else 40, face=printed_cautions.fix_in_shell)
        )
        if empty:
            what = f"{counted(len(empty), 'column')} without any value: {listed(empty, 20)}"
            print(
                Note((what,), (Fix("drop", tuple(empty)),)).in_words(printed_cautions.fix_in_shell)
            )
        print(f"missing values: {missing}")
        if target:
            done = " left out" if options.drop_unlabeled else ""
            gaps = f"; missing in {counted(unlabeled, 'row')}{done}" if unlabeled else ""
            print(f"target{_told(target, y)}{gaps}")
    return 0


def _parts(
    frame: pd.DataFrame, target: tuple[str, ...], options: argparse.Namespace
) -> tuple[pd.DataFrame, pd.DataFrame, Any]:
    """Return the features, the target and the row groups, as for `hetsel rank`."""
    if options.drop_unlabeled:
        frame = frame.dropna(subset=list(target))
    roles = row_groups_and_weights.columns_of_rows(options, list(frame.columns), target)
    if (weights := roles["--row-weights"]) is not None:
        weights_in_column(f"--row-weights: {weights!r}", frame[weights])
    left_out = {*target, *roles.values()}
    features = frame[[column for column in frame.columns if column not in left_out]]
    return features, frame[list(target)], row_groups_and_weights.row_groups_in(frame, roles)


def _target(cells: pd.DataFrame, options: argparse.Namespace, own: bool) -> Any:
    """Return the target, or its plain values if it is not suitable for a ranking."""
    if cells.shape[1] == 1 and cells.iloc[:, 0].nunique() < 2:
        return cells.iloc[:, 0]
    return target_of_options(cells, options, known=own)


def _facts(target: tuple[str, ...], y: Any) -> dict[str, Any]:
    """Return the facts of the target for JSON."""
    if isinstance(y, Survival):
        return {"target": target[0], "event": target[1], **target_facts(y)}
    about: dict[str, Any] = {"target": target[0] if target else None, "classes": {}}
    if y is None:
        return {**about, "positive": None}
    if not hasattr(y, "value_counts"):
        return {**about, **target_facts(y)}
    counts = {str(k): int(v) for k, v in y.value_counts().items()}
    return {**about, "classes": counts, "positive": positive_label(y)}


def _told(target: tuple[str, ...], y: Any) -> str:
    """Describe the target."""
    if isinstance(y, Survival):
        return f": {y.in_words()}"
    if y is not None and not hasattr(y, "value_counts"):
        return f" {shown(target[0])}: {target_line(target_facts(y))}"
    found = _facts(target, y)
    return f" {shown(target[0])}: {printing.class_line(found['classes'], 0, found['positive'])}"


def _columns(table: Table) -> list[dict[str, Any]]:
    """Return each column for JSON: schema, note with fixes for the shell, missing values."""
    missing = np.isnan(table.values).sum(axis=0)
    columns = []
    for j, entry in enumerate(table.schema.to_dict()["columns"]):
        note = table.schema.columns[j].note
        said = {"note": "", "fixes": []}
        if note is not None:
            said = {
                "note": note.in_words(printed_cautions.fix_in_shell),
                "fixes": entry["note"]["fixes"],
            }
        columns.append({**entry, **said, "missing": int(missing[j])})
    return columns
