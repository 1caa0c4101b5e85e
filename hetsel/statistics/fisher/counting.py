"""The exact sum of Fisher's test, by meeting in the middle.

The columns of the table are split into two halves; each half is convolved column by column. A state
is (partial row sums, log weight, log multiplicity): tables that agree in the first two are merged.
A state that can no longer change sides - all its completions are at most as probable as the
observed table, or none is - is decided at once, with the closed form of the mass of its completions
(the longest and shortest path of Mehta & Patel 1983). What remains of the two halves is matched by
sorting.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, prod
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from hetsel.statistics.fisher.compiled_sums import (
    Floats,
    Integers,
    States,
    Tails,
    extend,
    fill_mass,
    match,
    push_back,
    terminal,
)

TIE = 1e-7  # tables this much (relative) more probable than the observed one count as ties
WORK = 15  # how many states may be visited, in all, for each one that may be held
TABLED = 2  # how many cells the tables of completions may have, for each state


class Rows(NamedTuple):
    """The row totals, and how the partial sums of the rows become the key of a state."""

    totals: Integers  # (r,)
    strides: Integers  # (r - 1,): place values of the mixed radix; the last row follows


class Ways(NamedTuple):
    """The ways to fill one column, or all columns of one count together."""

    parts: Integers  # (m, r): the ways, in lexicographic order
    codes: Integers  # (m,): what each adds to the key of a state, ascending
    values: Floats  # (m,): log multinomial coefficients, what tables are compared by
    weights: Floats  # (m,): log of the number of arrangements that share a value


@dataclass(frozen=True, eq=False)
class Margin:
    """One column's total with all ways to spread it over the rows.

    Columns with one count each are one margin: value 0, the number of arrangements as its weight.
    """

    total: int
    ways: Ways


@lru_cache(maxsize=8)
def log_factorial_table(bits: int) -> Floats:
    return np.asarray(gammaln(np.arange(1, (1 << bits) + 2, dtype=np.float64)))


def _compositions(total: int, rows: int) -> Integers:
    """All ways to write `total` as an ordered sum of `rows` whole numbers, shape (m, rows)."""
    ways = np.zeros((1, 0), dtype=np.int64)
    left = np.array([total], dtype=np.int64)
    for _ in range(rows - 1):
        repeats = left + 1
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        part = np.arange(repeats.sum(), dtype=np.int64) - starts
        ways = np.column_stack([np.repeat(ways, repeats, axis=0), part])
        left = np.repeat(left, repeats) - part
    return np.ascontiguousarray(np.column_stack([ways, left]))


def rows_of(totals: Integers) -> Rows:
    """The rows with the place values of their partial sums, the first row highest."""
    strides = np.cumprod(np.append(1, totals[-2:0:-1] + 1))[::-1]
    return Rows(totals, np.ascontiguousarray(strides, dtype=np.int64))


def margins_of(totals: Integers, rows: Rows, log_factorials: Floats) -> list[Margin]:
    """The columns by decreasing total, equal ones being one object; the ones as one, last."""
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
    """The columns in two halves of balanced cost, the number of states that merging equal columns
    leaves: a product of C(w + m - 1, m) over the distinct columns, w ways each, m times.
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
    """Log p-value by meeting in the middle; OutOfReach beyond `limit` states."""
    rows, totals = rows_of(counts.sum(axis=1)), counts.sum(axis=0)
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
    """The rows of one table, and the work spent on it so far."""

    rows: Rows
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
        """Convolve the right half; completions end in what the left half left undecided."""
        end = _no_tails(self.n_keys)
        terminal(first, end)
        placed = sum(margin.total for margin in right)
        return self._forward(right, self._back(right[1:], end, placed, with_mass=True))

    def _back(
        self, margins: list[Margin], end: Tails, placed: int, *, with_mass: bool
    ) -> list[Tails]:
        """The tails before each column and after the last, where `placed` counts are placed."""
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
        """Add column after column to the states: what is undecided, and the log mass decided."""
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
