"""The course of a search: its two moves, and their record (somol2011, 1.1, 1.2)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hetsel.search.subsets import nearly_best, subset_values
from hetsel.search.subsets.voting_and_prefilter import Choice, Prefilter, Units, best_mean, merit
from hetsel.selection.answer import Move

Callback = Callable[[subset_values.Progress], object]


class FoundSubset(NamedTuple):
    """A subset and its value."""

    subset: int
    value: float


class Evaluated(Mapping[tuple[int, ...], float]):
    """Value of every subset that a search evaluated, by its features (ascending), in order."""

    def __init__(self, evaluation: subset_values.SubsetEvaluation) -> None:
        self._features, values = evaluation.space.features, evaluation.archive.values
        self._values = {s: values[s] for s in evaluation.asked if s in values}

    def __getitem__(self, features: tuple[int, ...]) -> float:
        return float(merit(np.array([self._values[subset_values.subset_of(features)]]))[0])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self._features, self._values)

    def __len__(self) -> int:
        return len(self._values)


class Course:
    """The course of a search: it moves from subset to subset by the best tuple of units.

    `count` units are added or removed at once (the c of generalized searches). `allowed` is whether
    a subset may be visited; if one may not, no larger one may. A true return value of `progress`
    ends the search.
    """

    def __init__(
        self,
        evaluation: subset_values.SubsetEvaluation,
        choice: Choice = best_mean,
        *,
        prefilter: Prefilter | None = None,
        count: int = 1,
        pivots: Sequence[nearly_best.Pivots] = (),
        allowed: Callable[[int], bool] | None = None,
        progress: Callback | None = None,
    ) -> None:
        self.evaluation, self.space, self.count = evaluation, evaluation.space, count
        self._choice, self._prefilter, self._pivots = choice, prefilter, pivots
        self._allowed, self._callback = allowed, progress
        self.visited: dict[int, float] = {}
        self.moves: list[Move] = []
        self.ahead = float("inf")
        self._at = self.space.least
        self._best = -1

    def start(self, subset: int) -> int:
        """Move to a subset, whatever its value."""
        if subset in self.visited:
            self.back(subset)
            return subset
        value = self._see([subset], self.evaluation.value(subset)[None, :])[0]
        return self.stand(subset, value)

    def add(self, subset: int, most: int | None = None) -> FoundSubset | None:
        """Return the subset, of at most `most` features, with the best tuple added, and its value.

        None if no tuple can be added.
        """
        tuples = self.space.additions(subset, self.count)
        if most is not None or self._allowed is not None:
            tuples = [t for t in tuples if self.open_to(subset | self.space.joined(t), most)]
        return self._best_of(subset, tuples, 1)

    def remove(self, subset: int, least: int = 1) -> FoundSubset | None:
        """Return the subset, of at least `least` features, without the worst tuple, and its value.

        None if no tuple can be removed.
        """
        joined, tuples = self.space.joined, self.space.removals(subset, self.count)
        tuples = [t for t in tuples if (subset ^ joined(t)).bit_count() >= least]
        return self._best_of(subset, tuples, -1)

    def open_to(self, subset: int, most: int | None = None) -> bool:
        """Return whether the search may move to a subset."""
        few = most is None or subset.bit_count() <= most
        return few and (self._allowed is None or self._allowed(subset))

    def _best_of(self, subset: int, tuples: list[Units], sign: int) -> FoundSubset | None:
        if not tuples:
            return None
        if self._prefilter is not None:
            tuples = self._prefilter.keep(subset, tuples, sign)
        values = self.evaluation.neighbors(subset, tuples, sign)
        keys = [subset ^ self.space.joined(units) for units in tuples]
        seen = self._see(keys, values)
        chosen = self._choice(tuples, values, sign)
        return FoundSubset(keys[chosen], seen[chosen])

    def look(self, subset: int, tuples: list[Units], sign: int) -> np.ndarray:
        """Return the criterion (tuples,) of the subset with each tuple added or removed."""
        keys = [subset ^ self.space.joined(units) for units in tuples]
        return np.array(self._see(keys, self.evaluation.neighbors(subset, tuples, sign)))

    def _see(self, keys: Sequence[int], values: np.ndarray) -> list[float]:
        """Return one value per subset; the pivots see all of them."""
        means: list[float] = merit(values).tolist()
        for pivots in self._pivots:
            for key, value in zip(keys, means, strict=True):
                if self._allowed is None or self._allowed(key):
                    pivots.update(key, value)
        return means

    def stand(self, subset: int, value: float) -> int:
        """Move to this subset."""
        features = self.space.features
        self.visited[subset] = value
        added, removed = features(subset & ~self._at), features(self._at & ~subset)
        self.moves.append(Move(added, removed, subset.bit_count(), value))
        self._at = subset
        # better than an earlier one: a larger value, or the same with fewer features
        better = (value, -subset.bit_count())
        if self._best < 0 or better > (self.visited[self._best], -self._best.bit_count()):
            self._best = subset
        if self._callback is not None and self._callback(self.progress()):
            raise subset_values.Stopped("progress")
        return subset

    def back(self, subset: int) -> None:
        """Move back to an earlier subset, unless the search is there."""
        if self._at != subset:
            self.stand(subset, self.visited[subset])

    def best_by_size(self) -> dict[int, int]:
        """Return the best visited subset of each size, the earliest of equal ones."""
        best: dict[int, int] = {}
        for subset, value in self.visited.items():
            size = subset.bit_count()
            if size not in best or value > self.visited[best[size]]:
                best[size] = subset
        return best

    def progress(self) -> subset_values.Progress:
        """Return the state of the search."""
        evaluation, limits = self.evaluation, self.evaluation.limits
        left = self.ahead * evaluation.pace if self.ahead else 0.0
        if limits.seconds is not None:
            left = np.fmin(left, limits.seconds - evaluation.seconds)
        if limits.evaluations is not None:
            left = np.fmin(left, (limits.evaluations - len(evaluation.asked)) * evaluation.pace)
        at = self._at.bit_count(), self.visited[self._at]
        best = self._best.bit_count(), self.visited[self._best]
        return subset_values.Progress(
            len(evaluation.asked), evaluation.seconds, *at, *best, float(left)
        )
