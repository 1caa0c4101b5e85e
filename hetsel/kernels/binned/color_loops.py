"""Compiled: cells as whole numbers, and colors of rows and columns that follow from them."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled, inlined

MIDDLE = 2**23
MISSING = 2**25  # in place of steps from the middle, or of a level
MOST_CODES = 1000  # of a target, asked which way a column with a mean in the middle leans
FIRST, SECOND, THIRD = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
THIRTY, LESS, ONE_MORE = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined
def mixed(color):
    """An unsigned 64-bit integer scattered, as :func:`hetsel.tables.canonical_table.mix` has it."""
    color = color + FIRST
    color = (color ^ (color >> THIRTY)) * SECOND
    color = (color ^ (color >> LESS)) * THIRD
    return color ^ (color >> ONE_MORE)


@compiled
def set_steps(values, steps, off):
    """steps (k, n): cells of columns (n, k) in steps of 2^-24 of their ranges.

    From the middle of the range. off (k,): how far a cell moved, as a share of the range, with the
    rounding of the division by it.
    """
    n, k = values.shape
    low, high = np.full(k, np.inf), np.full(k, -np.inf)
    for i in range(n):
        for j in range(k):
            half = 0.5 * values[i, j]  # so that the range of no column overflows
            if half < low[j]:
                low[j] = half
            if half > high[j]:
                high[j] = half
    for j in range(k):
        high[j] = high[j] - low[j] if high[j] > low[j] else 1.0
        off[j] = 0.0
    for i in range(n):
        for j in range(k):
            cell = values[i, j]
            if np.isnan(cell):
                steps[j, i] = MISSING
                continue
            place = (0.5 * cell - low[j]) / high[j] * 16777216.0
            nearest = np.rint(place)
            off[j] = max(off[j], abs(place - nearest))
            steps[j, i] = np.int32(nearest) - MIDDLE
    for j in range(k):
        off[j] = off[j] / 16777216.0 + 2.0**-52


@compiled
def lean(steps, codes, classes):
    """Turn a column (n,) to a mean below its middle, in place; whether it has none to turn by.

    If the mean is in the middle, that of the first class where it is not decides.
    """
    total = np.int64(0)
    for i in range(len(steps)):
        if steps[i] != MISSING:
            total += np.int64(steps[i])
    if total == 0:
        sums = np.zeros(classes, dtype=np.int64)
        for i in range(len(steps)):
            if steps[i] != MISSING and codes[i] < classes:
                sums[codes[i]] += np.int64(steps[i])
        for c in range(classes):
            if sums[c] != 0:
                total = sums[c]
                break
    if total > 0:
        turn(steps)
    return total == 0


@inlined
def turn(steps):
    """A column the other way around, in place."""
    for i in range(len(steps)):
        if steps[i] != MISSING:
            steps[i] = -steps[i]


@compiled
def point_down(steps, level):
    """Steps from 0 on, -1 for missing, in place; a level column begins below its middle."""
    if level:
        for i in range(len(steps)):
            if steps[i] != MISSING and steps[i] != 0:
                if steps[i] > 0:
                    turn(steps)
                break
    for i in range(len(steps)):
        steps[i] = -1 if steps[i] == MISSING else steps[i] + MIDDLE


@compiled
def number_as_they_appear(levels):
    """Levels (n,) numbered as they appear, -1 for missing, in place."""
    highest = 0
    for i in range(len(levels)):
        if levels[i] != MISSING:
            highest = max(highest, levels[i])
    names = np.full(highest + 1, -1, dtype=np.int32)
    count = 0
    for i in range(len(levels)):
        own = levels[i]
        if own == MISSING:
            levels[i] = -1
            continue
        if names[own] < 0:
            names[own] = count
            count += 1
        levels[i] = names[own]


@compiled
def set_number_looks(steps, level, looks):
    """looks (n,): a color for each number, alike on both sides of the middle of a level column."""
    for i in range(len(steps)):
        own = abs(steps[i]) if level else steps[i]
        looks[i] = mixed(np.uint64(np.int64(own)))


@compiled
def set_level_looks(levels, colors, looks):
    """looks (n,): a color for each level, made of the colors (n,) of its rows."""
    highest = 0
    for i in range(len(levels)):
        if levels[i] != MISSING:
            highest = max(highest, levels[i])
    sums = np.zeros(highest + 2, dtype=np.uint64)
    for i in range(len(levels)):
        place = highest + 1 if levels[i] == MISSING else levels[i]
        sums[place] += colors[i]
    for k in range(len(sums)):
        sums[k] = mixed(mixed(sums[k]))
    for i in range(len(levels)):
        looks[i] = sums[highest + 1 if levels[i] == MISSING else levels[i]]


@compiled
def color_of(looks, colors):
    """The color of a column, of what its cells look like (n,) and of the colors of their rows."""
    total = np.uint64(0)
    for i in range(len(looks)):
        total += mixed(looks[i] + colors[i])
    return mixed(total)


@compiled
def add_shares(looks, before, colors):
    """Add what cells that look like this (n,) give to the colors of their rows (n,), in place.

    It is made of the color of the column, by the colors `before` (n,).
    """
    color = color_of(looks, before)
    for i in range(len(looks)):
        colors[i] += mixed(looks[i] + color)
