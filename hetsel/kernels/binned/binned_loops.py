"""Compiled sums over rows of binned columns: tables (bins,) of the bins of all columns."""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, inlined
from hetsel.kernels.precise_products import add, multiply


class Bins(NamedTuple):
    """Bins of p columns as in `BinnedColumns`, with the factors of their kernels."""

    starts: np.ndarray  # (p + 1,)
    positions: np.ndarray  # (bins,)
    nominal: np.ndarray  # (p,)
    gaps: np.ndarray  # (p,)
    factors: np.ndarray  # (p,)


@compiled
def add_cells(codes, starts, values, out):
    """Add values (n,) of the rows to the bins (bins,) of their codes (n, p)."""
    n, p = codes.shape
    for i in range(n):
        value = values[i]
        if value != 0:
            for f in range(p):
                out[starts[f] + codes[i, f]] += value


@compiled
def look_up(codes, starts, table, out):
    """Sum the entries of a table (bins,) over the columns of codes (n, p) into out (n,)."""
    n, p = codes.shape
    even = p - p % 4
    for i in range(n):
        a = b = c = d = 0.0
        for f in range(0, even, 4):
            a += table[starts[f] + codes[i, f]]
            b += table[starts[f + 1] + codes[i, f + 1]]
            c += table[starts[f + 2] + codes[i, f + 2]]
            d += table[starts[f + 3] + codes[i, f + 3]]
        for f in range(even, p):
            a += table[starts[f] + codes[i, f]]
        out[i] = (a + b) + (c + d)


@compiled
def set_image(bins, sums, image, energies):
    """Write K_f B_f of sums B_f to image (bins,); add B_f' K_f B_f to energies (p,)."""
    for f in range(len(bins.nominal)):
        begin, end = bins.starts[f], bins.starts[f + 1]
        total, factor = 0.0, bins.factors[f]
        if bins.gaps[f]:
            end -= 1
            total += sums[end] * sums[end]
            image[end] = factor * sums[end]
        if bins.nominal[f]:
            for k in range(begin, end):
                total += sums[k] * sums[k]
                image[k] = factor * sums[k]
        elif end > begin:
            whole = 0.0
            for k in range(begin, end):
                whole += sums[k]
            running, first, distance, spread = 0.0, 0.0, 0.0, 0.0
            for k in range(begin, end):
                step = bins.positions[k] - bins.positions[max(k - 1, begin)]
                rest = whole - running
                first += step * rest
                spread += step * (running * running + rest * rest)
                distance += step * (running - rest)
                running += sums[k]
                image[k] = distance
            for k in range(begin, end):
                image[k] = factor * (whole - first - image[k])
            width = bins.positions[end - 1] - bins.positions[begin]
            total += whole * whole * (1.0 - width) + spread
        energies[f] += factor * total


@compiled
def set_precise_image(bins, sums, rests, image, energies):
    """Write images of sums in two parts, in twice the precision of doubles, rounded once."""
    low_parts = np.empty(len(sums))
    for f in range(len(bins.nominal)):
        begin, end = bins.starts[f], bins.starts[f + 1]
        total, rest_of_total, factor = 0.0, 0.0, bins.factors[f]
        if bins.gaps[f]:
            end -= 1
            total, rest_of_total = multiply(sums[end], rests[end], sums[end], rests[end])
            image[end] = factor * (sums[end] + rests[end])
        if bins.nominal[f]:
            for k in range(begin, end):
                square = multiply(sums[k], rests[k], sums[k], rests[k])
                total, rest_of_total = add(total, rest_of_total, square[0], square[1])
                image[k] = factor * (sums[k] + rests[k])
        elif end > begin:
            whole, running, first, distance = (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)
            spread = (0.0, 0.0)
            for k in range(begin, end):
                whole = add(whole[0], whole[1], sums[k], rests[k])
            for k in range(begin, end):
                step = bins.positions[k] - bins.positions[max(k - 1, begin)]
                rest = add(whole[0], whole[1], -running[0], -running[1])
                ahead = multiply(step, 0.0, rest[0], rest[1])
                behind = multiply(step, 0.0, running[0], running[1])
                first = add(first[0], first[1], ahead[0], ahead[1])
                part = multiply(ahead[0], ahead[1], rest[0], rest[1])
                spread = add(spread[0], spread[1], part[0], part[1])
                part = multiply(behind[0], behind[1], running[0], running[1])
                spread = add(spread[0], spread[1], part[0], part[1])
                part = add(behind[0], behind[1], -ahead[0], -ahead[1])
                distance = add(distance[0], distance[1], part[0], part[1])
                running = add(running[0], running[1], sums[k], rests[k])
                image[k], low_parts[k] = distance
            start = add(whole[0], whole[1], -first[0], -first[1])
            for k in range(begin, end):
                found = add(start[0], start[1], -image[k], -low_parts[k])
                image[k] = factor * found[0]
            width = bins.positions[end - 1] - bins.positions[begin]
            part = multiply(whole[0], whole[1], whole[0], whole[1])
            part = multiply(part[0], part[1], 1.0 - width, 0.0)
            total, rest_of_total = add(total, rest_of_total, part[0], part[1])
            total, rest_of_total = add(total, rest_of_total, spread[0], spread[1])
        energies[f] += factor * (total + rest_of_total)


@compiled
def add_bin_products(starts, left, right, out):
    """Add sums over the bins of left times right, tables (bins,), to out (p,)."""
    for f in range(len(out)):
        total = 0.0
        for k in range(starts[f], starts[f + 1]):
            total += left[k] * right[k]
        out[f] += total


@compiled
def scaled(starts, table, weights, out):
    """Multiply a table (bins,) by a weight for each column (p,)."""
    for f in range(len(weights)):
        for k in range(starts[f], starts[f + 1]):
            out[k] = weights[f] * table[k]


@compiled
def add_bin_motions(bins, sums, sizes, out):
    """Add a bound on the effect of values within bins on B_f' K_f B_f to out (p,)."""
    for f in range(len(bins.nominal)):
        begin, end = bins.starts[f], bins.starts[f + 1]
        if bins.nominal[f]:
            continue
        if bins.gaps[f]:
            end -= 1
        above, below = 0.0, 0.0
        for k in range(begin, end):
            above += sums[k]
        for k in range(begin, end):
            above -= sums[k]
            out[f] += 2.0 * sizes[k] * (abs(below - above) + sizes[k])
            below += sums[k]


# Compiled: values as whole numbers, and colors of rows and columns.
MIDDLE = 2**23
MISSING = 2**25  # marks a missing value
MOST_CODES = 1000  # most target codes that orient a column with a mean in the middle
FIRST, SECOND, THIRD = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
THIRTY, LESS, ONE_MORE = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined
def mixed(color):
    """Hash an unsigned 64-bit integer; see :func:`hetsel.tables.canonical_table.mix`."""
    color = color + FIRST
    color = (color ^ (color >> THIRTY)) * SECOND
    color = (color ^ (color >> LESS)) * THIRD
    return color ^ (color >> ONE_MORE)


@compiled
def set_steps(values, steps, off):
    """Write steps (k, n) of 2^-24 from the middle of columns (n, k), and roundings off (k,)."""
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
    """Orient a column (n,) to a mean below its middle, by classes if needed; return success."""
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
    """Reverse a column in place."""
    for i in range(len(steps)):
        if steps[i] != MISSING:
            steps[i] = -steps[i]


@compiled
def point_down(steps, level):
    """Shift steps to start at 0, with -1 for missing, in place; orient a level column."""
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
    """Number levels (n,) as they appear, with -1 for missing, in place."""
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
    """Write a color of each number to looks (n,), symmetric for a level column."""
    for i in range(len(steps)):
        own = abs(steps[i]) if level else steps[i]
        looks[i] = mixed(np.uint64(np.int64(own)))


@compiled
def set_level_looks(levels, colors, looks):
    """Write a color of each level, from the colors (n,) of its rows, to looks (n,)."""
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
    """Return the color of a column from its looks (n,) and the colors of the rows."""
    total = np.uint64(0)
    for i in range(len(looks)):
        total += mixed(looks[i] + colors[i])
    return mixed(total)


@compiled
def add_shares(looks, before, colors):
    """Add the contribution of a column to the colors (n,) of the rows."""
    color = color_of(looks, before)
    for i in range(len(looks)):
        colors[i] += mixed(looks[i] + color)
