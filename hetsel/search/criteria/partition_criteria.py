"""Criteria of the partition of rows by the values of a subset: rows that agree are together."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import FINE_GRID, on_grid, unit_scale
from hetsel.search.criteria.criterion import SubsetState
from hetsel.selection import Problem
from hetsel.statistics.information.discretization import discretize
from hetsel.statistics.survival.curves_and_martingale_residuals import martingale_residuals
from hetsel.tables import Classes, Numbers, Table, TypedTarget


class PartitionState(SubsetState):
    """A subset with one 64-bit number per row: the sum of random numbers of its levels.

    Rows have the same number if they agree in all features; other rows do so with probability below
    n^2 2^-65. Adding or removing a feature takes O(n). `told` (n,) are numbers in place of the
    classes.
    """

    def __init__(self, problem: Problem, bins: int, told: np.ndarray | None = None) -> None:
        super().__init__()
        self._codes = discrete_codes(problem.table, bins)
        rng = np.random.default_rng(0)
        self._names = [
            rng.integers(2**64, size=int(row.max()) + 1, dtype=np.uint64) for row in self._codes
        ]
        told = problem.classes.codes if told is None else told
        self.y = told.copy()  # for compiled functions: writable
        self._rows = np.zeros(problem.n, dtype=np.uint64)
        self._counts = np.empty((problem.n, int(told.max()) + 1), dtype=np.int64)
        self._owner = np.empty(2 ** (2 * problem.n).bit_length(), dtype=np.int64)
        self._keys = np.empty(problem.n, dtype=np.uint64)

    def _changed(self, feature: int | None, sign: float) -> float:
        return self._value(self._rows if feature is None else self._moved(feature, sign))

    def _update(self, feature: int, sign: float) -> None:
        self._rows = self._moved(feature, sign)

    def _moved(self, feature: int, sign: float) -> np.ndarray:
        """Return the numbers (n,) of the rows with a feature added or removed."""
        numbers = self._names[feature][self._codes[feature]]
        return self._rows + numbers if sign > 0 else self._rows - numbers

    def _value(self, rows: np.ndarray) -> float:
        cells = count_cells(rows, self.y, self._owner, self._keys, self._counts)
        return self._measure(self._counts[:cells])

    @abstractmethod
    def _measure(self, counts: np.ndarray) -> float:
        """Return the criterion from the rows of each class in each cell, (cells, classes)."""


@compiled
def count_cells(rows, y, owner, keys, counts):
    """Count rows by number and class (cells, classes), in order of appearance; return the cells.

    `owner` is a hash table whose size is a power of two larger than the number of rows.
    """
    owner[:] = -1
    mask = np.uint64(len(owner) - 1)
    cells = 0
    for i in range(len(rows)):
        slot = rows[i] & mask
        while owner[slot] >= 0 and keys[owner[slot]] != rows[i]:
            slot = (slot + np.uint64(1)) & mask
        if owner[slot] < 0:
            owner[slot] = cells
            keys[cells] = rows[i]
            counts[cells] = 0
            cells += 1
        counts[owner[slot], y[i]] += 1
    return cells


def discrete_codes(table: Table, bins: int) -> np.ndarray:
    """Return codes (p, n) from 0: bins of about equally many rows, or the levels of a column."""
    bins = whole_number("bins", bins, 2)
    categorical, cells = table.schema.categorical, table.values.copy()
    for f in np.flatnonzero(categorical):
        numbers = on_grid(unit_scale(cells[:, [f]]))[:, 0]
        cells[:, f] = np.unique(numbers, return_inverse=True)[1]
    return discretize(cells, categorical, bins).cells


@dataclass(frozen=True)
class Consistency:
    """Score a subset by its consistency, one minus the inconsistency rate.

    J = (1/n) sum_cells max_c n_ic with n_ic the rows of class c in cell i, and a cell the rows that
    agree in all features: the proportion of rows in the most frequent class of their cell.
    Continuous columns are cut into `bins` bins of about equally many rows. J does not fall when a
    feature is added. If most rows have their own cell, any subset reaches 1 (Liu and Setiono 1996,
    A probabilistic approach to feature selection; Dash and Liu 2003, Consistency-based search).
    """

    bins: int = 5

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "ConsistencyState":
        return ConsistencyState(problem, self.bins).extended(subset)


class ConsistencyState(PartitionState):
    """A partition measured by the rows in the most frequent class of their cell."""

    def _measure(self, counts: np.ndarray) -> float:
        return float(counts.max(axis=1).sum()) / len(self.y)


TERM_GRID = 2.0**30  # for n_ic ln n_ic: their sums are exact, in whatever order


@dataclass(frozen=True)
class JointInformation:
    """Score a subset by the mutual information of its cells with the class, in nats, from counts.

    I(X; Y) = H(Y) - H(Y | X) = (1/n) sum_cells sum_c n_ic ln(n_ic n / (n_i n_c)),

    with n_ic and `bins` as in :class:`Consistency`. It does not fall when a feature is added. There
    is no correction for the number of cells: if most rows have their own cell, any subset reaches
    H(Y).

    A numeric target has tenths of the rows by value in place of classes, and survival times have
    tenths by the martingale residual of the model without features. With fewer than 50 rows each
    group has five rows.
    """

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    bins: int = 5

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "InformationState":
        return InformationState(problem, self.bins, told_groups(problem.target)).extended(subset)


class InformationState(PartitionState):
    """A partition measured by mutual information."""

    def _measure(self, counts: np.ndarray) -> float:
        n = len(self.y)
        sums = counts.sum(axis=1), counts.sum(axis=0), np.array([n])
        total = _of_counts(counts) + _of_counts(sums[2]) - _of_counts(sums[0]) - _of_counts(sums[1])
        return float(np.rint(total / n * FINE_GRID) / FINE_GRID) + 0.0


def told_groups(target: TypedTarget) -> np.ndarray:
    """Return the group (n,) of each row, whose information is measured: its class, or its tenth."""
    if isinstance(target, Classes):
        return target.codes
    if isinstance(target, Numbers):
        return target.strata
    return Numbers(martingale_residuals(target.times, target.events)).strata


def _of_counts(counts: np.ndarray) -> float:
    """Return the sum of k ln k, each term rounded to a grid."""
    terms = counts * np.log(np.maximum(counts, 1))
    return float(np.rint(terms * TERM_GRID).sum() / TERM_GRID)
