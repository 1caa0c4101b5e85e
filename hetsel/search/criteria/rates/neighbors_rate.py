"""Cross-validated performance of nearest neighbors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed

from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError, number_of_jobs, whole_number
from hetsel.ground.equal_numbers import unit_scale
from hetsel.models.neighbors import (
    DISTANCE_UNIT,
    MISSING,
    NeighborTarget,
    changed_distance,
    estimate_by_nearest,
    nearest_distances,
    rows_within,
    told_numbers,
    told_times,
)
from hetsel.resampling.folds import draw_folds
from hetsel.search.criteria.criterion import sampled
from hetsel.search.criteria.rates import held_out_rates, neighbors_by_feature
from hetsel.selection import SEARCHED, Cost, Problem
from hetsel.selection.about import refuse_memory
from hetsel.tables import Classes, Numbers, TypedTarget

NARROW = 126  # features whose distances, with one more, are below 2^31 units
AT_ONCE = 4_000_000  # predictions held in memory
WORTH_A_THREAD = 4_000_000  # distances
TARGETS = ("classes", "numbers", "survival")


@dataclass(frozen=True)
class NeighborsRate:
    """Score a subset by the cross-validated performance of nearest neighbors on mixed columns.

    A held-out row gets the class of most of its `neighbors` nearest rows among the other folds, or
    of all if there are fewer. The metric and the votes are those of :mod:`hetsel.models.neighbors`,
    with the range of all rows of the table. The default performance is the balanced accuracy; "auc"
    uses the proportions of the votes.

    For a numeric target the performance is R^2 of the mean of the nearest rows. For survival times
    it is Harrell's concordance of the mortality (Ishwaran, Kogalur, Blackstone and Lauer 2008,
    Annals of Applied Statistics 2, 841-860) by the Nelson-Aalen estimate from the nearest rows
    (Beran 1981, technical report, Berkeley). The state is one (n, n) matrix of the rows used: 4 n^2
    bytes, 8 n^2 from 127 features on. :mod:`hetsel.search.criteria.rates.held_out_rates` describes
    the other parameters.
    """

    targets: ClassVar[tuple[str, ...]] = TARGETS

    neighbors: int = 5
    folds: int = 5
    rate: str | None = None
    repeats: int = 1
    n_jobs: int = field(default=1, repr=False)  # has no effect on the result
    sample: int | None = field(default=SEARCHED, repr=False)  # of large tables only

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "NeighborsState":
        problem = sampled(problem, self.sample, self.folds)
        fold = draw_folds(problem, self.folds, self.repeats)
        kind = NeighborsRatesState if isinstance(self, NeighborsRates) else NeighborsState
        return kind(problem, fold, self.neighbors, self.rate, self.n_jobs).extended(subset)


@dataclass(frozen=True)
class NeighborsRates(NeighborsRate):
    """Score a subset for several numbers of neighbors, on the same folds, with one search."""

    neighbors: Any = (1, 3, 5, 7)


class NeighborsState(held_out_rates.HeldOutState):
    """The squared distances (n, n) of a subset in steps of 2^-24; `value` is its first number."""

    def __init__(
        self,
        problem: Problem,
        fold: np.ndarray,
        neighbors: int | Sequence[int],
        rate: str | None = None,
        n_jobs: int = 1,
    ) -> None:
        super().__init__(problem, fold, rate)
        refuse_memory("the search for nearest neighbors", Cost("n^2 p", "0.5 n^2"), problem)
        numbers = [neighbors] if isinstance(neighbors, int | float | np.number) else neighbors
        numbers = [whole_number("neighbors", number, 1) for number in numbers]
        if not numbers:
            raise TableError("neighbors must be at least one number. Got none")
        self._ks, self._member = np.unique(np.minimum(numbers, problem.n), return_inverse=True)
        self._n_jobs = number_of_jobs("n_jobs", n_jobs)
        table = problem.table
        columns = unit_scale(table.values)
        columns[:, table.nominal] = table.values[:, table.nominal]  # codes: a step apart or more
        columns[np.isnan(columns)] = MISSING
        columns *= np.sqrt(DISTANCE_UNIT)
        self._cells = columns.T
        self._distances = np.zeros((problem.n, problem.n), dtype=np.int32)
        self._own: np.ndarray | None = None
        self._told = _told(problem.target, self.by_scores)

    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        features = () if feature is None else (feature,)
        return self._predict(features, sign)[-1, self._member[0]]

    scores = predict  # `_told` decides which of the two it is

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        return self.several(candidates, 1.0)[:, 0]

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        return self.several(candidates, -1.0)[:, 0]

    @property
    def value(self) -> float:
        return float(self.own_rates()[0])

    def own_rates(self) -> np.ndarray:
        """Return the performance (m,) of the subset by each number of neighbors."""
        if self._own is None:
            self.several((), 1.0)
        return np.array(self._own)

    def several(self, candidates: Sequence[int], sign: float) -> np.ndarray:
        """Return performances (k, m), by number of neighbors, of features added (1) or removed."""
        size = max(1, AT_ONCE // (len(self._told) * len(self._ks) * self.fold.size))
        parts = []
        for start in range(0, max(1, len(candidates)), size):
            predicted = self._predict(candidates[start : start + size], sign)
            rates = self.rates_of(predicted)[:, self._member]
            if sign > 0.0:
                self._own, rates = rates[0], rates[1:]
            parts.append(rates)
        return np.concatenate(parts)

    def extended(self, features: Sequence[int]) -> Self:
        """Add some features in one pass over the distances and return this state."""
        self._change(features, 1.0)
        self._subset.extend(features)
        return self

    def _update(self, feature: int, sign: float) -> None:
        self._change((feature,), sign)

    def _change(self, features: Sequence[int], sign: float) -> None:
        self._own = None
        if sign > 0.0 and len(self._subset) + len(features) > NARROW:
            self._distances = self._distances.astype(np.int64, copy=False)
        columns = np.array(features, dtype=np.int64)

        def run(first: int, last: int) -> None:
            neighbors_by_feature.update_distances(
                self._distances, self._cells, columns, int(sign), first, last
            )

        self._in_threads(run, len(columns))

    def _predict(self, features: Sequence[int], sign: float) -> np.ndarray:
        """Predict (1 + c, ks, repeats, n[, d]) by the subset, if sign is 1, and by each change."""
        columns = np.array(features, dtype=np.int64)
        shape = (1 + len(columns), len(self._ks), *self.fold.shape)
        kind = self._distances.dtype.type
        far = kind(np.iinfo(kind).max)
        change = (self._distances, self._cells, columns, int(sign))
        predictions = []
        for told in self._told:
            out = np.empty(shape, dtype=np.int64 if told is None else np.float64)

            def run(
                first: int, last: int, told: NeighborTarget | None = told, out: np.ndarray = out
            ) -> None:
                rest = (self.fold, self._ks, far, first, last, out)
                if told is None:
                    neighbors_by_feature.held_out_winners(*change, self.y, *rest)
                else:
                    held_out_estimates(*change, tuple(told), *rest)

            self._in_threads(run, 1 + len(columns))
            predictions.append(out if sign > 0.0 else out[1:])
        return np.stack(predictions, axis=-1) if self.by_scores else predictions[0]

    def _in_threads(self, run: Callable[[int, int], None], passes: int) -> None:
        """Run over blocks of rows, in threads if there are enough distances."""
        n = len(self.y)
        if self._n_jobs == 1 or passes * n * n < WORTH_A_THREAD:
            run(0, n)
            return
        edges = range(0, n, -(-n // 16))
        call = Parallel(n_jobs=self._n_jobs, require="sharedmem")
        call(delayed(run)(first, min(first + edges.step, n)) for first in edges)


def _told(target: TypedTarget, by_scores: bool) -> list[NeighborTarget | None]:
    """Return the target of the rows: None for classes that are elected, otherwise numbers."""
    if isinstance(target, Classes):
        classes = range(len(target.labels))[len(target.labels) == 2 :]
        told = [told_numbers((target.codes == c) * 1.0) for c in classes]
        return [*told] if by_scores else [None]
    if isinstance(target, Numbers):
        return [told_numbers(target.values)]
    return [told_times(target.times, target.events)]


class NeighborsRatesState(NeighborsState):
    """A subset with one performance for each of m numbers of neighbors."""

    @property
    def value(self) -> np.ndarray:  # type: ignore[override]
        return self.own_rates()

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        return self.several(candidates, 1.0)

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        return self.several(candidates, -1.0)


@compiled
def held_out_estimates(distances, cells, features, sign, told, fold, ks, far, first, last, out):
    """Write numbers or mortalities by the nearest rows of other folds, for rows first..last - 1.

    Arguments are those of `held_out_winners`; `told` is a `NeighborTarget`, as a plain tuple.
    """
    n, most = distances.shape[0], ks[-1]
    changed, away = np.empty(n, dtype=distances.dtype), np.empty(n, dtype=distances.dtype)
    near, who = np.empty(most, dtype=distances.dtype), np.empty(n, dtype=np.int64)
    for c in range(0 if sign > 0 else 1, 1 + len(features)):
        f, step = (features[c - 1], float(sign)) if c > 0 else (0, 0.0)
        for i in range(first, last):
            for j in range(n):
                changed[j] = changed_distance(distances[i, j], cells[f, j], cells[f, i], step)
            for r in range(fold.shape[0]):
                for j in range(n):
                    away[j] = far if fold[r, j] == fold[r, i] else changed[j]
                found = nearest_distances(away, most, far, near)
                count = rows_within(away, told[3], near[found - 1], who)
                for q in range(ks.shape[0]):
                    k = min(ks[q], found)
                    out[c, q, r, i] = estimate_by_nearest(away, who, count, k, near[k - 1], told)
