"""Arithmetic in twice the precision of doubles.

A number is hi + lo, lo at most half a unit in the last place of hi. Sums are compensated: their
error is that of arithmetic with 32 digits, rounded once.

References: Dekker 1971, A floating-point technique for extending the available precision,
Numerische Mathematik 18; Ogita, Rump and Oishi 2005, Accurate sum and dot product, SIAM Journal on
Scientific Computing 26.
"""

from __future__ import annotations

from typing import Any

from hetsel.compiling.compiled import inlined
from hetsel.compiling.plain_numba import intrinsic, types

UNIT = 2.0**-53


@intrinsic
def fma(_: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once; by the C library where the processor has no instruction for it."""
    number = types.float64

    def code(_: Any, builder: Any, __: Any, given: Any) -> Any:
        return builder.fma(*given)

    return number(number, number, number), code


@inlined
def two_sum(a, b):
    """a + b without error, as the rounded sum and the rest (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inlined
def two_product(a, b):
    """a b without error, as the rounded product and the rest."""
    product = a * b
    return product, fma(a, b, -product)


@inlined
def add(hi, lo, other, rest):
    """Sum of two numbers of two parts."""
    total, missed = two_sum(hi, other)
    return two_sum(total, missed + (lo + rest))


@inlined
def multiply(hi, lo, other, rest):
    """Product of two numbers of two parts."""
    product, missed = two_product(hi, other)
    return two_sum(product, missed + (hi * rest + lo * other))


@inlined
def divide(hi, lo, other, rest):
    """Quotient of two numbers of two parts; the divisor is not 0."""
    quotient = hi / other
    product, missed = multiply(quotient, 0.0, other, rest)
    more = ((hi - product) + (lo - missed)) / other
    return two_sum(quotient, more)
