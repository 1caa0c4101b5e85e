"""Read signatures: subsets of features by position, by name, or as flags."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground import TableError, whole_number
from hetsel.ground.array_types import Flags
from hetsel.statistics.doors import score_tables
from hetsel.statistics.doors.score_tables import CellArray

GivenSubsets = ArrayLike | Sequence[Any] | Mapping[Any, Any]
WHAT = "subsets"


def subset_matrix(subsets: GivenSubsets, p: float | None = None, *, p_needed: bool = True) -> Flags:
    """Return K subsets of p features as a boolean matrix (K, p).

    The subsets may be a boolean frame of any library or array, one row per subset (a first column
    of text names the subsets). They may also be K lists, sets, series or arrays, one per subset, of
    positions 0..p-1, of names (both need p, unless `p_needed` is False) or of flags; or a dict of
    these.
    """
    number = None if p is None else whole_number("p", p, 1)
    if type(subsets) is np.ndarray and subsets.dtype == np.bool_ and subsets.ndim == 2:
        chosen = _flags(subsets, number)  # the form that loops use: no conversion
    else:
        chosen = _from_container(subsets, number, p_needed)
    if len(chosen) < 2:
        raise TableError(f"stability needs 2 subsets or more. Got {len(chosen)}")
    if not chosen.any():
        raise TableError("no subset contains a feature, so there is no stability to measure")
    return chosen


def _from_container(subsets: Any, p: int | None, p_needed: bool) -> Flags:
    if isinstance(subsets, Mapping):
        rows = [score_tables.list_cells(subset, WHAT) for subset in subsets.values()]
        if any(_has_flags(row) for row in rows):
            raise TableError(
                "the keys of a dict of flags might be features or subsets. Pass "
                "pandas.DataFrame(subsets) if they are features, list(subsets.values()) if they "
                "are subsets"
            )
    elif not isinstance(subsets, list | tuple) and (
        len(getattr(subsets, "shape", ())) == 2 or hasattr(type(subsets), "schema")
    ):  # a frame of any library, or an array
        cells, columns = score_tables.frame_cells(subsets, WHAT)
        named = score_tables.without_row_names(cells, columns)[0]
        rows = list(named if _has_flags(named) else cells)
    else:
        rows = [score_tables.list_cells(subset, WHAT) for subset in _sequence(subsets)]
    if rows and all(_has_flags(row) and row.ndim == 1 for row in rows):
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1:
            raise TableError(
                f"every subset must have one flag per feature. Got {lengths[0]} and {lengths[-1]}"
            )
        return _flags(np.stack(rows), p)
    return _from_lists(rows, p, p_needed)


def _sequence(subsets: Any) -> list[Any]:
    """Return the subsets of a list, an iterator, or a series of lists of any library."""
    if not score_tables.holds_cells(subsets):
        raise TableError(
            f"subsets must be a boolean table or a sequence of subsets. Got {subsets!r:.60}"
        )
    series = hasattr(subsets, "dtype") or hasattr(subsets, "to_pylist")
    return list(score_tables.list_cells(subsets, WHAT) if series else subsets)


def _has_flags(cells: CellArray) -> bool:
    """Check whether cells are flags, of which some may be missing."""
    if cells.dtype.kind != "O":
        return cells.dtype.kind == "b"
    flags = [
        isinstance(cell, bool | np.bool_)
        for cell in cells.ravel()
        if not score_tables.is_missing(cell)
    ]
    return bool(flags) and all(flags)


def _flags(cells: CellArray, p: int | None) -> Flags:
    """Return flags (K, p), none of them missing."""
    if p is not None and p != cells.shape[1]:
        raise TableError(f"p must be {cells.shape[1]}, the number of columns of subsets. Got {p}")
    if cells.dtype.kind == "O":
        missing = np.array([score_tables.is_missing(cell) for cell in cells.ravel()]).reshape(
            cells.shape
        )
        if missing.any():
            subset, feature = np.argwhere(missing)[0]
            raise TableError(
                f"every flag must be true or false. Got a missing one for feature {feature} of "
                f"subset {subset} (counted from 0)"
            )
    return cells.astype(np.bool_)


def _from_lists(rows: list[CellArray], p: int | None, p_needed: bool) -> Flags:
    """Return the flags of subsets that are lists of positions, or of names."""
    by_name = {score_tables.is_text(row) for row in rows if row.size}
    if len(by_name) > 1:
        raise TableError("subsets must contain positions of features only, or names only. Got both")
    if p is None and p_needed:
        raise TableError("p, the number of features, is needed with subsets of indices or names")
    if True in by_name:
        named: dict[str, int] = {}
        places = [_places_of_names(row, named) for row in rows]
        if p is not None and p < len(named):
            raise TableError(
                f"p must be {len(named)} or larger, the number of features named. Got {p}"
            )
        p = len(named) if p is None else p
    else:
        places = [_positions(row) for row in rows]
        p = max((int(row.max()) + 1 for row in places if row.size), default=0) if p is None else p
    chosen = np.zeros((len(rows), p), dtype=np.bool_)
    for flags, positions, row in zip(chosen, places, rows, strict=True):
        outside = positions[(positions < 0) | (positions >= p)]
        if outside.size:
            raise TableError(f"indices of features must be in 0..{p - 1}. Got {outside[0]}")
        flags[positions] = True
        if flags.sum() != positions.size:
            raise TableError(
                f"a subset must contain no feature twice. Got {row}. Convert a matrix of 0 and 1 "
                "to type bool"
            )
    return chosen


def _positions(row: CellArray) -> NDArray[np.int64]:
    """Return whole numbers; 2.0 is one, as in R."""
    numbers, wrong = score_tables.floats_of(row)
    flags = row.dtype.kind == "b" or any(isinstance(cell, bool) for cell in row.ravel().tolist())
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(np.int64)
    if row.ndim != 1 or flags or wrong.any() or not np.array_equal(whole, numbers):
        raise TableError(f"a subset must be an array of whole numbers. Got {row}")
    return whole


def _places_of_names(row: CellArray, named: dict[str, int]) -> NDArray[np.int64]:
    """Return a number for each name; a new name gets the next number."""
    if row.ndim != 1 or any(score_tables.is_missing(name) for name in row.tolist()):
        raise TableError(f"a subset must contain names of features, none missing. Got {row}")
    names = [str(name) for name in row.tolist()]
    return np.array([named.setdefault(name, len(named)) for name in names], dtype=np.int64)
