"""Rows that mislead whoever takes each for one of its own, and what holds them together."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import Fix, TableError, listed
from hetsel.pitfalls.caution import Caution
from hetsel.pitfalls.repeated_rows import RepeatedRows, find_repeated_rows, row_keys
from hetsel.tables import Note, Table, TypedTarget, group_codes

COPIES, ROWS = "copies", "rows"  # what may stand in place of labels of groups


def repeats_caution(found: RepeatedRows, n: int, grouped: bool = False) -> Caution:
    """The caution on rows that are equal or nearly so, of n; of those that row groups part."""
    like = "equal" if found.equal == found.rows else "equal or nearly equal"
    said: tuple[str | float, ...] = (found.rows, f" of {n} are {like} to others")
    if found.columns:
        said = (found.rows, f" of {n} are equal to others in {listed(found.columns)}")
    said += (f", {found.clusters} groups of up to {found.largest}",)
    copied = ": noise predicts its own copies"
    fixes: tuple[Fix, ...] = (
        Fix("row_groups", COPIES, "holds each group out together"),
        Fix("row_groups", ROWS, "if each stands for itself"),
    )
    if grouped:
        said, fixes = (*said, " that the row groups part"), ()
        copied += "; take row groups that hold these together, too"
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
    """Number (n,) of the group of each row, or None where each is its own ("rows" or None), and
    what the word "copies" found: :func:`hetsel.pitfalls.repeated_rows.find_repeated_rows`.
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
    """Refuse equal or nearly equal rows without `groups`; `instead`: what to do where there are
    none.
    """
    if groups is None and (found := find_repeated_rows(table, target)) is not None:
        note = repeats_caution(found, table.shape[0]).note
        said = "rows: " + "".join(map(str, note.parts))
        raise TableError(
            f"{said}; {instead}" if instead else said, *([] if instead else note.fixes)
        )


def levels_of_groups(table: Table, groups: np.ndarray | None) -> Iterator[Caution]:
    """Nominal columns each level of which is in one group (n,) of rows: a new one has others."""
    if groups is None:
        return
    n_groups = len(np.unique(groups))
    if n_groups == len(groups):  # each row is one of its own
        return
    for j, column in enumerate(table.schema.columns):
        cells = table.values[:, j]
        known = ~np.isnan(cells)
        levels = np.unique(cells[known])
        if not table.nominal[j] or not 1 < len(levels) <= max(n_groups, len(groups) / 2):
            continue
        pairs = np.unique(np.stack([cells[known], groups[known].astype(float)]), axis=1)
        if pairs.shape[1] == len(levels):
            what = " levels stands in one row group only: a new group has another level, of which "
            fix = Fix("drop", (column.name,), "if new groups matter")
            note = Note(("each of its ", len(levels), f"{what}nothing is known"), (fix,))
            yield Caution("group", (column.name,), {"levels": len(levels)}, note)


def together(repeats: np.ndarray | None, groups: Any) -> bool:
    """Whether every group (n,) of rows lies in one group of what was asked for."""
    if repeats is None or groups is None or isinstance(groups, str):
        return repeats is not None and isinstance(groups, str)
    codes = group_codes(groups, len(repeats))
    return len(np.unique(np.stack([repeats, codes]), axis=1).T) == len(np.unique(repeats))


def parted(found: RepeatedRows, table: Table, groups: Any) -> RepeatedRows | None:
    """What is found of rows that splits by `groups` can part from others of their group, if any."""
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
