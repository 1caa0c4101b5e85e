"""The table, the target and the rows' groups and weights that a selection starts from."""

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
    """Rows with their target, and what is said of each.

    Parameters
    ----------
    frame : DataFrame
        The features, and what says something of the rows.
    y : Series, Numbers or Survival
    row_groups : Series, "copies" or "rows", optional
    row_weights : ndarray of shape (n,), optional
    by : DataFrame, optional
        The columns of --by.
    """

    frame: pd.DataFrame
    y: Any
    row_groups: pd.Series | str | None
    row_weights: np.ndarray | None
    by: pd.DataFrame | None


@dataclass(frozen=True)
class Case(LabeledRows):
    """A table with its target, and what there is to say of it.

    Parameters
    ----------
    table : Table
    facts : dict
        For the output.
    flow : dict
        Rows that were `read`, and those of them that were left out as `unlabeled`.
    left_out : list of dict
        `columns` that are no candidates, and `why`.
    """

    table: Table
    facts: dict[str, Any]
    flow: dict[str, int]
    left_out: list[dict[str, Any]]


def read_case(options: argparse.Namespace) -> Case:
    """The table that the options name; notes on its columns go to stderr."""
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


def read_rows(options: argparse.Namespace, kind: str) -> LabeledRows:
    """The rows that the options name, with a target of this kind."""
    if options.target_kind is None and kind != "survival":
        options.target_kind = kind
    frame, target, _ = table_reading.read_asked_table(options)
    return _labeled(frame, target, options)[0]


def _labeled(
    frame: pd.DataFrame, target: tuple[str, ...], options: argparse.Namespace
) -> tuple[LabeledRows, dict[str, str | None]]:
    """The rows of a frame, and the columns that say something of them by their options."""
    by = frame.attrs.pop("by", None)
    X, cells = _features_and_target(frame, target, options)
    y = target_of_options(
        cells, options, known=table_reading.is_data_set(options) and options.target is None
    )
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
    """The columns that are no candidates, by the reason why."""
    given = {option: [name] if name in taken_out else [] for option, name in roles.items()}
    reasons = {
        "the target": [*target],
        "says which rows belong together": given["--row-groups"],
        "holds the weights of the rows": given["--row-weights"],
        "dropped by the user": dropped,
    }
    return [{"why": why, "columns": columns} for why, columns in reasons.items() if columns]


def _features_and_target(
    frame: pd.DataFrame, target: tuple[str, ...], options: argparse.Namespace
) -> tuple[pd.DataFrame, pd.DataFrame]:
    if not target:
        raise TableError(
            "--target is needed, or --time and --event; the columns are "
            f"{listed(frame.columns, ALL)}"
        )
    cells = frame[list(target)]
    gaps = cells.isna().any(axis=1)
    if n_missing := int(gaps.sum()):
        if not options.drop_unlabeled:
            lacking = [name for name in target if cells[name].isna().any()]
            raise TableError(
                f"the target {' or '.join(map(repr, lacking))} is missing in {n_missing} of "
                f"{len(frame)} rows",
                Fix("drop_unlabeled", True, "leaves them out"),
            )
        rows = counted(n_missing, "row")
        named = " or ".join(map(shown, target))
        printed_cautions.say(
            options, "unlabeled", Note((f"{rows} without a {named} left out",)), target
        )
        frame, cells = frame[~gaps], cells[~gaps]
    # `drop` would tear apart what lies in one piece of memory
    return frame[[column for column in frame.columns if column not in target]], cells


def columns_of(option: str, texts: list[str], names: list[str]) -> list[str]:
    """Names of the columns that an option names."""
    return [find_column(names, given, option) for given in table_reading.split_names(texts, names)]


def rules_of(options: argparse.Namespace, names: list[str]) -> dict[str, Any]:
    """What features may do, as parameters of a search; what is not given is left out."""
    found = {
        "never": columns_of("--never", options.never, names),
        "column_groups": [columns_of("--group", [text], names) for text in options.column_groups],
        "costs": _costs(options.costs, names),
        "budget": options.budget,
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _costs(texts: list[str], names: list[str]) -> dict[str, float] | None:
    """Cost of each column that is named."""
    costs = {}
    for part in (part for text in texts for part in text.split(",") if part):
        name, _, cost = part.rpartition("=")
        try:
            value = float(cost)
        except ValueError:
            value = float("nan")
        if not name or not value >= 0:
            raise TableError(f"--costs: expected COLUMN=NUMBER, 0 or larger. Got {part!r}")
        costs[find_column(names, name, option="--costs")] = value
    return costs or None
