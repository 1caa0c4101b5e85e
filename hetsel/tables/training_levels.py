"""The levels of columns as training rows know them."""

import numpy as np

from hetsel.tables.column import Column
from hetsel.tables.table import Schema, Table


def levels_of_rows(table: Table, rows: np.ndarray) -> Table:
    """The table with the levels that some of its rows have, where no dtype or option declares them.

    Number and positions of levels say something about the cells that they were collected from, so
    those of test rows must not reach what is trained. A level that only other rows have is one of
    its own in a nominal column, equal to no known one; in an ordinal column it lies half way
    between its neighbors, or at the end beyond which it is.

    Parameters
    ----------
    table : Table of shape (n, p)
        Missing cells are NaN, or a level of their own, which stays the one after the known.
    rows : ndarray
        Indices or a mask of the training rows.

    Returns
    -------
    Table of shape (n, p)
        Of all rows.

    Examples
    --------
    >>> table = Table.read(np.array([[10.0], [20.0], [50.0], [60.0]]), ordinal=["x0"])
    >>> levels_of_rows(table, np.array([0, 2])).values.ravel()
    array([0. , 0.5, 1. , 1. ])
    """
    columns = list(table.schema.columns)
    values = None
    for j, column in enumerate(columns):
        if column.kind == "continuous" or column.declared:
            continue
        cells = table.values[:, j]
        known = np.unique(cells[rows])
        known = known[known < len(column.levels)].astype(np.int64)  # neither NaN nor "missing"
        if len(known) == len(column.levels):
            continue
        if values is None:
            values = table.values.copy()
        present = ~np.isnan(cells)
        codes = _new_codes(column, known)
        values[present, j] = codes[cells[present].astype(np.int64)]
        kept = known.tolist() or [0]  # without a cell to learn from: one level, which no row has
        columns[j] = column._replace(levels=tuple(column.levels[k] for k in kept))
    return table if values is None else Table(values, Schema(tuple(columns)))


def _new_codes(column: Column, known: np.ndarray) -> np.ndarray:
    """New code of each level, given the ascending codes (k,) of the known ones."""
    k = max(len(known), 1)
    others = np.setdiff1d(np.arange(len(column.levels)), known)
    codes = np.full(len(column.levels) + 1, float(k))  # the last is "missing"
    codes[known] = np.arange(len(known))
    if column.kind == "ordinal":
        codes[others] = np.clip(np.searchsorted(known, others) - 0.5, 0, k - 1)
    else:
        codes[others] = k + 1 + np.arange(len(others))
    return codes
