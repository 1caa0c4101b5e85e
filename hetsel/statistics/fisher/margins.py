"""The margins of a table of counts: the ways to fill each column, and two halves of the columns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TIE = 1e-7  # tables this much (relative) more probable than the observed one count as ties


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

    Columns with one count each all have coefficient 1, so any number of them is one margin here:
    value 0, and the number of arrangements as its weight.
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


def log_compositions(total: int, rows: int) -> float:
    return lgamma(total + rows) - lgamma(total + 1) - lgamma(rows)


def margins_of(totals: Integers, rows: Rows, log_factorials: Floats) -> list[Margin]:
    """The columns by decreasing total, equal ones being one object; the ones as one, last."""
    found: dict[int, Margin] = {}
    ones = int(np.sum(totals == 1))
    result: list[Margin] = []
    for total in sorted(totals[totals > 1].tolist(), reverse=True) + [ones] * (ones > 0):
        single = ones > 0 and len(result) == len(totals) - ones
        if total not in found or single:
            parts = _compositions(total, len(rows.totals))
            parts = parts[(parts[:, :-1] <= rows.totals[:-1]).all(axis=1)]
            arrangements = log_factorials[total] - log_factorials[parts].sum(axis=1)
            none = np.zeros(len(arrangements))
            values, weights = (none, arrangements) if single else (arrangements, none)
            found[total] = Margin(total, Ways(parts, parts[:, :-1] @ rows.strides, values, weights))
        result.append(found[total])
    return result


def halves_of(margins: list[Margin]) -> tuple[list[Margin], list[Margin]]:
    """The columns in two halves of balanced cost.

    The cost of a half is the number of states that merging equal columns leaves: a product of
    multiset coefficients C(w + m - 1, m) over the distinct columns, w ways each, m times.
    """

    def cost(half: Sequence[Margin]) -> float:
        found = 0.0
        for margin, many in Counter(half).items():
            n_ways = len(margin.ways.codes)
            found += lgamma(n_ways + many) - lgamma(n_ways) - lgamma(many + 1)
        return found

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
