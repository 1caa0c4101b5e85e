"""Inner products <K_f, K_g> of clinical kernels of single features, exactly, by sorting the rows.

Of rows in which both columns are numbers, x of f and z of g, on the scale of their range,

    <K_f, K_g> = sum_ij (1 - |x_i - x_j|) (1 - |z_i - z_j|)
               = m^2 - sum_ij |x_i - x_j| - sum_ij |z_i - z_j| + sum_ij |x_i - x_j| |z_i - z_j|.

In the order of x the last sum is twice (m sum x z - sum x sum z) less four times the terms
(x_j - x_i) (z_j - z_i) of the pairs whose order by z is another, which a merge sort by z comes by:
O(n log n) steps, as in the distance covariance (Huo and Szekely 2016, Technometrics 58, 435-447;
merging as Chaudhuri and Hu 2019, Computational Statistics and Data Analysis 135, 15-24). Of levels
of f it is the sum of 1 - |z_i - z_j| over the pairs of each level. A missing cell has k = 1 with
another one and k = 0 with all else.
"""

import numpy as np

from hetsel.compiling.compiled import compiled


def sorted_products(cells: np.ndarray, nominal: np.ndarray, g: int) -> np.ndarray:
    """<K_f, K_g> (p,) of every feature f with a feature g that is no nominal one.

    Of cells (p, n): numbers on the scale of their range, within 1 of each other, or level codes.
    """
    order = np.argsort(cells[g], kind="stable")
    columns = cells[:, order]
    z = columns[g]
    gaps = np.isnan(z)
    out = np.empty(len(cells))
    for f, x in enumerate(columns):
        if nominal[f]:
            levels = np.unique(x, return_inverse=True)[1]  # all NaN are one
            out[f] = of_pairs_within(z, 2 * levels + gaps)
            continue
        lost = np.isnan(x)
        both = ~lost & ~gaps
        by_z = of_pairs_within(z, np.where(lost, 2, 0) + gaps)
        if lost.any() or gaps.any():
            # of rows that lack z those with x are near each other by x alone
            alone = gaps & ~lost
            by_z += of_pairs_within(np.sort(x[alone]), np.zeros(alone.sum(), dtype=np.int64))
            by_z -= float(alone.sum()) ** 2
        ascending = np.sort(x[both])
        by_x = of_pairs_within(ascending, np.zeros(len(ascending), dtype=np.int64))
        by_z += by_x - float(len(ascending)) ** 2
        out[f] = by_z + 2.0 * products_of_distances(z[both], x[both])
    return out


@compiled
def of_pairs_within(z, groups):
    """Sum of 1 - |z_i - z_j| over all pairs of rows of one group, of z (n,) in ascending order.

    Two NaN, which come last, count as equal, a NaN and a number as of other groups.
    """
    counts = np.zeros(groups.max() + 1 if len(groups) else 0)
    sums, near = np.zeros(len(counts)), 0.0
    for i in range(len(z)):
        c = groups[i]
        cell = 0.0 if np.isnan(z[i]) else z[i]
        near += 1.0 + 2.0 * (counts[c] - (counts[c] * cell - sums[c]))
        counts[c] += 1.0
        sums[c] += cell
    return near


@compiled
def products_of_distances(x, z):
    """Sum of |x_i - x_j| |z_i - z_j| over the pairs i < j, of x (n,) in ascending order."""
    n = len(x)
    total = np.zeros(3)
    for i in range(n):
        total[0] += x[i]
        total[1] += z[i]
    middle_x, middle_z = total[0] / max(n, 1), total[1] / max(n, 1)
    own, told = x - middle_x, z - middle_z
    for i in range(n):
        total[2] += own[i] * told[i]
    turned = 0.0
    next_own, next_told = np.empty(n), np.empty(n)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            count, left_x, left_z, left_xz = float(middle - start), 0.0, 0.0, 0.0
            for i in range(start, middle):
                left_x += own[i]
                left_z += told[i]
                left_xz += own[i] * told[i]
            i, j = start, middle
            for place in range(start, end):
                if j == end or (i < middle and told[i] <= told[j]):
                    count -= 1.0
                    left_x -= own[i]
                    left_z -= told[i]
                    left_xz -= own[i] * told[i]
                    next_own[place], next_told[place] = own[i], told[i]
                    i += 1
                else:
                    if i < middle:  # all that are left in the first half come after row j by z
                        a, b = own[j], told[j]
                        turned += count * a * b - a * left_z - b * left_x + left_xz
                    next_own[place], next_told[place] = own[j], told[j]
                    j += 1
        own, next_own = next_own, own
        told, next_told = next_told, told
        width *= 2
    return n * total[2] - 2.0 * turned
