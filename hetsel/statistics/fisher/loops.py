"""The compiled loops behind the exact sum of Fisher's test: plain arrays, logarithms throughout.

A key encodes partial row sums in mixed radix; the states of a key stand together.
"""

from math import exp, inf, log, log1p

import numpy as np

from hetsel.compiled import compiled

MARKS_PER_UNIT = 2.0**32  # log weights that agree to 2e-10 are merged


@compiled
def _log_add(a, b):
    if a < b:
        a, b = b, a
    return a if b == -inf else a + log1p(exp(b - a))


@compiled
def _digits(key, placed, margins, strides, out):
    """Partial row sums of a key: mixed radix, the last row by subtraction."""
    last = margins.size - 1
    out[last] = placed
    for i in range(last):
        out[i] = (key // strides[i]) % (margins[i] + 1)
        out[last] -= out[i]


@compiled
def _fits(parts, m, room):
    fits = True
    for i in range(room.size):
        fits &= parts[m, i] <= room[i]
    return fits


@compiled
def terminal(starts, values, weights, high, low, mass):
    """Tails of the right half: the undecided states of the left half, by complementary key."""
    last = high.size - 1
    for key in range(last + 1):
        for s in range(starts[key], starts[key + 1]):
            high[last - key] = max(high[last - key], values[s])
            low[last - key] = min(low[last - key], values[s])
            mass[last - key] = _log_add(mass[last - key], values[s] + weights[s])


@compiled
def fill_mass(mass, high, placed, margins, strides, log_factorials):
    """Log mass of all completions: the multinomial coefficient of what the rows still lack."""
    digits = np.empty(margins.size, np.int64)
    for key in range(mass.size):
        if high[key] > -inf:
            _digits(key, placed, margins, strides, digits)
            mass[key] = log_factorials[margins.sum() - placed]
            for i in range(margins.size):
                mass[key] -= log_factorials[margins[i] - digits[i]]


@compiled
def push_back(
    reachable,
    high,
    low,
    mass,
    new_high,
    new_low,
    new_mass,
    with_mass,
    placed,
    margins,
    strides,
    parts,
    codes,
    values,
    weights,
):
    """Tails before a column from the tails after it."""
    digits = np.empty(margins.size, np.int64)
    for key in reachable:
        _digits(key, placed, margins, strides, digits)
        for m in range(codes.size):
            if not _fits(parts, m, digits):
                continue
            before = key - codes[m]
            new_high[before] = max(new_high[before], high[key] + values[m])
            new_low[before] = min(new_low[before], low[key] + values[m])
            if with_mass:
                more = mass[key] + values[m] + weights[m]
                new_mass[before] = _log_add(new_mass[before], more)


@compiled
def _slot(slots, marks, start, mark):
    """Where `mark` is, or belongs, in an open-addressing table of the states from `start` on."""
    at = mark * 0x9E3779B97F4A7C1
    at = (at ^ (at >> 32)) & (slots.size - 1)
    while slots[at] >= start and marks[slots[at]] != mark:
        at = (at + 1) & (slots.size - 1)
    return at


@compiled
def _longer(array):
    longer = np.empty(2 * array.size, array.dtype)
    longer[: array.size] = array
    return longer


@compiled
def extend(
    starts,
    values,
    weights,
    reachable,
    placed,
    margins,
    strides,
    parts,
    codes,
    new_values,
    new_weights,
    high,
    low,
    mass,
    threshold,
    limit,
):
    """Add one column to every state, key by key: prune, settle or merge what comes out."""
    out_starts = np.zeros(high.size + 1, np.int64)
    out_values, out_weights = np.empty(1024), np.empty(1024)
    marks, slots = np.empty(1024, np.int64), np.full(1024, -1, np.int64)
    digits = np.empty(margins.size, np.int64)
    first = starts.size == 2  # the one state of no columns: only one way leads to each key
    count, way, peak, settled = 0, 0, -inf, 0.0
    previous = -1
    for key in reachable:
        out_starts[previous + 1 : key + 1] = count
        previous = key
        start = count
        _digits(key, placed, margins, strides, digits)
        if first:
            while codes[way] < key and way < codes.size - 1:
                way += 1
        for m in range(way, way + 1 if first else codes.size):
            if codes[m] > key:
                break
            if not _fits(parts, m, digits):
                continue
            source = key - codes[m]
            for s in range(starts[source], starts[source + 1]):
                value, weight = values[s] + new_values[m], weights[s] + new_weights[m]
                if value + low[key] > threshold:
                    continue
                if value + high[key] <= threshold:
                    more = weight + value + mass[key]
                    if more > peak:
                        settled, peak = settled * exp(peak - more), more
                    settled += exp(more - peak)
                    continue
                mark = np.int64(value * MARKS_PER_UNIT + 0.5)
                at = _slot(slots, marks, start, mark)
                if slots[at] >= start:
                    old = slots[at]
                    out_weights[old] = _log_add(out_weights[old], weight)
                    continue
                if count == limit:
                    return out_starts, np.empty(limit + 1), out_weights, 0.0
                if count == out_values.size:
                    out_values, out_weights = _longer(out_values), _longer(out_weights)
                    marks = _longer(marks)
                slots[at] = count
                out_values[count], out_weights[count], marks[count] = value, weight, mark
                count += 1
                if 2 * (count - start) > slots.size:
                    slots = np.full(2 * slots.size, -1, np.int64)
                    for old in range(start, count):
                        slots[_slot(slots, marks, start, marks[old])] = old
    out_starts[previous + 1 :] = count
    settled = peak + log(settled) if settled > 0 else -inf
    return out_starts, out_values[:count], out_weights[:count], settled


@compiled
def match(starts, values, weights, other_starts, other_values, other_weights, threshold):
    """Log mass of pairs with complementary keys and values that sum to the threshold or less."""
    found = -inf
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
                found = _log_add(found, weights[s] + values[s] + cumulative[upto - 1])
    return found
