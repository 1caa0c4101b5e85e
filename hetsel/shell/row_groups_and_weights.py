"""Read the columns that --row-groups and --row-weights name."""

import argparse
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError, did_you_mean, listed
from hetsel.shell import table_reading
from hetsel.tables import find_column, group_codes
from hetsel.tables.column import ALL
from hetsel.tables.validation import weights_in_column

WORDS = ("copies", "rows")  # accepted instead of a column of row groups


def columns_of_rows(
    options: argparse.Namespace, names: list[str], target: tuple[str, ...]
) -> dict[str, str | None]:
    """Return the columns of row groups and row weights, by option."""
    taken = dict(zip(target, table_reading.options_of_target(target), strict=True))
    roles: dict[str, str | None] = {}
    for option in ("--row-groups", "--row-weights"):
        name = getattr(options, option[2:].replace("-", "_"), None)  # a search has no weights
        roles[option] = None
        if option == "--row-groups" and name in WORDS and name not in names:
            roles[option] = name
        elif option == "--row-groups" and name is not None and name not in names:
            hint = did_you_mean(name, [*WORDS, *names]) or f". The columns are {listed(names, ALL)}"
            raise TableError(f"{option} must be a column, copies or rows. Got {name!r}{hint}")
        elif name is not None:
            column = find_column(names, name, option=option)
            if column in taken:
                raise TableError(
                    f"{option} must not name the column of {taken[column]}. Got {column!r}"
                )
            roles[option], taken[column] = column, option
    return roles


def row_groups_in(frame: pd.DataFrame, roles: dict[str, str | None]) -> Any:
    """Return the row groups: a column, the word that defines them, or None."""
    word = roles["--row-groups"]
    return None if word is None else frame.get(word, word)


def checked_row_groups(frame: pd.DataFrame, roles: dict[str, str | None]) -> Any:
    """Return the row groups; raise an error if a row has no group."""
    groups = row_groups_in(frame, roles)
    if isinstance(groups, pd.Series):
        group_codes(groups, len(frame), f"--row-groups: {groups.name!r}")
    return groups


def row_weights_in(frame: pd.DataFrame, roles: dict[str, str | None]) -> np.ndarray | None:
    """Return the weights (n,) of the rows, or None."""
    if roles["--row-weights"] is None:
        return None
    weights = frame[roles["--row-weights"]]
    return weights_in_column(f"--row-weights: {weights.name!r}", weights)
