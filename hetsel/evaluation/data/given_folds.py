"""Folds that a column of the table or a file gives, for `kind = "given"` of the resamplings.

A column has the fold of each row: whole numbers, text or categories. Folds are held out in the
order of their numbers, otherwise of their names.

A file is any table that hetsel reads, with one line for each row of the data set in each repeat:

row, rowid or row_id
    Number of the row in the table as it is read, counted from 0 (OpenML) or from 1 (mlr3). Since
    every row occurs, the numbers themselves show where they begin.
fold or split
    Its fold, that is, the test part to which it belongs.
repeat or rep
    Number of the repeat, if there are several. All repeats have the same folds.
type
    TRAIN or TEST, as in the splits of an OpenML task. The rows of type TEST form a fold. Those of
    type TRAIN must be all other rows.

Other columns are not read. Each row must be in one fold of every repeat, no fold may be empty, and
the rows of a row group must be in one fold.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from hetsel.files.reading import read_table
from hetsel.ground import TableError, counted, listed

NAMES = {
    "row": ("row", "rowid", "row_id"),
    "fold": ("fold", "split"),
    "repeat": ("repeat", "rep"),
    "type": ("type",),
}
TYPES = ("test", "train")
MOST = 3  # rows or groups that an error names


def folds_in_column(name: str, column: pd.Series) -> np.ndarray:
    """Return the fold (1, n) of each row, numbered from 0.

    Examples
    --------
    >>> folds_in_column("'fold'", pd.Series([10, 9, 9, 10]))
    array([[1, 0, 0, 1]])
    """
    where = f"resamplings: column {name}"
    gaps = np.flatnonzero(column.isna())
    if len(gaps):
        raise TableError(
            f"{where} must have the fold of each row. It is missing in "
            f"{counted(len(gaps), 'row')} ({_rows(gaps)})"
        )
    return _numbered(where, column, column)[None, :]


def folds_in_file(file: str, rows: int | np.ndarray) -> np.ndarray:
    """Return the fold (repeats, n) of each row, numbered from 0.

    `rows` is the number of rows, or marks those of the original table that are kept.
    """
    kept = np.ones(rows, dtype=bool) if isinstance(rows, int) else rows
    where = f"resamplings: file {Path(file).name}"
    table = _read(where, file)
    repeats = list(table.groupby("repeat", sort=True)) if "repeat" in table else [(None, table)]
    parts = []
    for repeat, lines in repeats:
        place = where if repeat is None else f"{where}: repeat {repeat!s}"
        tested = lines[lines["type"] == "test"] if "type" in lines else lines
        fold = np.empty(len(kept), dtype=object)
        fold[_row_numbers(place, tested["row"].to_numpy(), len(kept))] = tested["fold"]
        parts.append(_numbered(place, pd.Series(fold[kept]), table["fold"]))
        if "type" in lines:
            _refuse_other_training_rows(place, lines)
    return np.array(parts)


def _read(where: str, file: str) -> pd.DataFrame:
    """Return the columns of a file by their role."""
    frame = read_table(file)
    roles = {}
    for role, names in NAMES.items():
        known = [column for column in frame.columns if str(column).strip().lower() in names]
        if len(known) > 1:
            raise TableError(f"{where} must have one column {role}. Got {listed(map(str, known))}")
        if known:
            roles[role] = frame[known[0]]
    for role in ("row", "fold"):
        if role not in roles:
            raise TableError(
                f"{where} must have a column {' or '.join(NAMES[role])}. Got "
                f"{listed(map(str, frame.columns))}"
            )
    table = pd.DataFrame(roles)
    if table.isna().any(axis=None):
        gaps = int(table.isna().any(axis=1).sum())
        raise TableError(f"{where} has missing values in {counted(gaps, 'line')}. Complete them")
    if "type" in table:
        table["type"] = table["type"].astype(str).str.strip().str.lower()
        strange = table["type"][~table["type"].isin(TYPES)]
        if len(strange):
            raise TableError(f"{where}: type must be TRAIN or TEST. Got {strange.iloc[0]!r}")
    for role in ("row", "repeat"):
        if role in table:
            table[role] = _whole(f"{where}: {role}", table[role])
    return table


def _whole(where: str, column: pd.Series) -> pd.Series:
    """Return a column of whole numbers."""
    numbers = pd.to_numeric(column.astype(str), errors="coerce")
    strange = column[numbers.isna() | (numbers != np.floor(numbers))]
    if len(strange):
        raise TableError(f"{where} must hold whole numbers. Got {strange.iloc[0]!r}")
    return numbers.astype(np.int64)


def _row_numbers(where: str, numbers: np.ndarray, n: int) -> np.ndarray:
    """Return the numbers of the rows of a repeat, counted from 0: each of n rows once."""
    rows, times = np.unique(numbers, return_counts=True)
    twice = rows[times > 1]
    if len(twice):
        raise TableError(
            f"{where} must have each row in one fold. Got {counted(len(twice), 'row')} twice or "
            f"more ({_rows(twice)})"
        )
    first = int(rows[-1] == n)
    strange = rows[(rows < first) | (rows >= n + first)]
    if len(strange):
        raise TableError(
            f"{where} must have the rows 0 to {n - 1:,} or 1 to {n:,}. Got row {strange[0]:,}"
        )
    lacking = np.setdiff1d(np.arange(first, n + first), rows)
    if len(lacking):
        raise TableError(
            f"{where} must have each of {counted(n, 'row')} in a fold. It lacks "
            f"{counted(len(lacking), 'row')} ({_rows(lacking)}, counted from {first})"
        )
    return numbers - first


def _refuse_other_training_rows(where: str, lines: pd.DataFrame) -> None:
    """Raise an error if the rows of type TRAIN are not all rows outside the fold."""
    test, train = (lines[lines["type"] == kind] for kind in ("test", "train"))
    for fold, own in train.groupby("fold", sort=True):
        held = test.loc[test["fold"] == fold, "row"]
        both, others = int(own["row"].isin(held).sum()), len(test) - len(held)
        if both or own["row"].nunique() != others or len(own) != others:
            raise TableError(
                f"{where}: fold {fold} must train on all {others:,} rows that it does not hold "
                f"out. Got {counted(len(own), 'training row')}, {both:,} of them held out"
            )


def _numbered(where: str, column: pd.Series, every: pd.Series) -> np.ndarray:
    """Return the folds (n,) as numbers from 0; `every` has all folds, and none may be empty."""
    labels = {str(label).strip() for label in every}
    if isinstance(every.dtype, pd.CategoricalDtype):
        labels |= {str(label).strip() for label in every.cat.categories}
    known = sorted(labels, key=_place)
    if len(known) < 2:
        raise TableError(f"{where} must have at least 2 folds. Got {listed(known)}")
    number = {label: k for k, label in enumerate(known)}
    codes = np.array([number[str(label).strip()] for label in column], dtype=np.int64)
    empty = [known[k] for k in np.setdiff1d(np.arange(len(known)), codes)]
    if empty:
        raise TableError(
            f"{where} must have rows in each of {len(known)} folds. Fold {listed(empty)} has none"
        )
    return codes


def _place(label: str) -> tuple[bool, float, str]:
    """Return what sorts folds: numbers come first, in their order."""
    try:
        return False, float(label), label
    except ValueError:
        return True, 0.0, label


def refuse_torn_groups(folds: np.ndarray, groups: np.ndarray) -> None:
    """Raise an error if a row group is in several folds of a repeat."""
    for repeat, codes in enumerate(folds):
        pairs = np.unique(np.column_stack([groups, codes]), axis=0)
        torn = np.flatnonzero(np.bincount(pairs[:, 0]) > 1)
        if len(torn):
            first = np.flatnonzero(groups == torn[0])
            several = f" of repeat {repeat}" if len(folds) > 1 else ""
            raise TableError(
                f"resamplings: folds{several} must contain whole row groups. Got "
                f"{counted(len(torn), 'group')} of {int(groups.max()) + 1:,} in several folds "
                f"(the first one has the rows {_rows(first)}, counted from 0)"
            )


def _rows(rows: np.ndarray) -> str:
    """Name a few rows."""
    more = len(rows) - MOST
    named = ", ".join(f"{row:,}" for row in rows[:MOST])
    return f"{named} and {more:,} more" if more > 0 else named
