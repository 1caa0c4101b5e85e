"""Read the table, the target, the row groups and the row weights of a selection."""

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, counted, listed, shown
from hetsel.shell import printed_cautions, row_groups_and_weights, table_reading
from hetsel.shell.asked_target import MARTINGALE, target_facts, target_of_options
from hetsel.tables import Note, Table, find_column
from hetsel.tables.column import ALL


@dataclass(frozen=True)
class LabeledRows:
    """Hold labeled rows with their groups, weights and subgroups.

    Parameters
    ----------
    frame : DataFrame
        Features, with the columns of row groups and row weights.
    y : Series, Numbers or Survival
    row_groups : Series, "copies" or "rows", optional
    row_weights : ndarray of shape (n,), optional
    by : DataFrame, optional
        Columns of --by.
    """

    frame: pd.DataFrame
    y: Any
    row_groups: pd.Series | str | None
    row_weights: np.ndarray | None
    by: pd.DataFrame | None


@dataclass(frozen=True)
class Case(LabeledRows):
    """Hold an encoded table with its target and the facts for the output.

    Parameters
    ----------
    table : Table
    facts : dict
        Facts for the output.
    flow : dict
        Number of rows that were `read`, and of rows left out as `unlabeled`.
    left_out : list of dict
        Names of `columns` that are not candidates, and `why`.
    """

    table: Table
    facts: dict[str, Any]
    flow: dict[str, int]
    left_out: list[dict[str, Any]]


def read_case(options: argparse.Namespace) -> Case:
    """Read the table that the options name; print notes on its columns on stderr."""
    frame, target, name = table_reading.read_asked_table(options)
    dropped = frame.attrs.pop("dropped", [])
    rows, roles = _labeled(frame, target, options)
    taken_out = [column for column in roles.values() if column in rows.frame]
    X = rows.frame.drop(columns=taken_out) if taken_out else rows.frame
    table = table_reading.encode_by_options(X, options)
    printed_cautions.say_missing(table, options)
    facts = {
        "table": name,
        "target": target[0],
        **({"event": target[1]} if len(target) == 2 else {}),
        "rows": len(X),
        "features": X.shape[1],
        **target_facts(rows.y),
        **({"residuals": "martingale"} if options.target_kind == MARTINGALE else {}),
        "missing_cells": int(np.isnan(table.values).sum()),
        "missing": options.missing,
        "scale": options.scale,
        "cautions": printed_cautions.print_cautions(table, rows.y, options.scale, rows.row_groups),
        "notes": printed_cautions.notes_of(options),
    }
    if rows.row_weights is not None:
        facts["row_weights"] = roles["--row-weights"]
    flow = {"read": len(frame), "unlabeled": len(frame) - len(X)}
    left_out = _left_out(dropped, roles, taken_out, target)
    return Case(**vars(rows), table=table, facts=facts, flow=flow, left_out=left_out)


def read_rows(options: argparse.Namespace) -> LabeledRows:
    """Read the rows that the options name, with a target for a signature, which knows its kind."""
    frame, target, _ = table_reading.read_asked_table(options)
    return _labeled(frame, target, options, known=True)[0]


def _labeled(
    frame: pd.DataFrame, target: tuple[str, ...], options: argparse.Namespace, known: bool = False
) -> tuple[LabeledRows, dict[str, str | None]]:
    """Return the labeled rows of a frame, and the columns of row groups and weights."""
    by = frame.attrs.pop("by", None)
    X, cells = _features_and_target(frame, target, options)
    known = known or (table_reading.is_data_set(options) and options.target is None)
    y = target_of_options(cells, options, known=known)
    roles = row_groups_and_weights.columns_of_rows(options, list(frame.columns), target)
    groups = row_groups_and_weights.checked_row_groups(X, roles)
    weights = row_groups_and_weights.row_weights_in(X, roles)
    return LabeledRows(X, y, groups, weights, None if by is None else by.loc[X.index]), roles


def _left_out(
    dropped: list[str],
    roles: dict[str, str | None],
    taken_out: list[str | None],
    target: tuple[str, ...],
) -> list[dict[str, Any]]:
    """List the columns that are not candidates, by reason."""
    given = {option: [name] if name in taken_out else [] for option, name in roles.items()}
    reasons = {
        "the target": [*target],
        "the row groups": given["--row-groups"],
        "the row weights": given["--row-weights"],
        "left out by the user": dropped,
    }
    return [{"why": why, "columns": columns} for why, columns in reasons.items() if columns]


def _features_and_target(
    frame: pd.DataFrame, target: tuple[str, ...], options: argparse.Namespace
) -> tuple[pd.DataFrame, pd.DataFrame]:
    if not target:
        raise TableError(
            "a target is required: name it with --target, or with --time and --event. The columns "
            f"are {listed(frame.columns, ALL)}"
        )
    cells = frame[list(target)]
    gaps = cells.isna().any(axis=1)
    if n_missing := int(gaps.sum()):
        if not options.drop_unlabeled:
            lacking = [name for name in target if cells[name].isna().any()]
            raise TableError(
                f"the target {' or '.join(map(repr, lacking))} is missing in {n_missing} of "
                f"{len(frame)} rows",
                Fix("drop_unlabeled", True, "to leave these rows out"),
            )
        rows = counted(n_missing, "row")
        named = " or ".join(map(shown, target))
        printed_cautions.say(
            options, "unlabeled", Note((f"{rows} without {named} left out",)), target
        )
        frame, cells = frame[~gaps], cells[~gaps]
    # `drop` would copy columns that share one block of memory
    return frame[[column for column in frame.columns if column not in target]], cells


def columns_of(option: str, texts: list[str], names: list[str]) -> list[str]:
    """Return the full names of the columns that an option names."""
    return [find_column(names, given, option) for given in table_reading.split_names(texts, names)]


def rules_of(options: argparse.Namespace, names: list[str]) -> dict[str, Any]:
    """Return the specified constraints on features as parameters of a search."""
    found = {
        "never": columns_of("--never", options.never, names),
        "column_groups": [columns_of("--group", [text], names) for text in options.column_groups],
        "costs": _costs(options.costs, names),
        "budget": options.budget,
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _costs(texts: list[str], names: list[str]) -> dict[str, float] | None:
    """Read the cost of each named column."""
    costs = {}
    for part in (part for text in texts for part in text.split(",") if part):
        name, _, cost = part.rpartition("=")
        try:
            value = float(cost)
        except ValueError:
            value = float("nan")
        if not name or not value >= 0:
            raise TableError(f"--costs must be COLUMN=COST with a cost of 0 or more. Got {part!r}")
        costs[find_column(names, name, option="--costs")] = value
    return costs or None
