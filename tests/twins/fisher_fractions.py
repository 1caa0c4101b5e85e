"""Slow twin of the exact test: exact integers, no floating point before the final ratio."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from math import factorial, prod

TIE = Fraction(10**7 + 1, 10**7)


def fisher_fraction(table: Sequence[Sequence[int]]) -> Fraction:
    """Two-sided p-value as an exact fraction: every table is visited, equal ones together.

    A table is as improbable as the observed one when its product of factorials is at least the
    observed product / (1 + 1e-7).
    """
    rows, columns, observed, common = margins(table)
    tables = fillings(columns, rows)[rows]
    scale = factorial(max(rows)) ** len(columns) * common  # a multiple of every product
    mass = 0
    for product, ways in tables.items():
        if product * TIE >= observed:
            assert scale % product == 0
            mass += ways * (scale // product)
    return Fraction(mass * common, scale * factorial(sum(rows)))


def fisher_fraction_in_halves(table: Sequence[Sequence[int]]) -> Fraction:
    """The same fraction where visiting every table takes too long: pairs of half tables."""
    rows, columns, observed, common = margins(table)
    middle = len(columns) // 2
    left, right = fillings(columns[:middle], rows), fillings(columns[middle:], rows)
    scale = prod(factorial(n) for n in columns)  # a multiple of every half's product
    mass = 0
    for placed, found in left.items():
        rest = right.get(tuple(a - b for a, b in zip(rows, placed, strict=True)), {})
        products = sorted(rest, reverse=True)
        masses = list(accumulate(rest[product] * (scale // product) for product in products))
        for product, ways in found.items():
            enough = bisect_right(products, -observed / (product * TIE), key=lambda q: -q)
            if enough:
                mass += ways * (scale // product) * masses[enough - 1]
    return Fraction(mass * common, scale**2 * factorial(sum(rows)))


def margins(table: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], list[int], int, int]:
    """Row sums, column sums, prod t_ij!, and prod R_i! prod C_j!."""
    rows = tuple(sum(row) for row in table)
    columns = [sum(column) for column in zip(*table, strict=True)]
    observed = prod(factorial(count) for row in table for count in row)
    return rows, columns, observed, prod(map(factorial, rows)) * prod(map(factorial, columns))


def fillings(columns: Sequence[int], rows: Sequence[int]) -> dict[tuple[int, ...], dict[int, int]]:
    """Row sums of the filled columns -> product of t_ij! -> number of ways to fill them so."""
    states: dict[tuple[int, ...], dict[int, int]] = {(0,) * len(rows): {1: 1}}
    for total in columns:
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for placed, found in states.items():
            room = [n - m for n, m in zip(rows, placed, strict=True)]
            for part in compositions(total, room):
                factor = prod(factorial(a) for a in part)
                key = tuple(a + b for a, b in zip(placed, part, strict=True))
                target = following.setdefault(key, {})
                for product, ways in found.items():
                    target[product * factor] = target.get(product * factor, 0) + ways
        states = following
    return states


def compositions(total: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as a sum of whole numbers, the i-th at most room[i]."""
    if len(room) == 1:
        if total <= room[0]:
            yield (total,)
        return
    for first in range(min(total, room[0]) + 1):
        for rest in compositions(total - first, room[1:]):
            yield (first, *rest)


def log_fraction(value: Fraction) -> float:
    """Natural logarithm of a positive fraction of any size, to 40 digits."""
    with localcontext() as context:
        context.prec = 40
        return float(Decimal(value.numerator).ln() - Decimal(value.denominator).ln())
