"""An order of classes that no name decides, nor one of rows where content can; another order."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from hetsel.ground.ties import tied, unit_scale
from hetsel.tables.content import content_ranks, parts_of_columns


class Columns(Protocol):
    """What is asked of a table."""

    @property
    def shape(self) -> tuple[int, int]: ...

    @property
    def nominal(self) -> np.ndarray: ...

    def block(self, columns: Any) -> np.ndarray: ...


def places_in(given: Sequence[Any] | np.ndarray, wanted: Sequence[Any] | np.ndarray) -> np.ndarray:
    """Place (c,) among the given labels of each that is wanted.

    Examples
    --------
    >>> places_in(["well", "ill"], ["ill", "well"])
    array([1, 0])
    """
    known = {label: place for place, label in enumerate(np.asarray(given).tolist())}
    return np.array([known[label] for label in np.asarray(wanted).tolist()])


def in_class_order(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What speaks for classes in one order, along the first axis, in another one.

    Parameters
    ----------
    values : ndarray of shape (c, ...) or (1, ...)
        One row a class; one row alone speaks for the second of two and becomes its negative where
        they change places.
    places : ndarray of int, shape (c,)
        See :func:`places_in`.

    Examples
    --------
    >>> in_class_order(np.array([[1.5, -2.0]]), np.array([1, 0]))
    array([[-1.5,  2. ]])
    """
    if len(values) > 1:
        return values[places]
    return values if places[-1] else 0.0 - values  # no negative zero


def by_size(codes: np.ndarray, n_classes: int | None = None) -> np.ndarray:
    """Codes (c,) of the classes, the largest first; of equal ones that of the first row.

    Examples
    --------
    >>> by_size(np.array([1, 2, 2, 0, 1, 2]))
    array([2, 1, 0])
    """
    return _ordered(codes, np.bincount(codes, minlength=n_classes or 0))


def numbered(codes: np.ndarray) -> np.ndarray:
    """Codes (n,) that no label decides: 0 is the largest class.

    Examples
    --------
    >>> numbered(np.array([1, 2, 2, 0, 1, 2]))
    array([1, 0, 0, 2, 1, 0])
    """
    return np.argsort(by_size(codes))[codes]


def by_content(codes: np.ndarray, table: Columns, n_classes: int | None = None) -> np.ndarray:
    """Codes (c,) of the classes, the largest first; the rows (n, p) of a table part equal ones.

    Of two classes of one size the one goes first whose rows are farther from the middle of the
    columns, in squares on their ranges, and have the more frequent levels: sums that do not change
    with the order of rows and columns, names of levels and units. Where they tie, the first row
    decides.

    Examples
    --------
    >>> from hetsel import Table
    >>> table = Table.read(np.array([[1.0], [2.0], [3.0], [9.0]]))
    >>> by_content(np.array([0, 1, 0, 1]), table)
    array([1, 0])
    """
    counts = np.bincount(codes, minlength=n_classes or 0)
    if len(np.unique(counts)) == len(counts):
        return _ordered(codes, counts)
    away = np.zeros(len(codes))
    n, p = table.shape
    for part in parts_of_columns(p, n):
        values, nominal = table.block(part), table.nominal[part]
        numbers = values[:, ~nominal]
        away += np.nan_to_num((unit_scale(numbers) - 0.5) ** 2).sum(axis=1)
        for share in _shares_of_levels(values[:, nominal]):
            away += share
    return _ordered(codes, counts, tied(np.bincount(codes, away, minlength=len(counts))))


def _shares_of_levels(values: np.ndarray) -> np.ndarray:
    """Share (p, n) of the rows that have the level of each one, of nominal columns (n, p)."""
    ranks = content_ranks(values, np.zeros(values.shape[1], dtype=bool))
    levels = ranks.astype(np.int64) + 1  # 0 is missing
    width = int(levels.max(initial=0)) + 1
    levels += width * np.arange(len(levels))[:, None]
    counts = np.bincount(levels.ravel(), minlength=width * len(levels))
    return np.asarray(counts[levels] / len(values))


def _ordered(codes: np.ndarray, counts: np.ndarray, sums: np.ndarray | None = None) -> np.ndarray:
    """Classes by their counts (c,), then their sums (c,), the largest first, then by first row."""
    first = np.full(len(counts), len(codes))
    present, rows = np.unique(codes, return_index=True)
    first[present] = rows
    finer = [] if sums is None else [-sums]
    return np.lexsort([first, *finer, -counts])
