"""Gradients and sums in twice the precision of doubles, rounded once, with what they may be off."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.kernels.double_double import UNIT, fma, two_sum


@compiled_part
def gradient_of(gram, linear, beta, lo):
    """linear - K (beta + lo), (n,) as high and low parts.

    The products and the sums are in twice the precision: the error of an entry is at most
    :func:`gradient_error`.
    """
    n = len(linear)
    total, rest = linear.copy(), np.zeros(n)
    for j in range(n):
        if beta[j] == 0.0 and lo[j] == 0.0:
            continue
        row = gram[j]
        b, b_low = -beta[j], -lo[j]
        for i in range(n):
            a = row[i]
            product = a * b
            missed = fma(a, b, -product)
            was = total[i]
            new = was + product
            part = new - was
            total[i] = new
            rest[i] += ((was - (new - part)) + (product - part)) + (missed + a * b_low)
    for i in range(n):
        new, part = two_sum(total[i], rest[i])
        total[i], rest[i] = new, part
    return total, rest


@compiled_part
def gradient_error(gram, linear, beta, rounding):
    """Largest error of an entry of :func:`gradient_of`: 2^-106 for each of n^2 roundings.

    And that of the entries of K, as a share of the largest of them, which is on the diagonal.
    """
    n = len(linear)
    largest, length, size = 0.0, 0.0, 0.0
    for i in range(n):
        largest = max(largest, abs(gram[i, i]))
        length += abs(beta[i])
        size = max(size, abs(linear[i]))
    twice = 4.0 * (n + 4.0) ** 2 * UNIT * UNIT
    return twice * (largest * length + size) + rounding * largest * length


@compiled
def sum_of(beta, lo):
    """Sum of beta + lo, as high and low part."""
    total, rest = 0.0, 0.0
    for i in range(len(beta)):
        total, missed = two_sum(total, beta[i])
        rest += missed + lo[i]
    return two_sum(total, rest)
