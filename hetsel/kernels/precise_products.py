"""Products of the kernels of features with a vector, and their weighted sum, in 32 digits."""

from __future__ import annotations

from hetsel.compiled import compiled
from hetsel.kernels.double_double import multiply, two_product, two_sum


@compiled
def precise_products(cells, features, factors, beta, lo, high, low, energy, rest):
    """K_f (beta + lo) of each feature: high + low (k, n), and energy + rest (k,) of s_f.

    Arguments as in :func:`hetsel.kernels.sums.products`, with a factor for each feature (k,).
    """
    n = len(beta)
    for place in range(len(features)):
        f = features[place]
        image, image_low = high[place], low[place]
        image_rows(cells, f, beta, lo, image, image_low)
        rows, count = cells.order[f], cells.present[f]
        if count < n:
            missing, missing_low = sum_rows(beta, lo, rows[count:])
            for k in range(count, n):
                image[rows[k]], image_low[rows[k]] = missing, missing_low
        factor = factors[place]
        if factor != 1.0:
            for i in range(n):
                image[i], image_low[i] = multiply(image[i], image_low[i], factor, 0.0)
        total, total_low = 0.0, 0.0
        for i in range(n):
            product, missed = two_product(image[i], beta[i])
            total, part = two_sum(total, product)
            total_low += part + missed + (image[i] * lo[i] + image_low[i] * beta[i])
        energy[place], rest[place] = two_sum(total, total_low)


@compiled
def sum_rows(beta, lo, rows):
    """Sum of beta + lo over some rows, in two parts."""
    total, rest = 0.0, 0.0
    for k in range(len(rows)):
        total, part = two_sum(total, beta[rows[k]])
        rest += part + lo[rows[k]]
    return two_sum(total, rest)


@compiled
def image_rows(cells, f, beta, lo, image, image_low):
    """K_f (beta + lo) of the rows of a feature that are not missing.

    Of sorted cells x_k, w their range, S the sum of beta, B_k its running sum before k and
    A_k = sum_(l <= k) (x_l - x_(l-1)) B_l: K_f beta at x_k is S (1 - w + x_k - x_0) + A_n - 2 A_k.
    The high parts of the sums are exact but for their low parts, which are plain sums.
    """
    rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
    running, running_low = 0.0, 0.0
    if cells.nominal[f]:
        first = 0
        for k in range(count):
            running, part = two_sum(running, beta[rows[k]])
            running_low += part + lo[rows[k]]
            if k + 1 == count or column[k + 1] != column[k]:
                value, value_low = two_sum(running, running_low)
                for at in range(first, k + 1):
                    image[rows[at]], image_low[rows[at]] = value, value_low
                running, running_low = 0.0, 0.0
                first = k + 1
        return
    whole, whole_low = sum_rows(beta, lo, rows[:count])
    area, area_low = 0.0, 0.0
    last = column[0]
    for k in range(count):
        i = rows[k]
        gap = column[k] - last
        last = column[k]
        product, missed = two_product(gap, running)
        area, part = two_sum(area, product)
        area_low += part + (missed + gap * running_low)
        image[i], image_low[i] = area, area_low
        running, part = two_sum(running, beta[i])
        running_low += part + lo[i]
    share = 1.0 - (last - column[0])
    for k in range(count):
        i = rows[k]
        product, missed = two_product(whole, share + (column[k] - column[0]))
        value, part = two_sum(area, -2.0 * image[i])
        part += area_low - 2.0 * image_low[i]
        value, more = two_sum(value, product)
        more += part + (missed + whole_low * (share + (column[k] - column[0])))
        image[i], image_low[i] = two_sum(value, more)


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
