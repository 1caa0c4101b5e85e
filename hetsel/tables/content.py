"""The content of columns, independent of place, name and (positive) unit."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.equal_numbers import FINE_GRID, tied, unit_scale

LONG = 300  # with more rows, levels are numbered column by column without sorting


def content_ranks(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Return dense ranks (p, n) of the values of each column; missing is -1.

    Levels of nominal columns are numbered as they appear. So names and (positive) units do not
    matter.
    """
    columns = values.T
    ranks = np.empty(columns.shape, np.int32)
    if len(values) > LONG and nominal.any():
        ranks[~nominal] = content_ranks(values[:, ~nominal], np.zeros((~nominal).sum(), dtype=bool))
        for j in np.flatnonzero(nominal):
            ranks[j] = pd.factorize(columns[j])[0]
        return ranks
    for part in column_parts(columns):
        cells, names = columns[part], nominal[part]
        order, ascending = _sorted(cells)
        groups = np.zeros(cells.shape, dtype=np.int32)
        np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=groups[:, 1:])
        gaps = np.isnan(cells)
        if names.any():
            groups[names] = _as_they_appear(order[names], groups[names], gaps[names])
        np.put_along_axis(ranks[part], order, groups, axis=1)
        ranks[part][gaps] = -1
    return ranks


def ascending_rows(columns: np.ndarray) -> np.ndarray:
    """Return the rows (p, n) of each column in ascending order; missing last, ties in row order.

    The type is unsigned, so that compiled loops need no check for negative indices.
    """
    order = np.empty(columns.shape, np.uint32)
    for part in column_parts(columns):
        order[part] = _sorted(columns[part])[0]
    return order


def told_apart(numbers: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Refine group numbers (n,): rows stay together if their values are equal or both missing.

    >>> told_apart(np.array([0, 0, 1, 1]), np.array([2.5, 1.0, 2.5, 2.5]))
    array([1, 0, 2, 2])
    """
    own = np.unique(cells, return_inverse=True)[1]
    return np.asarray(np.unique(numbers * (own.max() + 1) + own, return_inverse=True)[1])


def column_parts(columns: np.ndarray) -> Iterator[slice]:
    """Yield slices of columns (p, n) that fit into a near cache."""
    return parts_of_columns(*columns.shape)


def parts_of_columns(p: int, n: int, cells: int = 2**14) -> Iterator[slice]:
    """Yield slices of p columns with at most `cells` values, but at least one column."""
    size = max(1, cells // max(1, n))
    return (slice(start, start + size) for start in range(0, p, size))


def _sorted(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows (p, n) in ascending order, NaN last, and the values or their order."""
    n = columns.shape[1]
    bits = n.bit_length()
    largest = 2.0 ** (62 - bits)
    with np.errstate(over="ignore"):
        steps = np.nan_to_num(columns * FINE_GRID, nan=largest)
    if (np.abs(steps) <= largest).all() and (steps == np.rint(steps)).all():
        # pack a grid value and its row into one number: sorting it is faster than argsort
        packed = (steps.astype(np.int64, order="C") << bits) | np.arange(n)
        packed.sort(axis=1)
        return packed & ((1 << bits) - 1), packed >> bits
    order = np.argsort(columns, axis=1, kind="stable")
    return order, np.take_along_axis(columns, order, axis=1)


def _as_they_appear(order: np.ndarray, groups: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Number sorted groups of equal values (q, n) by their first rows."""
    begins = np.diff(groups, axis=1, prepend=-1) > 0
    begins &= ~np.take_along_axis(gaps, order, axis=1)
    places = np.maximum.accumulate(np.where(begins, np.arange(order.shape[1]), 0), axis=1)
    first = np.zeros(order.shape, dtype=bool)
    np.put_along_axis(first, order, begins, axis=1)
    numbers = np.cumsum(first, axis=1) - 1
    return np.take_along_axis(numbers, np.take_along_axis(order, places, axis=1), axis=1)


def content_order(
    ranks: np.ndarray, nominal: np.ndarray, scaled: np.ndarray | None = None
) -> np.ndarray:
    """Order columns (p,) by kind, by ranks (p, n) and then by scaled values (p, n) if given.

    Columns with equal content keep their order.
    """
    keys = _row_bytes(ranks)
    by_content = np.argsort(keys, kind="stable")
    if scaled is not None and len(np.unique(keys)) < len(keys):
        finer = np.where(nominal, b"", _row_bytes(scaled))
        by_content = np.lexsort((finer, keys))
    return by_content[np.argsort(nominal[by_content], kind="stable")]


def _row_bytes(rows: np.ndarray) -> np.ndarray:
    """Return the bytes of each row (p,) as strings of equal length."""
    rows = np.ascontiguousarray(rows)
    return rows.view(f"S{rows.itemsize * rows.shape[1]}").ravel()


def places_in(given: Sequence[Any] | np.ndarray, wanted: Sequence[Any] | np.ndarray) -> np.ndarray:
    """Return the place (c,) of each wanted label among the given labels.

    >>> places_in(["well", "ill"], ["ill", "well"])
    array([1, 0])
    """
    known = {label: place for place, label in enumerate(np.asarray(given).tolist())}
    return np.array([known[label] for label in np.asarray(wanted).tolist()])


def in_class_order(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Reorder decision values of classes, along the first axis, by `places` (c,).

    A single row holds the decision value of the second of two classes; it changes its sign if the
    classes change places.

    >>> in_class_order(np.array([[1.5, -2.0]]), np.array([1, 0]))
    array([[-1.5,  2. ]])
    """
    if len(values) > 1:
        return values[places]
    return values if places[-1] else 0.0 - values  # no negative zero


def by_size(codes: np.ndarray) -> np.ndarray:
    """Return class codes (c,), the largest class first; ties go to the first row."""
    return _ordered(codes, np.bincount(codes))


def numbered(codes: np.ndarray) -> np.ndarray:
    """Number classes (n,) independently of their labels: 0 is the largest class.

    >>> numbered(np.array([1, 2, 2, 0, 1, 2]))
    array([1, 0, 0, 2, 1, 0])
    """
    return np.argsort(by_size(codes))[codes]


def by_content(codes: np.ndarray, table: Any, n_classes: int | None = None) -> np.ndarray:
    """Return class codes (c,), the largest class first; the rows (n, p) break ties.

    Among classes of equal size, the class comes first whose rows lie farther from the middle of the
    ranges (in squares) and have more frequent levels. These sums do not depend on the order of rows
    or columns, on names or on units. If they tie, the first row decides.
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
    """Return the proportion (p, n) of the rows with the level of each row, of nominal columns."""
    ranks = content_ranks(values, np.zeros(values.shape[1], dtype=bool))
    levels = ranks.astype(np.int64) + 1  # 0 is missing
    width = int(levels.max(initial=0)) + 1
    levels += width * np.arange(len(levels))[:, None]
    counts = np.bincount(levels.ravel(), minlength=width * len(levels))
    return np.asarray(counts[levels] / len(values))


def _ordered(codes: np.ndarray, counts: np.ndarray, sums: np.ndarray | None = None) -> np.ndarray:
    """Order classes by counts (c,), then by sums (c,), largest first, then by first row."""
    first = np.full(len(counts), len(codes))
    present, rows = np.unique(codes, return_index=True)
    first[present] = rows
    finer = [] if sums is None else [-sums]
    return np.lexsort([first, *finer, -counts])
