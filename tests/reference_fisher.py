"""Slow twin of hetsel.fisher: exact integers, no floating point before the final ratio."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial, prod

TIE = Fraction(10**7 + 1, 10**7)


def fisher_fraction(table: Sequence[Sequence[int]]) -> Fraction:
    """Two-sided p-value as an exact fraction.

    Columns are added one at a time; the state is (row sums left, product of t_ij!), with the
    number of ways as an exact integer. A table is as improbable as the observed one when its
    product of factorials is at least the observed product / (1 + 1e-7).
    """
    rows = tuple(sum(row) for row in table)
    columns = [sum(column) for column in zip(*table, strict=True)]
    states: dict[tuple[int, ...], dict[int, int]] = {rows: {1: 1}}
    for total in columns:
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for left, found in states.items():
            for part in compositions(total, left):
                factor = prod(factorial(a) for a in part)
                key = tuple(a - b for a, b in zip(left, part, strict=True))
                target = following.setdefault(key, {})
                for product, ways in found.items():
                    target[product * factor] = target.get(product * factor, 0) + ways
        states = following
    (tables,) = states.values()
    observed = prod(factorial(count) for row in table for count in row)
    common = prod(factorial(n) for n in rows) * prod(factorial(n) for n in columns)
    scale = factorial(max(rows)) ** len(columns) * common  # a multiple of every product
    mass = 0
    for product, ways in tables.items():
        if product * TIE.numerator >= observed * TIE.denominator:
            share, rest = divmod(scale, product)
            assert rest == 0
            mass += ways * share
    return Fraction(mass * common, scale * factorial(sum(rows)))


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
