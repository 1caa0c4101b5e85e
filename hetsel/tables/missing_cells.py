"""Marks of missing cells, what stands in the place of these cells, and their refusal."""

import re
from typing import Any, Literal, get_args

import numpy as np

from hetsel.ground import Fix, TableError, column_blocks, listed
from hetsel.tables.content import by_content

MISSING_MARKS = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "?", "null", "NULL")
# numbers that often stand for a missing cell
COMMON_MARKS = np.array([-9, -99, -999, -9999, -99999, 99, 999, 9999, 99999], dtype=float)
LIMITS = {2.0**k - 1 for k in (15, 16, 31, 32)} | {-(2.0**15), -(2.0**31)}
Missing = Literal["impute", "separate", "error"]


def is_mark(value: float) -> bool:
    """Whether a number has the form of a mark for a missing cell: -1; nines only (9, 99, 99.9,
    -999, ...); a power of ten from 10^6 on; the limits of whole numbers of 16 and 32 bits.
    """
    if value in LIMITS or value == -1:
        return True
    return bool(re.fullmatch(r"-?9+(\.0|\.9+)?|-?1000000+\.0|-?1e\+\d+", repr(float(value))))


def in_place_of_missing(
    table: Any, gaps: np.ndarray, missing: str, like: Any
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """What stands in the place of the missing cells of each column (p,), and what of it is a
    filling to remember; see :meth:`hetsel.Table.resolve_missing`. `gaps` (p,) marks columns.
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
    # "separate": a further level of a nominal column, and no number
    further = np.array([float(len(column.levels)) for column in table.schema.columns])
    return np.where(table.nominal, further, np.nan), None


def refuse_gaps(table: Any, gaps: np.ndarray) -> None:
    """Refuse the missing cells of some columns (a mask, (p,))."""
    places = np.flatnonzero(gaps)
    blocks = column_blocks(table.shape[0], len(places))
    number = sum(int(np.isnan(table.block(places[block])).sum()) for block in blocks)
    names = listed([table.names[j] for j in places])
    raise TableError(
        f"{number} cell{'s are' if number > 1 else ' is'} missing, in {names}",
        Fix("missing", "impute", "fills them in"),
        Fix("missing", "separate", "keeps missing as a value"),
    )


def typical_cells(table: Any, wanted: np.ndarray) -> np.ndarray:
    """Median, lower median or most frequent level (p,) of the `wanted` columns (a mask) of a table
    of training rows; NaN for the others."""
    cells = np.full(table.shape[1], np.nan)
    numbers = np.flatnonzero(wanted & ~table.nominal)
    for block in column_blocks(table.shape[0], len(numbers)):
        cells[numbers[block]] = _medians(table, numbers[block])
    for j in np.flatnonzero(wanted & table.nominal).tolist():
        cells[j] = _most_frequent_level(table, j)
    return cells


def _medians(table: Any, columns: np.ndarray) -> np.ndarray:
    """Medians (k,) of columns of numbers, lower ones of ordinal columns; 0 of no cells."""
    ascending = np.sort(table.block(columns), axis=0)  # NaN last
    count = np.maximum(len(ascending) - np.isnan(ascending).sum(axis=0), 1)
    low, high = (ascending[k, np.arange(len(columns))] for k in ((count - 1) // 2, count // 2))
    ordinal = np.array([table.schema.columns[j].kind == "ordinal" for j in columns], dtype=bool)
    middle = np.where(ordinal | (low == high), low, low / 2 + high / 2)
    return np.nan_to_num(middle, nan=0.0)


def _most_frequent_level(table: Any, column: int) -> float:
    """Of equally frequent levels the one that the other cells of their rows choose."""
    cells = table.block([column])[:, 0]
    present = ~np.isnan(cells)
    levels = cells[present].astype(np.intp)
    counts = np.bincount(levels, minlength=1)
    if (counts == counts.max()).sum() == 1:
        return float(counts.argmax())
    return float(by_content(levels, table.take(rows=present))[0])
