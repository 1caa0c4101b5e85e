"""The partition of the rows by the cells of a subset: rows are together if all features agree."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground.parameters import whole_number
from hetsel.ground.ties import on_grid, unit_scale
from hetsel.selection import Problem
from hetsel.statistics.information.discretization import discretize
from hetsel.tables import Table


class PartitionState(ABC):
    """A subset with one 64-bit number a row: the sum of random numbers of its levels.

    Rows have the same number if they agree in all features of the subset, so a feature is added or
    taken away in O(n), whatever the number of the others. Rows that do not agree have different
    numbers but for a chance below n^2 2^-65, one in three thousand million for 100,000 rows.

    Parameters
    ----------
    problem : Problem
    bins : int
        Of about as many rows each, for every continuous column.
    told : ndarray of int, shape (n,), optional
        Number of each row, 0..c-1, in place of the classes.
    """

    def __init__(self, problem: Problem, bins: int, told: np.ndarray | None = None) -> None:
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
        self._subset: list[int] = []

    @property
    def subset(self) -> tuple[int, ...]:
        """The features, in the order in which they came."""
        return tuple(self._subset)

    @property
    def value(self) -> float:
        """Criterion of the subset."""
        return self._value(self._rows)

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        """Criterion (k,) of the subset with each of these features added."""
        return np.array([self._value(self._rows + self._numbers(f)) for f in candidates])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        """Criterion (k,) of the subset with each of these features taken away."""
        return np.array([self._value(self._rows - self._numbers(f)) for f in candidates])

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""
        self._subset.append(feature)
        self._rows += self._numbers(feature)

    def remove(self, feature: int) -> None:
        """Take a feature of the subset away."""
        self._subset.remove(feature)
        self._rows -= self._numbers(feature)

    def _numbers(self, feature: int) -> np.ndarray:
        return np.asarray(self._names[feature][self._codes[feature]])

    def _value(self, rows: np.ndarray) -> float:
        cells = count_cells(rows, self.y, self._owner, self._keys, self._counts)
        return self._measure(self._counts[:cells])

    @abstractmethod
    def _measure(self, counts: np.ndarray) -> float:
        """Criterion of the rows of each class in each cell, (cells, classes)."""


@compiled
def count_cells(rows, y, owner, keys, counts):
    """Rows of each class (cells, classes) of each distinct number, in the order of appearance.

    `owner` is a hash table, a power of two larger than the number of rows. The first entries of
    `keys` and of `counts` are filled; returns how many.
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
    """Codes (p, n), from 0: bins of about as many rows each, or the levels of a column.

    Ordered levels may be any numbers, such as those of a table in canonical form.

    Raises
    ------
    TableError
        bins below 2.
    """
    bins = whole_number("bins", bins, 2)
    categorical, cells = table.schema.categorical, table.values.copy()
    for f in np.flatnonzero(categorical):
        numbers = on_grid(unit_scale(cells[:, [f]]))[:, 0]
        cells[:, f] = np.unique(numbers, return_inverse=True)[1]
    return discretize(cells, categorical, bins).cells
