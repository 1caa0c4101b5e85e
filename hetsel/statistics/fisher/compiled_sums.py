"""The compiled loops behind the exact sum of Fisher's test; all sums are kept as logarithms.

A key encodes partial row sums in mixed radix; the states of a key stand together. `rows` and `ways`
are the tuples of `counting`, unpacked before a loop: inside it that would cost time.
"""

from math import exp, inf, log, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hetsel.compiling.compiled import compiled, compiled_part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MARKS_PER_UNIT = 2.0**32  # log weights that agree to 2e-10 are merged


class States(NamedTuple):
    """Sets of half tables with equal row sums and value, sorted by key."""

    starts: Integers  # (n_keys + 1,): where the states of each key begin
    values: Floats  # what tables are compared by
    weights: Floats  # log of how many half tables each stands for


class Tails(NamedTuple):
    """For each key: value of the heaviest and lightest completion, log mass of all."""

    high: Floats
    low: Floats
    mass: Floats


@compiled_part
def _log_add(a, b):
    if a < b:
        a, b = b, a
    return a if b == -inf else a + log1p(exp(b - a))


@compiled_part
def _digits(key, placed, totals, strides, out):
    """Partial row sums of a key: mixed radix, the last row by subtraction."""
    last = totals.size - 1
    out[last] = placed
    for i in range(last):
        out[i] = (key // strides[i]) % (totals[i] + 1)
        out[last] -= out[i]


@compiled_part
def _fits(parts, m, room):
    fits = True
    for i in range(room.size):
        fits &= parts[m, i] <= room[i]
    return fits


@compiled
def terminal(states, tails):
    """Tails of the right half: the undecided states of the left half, by complementary key."""
    starts, values, weights = states
    high, low, mass = tails
    last = high.size - 1
    for key in range(last + 1):
        for s in range(starts[key], starts[key + 1]):
            high[last - key] = max(high[last - key], values[s])
            low[last - key] = min(low[last - key], values[s])
            mass[last - key] = _log_add(mass[last - key], values[s] + weights[s])


@compiled
def fill_mass(tails, placed, left, rows, log_factorials):
    """Log mass of all completions, with `left` counts: a multinomial coefficient of the rows."""
    high, _, mass = tails
    totals, strides = rows
    digits = np.empty(totals.size, np.int64)
    for key in range(mass.size):
        if high[key] > -inf:
            _digits(key, placed, totals, strides, digits)
            mass[key] = log_factorials[left]
            for i in range(totals.size):
                mass[key] -= log_factorials[totals[i] - digits[i]]


@compiled
def push_back(reachable, after, before, with_mass, placed, rows, ways):
    """Tails before a column from the tails after it."""
    high, low, mass = after
    new_high, new_low, new_mass = before
    totals, strides = rows
    parts, codes, values, weights = ways
    digits = np.empty(totals.size, np.int64)
    for key in reachable:
        _digits(key, placed, totals, strides, digits)
        for m in range(codes.size):
            if not _fits(parts, m, digits):
                continue
            source = key - codes[m]
            new_high[source] = max(new_high[source], high[key] + values[m])
            new_low[source] = min(new_low[source], low[key] + values[m])
            if with_mass:
                more = mass[key] + values[m] + weights[m]
                new_mass[source] = _log_add(new_mass[source], more)


@compiled_part
def _slot(slots, marks, start, mark):
    """Where `mark` is, or belongs, in an open-addressing table of the states from `start` on."""
    at = mark * 0x9E3779B97F4A7C1
    at = (at ^ (at >> 32)) & (slots.size - 1)
    while slots[at] >= start and marks[slots[at]] != mark:
        at = (at + 1) & (slots.size - 1)
    return at


@compiled_part
def _empty_slots(size):
    slots = np.empty(size, np.int64)
    for at in range(size):
        slots[at] = -1
    return slots


@compiled_part
def _wider(slots, marks, start, count):
    """The table of the states from `start` on, in twice the room."""
    wider = _empty_slots(2 * slots.size)
    for state in range(start, count):
        wider[_slot(wider, marks, start, marks[state])] = state
    return wider


@compiled
def extend(states, reachable, placed, rows, ways, tails, threshold, limit):
    """Add one column to every state, key by key: prune, decide or merge what comes out.

    Returns the new states, more than `limit` where they were given up, and the log mass decided.
    """
    old_starts, old_values, old_weights = states
    totals, strides = rows
    parts, codes, way_values, way_weights = ways
    high, low, mass = tails
    starts = np.zeros(high.size + 1, np.int64)
    room = min(limit + 1, old_values.size * codes.size)  # memory that is not reached is not taken
    values, weights, marks = np.empty(room), np.empty(room), np.empty(room, np.int64)
    slots = _empty_slots(1024)
    digits = np.empty(totals.size, np.int64)
    first = old_starts.size == 2  # the one state of no columns: only one way leads to each key
    count, way, peak, decided = 0, 0, -inf, 0.0
    for key in reachable:
        start = count
        _digits(key, placed, totals, strides, digits)
        while first and codes[way] < key and way < codes.size - 1:
            way += 1
        for m in range(way, way + 1 if first else codes.size):
            if codes[m] > key:
                break
            if not _fits(parts, m, digits):
                continue
            source = key - codes[m]
            for s in range(old_starts[source], old_starts[source + 1]):
                value, weight = old_values[s] + way_values[m], old_weights[s] + way_weights[m]
                if value + low[key] > threshold:
                    continue
                if value + high[key] <= threshold:
                    more = weight + value + mass[key]
                    if more > peak:
                        decided, peak = decided * exp(peak - more), more
                    decided += exp(more - peak)
                    continue
                mark = np.int64(value * MARKS_PER_UNIT + 0.5)
                at = _slot(slots, marks, start, mark)
                if slots[at] >= start:
                    weights[slots[at]] = _log_add(weights[slots[at]], weight)
                    continue
                slots[at] = count
                values[count], weights[count], marks[count] = value, weight, mark
                count += 1
                if count > limit:
                    return States(starts, values, weights), -inf
                if 2 * (count - start) > slots.size:
                    slots = _wider(slots, marks, start, count)
        starts[key + 1] = count
    for key in range(high.size):  # a key that is not reachable holds no state
        starts[key + 1] = max(starts[key], starts[key + 1])
    decided = peak + log(decided) if decided > 0 else -inf
    return States(starts, values[:count], weights[:count]), decided


@compiled
def match(first, second, threshold):
    """Log mass of pairs with complementary keys and values that sum to the threshold or less."""
    starts, values, weights = first
    other_starts, other_values, other_weights = second
    mass = -inf
    last = starts.size - 2
    for key in range(last + 1):
        begin, end = other_starts[last - key], other_starts[last - key + 1]
        if begin == end or starts[key] == starts[key + 1]:
            continue
        order = np.argsort(other_values[begin:end])
        ordered = other_values[begin:end][order]
        cumulative = other_weights[begin:end][order] + ordered
        for s in range(1, order.size):
            cumulative[s] = _log_add(cumulative[s], cumulative[s - 1])
        for s in range(starts[key], starts[key + 1]):
            upto = np.searchsorted(ordered, threshold - values[s], side="right")
            if upto > 0:
                mass = _log_add(mass, weights[s] + values[s] + cumulative[upto - 1])
    return mass
