"""The exact sum of Fisher's test, by meeting in the middle.

The columns of the table are split into two halves; each half is convolved column by column. A
state is (partial row sums, log weight, log multiplicity): tables that agree in the first two are
merged. A state that can no longer change sides - all its completions are at most as probable as
the observed table, or none is - is settled at once, with the closed form of the mass of its
completions (the longest and shortest path of Mehta & Patel 1983). What remains of the two halves
is matched by sorting. All sums are kept as logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, prod

import numpy as np
from numpy.typing import NDArray

from hetsel.statistics.fisher.columns import (
    TIE,
    Column,
    columns_of,
    halves_of,
    log_compositions,
    log_factorial_table,
    place_values,
)
from hetsel.statistics.fisher.loops import extend, fill_mass, match, push_back, terminal

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WORK = 15  # how many states may be visited, in all, for each one that may be held
TABLED = 2  # how many cells the tables of completions may have, for each state


class OutOfReach(Exception):
    """The exact sum needs more states than the limit allows."""


@dataclass(frozen=True)
class _States:
    """What one half left undecided, sorted by key, and the log mass it settled."""

    starts: Integers  # (n_keys + 1,): where the states of each key begin
    values: Floats
    weights: Floats
    settled: float


@dataclass(frozen=True)
class _Tails:
    """For each key: log weight of the heaviest and lightest completion, log mass of all."""

    high: Floats
    low: Floats
    mass: Floats

    @classmethod
    def empty(cls, n_keys: int) -> _Tails:
        return cls(np.full(n_keys, -inf), np.full(n_keys, inf), np.full(n_keys, -inf))


def log_exact_sum(counts: Integers, limit: int) -> float:
    """Log p-value by meeting in the middle; OutOfReach beyond `limit` states."""
    margins, totals = counts.sum(axis=1), counts.sum(axis=0)
    rows, total = len(margins), int(totals.sum())
    n_keys = prod(int(m) + 1 for m in margins[:-1])
    widest = max(int(totals.max()), int(np.sum(totals == 1)))
    if exp(min(99.0, log_compositions(widest, rows))) * rows > WORK * limit:
        raise OutOfReach
    if n_keys * len(totals[totals > 1]) > TABLED * limit or total > TABLED * limit:
        raise OutOfReach
    log_factorials = log_factorial_table(total.bit_length())
    columns = columns_of(totals, margins, log_factorials)
    if len(columns) == 1:
        return 0.0
    observed = float(log_factorials[totals].sum() - log_factorials[counts].sum())
    sweep = _Sweep(margins, place_values(margins), n_keys, observed + TIE, limit)
    left, right = halves_of(columns)
    first = sweep.enter(left, right, log_factorials)
    second = sweep.meet(right, first)
    found = np.logaddexp(first.settled, second.settled)
    found = np.logaddexp(
        found,
        match(
            first.starts,
            first.values,
            first.weights,
            second.starts,
            second.values,
            second.weights,
            sweep.threshold,
        ),
    )
    return min(0.0, float(found + log_factorials[margins].sum() - log_factorials[total]))


@dataclass
class _Sweep:
    """The margins of one table, and the work spent on it so far."""

    margins: Integers
    strides: Integers
    n_keys: int
    threshold: float
    limit: int
    work: float = 0.0

    def spend(self, work: float) -> None:
        self.work += work
        if self.work > WORK * self.limit:
            raise OutOfReach

    def enter(self, left: list[Column], right: list[Column], log_factorials: Floats) -> _States:
        """Convolve the left half; completions run through all columns that follow."""
        end = _Tails.empty(self.n_keys)
        end.high[-1] = end.low[-1] = end.mass[-1] = 0.0
        tails = self._back(left[1:] + right, end, int(self.margins.sum()), with_mass=False)
        placed = 0
        for column, tail in zip(left, tails, strict=False):
            placed += column.total
            fill_mass(tail.mass, tail.high, placed, self.margins, self.strides, log_factorials)
        return self._forward(left, tails[: len(left)])

    def meet(self, right: list[Column], first: _States) -> _States:
        """Convolve the right half; completions end in what the left half left undecided."""
        end = _Tails.empty(self.n_keys)
        terminal(first.starts, first.values, first.weights, end.high, end.low, end.mass)
        tails = self._back(right[1:], end, sum(c.total for c in right), with_mass=True)
        return self._forward(right, tails)

    def _back(
        self, columns: list[Column], end: _Tails, placed: int, with_mass: bool
    ) -> list[_Tails]:
        """The tails before each column and after the last, where `placed` counts are placed."""
        tails = [end]
        for column in reversed(columns):
            after, before = tails[-1], _Tails.empty(self.n_keys)
            reachable = np.flatnonzero(after.high > -inf)
            self.spend(len(reachable) * len(column.codes) * (0.5 if with_mass else 0.1))
            push_back(
                reachable,
                after.high,
                after.low,
                after.mass,
                before.high,
                before.low,
                before.mass,
                with_mass,
                placed,
                self.margins,
                self.strides,
                column.parts,
                column.codes,
                column.values,
                column.weights,
            )
            placed -= column.total
            tails.append(before)
        return tails[::-1]

    def _forward(self, half: list[Column], tails: list[_Tails]) -> _States:
        """Add column after column to the states, from none."""
        starts = np.array([0, 1], dtype=np.int64)
        values, weights = np.zeros(1), np.zeros(1)
        settled, placed = -inf, 0
        for column, tail in zip(half, tails, strict=True):
            placed += column.total
            reachable = np.flatnonzero(tail.high > -inf)
            pairs = len(reachable) * (len(column.codes) if placed > column.total else 1)
            self.spend(len(values) * len(column.codes) + 0.1 * pairs)
            starts, values, weights, more = extend(
                starts,
                values,
                weights,
                reachable,
                placed,
                self.margins,
                self.strides,
                column.parts,
                column.codes,
                column.values,
                column.weights,
                tail.high,
                tail.low,
                tail.mass,
                self.threshold,
                self.limit,
            )
            if len(values) > self.limit:
                raise OutOfReach
            settled = float(np.logaddexp(settled, more))
        return _States(starts, values, weights, settled)
