"""The clinical machines of some thousand rows, at every size of signature, without a Gram matrix.

Where a subset has few different rows those of one class are one row with the sum of their bounds.
"""

from collections.abc import Iterator

import numpy as np

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.feature_loops import Family
from hetsel.models.train_test_arrays import Split, Subsets, growth
from hetsel.solvers.svm.block_ascent import SOLVED, ends_of, solve_columns
from hetsel.tables.content import told_apart

FEW = 0.5  # of the rows: as many different ones are few
WHOLE = 1e-11  # of a bound: what is that near to one is there


def decisions_by_blocks(
    split: Split, subsets: Subsets, labels: np.ndarray, bounds: np.ndarray, tube: float = 0.0
) -> np.ndarray | None:
    """Decision values (subsets, m, machines) of the test rows; None where blocks are no help."""
    kernels = FeatureKernels(np.concatenate([split.train, split.test], axis=1), split.nominal)
    out = np.empty((len(subsets), split.test.shape[1], len(labels)))
    equal = [None] * len(subsets) if tube else [*_equal_rows(split.train, split.codes, subsets)]
    for c, (y, bound) in enumerate(zip(labels, bounds, strict=True)):
        machines = _Machines(kernels, y, bound, tube)
        for k, subset in enumerate(subsets):
            if not machines.solve(subset, equal[k]):
                return None
            out[k, :, c] = machines.decisions
    return out


def _equal_rows(
    cells: np.ndarray, codes: np.ndarray, subsets: Subsets
) -> Iterator[np.ndarray | None]:
    """For each subset a number (n,) of rows of one class that are equal; None where few are."""
    equal: np.ndarray | None = codes
    for new, anew in growth(subsets):
        equal = codes if anew else equal
        for f in new:
            if equal is not None:
                equal = told_apart(equal, cells[f])
                equal = equal if int(equal.max()) + 1 <= FEW * len(codes) else None
        yield equal


class _Machines:
    """One machine after the other, each started from the last; test rows have bounds of 0."""

    def __init__(self, kernels: FeatureKernels, y: np.ndarray, bound: np.ndarray, tube: float):
        self._kernels, self._y, self._bound, self._tube = kernels, y, bound, tube
        self._n = len(y)  # training rows, before the test rows
        self._beta, self._away = np.zeros(kernels.n), np.empty(kernels.n)
        self._size = 0

    @property
    def decisions(self) -> np.ndarray:
        """Decision values (m,) of the test rows."""
        return -self._away[self._n :] / self._size

    def solve(self, subset: np.ndarray, equal: np.ndarray | None) -> bool:
        """Learn from the columns of a subset; whether that worked."""
        if equal is not None:
            return self._solve_few(subset, equal)
        if self._size:
            self._away *= len(subset) / self._size
        family = self._kernels.subset(np.asarray(subset, dtype=np.int64)).family
        given = (family, self._y, self._bound, self._beta, self._away)
        solved = self._solved(*given, started=self._size > 0)
        self._size = len(subset)
        return solved

    def _solve_few(self, subset: np.ndarray, equal: np.ndarray) -> bool:
        """The same where rows are equal: of each number one row."""
        n, first = self._n, np.unique(equal, return_index=True)[1]
        different = len(first)
        kept = np.append(first, np.arange(n, self._kernels.n))
        family = self._kernels.subset(subset).of_rows(kept).family
        bounds = np.bincount(equal, weights=self._bound)
        beta, away = np.zeros(len(kept)), np.empty(len(kept))
        given = (family, self._y[first], bounds, beta, away)
        solved = self._solved(*given, started=False)
        # the rows of one number reach their bound one after the other: few of them are free
        order = np.argsort(equal, kind="stable")
        before = np.empty(n)
        before[order] = np.cumsum(self._bound[order]) - self._bound[order]
        before -= (np.cumsum(bounds) - bounds)[equal]
        own = np.clip(np.abs(beta[equal]) - before, 0.0, self._bound)
        own = np.where(own < WHOLE * self._bound, 0.0, own)
        own = np.where(own > (1.0 - WHOLE) * self._bound, self._bound, own)
        self._beta[:n] = own * self._y
        self._away[:n], self._away[n:] = away[equal], away[different:]
        self._size = len(subset)
        return solved

    def _solved(
        self,
        family: Family,
        y: np.ndarray,
        bound: np.ndarray,
        beta: np.ndarray,
        away: np.ndarray,
        started: bool,
    ) -> bool:
        size = len(family.features)
        rest = len(beta) - len(y)
        y, bound = (np.append(own, np.zeros(rest)) for own in (y, bound))
        ends = ends_of(y, bound, self._tube)
        given = (family, np.ones(size), size * y, *ends, beta, float(size), away, started)
        _, violation = solve_columns(*given, size * self._tube)
        return bool(violation <= SOLVED * size)
