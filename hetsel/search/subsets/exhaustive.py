"""Searches that are sure of the best subset: all are tried, or a bound leaves most of them out."""

from math import comb

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.search.subsets.next_feature import Units
from hetsel.search.subsets.search_moves import Course

MOST_SUBSETS = 20_000_000


def exhaustive(course: Course, least: int = 1, most: int | None = None) -> None:
    """Evaluate every subset of these sizes; of equal ones the first in the order of the units.

    Raises
    ------
    TableError
        More than 20 million subsets.
    """
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
            f"search='exhaustive' would evaluate {subsets:,} subsets, more than {MOST_SUBSETS:,}: "
            "ask for a smaller size, or take search='branch-and-bound' where more features never "
            "make the criterion smaller"
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
    """Look at the subset with each unit added, and stand on those that beat their size."""
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
    """Best subset of one size under a criterion that never grows when a feature is removed.

    Units are removed from the full set, each path in the order of their values; a subset below the
    best one of the size, or equal to it, is not followed, for what is in it is no better (Narendra
    and Fukunaga 1977). The value is that of the exhaustive search; of equal subsets the first found
    stays.

    Raises
    ------
    TableError
        A criterion that grew when a feature was removed; units of several features.
    """
    space = course.space
    if any(len(unit) > 1 for unit in space.units):
        raise TableError("search='branch-and-bound' takes features one by one: leave groups out")
    best = -np.inf

    def follow(subset: int, value: float, first: int, left: int) -> None:
        nonlocal best
        inside = [u for u in range(first, len(space.units)) if space.masks[u] & subset]
        tuples: list[Units] = [(u,) for u in inside[: len(inside) - left + 1]]
        values = course.look(subset, tuples, -1)
        if values.max() > value:
            raise TableError(
                "search='branch-and-bound' is right only where removing a feature never makes the "
                f"criterion larger; here it rose from {value} to {values.max()}"
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
    for u in range(len(space.units) - 1, space.telling - 1, -1):  # what is constant goes first
        if full.bit_count() > size:
            smaller = full ^ space.masks[u]
            full = course.stand(smaller, float(course.look(full, [(u,)], -1)[0]))
    remove = full.bit_count() - size
    if remove:
        follow(full, course.visited[full], 0, remove)
