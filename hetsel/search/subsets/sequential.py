"""Sequential searches: best individual features, forward, backward, and both floating ones.

Each is a function of a :class:`hetsel.search.subsets.search_moves.Course`, which remembers where it
stood. somol2011, section 1.2.2; Pudil, Novovicova and Kittler 1994, Pattern Recognition Letters 15.
"""

from collections.abc import Callable
from math import comb

import numpy as np

from hetsel.search.subsets.search_moves import Course, Found

Step = Callable[[int], Found | None]


def best_individual(course: Course, most: int | None = None) -> None:
    """Best individual features: units by their own value, one after the other, up to a size.

    A unit's own value is that of what is always in with this unit added; equal ones keep their
    order, and constant ones come last. A unit that would go beyond the size or the budget is passed
    over.
    """
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
    """(Generalized) sequential forward selection: the best tuple of units comes, up to a size.

    With early stopping it ends where the best tuple does not make the value larger.
    """
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
    """(Generalized) sequential backward selection: the worst tuple goes, down to a size.

    With early stopping it ends where the value without the worst tuple is smaller.
    """
    subset = course.start(course.space.most)
    while True:
        found = course.remove(subset, least)
        if found is None or (early_stopping and found.value < course.visited[subset]):
            return
        subset = course.stand(*found)


def forward_floating(course: Course, most: int | None = None) -> None:
    """(Generalized) sequential forward floating selection, up to a size.

    After each addition, units are removed as long as that is better than the best subset of the
    smaller size known so far.
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
    """(Generalized) sequential backward floating selection, down to a size.

    After each removal, units are added as long as that is better than the best subset of the larger
    size known so far.
    """
    subset = course.start(course.space.most)
    best = {subset.bit_count(): course.visited[subset]}
    while True:
        found = course.remove(subset, least)
        if found is None:
            return
        subset = _float(course, found, course.add, best)


def _float(course: Course, found: Found | None, back: Step, best: dict[int, float]) -> int:
    """Stand on what was found, and step back while that beats the best known of its size."""
    while found is not None:
        subset = course.stand(*found)
        size = subset.bit_count()
        best[size] = max(found.value, best.get(size, -np.inf))
        found = back(subset)
        if found is not None and found.value <= best.get(found.subset.bit_count(), -np.inf):
            break
    return subset


def steps_ahead(course: Course, subset: int, most: int | None) -> int:
    """Evaluations of the additions to come, if nothing is ever removed again."""
    outside = len(course.space.outside(subset))
    steps = outside // course.count
    if most is not None:
        steps = min(steps, max(0, most - subset.bit_count()) // course.count)
    return sum(comb(outside - k * course.count, course.count) for k in range(steps))
