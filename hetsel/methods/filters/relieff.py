"""ReliefF: what differs between a row and its nearest rows of other classes, but not of its own."""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled
from hetsel.selection.about import About
from hetsel.selection.base import UnivariateFilter
from hetsel.selection.problem import Problem
from hetsel.tables.ties import on_grid, unit_scale
from hetsel.tables.validation import at_least

# adding it to a number of [0, 1] and taking it away again rounds to 2^-24
ROUNDER = 1.5 * 2.0**28
MISSING = -3.0  # at distance 1 from any value in [0, 1] and any code, at 0 from another
BLOCK = 16  # rows whose distances are found together
MOST_HELD = 2048  # rows up to which all distances are held, 32 MB, and each is found once


class ReliefFSelector(UnivariateFilter):
    """Rank features of every kind by ReliefF.

    J(f) = (1/m) sum_i [sum_(c != y_i) P(c) / (1 - P(y_i)) D_f(i, c) - D_f(i, y_i)],

    with D_f(i, c) the mean of diff_f(i, j) over the k rows j of class c nearest to row i, i itself
    left out, P(c) the share of the class, and m the number of rows i; -1 <= J(f) <= 1.
    diff_f(a, b) = |a - b| / (max_f - min_f) for numbers and ordinal columns, I(a != b) for nominal
    ones; the distance of two rows is the sum of their diffs. With missing="separate" a missing
    cell has diff 1 to a present one and 0 to another. A class with fewer than k other rows gives
    all it has. Rows that are as far as the k-th nearest share the places that are left, so that the
    order of the rows changes nothing. Each diff is rounded to 2^-24: distances that are equal on
    paper tie.

    Parameters
    ----------
    neighbors : int
        k, the number of nearest rows of each class.
    rows : int, optional
        m rows are drawn to start from; None starts from every row and draws nothing.

    Notes
    -----
    Distances take O(m n p) steps. Up to 2048 rows they are held, 8 n^2 bytes, and each is found
    once; with more rows memory is O(n p).

    References
    ----------
    Kononenko 1994, ECML, 171-182; Robnik-Sikonja and Kononenko 2003, Machine Learning 53, 23-69.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0, 1.0, 0.0], "sex": ["f", "f", "m", "m"]})
    >>> ReliefFSelector(size=1, neighbors=1).fit(frame, [0, 0, 1, 1]).importances_
    array([-1.,  1.])
    """

    neighbors: int = 10
    rows: int | None = None

    about = About(
        "ReliefF, numbers by their range and levels by overlap",
        paper="Kononenko 1994; Robnik-Sikonja and Kononenko 2003",
    )

    def _score(self, problem: Problem) -> np.ndarray:
        at_least("neighbors", self.neighbors, 1)
        n, table, y = problem.n, problem.table, problem.target.codes
        instances = np.arange(n)
        if self.rows is not None:
            at_least("rows", self.rows, 1)
            instances = problem.rng().permutation(n)[: self.rows]  # a head of one order
        cells = unit_scale(table.values)
        cells[:, table.nominal] = table.values[:, table.nominal]  # codes: a step apart or more
        cells[np.isnan(cells)] = MISSING
        by_class = np.argsort(y, kind="stable")
        place = np.empty(n, dtype=np.int64)
        place[by_class] = np.arange(n)
        cells = cells[by_class]
        starts = np.append(0, np.cumsum(problem.target.counts))
        units = np.zeros((len(starts) - 1, len(starts) - 1, problem.p))
        add_differences(
            np.ascontiguousarray(cells.T),
            np.ascontiguousarray(cells),
            np.sort(place[instances]),
            starts,
            self.neighbors,
            held(len(instances), n),
            units,
        )
        return on_grid(_weighted(units, problem.target.counts, self.neighbors) / len(instances))


def _weighted(units: np.ndarray, counts: np.ndarray, neighbors: int) -> np.ndarray:
    """Sum (p,) of the summed diffs (c, c, p) by the class of a row and that of its neighbors."""
    share = counts / counts.sum()
    weights = share[None, :] / (1.0 - share[:, None])
    np.fill_diagonal(weights, -1.0)
    weights /= np.minimum(neighbors, counts[None, :] - np.eye(len(counts)))
    return np.asarray((weights[:, :, None] * units).sum(axis=(0, 1)))


def held(m: int, n: int) -> bool:
    """Whether all distances are held, so that each is found once."""
    return m == n and n <= MOST_HELD


@compiled
def difference(a, b):
    """diff_f of two cells, a multiple of 2^-24: the overlap of codes, the distance in [0, 1]."""
    away = abs(a - b)
    return ((away if away < 1.0 else 1.0) + ROUNDER) - ROUNDER


@compiled
def add_differences(columns, cells, instances, starts, neighbors, once, out):
    """out (c, c, p) += sums of diff_f between rows and their nearest rows of each class.

    Rows that are as far as the last of the nearest count by the share of the places left, rounded
    to 2^-24, so that every sum is exact.

    Parameters
    ----------
    columns : ndarray of shape (p, n)
        Rows in the order of their classes; numbers in [0, 1], level codes, MISSING.
    cells : ndarray of shape (n, p)
        The same, row by row.
    instances : ndarray of int, shape (m,)
        Rows to start from, ascending.
    starts : ndarray of int, shape (c + 1,)
        Where each class starts.
    neighbors : int
    once : bool
        Every row is one to start from, and the distances (n, n) are held.
    out : ndarray of shape (c, c, p)
        By the class of the row, then by that of its neighbors.
    """
    n, p = cells.shape
    distances = np.empty((n if once else BLOCK, n))
    nearest = np.empty(neighbors)
    tied = np.empty(p)
    own = 0
    for start in range(0, len(instances), BLOCK):
        block = instances[start : start + BLOCK]
        at = start if once else 0
        fill_block(columns, block, distances, at, at)
        if once:
            for j in range(start + len(block), n):
                for b in range(len(block)):
                    distances[j, start + b] = distances[start + b, j]
        for b in range(len(block)):
            i, row = block[b], distances[at + b]
            while i >= starts[own + 1]:
                own += 1
            row[i] = np.inf
            for c in range(len(starts) - 1):
                first, last = starts[c], starts[c + 1]
                k = min(neighbors, last - first - (1 if c == own else 0))
                farthest = kth_smallest(row[first:last], nearest[:k])
                left, ties = k, 0
                for j in range(first, last):
                    if row[j] < farthest:
                        left -= 1
                        add_one(cells[i], cells[j], out[own, c])
                    elif row[j] == farthest:
                        ties += 1
                if ties == left:
                    for j in range(first, last):
                        if row[j] == farthest:
                            add_one(cells[i], cells[j], out[own, c])
                    continue
                tied[:] = 0.0
                for j in range(first, last):
                    if row[j] == farthest:
                        add_one(cells[i], cells[j], tied)
                for f in range(p):
                    out[own, c, f] += (left * tied[f] / ties + ROUNDER) - ROUNDER


@compiled
def add_one(one, other, out):
    """out (p,) += diff_f of two rows."""
    for f in range(len(out)):
        out[f] += difference(one[f], other[f])


@compiled
def fill_block(columns, block, distances, at, first):
    """Distances of these rows to the rows from `first` on, in the rows from `at` on of distances.

    Four columns go at once, so that the distances pass through memory less often.
    """
    p = len(columns)
    distances[at : at + len(block), first:] = 0.0
    for f in range(0, p - p % 4, 4):
        x0, x1 = columns[f, first:], columns[f + 1, first:]
        x2, x3 = columns[f + 2, first:], columns[f + 3, first:]
        for b in range(len(block)):
            row, i = distances[at + b, first:], block[b]
            a0, a1, a2, a3 = columns[f, i], columns[f + 1, i], columns[f + 2, i], columns[f + 3, i]
            for j in range(len(row)):
                row[j] += (difference(x0[j], a0) + difference(x1[j], a1)) + (
                    difference(x2[j], a2) + difference(x3[j], a3)
                )
    for f in range(p - p % 4, p):
        column = columns[f, first:]
        for b in range(len(block)):
            row, a = distances[at + b, first:], columns[f, block[b]]
            for j in range(len(row)):
                row[j] += difference(column[j], a)


@compiled
def kth_smallest(values, smallest):
    """The k-th smallest of the values, k the length of `smallest`, which takes the k smallest."""
    k, found = len(smallest), 0
    for value in values:
        if found == k:
            if value >= smallest[k - 1]:
                continue
        else:
            found += 1
        place = found - 1
        while place > 0 and value < smallest[place - 1]:
            smallest[place] = smallest[place - 1]
            place -= 1
        smallest[place] = value
    return smallest[k - 1]
