"""The course of a search: its two moves, and what is remembered of them (somol2011, 1.1, 1.2).

Which of the candidates, tuples of features, goes next: the best by one criterion, or by a vote.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from hetsel.ground import TableError, share
from hetsel.ground.equal_numbers import equalized
from hetsel.search.subsets import nearly_best, subset_values
from hetsel.selection.answer import Move

Units = tuple[int, ...]
# candidates to add (1) or to remove (-1), values (candidates, m) by each member: the place of one
Choice = Callable[[Sequence[Units], np.ndarray, int], int]


def best_mean(tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
    """The candidate of the largest mean value; of equal ones the first."""
    return int(merit(values).argmax())


def merit(values: np.ndarray) -> np.ndarray:
    """One value for each row: the mean over the members of an ensemble."""
    return values[:, 0] if values.shape[1] == 1 else np.asarray(equalized(values.mean(axis=1)))


# what a candidate falls short of a member's best one, by what the vote is called
SHORTFALLS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "order": lambda values: stats.rankdata(-values, method="dense", axis=0),
    "median": lambda values: stats.rankdata(-values, method="average", axis=0),
    "weighted": lambda values: values.max(axis=0) - values,
}
TRIMMED = "trimmed-"
VOTING = tuple(trim + name for trim in ("", TRIMMED) for name in SHORTFALLS)


class Voting:
    """Votes of the members of an ensemble (somol2011, section 3.1).

    "order": votes are the places in each member's order, equal values on the same place (Eq. 15 to
    17); "median": on the median of the places that they take (remark 3.1); "weighted": what a
    candidate falls short of the member's best value (Eq. 18 and 19). With "trimmed-" before it each
    candidate's best and worst vote is left out (section 5). Of equal candidates the one goes whose
    votes were better on average so far, in additions and in removals each for itself; then the
    first.
    """

    def __init__(self, how: str = "order") -> None:
        self._shortfall = SHORTFALLS[how.removeprefix(TRIMMED)]
        self._trimmed = how.startswith(TRIMMED)
        self._sums: dict[int, dict[Units, tuple[float, int]]] = {1: {}, -1: {}}

    def votes(self, values: np.ndarray) -> np.ndarray:
        """Vote (candidates,) for each candidate, larger is better: the mean over the members."""
        short = self._shortfall(values)
        if self._trimmed:
            if values.shape[1] < 3:
                raise TableError("trimmed votes need an ensemble of three criteria or more")
            short = np.sort(short, axis=1)[:, 1:-1]
        return np.asarray(-equalized(short.mean(axis=1)))

    def __call__(self, tuples: Sequence[Units], values: np.ndarray, sign: int) -> int:
        votes = self.votes(values)
        seen = self._sums[sign]
        for units, vote in zip(tuples, votes.tolist(), strict=True):
            total, count = seen.get(units, (0.0, 0))
            seen[units] = (total + vote, count + 1)
        first = np.flatnonzero(votes == votes.max())
        averages = [seen[tuples[k]][0] / seen[tuples[k]][1] for k in first.tolist()]
        return int(first[int(np.argmax(equalized(np.array(averages))))])


Callback = Callable[[subset_values.Progress], object]


class FoundSubset(NamedTuple):
    """A subset and its value."""

    subset: int
    value: float


@dataclass(frozen=True)
class Prefilter:
    """Hybrid search: of T candidates max(1, round(share T)) go on, halves up, T - 1 to remove.

    somol2011, definitions 4.1 and 4.2.
    """

    evaluation: subset_values.SubsetEvaluation
    share: float

    def __post_init__(self) -> None:
        share("hybrid", self.share)

    def keep(self, subset: int, tuples: list[Units], sign: int) -> list[Units]:
        """The candidates that go on, in the order in which they came."""
        among = len(tuples) - (sign < 0)
        count = max(1, int(np.floor(self.share * among + 0.5)))
        if count >= len(tuples):
            return tuples
        values = merit(self.evaluation.neighbors(subset, tuples, sign))
        best = np.argsort(-values, kind="stable")[:count]
        return [tuples[k] for k in np.sort(best)]


class Evaluated(Mapping[tuple[int, ...], float]):
    """Value of every subset that a search asked for, by its features (ascending), in its order."""

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
    """What a search does: move from subset to subset by the best tuple of units.

    `count` units come or go at once (the c of generalized searches). `allowed` says whether a
    subset may be visited: none above one that may not is. A true answer of `progress` ends the
    search.
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
        """Stand on a subset, whatever its value."""
        if subset in self.visited:
            self.back(subset)
            return subset
        value = self._see([subset], self.evaluation.value(subset)[None, :])[0]
        return self.stand(subset, value)

    def add(self, subset: int, most: int | None = None) -> FoundSubset | None:
        """The subset, of at most `most` features, with the best tuple added, and its value; or
        None.
        """
        tuples = self.space.additions(subset, self.count)
        if most is not None or self._allowed is not None:
            tuples = [t for t in tuples if self.open_to(subset | self.space.joined(t), most)]
        return self._best_of(subset, tuples, 1)

    def remove(self, subset: int, least: int = 1) -> FoundSubset | None:
        """The subset, of at least `least` features, without the worst tuple, and its value; or
        None.
        """
        joined, tuples = self.space.joined, self.space.removals(subset, self.count)
        tuples = [t for t in tuples if (subset ^ joined(t)).bit_count() >= least]
        return self._best_of(subset, tuples, -1)

    def open_to(self, subset: int, most: int | None = None) -> bool:
        """Whether the search may stand on a subset."""
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
        """Criterion (tuples,) of the subset with each tuple of units added or removed."""
        keys = [subset ^ self.space.joined(units) for units in tuples]
        return np.array(self._see(keys, self.evaluation.neighbors(subset, tuples, sign)))

    def _see(self, keys: Sequence[int], values: np.ndarray) -> list[float]:
        """One value for each subset; the pivots look at all of them."""
        means: list[float] = merit(values).tolist()
        for pivots in self._pivots:
            for key, value in zip(keys, means, strict=True):
                if self._allowed is None or self._allowed(key):
                    pivots.update(key, value)
        return means

    def stand(self, subset: int, value: float) -> int:
        """Make this the subset that the search stands on."""
        features = self.space.features
        self.visited[subset] = value
        added, removed = features(subset & ~self._at), features(self._at & ~subset)
        self.moves.append(Move(added, removed, subset.bit_count(), value))
        self._at = subset
        # better than an earlier one: a larger value, or as large with less
        better = (value, -subset.bit_count())
        if self._best < 0 or better > (self.visited[self._best], -self._best.bit_count()):
            self._best = subset
        if self._callback is not None and self._callback(self.progress()):
            raise subset_values.Stopped("progress")
        return subset

    def back(self, subset: int) -> None:
        """Stand on a subset of before, unless the search stands there."""
        if self._at != subset:
            self.stand(subset, self.visited[subset])

    def best_by_size(self) -> dict[int, int]:
        """The best subset of each size that the search stood on; of equal ones the earliest."""
        best: dict[int, int] = {}
        for subset, value in self.visited.items():
            size = subset.bit_count()
            if size not in best or value > self.visited[best[size]]:
                best[size] = subset
        return best

    def progress(self) -> subset_values.Progress:
        """Where the search stands."""
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
