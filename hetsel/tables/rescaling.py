"""Robust scales of continuous columns, and levels, learned on training rows."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hetsel.ground import TableError
from hetsel.ground.equal_numbers import exact_factor
from hetsel.tables.column import Column
from hetsel.tables.table import Schema, Table

ScaleKey = Literal["range", "quantile", "robust"]
ENDS = (0.05, 0.95)  # quantiles that a robust scale maps to 0 and 1
SAME = 1e-12  # closer positions are equal; those of 10^9 rows differ by more
STAYS = (np.empty(0), np.empty(0))


@dataclass(frozen=True)
class Rescaling:
    """Map each continuous column to [0, 1] by the quantiles of its training rows.

    Kernels and distances that divide by the range then depend on all rows of a column, not on its
    largest value. Nominal and ordinal columns stay, and so do missing values, which are ignored in
    fitting. The median of the values is mapped to the median of their images, so imputing before or
    after gives the same result.

    - "range": every column stays; kernels and distances divide by its range.
    - "quantile": the j-th of the m training values in ascending order becomes (j - 1) / (m - 1);
      equal values become the mean of theirs. Other values are interpolated, and values beyond all
      training values become 0 or 1. Only the order of the values matters, so logarithms change
      nothing.
    - "robust": (x - a) / (b - a), clipped to [0, 1], where a and b are the 5% and 95% quantiles
      (linear between order statistics), or the smallest and largest value if a = b.

    Parameters
    ----------
    knots : tuple of (ndarray, ndarray), one for each column
        Ascending values of the column, divided by 2, and their images; empty where the column
        stays. Halves prevent an overflow of the range.

    See Also
    --------
    hetsel.cautions : Find columns whose range few rows stretch.

    Examples
    --------
    >>> train = Table.read(np.array([[1.0], [2.0], [2.0], [9999.0]]))
    >>> Rescaling.fit(train, "quantile").apply(train).values.ravel()
    array([0. , 0.5, 0.5, 1. ])
    """

    knots: tuple[tuple[np.ndarray, np.ndarray], ...]

    @classmethod
    def fit(cls, table: Table, scale: ScaleKey = "quantile") -> "Rescaling":
        """Learn the scale of each continuous column.

        Parameters
        ----------
        table : Table
            The training rows.
        scale : {"range", "quantile", "robust"}

        Raises
        ------
        TableError
            An unknown scale.
        """
        if scale not in get_args(ScaleKey):
            raise TableError(f"scale must be one of {', '.join(get_args(ScaleKey))}. Got {scale!r}")
        if scale == "range":
            return cls((STAYS,) * table.shape[1])
        learn = _ranks if scale == "quantile" else _ends
        return cls(
            tuple(
                learn(np.sort(cells[~np.isnan(cells)]) / 2)
                if column.kind == "continuous"
                else STAYS
                for column, cells in zip(table.schema.columns, table.values.T, strict=True)
            )
        )

    def apply(self, table: Table) -> Table:
        """Rescale the continuous columns of training rows or of new rows.

        Parameters
        ----------
        table : Table

        Returns
        -------
        Table

        Raises
        ------
        TableError
            A different number of columns.
        """
        if table.shape[1] != len(self.knots):
            raise TableError(
                f"the table must have {len(self.knots)} columns, like the training rows. "
                f"Got {table.shape[1]}"
            )
        moved = [j for j, (halves, _) in enumerate(self.knots) if len(halves)]
        if not moved:
            return table
        values = table.values.copy()
        for j in moved:
            halves, places = self.knots[j]
            present = ~np.isnan(values[:, j])
            exact = exact_factor(2 * np.abs(halves).max())
            values[present, j] = np.interp(exact * values[present, j], 2 * exact * halves, places)
        return Table(values, table.schema)

    def units(self, column: int, places: np.ndarray) -> np.ndarray:
        """Return the values (k,) of a column that are mapped to `places` (k,).

        Values of the training rows, and the ends, are restored exactly.
        """
        halves, known = self.knots[column]
        if not len(halves):
            return places
        after = np.clip(np.searchsorted(known, places), 1, max(len(known) - 1, 1))
        near = known[[after - 1, np.minimum(after, len(known) - 1)]]
        closest = np.take_along_axis(near, np.abs(near - places).argmin(axis=0)[None], axis=0)[0]
        same = np.abs(closest - places) < SAME
        return 2 * np.interp(np.where(same, closest, places), known, halves)


def rescaled(table: Table, scale: ScaleKey, rows: np.ndarray | None = None) -> Table:
    """Rescale a table by some of its rows (indices, a mask, None for all)."""
    if scale == "range":
        return table
    return Rescaling.fit(table.take(rows=rows), scale).apply(table)


def _ranks(halves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct ones of ascending values (m,), and their mean ranks from 0 to 1."""
    distinct, first, count = np.unique(halves, return_index=True, return_counts=True)
    return distinct, (first + (count - 1) / 2) / max(len(halves) - 1, 1)


def _ends(halves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the outer quantiles with images 0 and 1; one knot for a constant column."""
    if not len(halves):
        return halves, halves
    ends = np.quantile(halves, ENDS)
    if ends[0] == ends[1]:
        ends = halves[[0, -1]]
    return (ends, np.array([0.0, 1.0])) if ends[0] < ends[1] else (ends[:1], np.zeros(1))


def levels_of_rows(table: Table, rows: np.ndarray) -> Table:
    """Reduce undeclared levels to those that occur in some rows, the training rows.

    So levels of held-out rows cannot reach the training. A level of other rows becomes a separate
    level of a nominal column. In an ordinal column it lies halfway between its neighbors, or at the
    end. Missing values stay NaN, or stay the level after the known ones.
    """
    columns = list(table.schema.columns)
    values = None
    for j, column in enumerate(columns):
        if column.kind == "continuous" or column.declared:
            continue
        cells = table.values[:, j]
        known = np.unique(cells[rows])
        known = known[known < len(column.levels)].astype(np.int64)  # without NaN and "missing"
        if len(known) == len(column.levels):
            continue
        if values is None:
            values = table.values.copy()
        present = ~np.isnan(cells)
        codes = _new_codes(column, known)
        values[present, j] = codes[cells[present].astype(np.int64)]
        kept = known.tolist() or [0]  # without any value: one level that no row has
        columns[j] = column._replace(levels=tuple(column.levels[k] for k in kept))
    return table if values is None else Table(values, Schema(tuple(columns)))


def _new_codes(column: Column, known: np.ndarray) -> np.ndarray:
    """Return the new code of each level, given ascending codes (k,) of known levels."""
    k = max(len(known), 1)
    others = np.setdiff1d(np.arange(len(column.levels)), known)
    codes = np.full(len(column.levels) + 1, float(k))  # the last is "missing"
    codes[known] = np.arange(len(known))
    if column.kind == "ordinal":
        codes[others] = np.clip(np.searchsorted(known, others) - 0.5, 0, k - 1)
    else:
        codes[others] = k + 1 + np.arange(len(others))
    return codes
