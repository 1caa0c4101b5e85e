"""What a search may choose: features alone or in groups, some of them always in, some never."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from hetsel.ground.errors import TableError
from hetsel.ground.text import listed


@dataclass(frozen=True)
class Space:
    """The subsets that a search moves in, as whole numbers whose bit f is set if f is in it.

    The features of a unit come and go together. The `last` units tell nothing: they come once all
    others are in, and go before these.

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
        """The space of p features; constant ones come last, but in a group or always in."""
        kept, left = tuple(sorted(always)), set(never)
        together = [tuple(sorted(group)) for group in groups]
        if not all(together):
            raise TableError("column_groups must be lists of one column or more. Got an empty one")
        named = [*kept, *left, *(f for group in together for f in group)]
        wrong = [f for f in named if not 0 <= f < p]
        if wrong:
            raise TableError(f"features must be in 0..{p - 1}. Got {listed(wrong)}")
        twice = sorted({f for f in named if named.count(f) > 1})
        if twice:
            raise TableError(
                "always, never and column_groups must name a feature once. Got twice: "
                f"{listed(twice)}"
            )
        free = set(range(p)) - set(named)
        last = sorted((f,) for f in free.intersection(constant))
        units = sorted([*((f,) for f in free.difference(constant)), *together])
        if not units + last:
            raise TableError("no feature is left to choose beside always, never and column_groups")
        return cls(p, (*units, *last), kept, len(last))

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """Each unit as a subset."""
        return tuple(subset_of(unit) for unit in self.units)

    @cached_property
    def least(self) -> int:
        """The smallest subset: what is always in."""
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
        """How many units, from the first one on, are not constant."""
        return len(self.units) - self.last

    def outside(self, subset: int) -> list[int]:
        """The units that are not in the subset."""
        return [u for u, mask in enumerate(self.masks) if not mask & subset]

    def additions(self, subset: int, count: int = 1) -> list[tuple[int, ...]]:
        """The tuples of `count` units that may come to the subset."""
        outside = self.outside(subset)
        telling = [u for u in outside if u < self.telling]
        return _from_the_first(telling, outside[len(telling) :], count)

    def removals(self, subset: int, count: int = 1) -> list[tuple[int, ...]]:
        """The tuples of `count` units that may leave the subset."""
        inside = [u for u, mask in enumerate(self.masks) if mask & subset]
        telling = [u for u in inside if u < self.telling]
        return _from_the_first(inside[len(telling) :], telling, count)

    def joined(self, units: Sequence[int]) -> int:
        """The subset of the features of these units."""
        subset = 0
        for unit in units:
            subset |= self.masks[unit]
        return subset


def _from_the_first(
    first: Sequence[int], second: Sequence[int], count: int
) -> list[tuple[int, ...]]:
    """Tuples of `count` of these, ascending: one of the second come where the first are used up."""
    if count <= len(first):
        return list(combinations(first, count))
    return [tuple(sorted((*first, *others))) for others in combinations(second, count - len(first))]


def subset_of(features: Iterable[int]) -> int:
    """The subset of these features, as a number."""
    return sum(1 << int(f) for f in features)
