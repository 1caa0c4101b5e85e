"""Distances between rows that no unit, no outlier and no coarse column can distort.

A cell of numbers is the share x of the rows below it, by the ranks of every sixteenth of the rows
and straight lines between them. It is known to +- w/2 only: w is the share of the rows that tie
with it, or the step of the column where none does. Of two cells that stand for uniform numbers in
these intervals the expected squared difference is

    (x_a - x_b)^2 + (w_a^2 + w_b^2) / 12,

of equal levels, or of two missing cells, w^2 / 6, and of different ones 1/6, as of two uniform
numbers. So two rows of a coarse column are never at distance 0: what ties by nature is not near.
Shares are those of different rows: copies do not make a column coarse.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hetsel.ground.rounding import scaled_to_one
from hetsel.tables import Table
from hetsel.tables.content import parts_of_columns

CELLS = 2**22  # of a block of squared distances
PIECES = 16  # of the distribution of a column
LEAST = 1e-6  # distance of rows that are equal
FARTHER = 100.0  # squared distance of strata, for each column


@dataclass(frozen=True, eq=False)
class RowPlaces:
    """The rows of a table as places whose squared distances are the expected ones.

    The squared distance of rows a and b is floor_a + floor_b + |x_a - x_b|^2 - m_a' m_b.
    """

    numbers: np.ndarray  # (n, q): x of the columns of numbers that vary, less 1/2
    marks: np.ndarray  # (n, m): a column for each level of several rows, and for missing numbers
    floor: np.ndarray  # (n,)
    ties: np.ndarray  # (p,): probability that two rows of a column tie; 1 of a constant one

    @classmethod
    def of(cls, table: Table) -> "RowPlaces":
        """The rows of a table of shape (n, p)."""
        n, p = table.shape
        first = np.unique(row_keys(table.values), return_index=True)[1]  # of equal rows
        numbers, marks, floor = [], [], np.zeros(n)
        ties = np.ones(p)
        for j in range(p):
            gap = np.isnan(table.values[:, j])
            cells = np.where(gap, np.inf, table.values[:, j])
            distinct, code = np.unique(cells, return_inverse=True)
            share = np.bincount(code[first], minlength=len(distinct)) / len(first)
            ties[j] = (share**2).sum()
            if len(distinct) < 2:
                continue
            if table.nominal[j]:
                floor += 1 / 12
                several = np.flatnonzero(np.bincount(code) > 1)
                marks.append((code[:, None] == several) * np.sqrt((1 - share[several] ** 2) / 6))
                continue
            known = len(distinct) - int(gap.any())
            x, width = _shares_below(distinct[:known], share[:known], len(first))
            numbers.append(np.append(x - 0.5, 0.0)[code])
            floor += np.append(width, 1.0)[code] ** 2 / 12
            if gap.any():
                marks.append(gap[:, None] * np.sqrt((1 - share[-1] ** 2) / 6))
        return cls(
            np.column_stack(numbers) if numbers else np.empty((n, 0)),
            np.concatenate(marks, axis=1) if marks else np.empty((n, 0)),
            floor,
            ties,
        )

    def nearest(self, k: int, strata: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest rows (n, k) of each row and their distances, in ascending order.

        Rows of another stratum (n,) are farther than any of the same one.
        """
        n = len(self.floor)
        rows, distances = np.empty((n, k), dtype=np.int64), np.empty((n, k))
        own = self.floor + np.einsum("ij,ij->i", self.numbers, self.numbers)
        for part in (np.arange(n)[some] for some in parts_of_columns(n, n, CELLS)):
            squares = own[part, None] + own
            squares -= 2 * (self.numbers[part] @ self.numbers.T)
            squares -= self.marks[part] @ self.marks.T
            if strata is not None:
                squares += (strata[part, None] != strata) * FARTHER * (1 + self.numbers.shape[1])
            squares[np.arange(len(part)), part] = np.inf
            near = np.argpartition(squares, k - 1, axis=1)[:, :k]
            nearest = np.take_along_axis(squares, near, axis=1)
            order = np.argsort(nearest, axis=1, kind="stable")
            rows[part] = np.take_along_axis(near, order, axis=1)
            distances[part] = np.take_along_axis(nearest, order, axis=1)
        return rows, np.sqrt(np.maximum(distances, LEAST**2))


def _shares_below(distinct: np.ndarray, share: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """x and w (k,) of the distinct numbers (k,) of a column, of which n rows have these shares."""
    known = share / share.sum()
    middle = np.cumsum(known) - known / 2
    if len(distinct) < 2:
        return middle, known
    ends = np.minimum(middle, 1 - middle) < 1 / PIECES  # where outliers are
    piece = np.floor(np.where(ends, 8 * PIECES, PIECES) * middle)
    knots = np.flatnonzero(np.append(True, piece[1:] != piece[:-1]))
    knots = np.union1d(knots, [len(distinct) - 1])
    places = scaled_to_one(distinct) / 2
    x = np.interp(places, places[knots], middle[knots])
    steps = np.diff(places)
    with np.errstate(all="ignore"):  # steps beyond the range of doubles: their slope is infinite
        slope = np.gradient(x, places) if len(distinct) > 2 else np.diff(x) / steps
        single = np.fmin(steps.min() * slope, 1 / (n * share.sum()))
    return x, np.where(share * n > 1.5, known, single)


def row_keys(values: np.ndarray) -> np.ndarray:
    """A number for each row (n,), equal for equal rows.

    Examples
    --------
    >>> keys = row_keys(np.array([[1.0, np.nan], [0.0, 2.0], [1.0, np.nan]]))
    >>> (keys == keys[0]).tolist()
    [True, False, True]
    """
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values + 0.0)
    hashed = pd.util.hash_pandas_object(pd.DataFrame(values), index=False)
    return np.unique(hashed.to_numpy(), return_inverse=True)[1]
