"""The columns of a table of counts: the ways to fill each, and how two halves share them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TIE = 1e-7  # tables this much (relative) more probable than the observed one count as ties


@dataclass(frozen=True, eq=False)
class Column:
    """All ways to spread one column's total over the rows.

    Columns with one count each all have coefficient 1, so any number of them is one column here:
    value 0, and the number of arrangements as its weight.
    """

    total: int
    parts: Integers  # (m, r): the ways, in lexicographic order
    codes: Integers  # (m,): what each adds to the key of a state, ascending
    values: Floats  # (m,): log multinomial coefficients, what tables are compared by
    weights: Floats  # (m,): log of the number of arrangements that share a value


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


def place_values(margins: Integers) -> Integers:
    """Place values of the mixed radix that encodes partial row sums, but the last, as a key."""
    return np.cumprod(np.append(1, margins[-2:0:-1] + 1))[::-1].astype(np.int64)


def log_compositions(total: int, rows: int) -> float:
    return lgamma(total + rows) - lgamma(total + 1) - lgamma(rows)


def columns_of(totals: Integers, margins: Integers, log_factorials: Floats) -> list[Column]:
    """The columns by decreasing total, equal ones being one object; the ones as one, last."""
    strides = place_values(margins)
    found: dict[int, Column] = {}
    ones = int(np.sum(totals == 1))
    result: list[Column] = []
    for total in sorted(totals[totals > 1].tolist(), reverse=True) + [ones] * (ones > 0):
        single = ones > 0 and len(result) == len(totals) - ones
        if total not in found or single:
            parts = _compositions(total, len(margins))
            parts = parts[(parts[:, :-1] <= margins[:-1]).all(axis=1)]
            ways = log_factorials[total] - log_factorials[parts].sum(axis=1)
            none = np.zeros(len(ways))
            values, weights = (none, ways) if single else (ways, none)
            found[total] = Column(total, parts, parts[:, :-1] @ strides, values, weights)
        result.append(found[total])
    return result


def halves_of(columns: list[Column]) -> tuple[list[Column], list[Column]]:
    """The columns in two halves of balanced cost.

    The cost of a half is the number of states that merging equal columns leaves: a product of
    multiset coefficients C(w + m - 1, m) over the distinct columns, w ways each, m times.
    """

    def cost(half: Sequence[Column]) -> float:
        found = 0.0
        for column, many in Counter(half).items():
            ways = len(column.codes)
            found += lgamma(ways + many) - lgamma(ways) - lgamma(many + 1)
        return found

    candidates = [(columns[:k], columns[k:]) for k in range(1, len(columns))]
    together = [[column] * many for column, many in Counter(columns).items()]
    for blocks in ([[column] for column in columns], together):
        halves: tuple[list[Column], list[Column]] = ([], [])
        sizes = [0.0, 0.0]
        for block in sorted(blocks, key=cost, reverse=True):
            smaller = int(sizes[1] < sizes[0])
            halves[smaller].extend(block)
            sizes[smaller] += cost(block)
        if halves[1]:
            candidates.append(halves)
    return min(candidates, key=lambda halves: max(cost(halves[0]), cost(halves[1])))
