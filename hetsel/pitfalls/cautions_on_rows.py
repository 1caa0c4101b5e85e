"""Cautions on duplicate rows and on row groups."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, counted, listed
from hetsel.pitfalls.caution import Caution
from hetsel.pitfalls.repeated_rows import RepeatedRows, find_repeated_rows, row_keys
from hetsel.tables import Note, Table, TypedTarget, group_codes

COPIES, ROWS = "copies", "rows"  # words in place of group labels


def repeats_caution(found: RepeatedRows, n: int, grouped: bool = False) -> Caution:
    """Make the caution on duplicate rows among n; `grouped`: specified row groups separate them."""
    like = "equal" if found.equal == found.rows else "equal or nearly equal"
    said: tuple[str | float, ...] = (found.rows, f" of {n} rows are {like} to other rows")
    if found.columns:
        said = (found.rows, f" of {n} rows are equal to other rows in {listed(found.columns)}")
    said += (f", in {counted(found.clusters, 'group')} of up to {found.largest} rows",)
    copied = ". If copies of a training row are held out, performance is overestimated"
    fixes: tuple[Fix, ...] = (
        Fix("row_groups", COPIES, "to hold each group out together"),
        Fix("row_groups", ROWS, "if the rows are independent"),
    )
    if grouped:
        said, fixes = (*said, ", which the row groups separate"), ()
        copied += ". Specify row groups that contain these groups"
    said += (copied,)
    facts = {
        "rows": found.rows,
        "groups": found.clusters,
        "largest": found.largest,
        "equal": found.equal,
    }
    return Caution("rows", found.columns, facts, Note(said, fixes), found.groups)


def asked_groups(
    groups: Any, table: Table, target: TypedTarget | None = None
) -> tuple[np.ndarray | None, RepeatedRows | None]:
    """Return the group number (n,) of each row, and the duplicate rows that "copies" found.

    The numbers are None where rows are independent ("rows" or None). See
    :func:`hetsel.pitfalls.repeated_rows.find_repeated_rows`.
    """
    if groups is None or (isinstance(groups, str) and groups == ROWS):
        return None, None
    if isinstance(groups, str) and groups == COPIES:
        found = find_repeated_rows(table, target)
        return (None, None) if found is None else (found.groups, found)
    return group_codes(groups, table.shape[0]), None


def refuse_copies(
    table: Table, target: TypedTarget | None = None, groups: Any = None, instead: str = ""
) -> None:
    """Refuse equal or nearly equal rows without `groups`; `instead` replaces the advice."""
    if groups is None and (found := find_repeated_rows(table, target)) is not None:
        note = repeats_caution(found, table.shape[0]).note
        said = "rows: " + "".join(map(str, note.parts))
        raise TableError(
            f"{said}. {instead}" if instead else said, *([] if instead else note.fixes)
        )


def levels_of_groups(table: Table, groups: np.ndarray | None) -> Iterator[Caution]:
    """Yield cautions on nominal columns whose levels each occur in one row group (n,) only."""
    if groups is None:
        return
    n_groups = len(np.unique(groups))
    if n_groups == len(groups):  # each row is its own group
        return
    for j, column in enumerate(table.schema.columns):
        cells = table.values[:, j]
        known = ~np.isnan(cells)
        levels = np.unique(cells[known])
        if not table.nominal[j] or not 1 < len(levels) <= max(n_groups, len(groups) / 2):
            continue
        pairs = np.unique(np.stack([cells[known], groups[known].astype(float)]), axis=1)
        if pairs.shape[1] == len(levels):
            what = " levels occurs in one row group only, so a new group has an unseen level"
            fix = Fix("drop", (column.name,), "if you want to predict new groups")
            note = Note(("each of the ", len(levels), what), (fix,))
            yield Caution("group", (column.name,), {"levels": len(levels)}, note)


def together(repeats: np.ndarray | None, groups: Any) -> bool:
    """Check whether every group (n,) of rows lies in one specified row group."""
    if repeats is None or groups is None or isinstance(groups, str):
        return repeats is not None and isinstance(groups, str)
    codes = group_codes(groups, len(repeats))
    return len(np.unique(np.stack([repeats, codes]), axis=1).T) == len(np.unique(repeats))


def parted(found: RepeatedRows, table: Table, groups: Any) -> RepeatedRows | None:
    """Return the duplicate rows that splits by `groups` can separate, if any."""
    if isinstance(groups, str):
        return None
    if groups is None:
        return found
    n = len(found.groups)
    pairs = np.unique(np.stack([found.groups, group_codes(groups, n)]), axis=1)
    several = np.bincount(pairs[0])[found.groups] > 1
    if not several.any():
        return None
    sizes = np.bincount(found.groups[several])
    keys = np.unique(row_keys(table.values)[several], return_inverse=True)[1]
    return replace(
        found,
        groups=pd.factorize(np.where(several, found.groups, n + np.arange(n)))[0],
        rows=int(several.sum()),
        clusters=int((sizes > 0).sum()),
        largest=int(sizes.max()),
        equal=int((np.bincount(keys)[keys] > 1).sum()),
    )
