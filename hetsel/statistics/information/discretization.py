"""Convert columns of a mixed table to small whole numbers: bins of numbers, levels unchanged."""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import TableError, column_blocks, whole_number
from hetsel.ground.equal_numbers import on_grid, unit_scale

RULES = ("frequency", "width")
NEAR = 2.0**-24  # values this close to an edge, in bin widths, are on it


class DiscreteTable(NamedTuple):
    """A table of discrete columns, one feature per row."""

    cells: np.ndarray  # (p, n) of unsigned int: 0..levels_f - 1; every code of a column occurs
    levels: np.ndarray  # (p,)


def default_bins(n: int) -> int:
    """Return the number of bins for n rows, the odd number nearest to the cube root, at least 3.

    No edge lies in the middle, so the direction of a column does not matter.
    """
    half = 1
    while (2 * half + 2) ** 3 <= n:
        half += 1
    return 2 * half + 1


def discretize(
    values: np.ndarray, discrete: np.ndarray, bins: int | None = None, rule: str = "frequency"
) -> DiscreteTable:
    """Cut the columns of numbers of a table (n, p) into bins; other columns keep their levels.

    With r(x) = (rows below x + half of the rows equal to x) / rows, x goes to bin floor(bins r) by
    frequency, and to bin floor(bins (x - min) / (max - min)) by width. A value on an edge goes to
    the bin nearer to the middle; on the middle edge, which an even number of bins has, it has a
    separate bin. So bins are the same in every unit, including units of negative factor. A column
    with no more than `bins` distinct values keeps them apart. Missing values (NaN) are a further
    level.
    """
    if rule not in RULES:
        raise TableError(f"rule must be one of {', '.join(RULES)}. Got {rule!r}")
    n, p = values.shape
    if bins is None:
        bins = default_bins(n)
    bins = whole_number("bins", bins, 2)
    tops = np.fmax.reduce(values[:, discrete], axis=0, initial=0.0)
    most = max(int(tops.max(initial=0.0)) + 2, min(bins, n) + 2)
    cells = np.zeros((p, n), dtype=np.min_scalar_type(most))
    levels = np.empty(p, dtype=np.int64)
    seen = np.empty(most, dtype=np.int64)
    for block in column_blocks(n, p):
        start, is_level = block.start, discrete[block]
        part = np.ascontiguousarray(values[:, block].T)
        for k in np.flatnonzero(is_level).tolist():
            levels[start + k] = renumber(part[k], seen, cells[start + k])
        scaled = on_grid(unit_scale(part[~is_level].T).T)
        ordered = np.sort(scaled, axis=1)
        for row, k in enumerate(np.flatnonzero(~is_level).tolist()):
            by_width = rule == "width"
            levels[start + k] = cut(scaled[row], ordered[row], bins, by_width, cells[start + k])
    return DiscreteTable(cells, levels)


@compiled
def cut(scaled, ordered, bins, by_width, codes):
    """Write the bin of each cell of a column in [0, 1] into zeros (n,); return the bin count."""
    n = len(scaled)
    present = n
    while present > 0 and np.isnan(ordered[present - 1]):
        present -= 1
    distinct = min(present, 1)
    for i in range(1, present):
        distinct += ordered[i] != ordered[i - 1]
    used = min(present, 1)
    last = np.int64(-1)
    first = 0
    while first < present:
        stop = first + 1
        while stop < present and ordered[stop] == ordered[first]:
            stop += 1
        if distinct <= bins:
            place = np.int64(2 * stop)
        elif by_width:
            place = place_of(ordered[first] * bins, bins)
        else:
            place = rank_place(first + stop, 2 * present, bins)
        if first > 0 and place != last:
            for i in range(n):
                codes[i] += scaled[i] >= ordered[first]
            used += 1
        last = place
        first = stop
    if present < n:
        for i in range(n):
            if np.isnan(scaled[i]):
                codes[i] = used
        used += 1
    return used


@compiled_part
def place_of(position, bins):
    """Return twice the bin of a position in 0..bins plus one; another number on the middle edge."""
    edge = np.int64(np.rint(position))
    if abs(position - edge) > NEAR:
        return np.int64(2 * np.floor(position) + 1)
    return inward(edge, bins)


@compiled_part
def rank_place(twice, size, bins):
    """Return the same for the position bins * twice / size, exactly."""
    whole = (twice * bins) // size
    if whole * size != twice * bins:
        return np.int64(2 * whole + 1)
    return inward(whole, bins)


@compiled_part
def inward(edge, bins):
    """Return the place of a cell on an edge: in the bin nearer to the middle."""
    if 2 * edge < bins:
        return np.int64(2 * edge + 1)
    if 2 * edge > bins:
        return np.int64(2 * edge - 1)
    return np.int64(2 * edge)


@compiled
def renumber(column, seen, codes):
    """Renumber the levels of a column, NaN last; write codes (n,) and return their number."""
    seen[:] = -1
    top = len(seen) - 1
    for i in range(len(column)):
        seen[top if np.isnan(column[i]) else np.int64(column[i])] = 0
    used = 0
    for level in range(len(seen)):
        if seen[level] == 0:
            seen[level] = used
            used += 1
    for i in range(len(column)):
        codes[i] = seen[top if np.isnan(column[i]) else np.int64(column[i])]
    return used
