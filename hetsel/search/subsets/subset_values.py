"""Values of subsets: from the archive, or from the state of the criterion, moved step by step."""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hetsel.ground import TableError, listed, positive, whole_number
from hetsel.search.criteria.criterion import State, SubsetCriterion
from hetsel.search.subsets.search_archive import Archive
from hetsel.selection import Problem


@dataclass(frozen=True)
class Space:
    """The subsets in which a search moves, as whole numbers: bit f is set if f is in the subset.

    The features of a unit are added and removed together. The `last` units are constant: they are
    added after all others and removed before them.

    Examples
    --------
    >>> from hetsel.search.subsets.subset_values import Space
    >>> space = Space.of(3, constant=[0])
    >>> space.units, space.additions(0), space.additions(0b110), space.removals(0b111)
    (((1,), (2,), (0,)), [(0,), (1,)], [(2,)], [(2,)])
    """

    p: int
    units: tuple[tuple[int, ...], ...]
    always: tuple[int, ...] = ()
    last: int = 0

    @classmethod
    def of(
        cls,
        p: int,
        always: Iterable[int] = (),
        never: Iterable[int] = (),
        groups: Iterable[Iterable[int]] = (),
        constant: Iterable[int] = (),
    ) -> "Space":
        """Return the space of p features; constant ones come last unless grouped or included."""
        kept, left = tuple(sorted(always)), set(never)
        together = [tuple(sorted(group)) for group in groups]
        if not all(together):
            raise TableError(
                "column_groups must be lists of at least one column. Got an empty list"
            )
        named = [*kept, *left, *(f for group in together for f in group)]
        wrong = [f for f in named if not 0 <= f < p]
        if wrong:
            raise TableError(f"features must be in 0..{p - 1}. Got {listed(wrong)}")
        twice = sorted({f for f in named if named.count(f) > 1})
        if twice:
            raise TableError(
                "always, never and column_groups must name each feature at most once. "
                f"Got twice: {listed(twice)}"
            )
        free = set(range(p)) - set(named)
        last = sorted((f,) for f in free.intersection(constant))
        units = sorted([*((f,) for f in free.difference(constant)), *together])
        if not units + last:
            raise TableError(
                "always, never and column_groups leave no feature to choose. Name fewer columns"
            )
        return cls(p, (*units, *last), kept, len(last))

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """Each unit as a subset."""
        return tuple(subset_of(unit) for unit in self.units)

    @cached_property
    def least(self) -> int:
        """The smallest subset: the features that are always included."""
        return subset_of(self.always)

    @cached_property
    def most(self) -> int:
        """The largest subset."""
        return self.least | sum(self.masks)

    def features(self, subset: int) -> tuple[int, ...]:
        """The features of a subset, ascending."""
        found = []
        while subset:
            lowest = subset & -subset
            found.append(lowest.bit_length() - 1)
            subset ^= lowest
        return tuple(found)

    @property
    def telling(self) -> int:
        """Number of units, from the first one on, that are not constant."""
        return len(self.units) - self.last

    def outside(self, subset: int) -> list[int]:
        """Return the units that are not in the subset."""
        return [u for u, mask in enumerate(self.masks) if not mask & subset]

    def additions(self, subset: int, count: int = 1) -> list[tuple[int, ...]]:
        """Return the tuples of `count` units that can be added to the subset."""
        outside = self.outside(subset)
        telling = [u for u in outside if u < self.telling]
        return _from_the_first(telling, outside[len(telling) :], count)

    def removals(self, subset: int, count: int = 1) -> list[tuple[int, ...]]:
        """Return the tuples of `count` units that can be removed from the subset."""
        inside = [u for u, mask in enumerate(self.masks) if mask & subset]
        telling = [u for u in inside if u < self.telling]
        return _from_the_first(inside[len(telling) :], telling, count)

    def joined(self, units: Sequence[int]) -> int:
        """Return the subset of the features of these units."""
        subset = 0
        for unit in units:
            subset |= self.masks[unit]
        return subset


def _from_the_first(
    first: Sequence[int], second: Sequence[int], count: int
) -> list[tuple[int, ...]]:
    """Return ascending tuples of `count` units; `second` is used once `first` is exhausted."""
    if count <= len(first):
        return list(combinations(first, count))
    return [tuple(sorted((*first, *others))) for others in combinations(second, count - len(first))]


def subset_of(features: Iterable[int]) -> int:
    """Return the subset of these features, as a number."""
    return sum(1 << int(f) for f in features)


BLOCK_SECONDS = 0.2  # computing time that a crash may lose


class Stopped(Exception):
    """A search reached a limit, or its caller ended it."""


@dataclass(frozen=True)
class SearchLimits:
    """Limits that end a search early; evaluations that come from an archive count."""

    seconds: float | None = None
    evaluations: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            positive("max_seconds", self.seconds)
        if self.evaluations is not None:
            whole_number("max_evaluations", self.evaluations, 1)


@dataclass(frozen=True)
class Progress:
    """State of a search."""

    evaluations: int  # distinct subsets evaluated so far, with those from an archive file
    seconds: float  # elapsed time
    size: int  # number of features of the current subset
    value: float  # its criterion
    best_size: int  # number of features of the best subset so far
    best_value: float  # its criterion
    left: float  # remaining seconds if nothing better is found and no limit ends it, or infinity


class SubsetEvaluation:
    """Values (m,) of subsets by one criterion, or by the m members of an ensemble."""

    def __init__(
        self,
        problem: Problem,
        criterion: SubsetCriterion,
        space: Space,
        archive: Archive | None = None,
        limits: SearchLimits | None = None,
    ) -> None:
        self._start: Callable[[], Any] = lambda: criterion.start(problem)
        self._state: State | None = None
        self._at = 0
        self.space = space
        self.archive = Archive() if archive is None else archive
        self.limits = limits or SearchLimits()
        self.asked: dict[int, None] = {}  # in the order of the requests
        self.computed = 0
        self._busy = 0.0  # seconds in the criterion
        self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        """Time in seconds since the search began."""
        return time.monotonic() - self._since

    @property
    def pace(self) -> float:
        """Seconds of one evaluation; NaN before the first."""
        return self._busy / self.computed if self.computed else float("nan")

    def value(self, subset: int) -> np.ndarray:
        """Return the values (m,) of one subset."""
        self._ask([subset])
        values = self.archive.values.get(subset)
        if values is None:
            begin = time.monotonic()
            values = tuple(np.ravel(self._move(subset).value).tolist())
            self._keep([subset], [values], begin)
        return np.array(values)

    def neighbors(self, subset: int, tuples: Sequence[tuple[int, ...]], sign: int) -> np.ndarray:
        """Return values (tuples, m) of the subset with each tuple added (1) or removed (-1)."""
        keys = [subset ^ self.space.joined(units) for units in tuples]
        self._ask(keys)
        unknown = [k for k, key in enumerate(keys) if key not in self.archive.values]
        start = 0
        while start < len(unknown):
            self._look_at_the_clock()
            stop = start + self._block(len(unknown) - start)
            self._compute(subset, tuples, sign, keys, unknown[start:stop])
            start = stop
        return np.array([self.archive.values[key] for key in keys])

    def _compute(
        self,
        subset: int,
        tuples: Sequence[tuple[int, ...]],
        sign: int,
        keys: Sequence[int],
        which: Sequence[int],
    ) -> None:
        """Evaluate some neighbors: those that differ by their last feature only, together."""
        begin = time.monotonic()
        features = {k: [f for u in tuples[k] for f in self.space.units[u]] for k in which}
        places: dict[tuple[int, ...], list[int]] = {}
        for k in which:
            places.setdefault(tuple(features[k][:-1]), []).append(k)
        for shared, group in places.items():
            base = subset
            for f in shared:
                base ^= 1 << f
            state = self._move(base)
            last = [features[k][-1] for k in group]
            values = state.values_with(last) if sign > 0 else state.values_without(last)
            found = np.reshape(values, (len(group), -1)).tolist()
            self._keep([keys[k] for k in group], found, begin)
            begin = time.monotonic()

    def _keep(self, keys: Sequence[int], values: Sequence[Sequence[float]], begin: float) -> None:
        for key, value in zip(keys, values, strict=True):
            if not all(map(math.isfinite, value)):
                raise TableError(
                    f"the criterion must be a finite number. Got {value} for the features "
                    f"{self.space.features(key)}"
                )
            self.archive.add(key, value)
        self.archive.flush()
        self.computed += len(keys)
        self._busy += time.monotonic() - begin

    def _ask(self, subsets: Sequence[int]) -> None:
        """Count the requested subsets; stop at a limit before any of them is computed."""
        self._look_at_the_clock()
        limit = self.limits.evaluations
        if limit is not None:
            new = sum(subset not in self.asked for subset in subsets)
            if len(self.asked) + new > limit:
                raise Stopped("evaluations")
        self.asked.update(dict.fromkeys(subsets))

    def _look_at_the_clock(self) -> None:
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            raise Stopped("seconds")

    def _block(self, left: int) -> int:
        """Return the number of evaluations before the next check of the clock and the file."""
        if self.limits.seconds is None and not self.archive.kept:
            return left
        if not self.computed:
            return 1
        return min(left, max(1, int(BLOCK_SECONDS / max(self.pace, 1e-9))))

    def _move(self, subset: int) -> State:
        """Move the state to a subset: remove features first, then add others."""
        if self._state is None:
            self._state = self._start()
            self._at = 0
        for f in self.space.features(self._at & ~subset):
            self._state.remove(f)
        for f in self.space.features(subset & ~self._at):
            self._state.add(f)
        self._at = subset
        return self._state
