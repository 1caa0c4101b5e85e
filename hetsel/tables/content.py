"""The content of columns, whatever their place, name or (positive) scale."""

from __future__ import annotations

import numpy as np


def ranks_and_order(values: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Dense ranks (p, n) of each column, and its rows (p, n) in the order of the ranks.

    By value, or by first appearance of the level if nominal; missing is -1 and comes last in the
    order. Neither changes when levels are renamed or a column is multiplied by a positive factor
    and shifted, unless rounding makes two of its values one.
    """
    columns = np.ascontiguousarray(values.T)
    order = np.argsort(columns, axis=1, kind="stable")
    ascending = np.take_along_axis(columns, order, axis=1)
    steps = np.zeros(columns.shape, dtype=np.int32)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=steps[:, 1:])
    ranks = np.empty(columns.shape, dtype=np.int32)
    np.put_along_axis(ranks, order, steps, axis=1)
    gaps = np.isnan(columns)
    for j in np.flatnonzero(nominal):
        present = ~gaps[j]
        _, first, codes = np.unique(ranks[j, present], return_index=True, return_inverse=True)
        place = np.empty(len(first), dtype=np.int32)
        place[np.argsort(first, kind="stable")] = np.arange(len(first))
        ranks[j, present] = place[codes]
        order[j] = np.argsort(np.where(gaps[j], len(values), ranks[j]), kind="stable")
    ranks[gaps] = -1
    return ranks, order


def content_ranks(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """The ranks (p, n) of :func:`ranks_and_order`."""
    return ranks_and_order(values, nominal)[0]


def content_order(
    ranks: np.ndarray, nominal: np.ndarray, scaled: np.ndarray | None = None
) -> np.ndarray:
    """Columns (p,) ordered by kind and by their ranks from :func:`ranks_and_order`.

    Of numbers with the same ranks the scaled values (p, n) decide, where they are given; columns
    of equal content keep their order.
    """
    keys = [(kind, row.tobytes()) for kind, row in zip(nominal.tolist(), ranks, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    if scaled is not None and len(set(keys)) < len(keys):
        order.sort(key=lambda j: (keys[j], b"" if nominal[j] else scaled[j].tobytes()))
    return np.array(order, dtype=np.intp)
