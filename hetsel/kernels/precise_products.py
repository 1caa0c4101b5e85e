"""Products of feature kernels with a vector, and their weighted sum, in 32 digits.

A number is hi + lo, where lo is at most half a unit in the last place of hi. Sums are compensated
(Dekker 1971, Numerische Mathematik 18; Ogita, Rump and Oishi 2005, SIAM Journal on Scientific
Computing 26).
"""

from typing import Any

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part, inlined
from hetsel.compiling.plain_numba import intrinsic, types

UNIT = 2.0**-53


@compiled
def precise_slopes(family, power, scale, betas, rests, slopes, lows, energy, lefts):
    """u + low = sum_f (s_f / scale)^power K_f (beta + rest), (problems, n), and s_f + left (p,)."""
    problems, n = betas.shape
    # in the order of the values: the running sums, and K_f (beta + rest)
    room = np.empty((4, n))
    high, low = np.empty((problems, n)), np.empty((problems, n))
    for c in range(problems):
        for i in range(n):
            slopes[c, i], lows[c, i] = 0.0, 0.0
    for place in range(len(family.features)):
        f, factor = family.features[place], family.factors[place]
        total, left = 0.0, 0.0
        for c in range(problems):
            precise_image(family.cells, f, factor, betas[c], rests[c], high[c], low[c], room)
            own, own_left = precise_dot(betas[c], rests[c], high[c], low[c], room)
            total, part = two_sum(total, own)
            left += part + own_left
        energy[place], lefts[place] = two_sum(total, left)
        weight, rest = energy[place], lefts[place]
        if power != 1.0:
            weight, rest = max(weight / scale, 0.0) ** power, 0.0
        for c in range(problems):
            add_weighted(weight, rest, high[c], low[c], slopes[c], lows[c])
    for c in range(problems):
        for i in range(n):
            slopes[c, i], lows[c, i] = two_sum(slopes[c, i], lows[c, i])


@inlined
def precise_image(cells, f, factor, beta, lo, high, low, room):
    """Compute K_f (beta + lo) of a feature (n,), times a factor, as high + low."""
    sums, rests, found, found_low = room[0], room[1], room[2], room[3]
    rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
    sum_running(beta, lo, rows, sums, rests)
    whole, whole_low = (sums[count - 1], rests[count - 1]) if count > 0 else (0.0, 0.0)
    if cells.nominal[f]:
        set_levels(column, count, sums, rests, found, found_low)
    else:
        set_numbers(column, count, whole, whole_low, sums, rests, found, found_low)
    if count < len(beta):
        missing, part = two_sum(sums[-1], -whole)
        missing, part = two_sum(missing, part + (rests[-1] - whole_low))
        for k in range(count, len(beta)):
            found[k], found_low[k] = missing, part
    for k in range(len(beta)):
        high[rows[k]], low[rows[k]] = found[k], found_low[k]
    if factor != 1.0:
        for i in range(len(beta)):
            high[i], low[i] = multiply(high[i], low[i], factor, 0.0)


@inlined
def sum_running(beta, lo, rows, sums, rests):
    """Compute running sums of beta + lo over some rows, in two parts."""
    total, rest = 0.0, 0.0
    for k in range(len(rows)):
        total, part = two_sum(total, beta[rows[k]])
        rest += part + lo[rows[k]]
        sums[k], rests[k] = total, rest


@compiled_part
def set_levels(column, count, sums, rests, image, image_low):
    """Compute K_f (beta + lo) of sorted level codes: the sum of the rows of the level."""
    first, before, before_low = 0, 0.0, 0.0
    for k in range(count):
        if k + 1 == count or column[k + 1] != column[k]:
            value, part = two_sum(sums[k], -before)
            value, part = two_sum(value, part + (rests[k] - before_low))
            for at in range(first, k + 1):
                image[at], image_low[at] = value, part
            first, before, before_low = k + 1, sums[k], rests[k]


@inlined
def set_numbers(column, count, whole, whole_low, sums, rests, image, image_low):
    """Compute K_f (beta + lo) = S (1 - w + x_k - x_0) + A_n - 2 A_k of sorted numbers of range w.

    S is the sum of beta, B_k its running sum before k, A_k = sum_(l <= k) (x_l - x_(l-1)) B_l.
    """
    if count == 0:
        return
    # products first: unlike the sums, this loop is vectorized
    image[0], image_low[0] = 0.0, 0.0
    for k in range(1, count):
        gap = column[k] - column[k - 1]
        product, missed = two_product(gap, sums[k - 1])
        image[k], image_low[k] = product, missed + gap * rests[k - 1]
    area, area_low = 0.0, 0.0
    for k in range(1, count):
        area, part = two_sum(area, image[k])
        area_low += part + image_low[k]
        image[k], image_low[k] = area, area_low
    share = 1.0 - (column[count - 1] - column[0])
    for k in range(count):
        width = share + (column[k] - column[0])
        product, missed = two_product(whole, width)
        value, part = two_sum(area, -2.0 * image[k])
        part += area_low - 2.0 * image_low[k]
        value, more = two_sum(value, product)
        more += part + (missed + whole_low * width)
        image[k], image_low[k] = two_sum(value, more)


@inlined
def precise_dot(beta, lo, high, low, room):
    """Compute (beta + lo)'(high + low) in two parts, by pairwise halves."""
    n, sums, rests = len(beta), room[0], room[1]
    for i in range(n):
        sums[i], missed = two_product(high[i], beta[i])
        rests[i] = missed + (high[i] * lo[i] + low[i] * beta[i])
    while n > 1:
        half = n // 2
        upper, upper_rests = sums[n - half : n], rests[n - half : n]
        for i in range(half):
            sums[i], part = two_sum(sums[i], upper[i])
            rests[i] += part + upper_rests[i]
        n -= half
    return two_sum(sums[0], rests[0])


@inlined
def add_weighted(weight, rest, high, low, total, total_low):
    """Add (weight + rest)(high + low) to total + total_low (n,)."""
    for i in range(len(high)):
        product, missed = two_product(weight, high[i])
        missed += weight * low[i] + rest * high[i]
        new, part = two_sum(total[i], product)
        total[i] = new
        total_low[i] += part + missed


@intrinsic
def fma(_: Any, a: Any, b: Any, c: Any) -> Any:
    """Compute a b + c, rounded once; the C library helps processors without the instruction."""
    number = types.float64

    def code(_: Any, builder: Any, __: Any, given: Any) -> Any:
        return builder.fma(*given)

    return number(number, number, number), code


@inlined
def two_sum(a, b):
    """Return the rounded sum a + b and its exact error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inlined
def two_product(a, b):
    """Return the rounded product a b and its exact error."""
    product = a * b
    return product, fma(a, b, -product)


@inlined
def add(hi, lo, other, rest):
    """Add two numbers of two parts."""
    total, missed = two_sum(hi, other)
    return two_sum(total, missed + (lo + rest))


@inlined
def multiply(hi, lo, other, rest):
    """Multiply two numbers of two parts."""
    product, missed = two_product(hi, other)
    return two_sum(product, missed + (hi * rest + lo * other))


@inlined
def divide(hi, lo, other, rest):
    """Divide two numbers of two parts; the divisor is not 0."""
    quotient = hi / other
    product, missed = multiply(quotient, 0.0, other, rest)
    more = ((hi - product) + (lo - missed)) / other
    return two_sum(quotient, more)
