"""The partition of the rows by the cells of a subset: rows are together if all features agree."""

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
    """A subset with one 64-bit number a row: the sum of random numbers of its levels.

    Rows have the same number if they agree in all features, others but for a chance below n^2
    2^-65: a feature comes or goes in O(n). `told` (n,) are numbers in place of the classes.
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
        """Numbers (n,) of the rows with a feature added or taken away."""
        numbers = self._names[feature][self._codes[feature]]
        return self._rows + numbers if sign > 0 else self._rows - numbers

    def _value(self, rows: np.ndarray) -> float:
        cells = count_cells(rows, self.y, self._owner, self._keys, self._counts)
        return self._measure(self._counts[:cells])

    @abstractmethod
    def _measure(self, counts: np.ndarray) -> float:
        """Criterion of the rows of each class in each cell, (cells, classes)."""


@compiled
def count_cells(rows, y, owner, keys, counts):
    """Rows of each class (cells, classes) of each number, in the order of appearance; how many.

    `owner` is a hash table, a power of two larger than the number of rows.
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
    """Codes (p, n), from 0: bins of about as many rows each, or the levels, any numbers, of a
    column.
    """
    bins = whole_number("bins", bins, 2)
    categorical, cells = table.schema.categorical, table.values.copy()
    for f in np.flatnonzero(categorical):
        numbers = on_grid(unit_scale(cells[:, [f]]))[:, 0]
        cells[:, f] = np.unique(numbers, return_inverse=True)[1]
    return discretize(cells, categorical, bins).cells


@dataclass(frozen=True)
class Consistency:
    """One minus the inconsistency rate: the share of rows of the main class of their cell.

    J = (1/n) sum_cells max_c n_ic, with n_ic the rows of class c in cell i, the rows that agree in
    all features, numbers cut into so many bins of about as many rows each. It does not fall when a
    feature is added; where most rows have a cell of their own any subset reaches 1 (Liu and Setiono
    1996, A probabilistic approach to feature selection; Dash and Liu 2003, Consistency-based
    search).
    """

    bins: int = 5

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "ConsistencyState":
        return ConsistencyState(problem, self.bins).extended(subset)


class ConsistencyState(PartitionState):
    """A partition measured by the rows of the main class of their cell."""

    def _measure(self, counts: np.ndarray) -> float:
        return float(counts.max(axis=1).sum()) / len(self.y)


TERM_GRID = 2.0**30  # for n_ic ln n_ic: their sums are exact, in whatever order


@dataclass(frozen=True)
class JointInformation:
    """Mutual information of the class and the cells of a subset, in nats, from the counts.

    I(X; Y) = H(Y) - H(Y | X) = (1/n) sum_cells sum_c n_ic ln(n_ic n / (n_i n_c)), with n_ic and
    `bins` as in :class:`Consistency`. It does not fall when a feature is added; no correction is
    made for the number of cells: where most rows have a cell of their own, any subset reaches H(Y).

    Numbers and survival times have tenths of the rows in place of classes: by their value, or by
    their martingale residual of the model without features. Of fewer than 50 rows they have five
    each.
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
    """Group (n,) of each row, whose information is measured: its class, or its tenth."""
    if isinstance(target, Classes):
        return target.codes
    if isinstance(target, Numbers):
        return target.strata
    return Numbers(martingale_residuals(target.times, target.events)).strata


def _of_counts(counts: np.ndarray) -> float:
    """Sum of k ln k, each rounded to a grid."""
    terms = counts * np.log(np.maximum(counts, 1))
    return float(np.rint(terms * TERM_GRID).sum() / TERM_GRID)
