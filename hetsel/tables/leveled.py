"""Columns of levels, many at once: which levels each one has, and which of them each cell is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from hetsel.tables.content import content_ranks

MOST_CELLS = 2**20  # that are looked at together, which bounds the memory that it takes


class Leveled(NamedTuple):
    """A column as its levels and which of them each cell is.

    Parameters
    ----------
    form : {"text", "flag", "number"}
        What the cells hold.
    levels : tuple
        The distinct cells, ascending, as plain values.
    codes : ndarray of int32, shape (n,)
        Position of the level of each cell; -1 is missing.
    n_present : int
        Number of cells that are not missing.
    """

    form: Literal["text", "flag", "number"]
    levels: tuple[Any, ...]
    codes: np.ndarray
    n_present: int


def leveled_columns(frame: pd.DataFrame) -> dict[str, Leveled]:
    """The columns of a frame that hold nothing but text, or nothing but flags, by name.

    By their dtype; objects by their values.
    """
    found: dict[str, Leveled] = {}
    names, dtypes = frame.columns.tolist(), frame.dtypes.tolist()
    kinds = [_may_hold(dtype) for dtype in dtypes]
    flags, texts = (
        [name for name, kind in zip(names, kinds, strict=True) if kind == form]
        for form in ("flag", "text")
    )
    size = max(1, MOST_CELLS // len(frame))
    for some in _parts(flags, size):
        cells = np.array([frame[name].to_numpy() for name in some])
        found |= zip(some, leveled_flags(cells), strict=True)
    for some in _parts(texts, size):
        cells = np.empty((len(some), len(frame)), dtype=object)
        for place, name in enumerate(some):
            cells[place] = frame[name].to_numpy(dtype=object)
        several = zip(some, leveled_texts(cells), strict=True)
        found |= {name: one for name, one in several if one is not None}
    return found


def _may_hold(dtype: Any) -> str:
    """What cells of a dtype can be: flags, text, or neither."""
    if isinstance(dtype, np.dtype):
        return {"b": "flag", "O": "text"}.get(dtype.kind, "")
    return "text" if isinstance(dtype, pd.StringDtype) else ""


def _parts(names: list[str], size: int) -> Iterator[list[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))


def leveled_texts(cells: np.ndarray) -> list[Leveled | None]:
    """Columns (k, n) of objects; None where one holds anything but text and missing cells.

    Examples
    --------
    >>> texts = np.array([["b", "a", None, "b"], ["c", "c", "c", 1]], dtype=object)
    >>> found, mixed = leveled_texts(texts)
    >>> found.levels, found.codes.tolist(), mixed
    (('a', 'b'), [1, 0, -1, 1], None)
    """
    present = ~pd.isna(cells)
    if set(map(type, cells[present])) <= {str}:
        fit = np.ones(len(cells), dtype=bool)
    else:
        alike = (set(map(type, row[own])) for row, own in zip(cells, present, strict=True))
        fit = np.fromiter((kinds <= {str} for kinds in alike), dtype=bool, count=len(cells))
        cells = cells[fit]
    # texts of all columns in one order: sorting them once is faster than once a column
    codes, texts = pd.factorize(cells.ravel())
    ranks = np.empty(len(texts) + 1)
    ranks[np.argsort(texts, kind="stable")] = np.arange(len(texts))
    ranks[-1] = np.nan  # code -1, missing, is the last entry
    found = _leveled("text", cells, ranks[codes].reshape(cells.shape), tuple)
    return [next(found) if own else None for own in fit.tolist()]


def leveled_flags(cells: np.ndarray) -> list[Leveled]:
    """Columns (k, n) of flags."""
    return list(_leveled("flag", cells, cells.astype(np.float64), tuple))


def leveled_numbers(cells: np.ndarray) -> list[Leveled]:
    """Columns (k, n) of finite numbers, NaN is missing; whole numbers are integers as levels.

    Examples
    --------
    >>> leveled_numbers(np.array([[2.0, 0.5, 2.0, np.nan]]))[0].levels
    (0.5, 2)
    """
    return list(_leveled("number", cells, cells, _plain_numbers))


def _plain_numbers(values: list[float]) -> tuple[float, ...]:
    return tuple([int(value) if value.is_integer() else value for value in values])


def _leveled(
    form: Literal["text", "flag", "number"],
    cells: np.ndarray,
    values: np.ndarray,
    plain: Callable[[list[Any]], tuple[Any, ...]],
) -> Iterator[Leveled]:
    """From columns (k, n) and numbers of the same order in their place, NaN is missing."""
    codes = content_ranks(values.T, np.zeros(len(values), dtype=bool))
    counts = codes.max(axis=1, initial=-1) + 1
    distinct = np.empty((len(cells), counts.max(initial=0)), dtype=cells.dtype)
    places, rows = np.nonzero(codes >= 0)
    distinct[places, codes[places, rows]] = cells[places, rows]
    numbers = np.bincount(places, minlength=len(cells)).tolist()
    levels = (
        plain(several[:count])
        for several, count in zip(distinct.tolist(), counts.tolist(), strict=True)
    )
    return map(Leveled, repeat(form), levels, codes, numbers)
