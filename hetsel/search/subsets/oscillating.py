"""Oscillating searches: swings down and up around a subset, ever deeper while none improves it.

Each is a function of a :class:`hetsel.search.subsets.search_moves.Course`, which remembers where it
stood. somol2011, section 1.2.2; Somol and Pudil 2000 (oscillating search), Somol et al. 2008
(dynamic).
"""

from collections.abc import Callable, Sequence
from math import comb

from hetsel.search.subsets.search_moves import Course, Found

Step = Callable[[int], Found | None]


def oscillating(course: Course, start: int, depth: int | None = None) -> None:
    """(Generalized) oscillating search for the best subset of the size of the first one.

    A swing of depth delta removes the worst tuple of units delta times and adds the best one delta
    times, the next swing the other way around. What is better than the subset takes its place, and
    delta starts at 1 again; otherwise delta grows, until delta times the units in a tuple reach the
    largest depth.

    Parameters
    ----------
    start : int
        The subset to improve.
    depth : int, optional
        Largest depth, in units; None swings as far as there are units.
    """
    best, delta = course.start(start), 1
    while True:
        course.ahead = swings_ahead(course, best, delta, depth)
        for away, back in ((course.remove, course.add), (course.add, course.remove)):
            end = _swing(course, best, [away] * delta + [back] * delta)
            better = end is not None and end.value > course.visited[best]
            if end is not None and better and end.subset.bit_count() == best.bit_count():
                best, delta = end.subset, 1
                break
            course.back(best)
        else:
            delta += 1
            if not _reaches(course, best, delta, depth):
                return


def dynamic_oscillating(course: Course, start: int, depth: int | None = None) -> None:
    """(Generalized) dynamic oscillating search: any better subset on a swing is the next center.

    Parameters
    ----------
    start : int
        The subset to improve, whatever its size.
    depth : int, optional
        Largest depth, in units; None swings as far as there are units.
    """
    best, delta = course.start(start), 1
    while True:
        course.ahead = swings_ahead(course, best, delta, depth)
        for away, back in ((course.remove, course.add), (course.add, course.remove)):
            end = _swing(course, best, [away] * delta + [back] * delta, course.visited[best])
            if end is not None and end.value > course.visited[best]:
                best, delta = end.subset, 1
                break
            course.back(best)
        else:
            delta += 1
            if not _reaches(course, best, delta, depth):
                return


def _swing(
    course: Course, subset: int, steps: Sequence[Step], above: float = float("inf")
) -> Found | None:
    """Take the steps, up to the first subset above a value; None where one cannot be taken."""
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
    """Whether swings go as deep as delta: the depth allows it, and there are units enough."""
    # as printed, the last delta is the first one that reaches the depth
    if depth is not None and (delta - 1) * course.count >= depth:
        return False
    inside, outside = _units(course, subset)
    return delta * course.count <= max(inside - 1, outside)


def swings_ahead(course: Course, subset: int, delta: int, depth: int | None) -> int:
    """Evaluations of the swings to come, about, if none of them improves the subset."""
    inside, outside = _units(course, subset)
    total = 0
    while _reaches(course, subset, delta, depth):
        total += 2 * delta * (comb(inside, course.count) + comb(outside, course.count))
        delta += 1
    return total


def _units(course: Course, subset: int) -> tuple[int, int]:
    """Number of units in the subset and out of it."""
    outside = len(course.space.outside(subset))
    return len(course.space.units) - outside, outside
