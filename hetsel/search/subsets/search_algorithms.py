"""Search strategies over subsets.

Functions of a :class:`hetsel.search.subsets.search_moves.Course`: best individual features, forward
and backward selection, both floating ones (somol2011, section 1.2.2; Pudil, Novovicova and Kittler
1994, Pattern Recognition Letters 15). Oscillating searches swing down and up around a subset.
Exhaustive search and branch and bound find the best subset with certainty.
"""

from collections.abc import Callable, Sequence
from math import comb

import numpy as np

from hetsel.ground import TableError
from hetsel.search.subsets.search_moves import Course, FoundSubset
from hetsel.search.subsets.voting_and_prefilter import Units

SearchStep = Callable[[int], FoundSubset | None]
MOST_SUBSETS = 20_000_000  # largest number in an exhaustive search


def best_individual(course: Course, most: int | None = None) -> None:
    """Add units by their own value, one after the other, up to a size."""
    space = course.space
    tuples = space.additions(space.least)
    values = course.look(space.least, tuples, 1)
    order = [tuples[k] for k in np.argsort(-values, kind="stable")]
    constant = [(u,) for u in range(space.telling, len(space.units)) if (u,) not in order]
    subset = space.least
    for units in [*order, *constant]:
        larger = subset | space.joined(units)
        if course.open_to(larger, most):
            subset = course.start(larger)


def forward(course: Course, most: int | None = None, early_stopping: bool = False) -> None:
    """Add the best tuple of units repeatedly, up to a size: (generalized) SFS."""
    subset = course.space.least
    if early_stopping and subset:
        course.start(subset)
    while True:
        course.ahead = steps_ahead(course, subset, most)
        found = course.add(subset, most)
        if found is None or (early_stopping and found.value <= course.visited.get(subset, -np.inf)):
            return
        subset = course.stand(*found)


def backward(course: Course, least: int = 1, early_stopping: bool = False) -> None:
    """Remove the worst tuple repeatedly, down to a size: (generalized) SBS."""
    subset = course.start(course.space.most)
    while True:
        found = course.remove(subset, least)
        if found is None or (early_stopping and found.value < course.visited[subset]):
            return
        subset = course.stand(*found)


def forward_floating(course: Course, most: int | None = None) -> None:
    """Search by (generalized) sequential forward floating selection, up to a size.

    After each addition, units are removed as long as this beats the best known subset of the
    smaller size.
    """
    subset = course.space.least
    best: dict[int, float] = {}
    while True:
        course.ahead = steps_ahead(course, subset, most)
        found = course.add(subset, most)
        if found is None:
            return
        subset = _float(course, found, course.remove, best)


def backward_floating(course: Course, least: int = 1) -> None:
    """Search by (generalized) sequential backward floating selection, down to a size.

    After each removal, units are added as long as this beats the best known subset of the larger
    size.
    """
    subset = course.start(course.space.most)
    best = {subset.bit_count(): course.visited[subset]}
    while True:
        found = course.remove(subset, least)
        if found is None:
            return
        subset = _float(course, found, course.add, best)


def _float(
    course: Course, found: FoundSubset | None, back: SearchStep, best: dict[int, float]
) -> int:
    """Move to the found subset, and step back while this beats the best known of its size."""
    while found is not None:
        subset = course.stand(*found)
        size = subset.bit_count()
        best[size] = max(found.value, best.get(size, -np.inf))
        found = back(subset)
        if found is not None and found.value <= best.get(found.subset.bit_count(), -np.inf):
            break
    return subset


def steps_ahead(course: Course, subset: int, most: int | None) -> int:
    """Return the number of evaluations of additions to come, if nothing is removed again."""
    outside = len(course.space.outside(subset))
    steps = outside // course.count
    if most is not None:
        steps = min(steps, max(0, most - subset.bit_count()) // course.count)
    return sum(comb(outside - k * course.count, course.count) for k in range(steps))


def exhaustive(course: Course, least: int = 1, most: int | None = None) -> None:
    """Evaluate every subset of these sizes; ties go to the first in the order of the units."""
    space = course.space
    base, free = space.least.bit_count(), len(space.units)
    grouped = any(len(unit) > 1 for unit in space.units)
    lowest = 1 if grouped else max(1, least - base)
    highest = free if grouped or most is None else min(free, most - base)
    telling = space.telling
    subsets = sum(
        comb(telling, k) if k <= telling else comb(space.last, k - telling)
        for k in range(lowest, highest + 1)
    )
    if subsets > MOST_SUBSETS:
        raise TableError(
            f"search='exhaustive' would evaluate {subsets:,} subsets, more than {MOST_SUBSETS:,}. "
            "Request a smaller size, or use search='branch-and-bound' if more features never "
            "decrease the criterion"
        )
    course.ahead = subsets
    best: dict[int, float] = {}
    for k in range(lowest, highest + 1):
        for first in space.additions(space.least, k - 1):
            start = space.least | space.joined(first)
            end = telling if k <= telling else free
            last: list[Units] = [(u,) for u in range(first[-1] + 1 if first else 0, end)]
            _take_best(course, start, last, best)
            course.ahead -= len(last)


def _take_best(course: Course, start: int, tuples: list[Units], best: dict[int, float]) -> None:
    """Evaluate the subset with each unit added, and move to those that beat their size."""
    allowed = [t for t in tuples if course.open_to(start | course.space.joined(t))]
    if not allowed:
        return
    values = course.look(start, allowed, 1)
    for k in np.argsort(-values, kind="stable"):
        subset = start | course.space.joined(allowed[k])
        size = subset.bit_count()
        if values[k] > best.get(size, -np.inf):
            best[size] = float(values[k])
            course.stand(subset, best[size])


def branch_and_bound(course: Course, size: int) -> None:
    """Find the best subset of one size for a criterion that never grows when a feature is removed.

    Units are removed from the full set, each path in the order of their values. A subset that is
    not above the best one of the size is not followed (Narendra and Fukunaga 1977).
    """
    space = course.space
    if any(len(unit) > 1 for unit in space.units):
        raise TableError(
            "search='branch-and-bound' removes single features. Leave column_groups out"
        )
    best = -np.inf

    def follow(subset: int, value: float, first: int, left: int) -> None:
        nonlocal best
        inside = [u for u in range(first, len(space.units)) if space.masks[u] & subset]
        tuples: list[Units] = [(u,) for u in inside[: len(inside) - left + 1]]
        values = course.look(subset, tuples, -1)
        if values.max() > value:
            raise TableError(
                "search='branch-and-bound' needs a criterion that never rises when a feature is "
                f"removed. It rose from {value} to {values.max()}. Use another search"
            )
        for k in np.argsort(-values, kind="stable"):
            smaller = subset ^ space.masks[tuples[k][0]]
            if values[k] <= best:
                return
            if left > 1:
                follow(smaller, float(values[k]), tuples[k][0] + 1, left - 1)
            else:
                best = float(values[k])
                course.stand(smaller, best)

    full = course.start(space.most)
    for u in range(
        len(space.units) - 1, space.telling - 1, -1
    ):  # constant features are removed first
        if full.bit_count() > size:
            smaller = full ^ space.masks[u]
            full = course.stand(smaller, float(course.look(full, [(u,)], -1)[0]))
    remove = full.bit_count() - size
    if remove:
        follow(full, course.visited[full], 0, remove)


def oscillating(
    course: Course, start: int, depth: int | None = None, *, dynamic: bool = False
) -> None:
    """Search the best subset of the size of the first one by (generalized) oscillation.

    A swing of depth delta removes the worst tuple of units delta times and adds the best one delta
    times; the next swing does the reverse. A better subset becomes the center, and delta starts at
    1 again. Otherwise delta grows up to the largest depth; None swings as far as there are units.
    In dynamic search any better subset on a swing, whatever its size, becomes the center.
    """
    best, delta = course.start(start), 1
    while True:
        course.ahead = swings_ahead(course, best, delta, depth)
        for away, back in ((course.remove, course.add), (course.add, course.remove)):
            above = course.visited[best]
            swing = [away] * delta + [back] * delta
            end = _swing(course, best, swing, above if dynamic else np.inf)
            better = None if end is None or end.value <= above else end.subset
            if better is not None and (dynamic or better.bit_count() == best.bit_count()):
                best, delta = better, 1
                break
            course.back(best)
        else:
            delta += 1
            if not _reaches(course, best, delta, depth):
                return


def _swing(
    course: Course, subset: int, steps: Sequence[SearchStep], above: float
) -> FoundSubset | None:
    """Take the steps, up to the first subset above a value; return None if a step is impossible."""
    found = None
    for step in steps:
        found = step(subset)
        if found is None:
            return None
        subset = course.stand(*found)
        if found.value > above:
            break
    return found


def _reaches(course: Course, subset: int, delta: int, depth: int | None) -> bool:
    """Return whether swings go as deep as delta: depth and the number of units allow it."""
    # as printed, the last delta is the first one that reaches the depth
    if depth is not None and (delta - 1) * course.count >= depth:
        return False
    inside, outside = _units(course, subset)
    return delta * course.count <= max(inside - 1, outside)


def swings_ahead(course: Course, subset: int, delta: int, depth: int | None) -> int:
    """Return about how many evaluations of swings follow if none of them improves the subset."""
    inside, outside = _units(course, subset)
    total = 0
    while _reaches(course, subset, delta, depth):
        total += 2 * delta * (comb(inside, course.count) + comb(outside, course.count))
        delta += 1
    return total


def _units(course: Course, subset: int) -> tuple[int, int]:
    """Return the number of units in the subset and outside of it."""
    outside = len(course.space.outside(subset))
    return len(course.space.units) - outside, outside
