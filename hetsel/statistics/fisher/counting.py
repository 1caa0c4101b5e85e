"""Compute the exact sum of Fisher's test by meeting in the middle, with logarithms of all sums.

The columns of the table are split into two halves, and each half is convolved column by column. A
state is (partial row sums, log weight, log multiplicity). Tables that agree in the first two are
merged, and the sums are the key of a state in mixed radix. A state is decided at once if all its
completions, or none, are at most as probable as the observed table. The mass of its completions has
a closed form (the longest and shortest path of Mehta & Patel 1983). The undecided states of the two
halves are matched by sorting.

Compiled functions unpack tuples before a loop, since unpacking inside the loop costs time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, prod
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.array_types import Floats, Integers

MARKS_PER_UNIT = 2.0**32  # log weights that agree to 2e-10 are merged
# tables that are more probable than the observed one by this relative amount count as ties
TIE = 1e-7
WORK = 15  # states that may be visited in total, per state that may be held
TABLED = 2  # cells that the tables of completions may have, per state


class States(NamedTuple):
    """Sets of half tables with equal row sums and value, sorted by key."""

    starts: Integers  # (n_keys + 1,): where the states of each key begin
    values: Floats  # the values that compare tables
    weights: Floats  # log of the number of half tables of each state


class Tails(NamedTuple):
    """For each key, the value of the heaviest and lightest completion, and the log mass of all."""

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
    """Decode the partial row sums of a key: mixed radix, the last row by subtraction."""
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
    """Set the tails of the right half: undecided states of the left half, by complementary key."""
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
    """Set the log mass of all completions with `left` counts, a multinomial coefficient of rows."""
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
    """Compute the tails before a column from the tails after it."""
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
    """Find the place of `mark` in an open-addressing table of the states from `start` on."""
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
    """Return the table of the states from `start` on with twice the room."""
    wider = _empty_slots(2 * slots.size)
    for state in range(start, count):
        wider[_slot(wider, marks, start, marks[state])] = state
    return wider


@compiled
def extend(states, reachable, placed, rows, ways, tails, threshold, limit):
    """Add one column to every state, key by key, and prune, decide or merge the new states.

    Returns the new states (more than `limit` if they were given up) and the decided log mass.
    """
    old_starts, old_values, old_weights = states
    totals, strides = rows
    parts, codes, way_values, way_weights = ways
    high, low, mass = tails
    starts = np.zeros(high.size + 1, np.int64)
    # memory that is not reached is not allocated
    room = min(limit + 1, old_values.size * codes.size)
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
    for key in range(high.size):  # a key that is not reachable has no state
        starts[key + 1] = max(starts[key], starts[key + 1])
    decided = peak + log(decided) if decided > 0 else -inf
    return States(starts, values[:count], weights[:count]), decided


@compiled
def match(first, second, threshold):
    """Return the log mass of pairs with complementary keys and value sums up to the threshold."""
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


class RowTotals(NamedTuple):
    """The row totals, and how the partial sums of the rows become the key of a state."""

    totals: Integers  # (r,)
    strides: Integers  # (r - 1,): place values of the mixed radix; the last row follows


class Ways(NamedTuple):
    """The ways to fill one column, or all columns of total 1 together."""

    parts: Integers  # (m, r): the ways, in lexicographic order
    codes: Integers  # (m,): what each adds to the key of a state, ascending
    values: Floats  # (m,): log multinomial coefficients, which compare tables
    weights: Floats  # (m,): log of the number of arrangements that share a value


@dataclass(frozen=True, eq=False)
class Margin:
    """The total of a column with all ways to fill it; the columns of total 1 are one margin."""

    total: int
    ways: Ways


@lru_cache(maxsize=8)
def log_factorial_table(bits: int) -> Floats:
    return np.asarray(gammaln(np.arange(1, (1 << bits) + 2, dtype=np.float64)))


def _compositions(total: int, rows: int) -> Integers:
    """Return all ways (m, rows) to write `total` as an ordered sum of `rows` whole numbers."""
    ways = np.zeros((1, 0), dtype=np.int64)
    left = np.array([total], dtype=np.int64)
    for _ in range(rows - 1):
        repeats = left + 1
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        part = np.arange(repeats.sum(), dtype=np.int64) - starts
        ways = np.column_stack([np.repeat(ways, repeats, axis=0), part])
        left = np.repeat(left, repeats) - part
    return np.ascontiguousarray(np.column_stack([ways, left]))


def total_rows(totals: Integers) -> RowTotals:
    """Return the rows with the place values of their partial sums, the first row highest."""
    strides = np.cumprod(np.append(1, totals[-2:0:-1] + 1))[::-1]
    return RowTotals(totals, np.ascontiguousarray(strides, dtype=np.int64))


def margins_of(totals: Integers, rows: RowTotals, log_factorials: Floats) -> list[Margin]:
    """Return the columns by decreasing total, equal ones as one object; totals of 1 are last."""
    by_total: dict[int, Margin] = {}
    ones = int(np.sum(totals == 1))
    result: list[Margin] = []
    for total in sorted(totals[totals > 1].tolist(), reverse=True) + [ones] * (ones > 0):
        single = ones > 0 and len(result) == len(totals) - ones
        if total not in by_total or single:
            parts = _compositions(total, len(rows.totals))
            parts = parts[(parts[:, :-1] <= rows.totals[:-1]).all(axis=1)]
            arrangements = log_factorials[total] - log_factorials[parts].sum(axis=1)
            none = np.zeros(len(arrangements))
            values, weights = (none, arrangements) if single else (arrangements, none)
            codes = parts[:, :-1] @ rows.strides
            by_total[total] = Margin(total, Ways(parts, codes, values, weights))
        result.append(by_total[total])
    return result


def halves_of(margins: list[Margin]) -> tuple[list[Margin], list[Margin]]:
    """Split the columns into two halves of balanced cost.

    The cost is the number of states left after merging equal columns, a product of C(w + m - 1, m)
    over the distinct columns with w ways each, m times.
    """

    def cost(half: Sequence[Margin]) -> float:
        log_states = 0.0
        for margin, many in Counter(half).items():
            n_ways = len(margin.ways.codes)
            log_states += lgamma(n_ways + many) - lgamma(n_ways) - lgamma(many + 1)
        return log_states

    candidates = [(margins[:k], margins[k:]) for k in range(1, len(margins))]
    together = [[margin] * many for margin, many in Counter(margins).items()]
    for blocks in ([[margin] for margin in margins], together):
        halves: tuple[list[Margin], list[Margin]] = ([], [])
        sizes = [0.0, 0.0]
        for block in sorted(blocks, key=cost, reverse=True):
            smaller = int(sizes[1] < sizes[0])
            halves[smaller].extend(block)
            sizes[smaller] += cost(block)
        if halves[1]:
            candidates.append(halves)
    return min(candidates, key=lambda halves: max(cost(halves[0]), cost(halves[1])))


class OutOfReach(Exception):
    """The exact sum needs more states than the limit allows."""


def _no_tails(n_keys: int) -> Tails:
    return Tails(np.full(n_keys, -inf), np.full(n_keys, inf), np.full(n_keys, -inf))


def log_exact_sum(counts: Integers, limit: int) -> float:
    """Return the log p-value by meeting in the middle; raise OutOfReach beyond `limit` states."""
    rows, totals = total_rows(counts.sum(axis=1)), counts.sum(axis=0)
    total = int(totals.sum())
    n_keys = prod(int(m) + 1 for m in rows.totals[:-1])
    widest = max(int(totals.max()), int(np.sum(totals == 1)))
    log_ways = lgamma(widest + len(counts)) - lgamma(widest + 1) - lgamma(len(counts))
    if exp(min(99.0, log_ways)) * len(counts) > WORK * limit:
        raise OutOfReach
    if n_keys * len(totals[totals > 1]) > TABLED * limit or total > TABLED * limit:
        raise OutOfReach
    log_factorials = log_factorial_table(total.bit_length())
    margins = margins_of(totals, rows, log_factorials)
    if len(margins) == 1:
        return 0.0
    observed = float(log_factorials[totals].sum() - log_factorials[counts].sum())
    sweep = _Sweep(rows, n_keys, observed + TIE, limit)
    left, right = halves_of(margins)
    first, decided_first = sweep.enter(left, right, log_factorials)
    second, decided_second = sweep.meet(right, first)
    mass = np.logaddexp(decided_first, decided_second)
    mass = np.logaddexp(mass, match(first, second, sweep.threshold))
    return min(0.0, float(mass + log_factorials[rows.totals].sum() - log_factorials[total]))


@dataclass
class _Sweep:
    """The rows of one table, and the work spent on it."""

    rows: RowTotals
    n_keys: int
    threshold: float
    limit: int
    work: float = 0.0

    def spend(self, work: float) -> None:
        self.work += work
        if self.work > WORK * self.limit:
            raise OutOfReach

    def enter(
        self, left: list[Margin], right: list[Margin], log_factorials: Floats
    ) -> tuple[States, float]:
        """Convolve the left half; completions run through all columns that follow."""
        end = _no_tails(self.n_keys)
        end.high[-1] = end.low[-1] = end.mass[-1] = 0.0
        placed, total = 0, int(self.rows.totals.sum())
        tails = self._back(left[1:] + right, end, total, with_mass=False)
        for margin, tail in zip(left, tails, strict=False):
            placed += margin.total
            fill_mass(tail, placed, total - placed, self.rows, log_factorials)
        return self._forward(left, tails[: len(left)])

    def meet(self, right: list[Margin], first: States) -> tuple[States, float]:
        """Convolve the right half; completions end in the undecided states of the left half."""
        end = _no_tails(self.n_keys)
        terminal(first, end)
        placed = sum(margin.total for margin in right)
        return self._forward(right, self._back(right[1:], end, placed, with_mass=True))

    def _back(
        self, margins: list[Margin], end: Tails, placed: int, *, with_mass: bool
    ) -> list[Tails]:
        """Return the tails before each column and after the last one, with `placed` counts."""
        tails = [end]
        for margin in reversed(margins):
            after, before = tails[-1], _no_tails(self.n_keys)
            reachable = np.flatnonzero(after.high > -inf)
            self.spend(len(reachable) * len(margin.ways.codes) * (0.5 if with_mass else 0.1))
            push_back(reachable, after, before, with_mass, placed, self.rows, margin.ways)
            placed -= margin.total
            tails.append(before)
        return tails[::-1]

    def _forward(self, half: list[Margin], tails: list[Tails]) -> tuple[States, float]:
        """Add the columns to the states; return the undecided states and the decided log mass."""
        states = States(np.array([0, 1], dtype=np.int64), np.zeros(1), np.zeros(1))
        decided, placed = -inf, 0
        for margin, tail in zip(half, tails, strict=True):
            placed += margin.total
            reachable, n_ways = np.flatnonzero(tail.high > -inf), len(margin.ways.codes)
            pairs = len(reachable) * (n_ways if placed > margin.total else 1)
            self.spend(len(states.values) * n_ways + 0.1 * pairs)
            states, more = extend(
                states, reachable, placed, self.rows, margin.ways, tail, self.threshold, self.limit
            )
            if len(states.values) > self.limit:
                raise OutOfReach
            decided = float(np.logaddexp(decided, more))
        return states, decided
