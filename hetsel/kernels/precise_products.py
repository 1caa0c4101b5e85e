"""Products of the kernels of features with a vector, and their weighted sum, in 32 digits."""

from __future__ import annotations

import numpy as np

from hetsel.compiled import compiled
from hetsel.kernels.double_double import multiply, two_product, two_sum


@compiled
def precise_products(cells, features, factors, beta, lo, high, low, energy, rest):
    """K_f (beta + lo) of each feature: high + low (k, n), and energy + rest (k,) of s_f.

    Arguments as in :func:`hetsel.kernels.sums.products`, with a factor for each feature (k,).
    """
    n = len(beta)
    # in the order of the cells: what the running sums are, and what K_f (beta + lo) is
    sums, rests, image, image_low = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for place in range(len(features)):
        f = features[place]
        rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
        sum_running(beta, lo, rows, sums, rests)
        whole, whole_low = (sums[count - 1], rests[count - 1]) if count > 0 else (0.0, 0.0)
        if cells.nominal[f]:
            set_levels(column, count, sums, rests, image, image_low)
        else:
            set_numbers(column, count, whole, whole_low, sums, rests, image, image_low)
        if count < n:
            missing, missed = two_sum(sums[n - 1], -whole)
            missing, missed = two_sum(missing, missed + (rests[n - 1] - whole_low))
            image[count:], image_low[count:] = missing, missed
        factor = factors[place]
        if factor != 1.0:
            for k in range(n):
                image[k], image_low[k] = multiply(image[k], image_low[k], factor, 0.0)
        for k in range(n):
            high[place, rows[k]], low[place, rows[k]] = image[k], image_low[k]
        energy[place], rest[place] = precise_dot(beta, lo, high[place], low[place], sums, rests)


@compiled
def sum_running(beta, lo, rows, sums, rests):
    """Running sums of beta + lo over some rows, in two parts."""
    total, rest = 0.0, 0.0
    for k in range(len(rows)):
        total, part = two_sum(total, beta[rows[k]])
        rest += part + lo[rows[k]]
        sums[k], rests[k] = total, rest


@compiled
def set_levels(column, count, sums, rests, image, image_low):
    """K_f (beta + lo) of sorted level codes: the sum of the rows of the level."""
    first, before, before_low = 0, 0.0, 0.0
    for k in range(count):
        if k + 1 == count or column[k + 1] != column[k]:
            value, part = two_sum(sums[k], -before)
            value, part = two_sum(value, part + (rests[k] - before_low))
            for at in range(first, k + 1):
                image[at], image_low[at] = value, part
            first, before, before_low = k + 1, sums[k], rests[k]


@compiled
def set_numbers(column, count, whole, whole_low, sums, rests, image, image_low):
    """K_f (beta + lo) of sorted numbers.

    Of sorted cells x_k, w their range, S the sum of beta, B_k its running sum before k and
    A_k = sum_(l <= k) (x_l - x_(l-1)) B_l: K_f beta at x_k is S (1 - w + x_k - x_0) + A_n - 2 A_k.
    The high parts of the sums are exact but for their low parts, which are plain sums.
    """
    if count == 0:
        return
    # the products first: their loop, unlike that of the sums, takes several cells at once
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


@compiled
def precise_dot(beta, lo, high, low, sums, rests):
    """(beta + lo)'(high + low) in two parts; the last two arrays (n,) are room for it.

    The upper half of the terms joins the lower one until one is left: no sum waits for another.
    """
    n = len(beta)
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


@compiled
def subtract_weighted(high, low, weights, rests, total, total_low):
    """total + total_low (n,) -= sum_f (weights + rests)_f (high + low)_f, in the order of f."""
    p, n = high.shape
    for f in range(p):
        weight, rest = -weights[f], -rests[f]
        row, row_low = high[f], low[f]
        for i in range(n):
            product, missed = two_product(weight, row[i])
            missed += weight * row_low[i] + rest * row[i]
            new, part = two_sum(total[i], product)
            total[i] = new
            total_low[i] += part + missed
    for i in range(n):
        total[i], total_low[i] = two_sum(total[i], total_low[i])
