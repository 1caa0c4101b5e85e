"""Compiled loops over features, on plain arrays.

`values` is (p, n): continuous features scaled to [0, 1], nominal ones as level codes; NaN is a
separate value. `nominal` (p,) marks nominal features, `gaps` (p,) features with missing values.
Inner loops run over contiguous memory, so that the compiler can use vector instructions.
"""

from typing import NamedTuple

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part

BLOCK = 16  # rows of the Gram matrix that stay in the nearest cache
SOME = 64  # features whose values in these rows stay there, too


@compiled
def add_gram(gram, values, nominal, gaps, features, weights, fresh):
    """Add (`fresh`: write) sum_f weights_f k_f to the lower triangle of gram (n, n), in order."""
    n = values.shape[1]
    columns = np.empty(len(features) + 3, dtype=np.int64)
    scales = np.empty(len(features) + 3)
    smooth = 0
    constant = 0.0
    for k in range(len(features)):
        if not (nominal[features[k]] or gaps[features[k]]):
            columns[smooth] = features[k]
            scales[smooth] = weights[k]
            constant += weights[k]
            smooth += 1
    while smooth % 4 != 0:  # the last four are padded with weight 0
        columns[smooth] = columns[0]
        scales[smooth] = 0.0
        smooth += 1
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        for i in range(start, stop):
            for j in range(i + 1):
                gram[i, j] = constant if fresh else gram[i, j] + constant
        for k in range(0, smooth, 4):
            add_four(gram, values, columns[k : k + 4], scales[k : k + 4], start, stop)
        for k in range(len(features)):
            f = features[k]
            if nominal[f] or gaps[f]:
                add_cellwise_gram(gram, values[f], nominal[f], gaps[f], weights[k], start, stop)


@compiled_part
def add_four(gram, values, columns, scales, start, stop):
    """Subtract w_f |a_f - b_f| of four features from rows start..stop-1 of the lower triangle."""
    x0, x1, x2, x3 = values[columns[0]], values[columns[1]], values[columns[2]], values[columns[3]]
    w0, w1, w2, w3 = scales[0], scales[1], scales[2], scales[3]
    for i in range(start, stop):
        row = gram[i]
        a0, a1, a2, a3 = x0[i], x1[i], x2[i], x3[i]
        for j in range(i + 1):
            row[j] -= (w0 * abs(x0[j] - a0) + w1 * abs(x1[j] - a1)) + (
                w2 * abs(x2[j] - a2) + w3 * abs(x3[j] - a3)
            )


@compiled_part
def add_cellwise_gram(gram, column, nominal, gaps, weight, start, stop):
    """Add w k_f of a feature that is nominal or has missing values."""
    for i in range(start, stop):
        row = gram[i]
        a = column[i]
        if gaps:
            for j in range(i + 1):
                row[j] += weight * similarity(a, column[j], nominal)
        else:
            for j in range(i + 1):
                row[j] += weight if column[j] == a else 0.0


@compiled
def mirror(gram):
    """Copy the lower triangle of gram (n, n) onto the upper one."""
    n = gram.shape[0]
    for i in range(n):
        for j in range(i):
            gram[j, i] = gram[i, j]


@compiled_part
def similarity(a, b, nominal):
    """Compute k_f(a, b) of one feature, Eq. 2 of paul2015; 1 if both are missing, 0 if one is."""
    if np.isnan(a) or np.isnan(b):
        return 1.0 if np.isnan(a) and np.isnan(b) else 0.0
    if nominal:
        return 1.0 if a == b else 0.0
    return 1.0 - abs(a - b)


@compiled
def add_cross(gram, left, right, nominal, gaps, features, weights):
    """Add sum_f weights_f k_f between rows of left (p, n) and right (p, m) to gram (n, m)."""
    n, m = gram.shape
    for place, f in enumerate(features):
        column = right[f]
        weight = weights[place]
        for i in range(n):
            row = gram[i]
            a = left[f, i]
            if gaps[f]:
                for j in range(m):
                    row[j] += weight * similarity(a, column[j], nominal[f])
            elif nominal[f]:
                for j in range(m):
                    row[j] += weight if column[j] == a else 0.0
            else:
                for j in range(m):
                    row[j] += weight * (1.0 - abs(column[j] - a))


@compiled
def add_decisions(cross, beta, out):
    """Add cross (m, n) @ beta to out (m,), summed in the order of the rows."""
    m, n = cross.shape
    for i in range(m):
        total = 0.0
        for j in range(n):
            if beta[j] != 0.0:
                total += beta[j] * cross[i, j]
        out[i] += total


class Sorted(NamedTuple):
    """Features with the rows of each in the order of its values."""

    ascending: np.ndarray  # (p, n): values of each feature in ascending order, missing last
    order: np.ndarray  # (p, n), uint32: their rows
    present: np.ndarray  # (p,): number of values that are not missing
    nominal: np.ndarray  # (p,)


@compiled
def cells_in_order(cells, order):
    """Return values (p, n) of each column in an order of its rows (p, n)."""
    out = np.empty(cells.shape)
    for f in range(len(cells)):
        for k in range(cells.shape[1]):
            out[f, k] = cells[f, order[f, k]]
    return out


class Family(NamedTuple):
    """Kernels of some features of a table, for compiled functions."""

    cells: Sorted
    values: np.ndarray  # (p, n)
    gaps: np.ndarray  # (p,)
    features: np.ndarray  # (k,): indices of these features
    factors: np.ndarray  # (k,): factors of their kernels


@compiled
def energies(cells, features, beta, out):
    """Add beta' K_f beta of these features of the sorted values to out_f, in O(n) each.

    Let S be the sum of beta over the rows with a value, B_k its running sum in sorted order, and M
    the sum over rows with a missing value. Then
    s_f = S^2 (1 - sum_k d_k) + sum_k d_k (B_k^2 + (S - B_k)^2) + M^2   (continuous)
    s_f = sum_levels (sum of beta in the level)^2 + M^2                  (nominal),
    with d_k = x_(k+1) - x_(k). These are sums of squares, so that the root of s_f is precise.
    """
    n = len(beta)
    everything = beta.sum()
    for place in range(len(features)):
        f = features[place]
        rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
        missing = 0.0
        for k in range(count, n):
            missing += beta[rows[k]]
        total = missing * missing
        running = 0.0
        if cells.nominal[f]:
            for k in range(count):
                running += beta[rows[k]]
                if k + 1 == count or column[k + 1] != column[k]:
                    total += running * running
                    running = 0.0
        else:
            whole = everything - missing
            spread, width = 0.0, 0.0
            for k in range(count - 1):
                running += beta[rows[k]]
                rest = whole - running
                spread += (column[k + 1] - column[k]) * (running * running + rest * rest)
            if count > 0:
                width = column[count - 1] - column[0]
            total += whole * whole * (1.0 - width) + spread
        out[place] += total


@compiled
def add_motions(cells, features, beta, out):
    """Add 2 sum_i |beta_i| g_i of these features to out_f: a bound on the effect of moving values.

    g_i bounds |sum_j beta_j sign(x_i - x_j)| for values that keep their order.
    """
    n = len(beta)
    everything = beta.sum()
    for place in range(len(features)):
        f = features[place]
        if cells.nominal[f]:
            continue
        rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
        missing = 0.0
        for k in range(count, n):
            missing += beta[rows[k]]
        above, below, total, first = everything - missing, 0.0, 0.0, 0
        own, size = 0.0, 0.0
        for k in range(count):
            own += beta[rows[k]]
            size += abs(beta[rows[k]])
            if k + 1 == count or column[k + 1] != column[first]:
                above -= own
                total += size * (abs(below - above) + size)
                below += own
                own, size, first = 0.0, 0.0, k + 1
        out[place] += 2.0 * total


@compiled_part
def products(cells, features, beta, out, norms):
    """Write K_f beta of these features to out (k, n), in O(n) each, and the energies to norms.

    With S, B_k and d_k as in `energies`, K_f beta at x_(k) is S - D_k, where D_(k+1) = D_k +
    d_k (2 B_k - S) and D_0 = sum_k d_k (S - B_k).
    """
    n = len(beta)
    everything = beta.sum()
    for place in range(len(features)):
        f = features[place]
        rows, column, count = cells.order[f], cells.ascending[f], cells.present[f]
        image = out[place]
        missing = 0.0
        for k in range(count, n):
            missing += beta[rows[k]]
        total = missing * missing
        running = 0.0
        if cells.nominal[f]:
            first = 0
            for k in range(count):
                running += beta[rows[k]]
                if k + 1 == count or column[k + 1] != column[k]:
                    for i in range(first, k + 1):
                        image[rows[i]] = running
                    total += running * running
                    running = 0.0
                    first = k + 1
        else:
            whole = everything - missing
            spread, distance, begin = 0.0, 0.0, 0.0
            last = column[0]
            for k in range(count):
                gap = column[k] - last
                last = column[k]
                rest = whole - running
                ahead = gap * rest
                begin += ahead
                spread += ahead * rest + gap * running * running
                distance += gap * running - ahead
                running += beta[rows[k]]
                image[rows[k]] = distance
            for i in range(n):
                image[i] = whole - begin - image[i]
            width = last - column[0] if count > 0 else 0.0
            total += whole * whole * (1.0 - width) + spread
        for k in range(count, n):
            image[rows[k]] = missing
        norms[place] = total


@compiled
def set_images(family, betas, images, energies):
    """Write K_f beta of each beta (problems, n) to images (problems, k, n), and the energies."""
    for c in range(len(betas)):
        products(family.cells, family.features, betas[c], images[c], energies[c])
        for f in range(len(family.features)):
            factor = family.factors[f]
            if factor != 1.0:
                energies[c, f] *= factor
                for i in range(images.shape[2]):
                    images[c, f, i] *= factor


@compiled
def keep_images(images, at, kept):
    """Copy images (problems, p, n) of these features to kept, which may be the same memory."""
    for c in range(len(kept)):
        for k in range(len(at)):
            image = images[c, at[k]]
            for i in range(images.shape[2]):
                kept[c, k, i] = image[i]


@compiled_part
def add_block(family, weights, rows, gram):
    """Add the weighted kernels between these rows (m,) to the lower triangle of gram (m, m)."""
    m = len(rows)
    cells, scales = np.empty((SOME, m)), np.empty(SOME)
    nominal, gaps = np.empty(SOME, dtype=np.bool_), np.empty(SOME, dtype=np.bool_)
    places = np.empty(SOME, dtype=np.int64)
    for start in range(0, len(family.features), SOME):
        count = min(SOME, len(family.features) - start)
        for k in range(count):
            f = family.features[start + k]
            places[k], nominal[k], gaps[k] = k, family.cells.nominal[f], family.gaps[f]
            scales[k] = weights[start + k] * family.factors[start + k]
            column = family.values[f]
            for i in range(m):
                cells[k, i] = column[rows[i]]
        add_gram(gram, cells, nominal, gaps, places[:count], scales, False)


@compiled_part
def add_outer_products(images, rows, ends, shares, gram):
    """Add sum_f (shares_f v_f)(shares_f v_f)' to the lower triangle of gram (m, m)."""
    p, total = len(shares), len(gram)
    near = np.zeros((SOME, total))
    for first in range(0, p, SOME):
        count = min(SOME, p - first)
        for k in range(count):
            own, share = near[k], shares[first + k]
            for c in range(len(ends) - 1):
                image = images[c, first + k]
                for i in range(ends[c], ends[c + 1]):
                    own[i] = share * image[rows[i]]
        while count % 4 != 0:  # the last four are padded with 0
            for i in range(total):
                near[count, i] = 0.0
            count += 1
        for start in range(0, total, BLOCK):
            for k in range(0, count, 4):
                x0, x1, x2, x3 = near[k], near[k + 1], near[k + 2], near[k + 3]
                for i in range(start, min(start + BLOCK, total)):
                    row = gram[i]
                    a0, a1, a2, a3 = x0[i], x1[i], x2[i], x3[i]
                    for j in range(i + 1):
                        row[j] += (a0 * x0[j] + a1 * x1[j]) + (a2 * x2[j] + a3 * x3[j])
