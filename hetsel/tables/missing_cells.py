"""Marks of missing values, imputation, and the refusal of missing values."""

import re
from typing import Any, Literal, get_args

import numpy as np

from hetsel.ground import Fix, TableError, column_blocks, listed
from hetsel.tables.content import by_content

MISSING_MARKS = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "?", "null", "NULL")
# numbers that often mark a missing value
COMMON_MARKS = np.array([-9, -99, -999, -9999, -99999, 99, 999, 9999, 99999], dtype=float)
LIMITS = {2.0**k - 1 for k in (15, 16, 31, 32)} | {-(2.0**15), -(2.0**31)}
Missing = Literal["impute", "separate", "error"]


def is_mark(value: float) -> bool:
    """Check whether a number has the form of a mark for a missing value.

    Marks are -1, nines only (9, 99, 99.9, -999, ...), powers of ten from 10^6 on, and the limits of
    16-bit and 32-bit whole numbers.
    """
    if value in LIMITS or value == -1:
        return True
    return bool(re.fullmatch(r"-?9+(\.0|\.9+)?|-?1000000+\.0|-?1e\+\d+", repr(float(value))))


def in_place_of_missing(
    table: Any, gaps: np.ndarray, missing: str, like: Any
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the replacement of missing values of each column (p,), and the imputed values.

    See :meth:`hetsel.Table.resolve_missing`. `gaps` (p,) marks the columns with missing values.
    """
    if missing not in get_args(Missing):
        raise TableError(f"missing must be one of {', '.join(get_args(Missing))}. Got {missing!r}")
    if not gaps.any():
        return None, None
    if missing == "error":
        refuse_gaps(table, gaps)
    if missing == "impute":
        fill = (table if like is None else like).fill_values(gaps)
        return fill, fill
    # "separate": one more level of a nominal column, NaN in others
    further = np.array([float(len(column.levels)) for column in table.schema.columns])
    return np.where(table.nominal, further, np.nan), None


def refuse_gaps(table: Any, gaps: np.ndarray) -> None:
    """Refuse missing values in some columns (a mask, (p,))."""
    places = np.flatnonzero(gaps)
    blocks = column_blocks(table.shape[0], len(places))
    number = sum(int(np.isnan(table.block(places[block])).sum()) for block in blocks)
    names = listed([table.names[j] for j in places])
    raise TableError(
        f"{number} value{'s are' if number > 1 else ' is'} missing, in {names}",
        Fix("missing", "impute", "to impute them"),
        Fix("missing", "separate", "to treat missing as a separate value"),
    )


def typical_cells(table: Any, wanted: np.ndarray) -> np.ndarray:
    """Return the median, lower median or most frequent level (p,) of `wanted` columns (a mask).

    The table holds the training rows; other columns get NaN.
    """
    cells = np.full(table.shape[1], np.nan)
    numbers = np.flatnonzero(wanted & ~table.nominal)
    for block in column_blocks(table.shape[0], len(numbers)):
        cells[numbers[block]] = _medians(table, numbers[block])
    for j in np.flatnonzero(wanted & table.nominal).tolist():
        cells[j] = _most_frequent_level(table, j)
    return cells


def _medians(table: Any, columns: np.ndarray) -> np.ndarray:
    """Return medians (k,) of columns, lower ones of ordinal columns; 0 without values."""
    ascending = np.sort(table.block(columns), axis=0)  # NaN last
    count = np.maximum(len(ascending) - np.isnan(ascending).sum(axis=0), 1)
    low, high = (ascending[k, np.arange(len(columns))] for k in ((count - 1) // 2, count // 2))
    ordinal = np.array([table.schema.columns[j].kind == "ordinal" for j in columns], dtype=bool)
    middle = np.where(ordinal | (low == high), low, low / 2 + high / 2)
    return np.nan_to_num(middle, nan=0.0)


def _most_frequent_level(table: Any, column: int) -> float:
    """Return the most frequent level; the other values of the rows break ties."""
    cells = table.block([column])[:, 0]
    present = ~np.isnan(cells)
    levels = cells[present].astype(np.intp)
    counts = np.bincount(levels, minlength=1)
    if (counts == counts.max()).sum() == 1:
        return float(counts.argmax())
    return float(by_content(levels, table.take(rows=present))[0])
