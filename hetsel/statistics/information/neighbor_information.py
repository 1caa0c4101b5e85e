"""Estimate mutual information of columns of any kind by k nearest neighbors, in nats, without
draws.

One estimate serves numbers, levels and numbers that repeat. Numbers are scaled to [0, 1]; levels,
and missing and present values, are at distance 0 or infinity. With rho_i the larger of the
distances in x and in y of row i to its k-th nearest neighbor,

    I(x; y) = psi(n) + (1/n) sum_i (psi(k_i) - psi(a_i) - psi(b_i)).

If rho_i > 0, k_i counts the other rows within rho_i, and a_i, b_i count the rows nearer than rho_i
in x and in y, the row itself included; rows as far as the k-th are counted in place of the row
itself. If rho_i = 0, all three count the rows at distance 0, the row itself included. So the
estimate is that of Ross for classes and a number without repeated values, that of Kraskov et al.
for two such numbers, and that of Gao et al. if values repeat. For two columns of levels it is the
information of the counts with psi in place of log, which removes its bias. Rows without a neighbor
at a finite distance count as 0; a class of k rows or fewer uses as many neighbors as it has.

References: Ross 2014, PLoS ONE 9, e87357; Kraskov, Stoegbauer and Grassberger 2004, Physical Review
E 69, 066138; Gao, Kannan, Oh and Viswanath 2017, Advances in Neural Information Processing Systems
30, 5986-5997.
"""

from functools import lru_cache

import numpy as np
from scipy.special import digamma

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import GRID, unit_scale
from hetsel.statistics.information.mutual_information import STEP, crossed, entropy, to_nats

MISSING = np.int64(2**62)  # the tick of a missing value


def target_information(
    values: np.ndarray,
    levels: np.ndarray,
    y: np.ndarray,
    neighbors: int = 3,
    *,
    y_levels: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the information (p,) of the columns (n, p) on a target (n,), and its estimates.

    The information lies between 0 and the entropies of the distinct values of both. The estimates
    before these bounds rank columns at a bound. NaN is missing.
    """
    target = _whole_numbers(y, y_levels)
    estimates, most = np.empty(len(levels)), np.full(len(levels), entropy(target))
    for f, kind in enumerate(levels.tolist()):
        cells = _whole_numbers(values[:, f], kind)
        estimates[f] = _estimate(cells, target, kind, y_levels, neighbors)
        most[f] = min(most[f], entropy(cells))
    return np.clip(estimates, 0.0, most) + 0.0, estimates


def _whole_numbers(column: np.ndarray, levels: bool) -> np.ndarray:
    """Return codes of levels (n,), or numbers scaled to 0..2^32 and rounded."""
    if levels:
        return np.asarray(np.unique(column, return_inverse=True)[1].astype(np.int64))
    scaled = unit_scale(column[:, None])[:, 0] * GRID
    return np.where(np.isnan(scaled), MISSING, np.rint(np.nan_to_num(scaled)).astype(np.int64))


def _estimate(
    a: np.ndarray, b: np.ndarray, x_levels: bool, y_levels: bool, neighbors: int
) -> float:
    """Estimate the information in nats without bounds, of two columns of whole numbers."""
    neighbors = whole_number("neighbors", neighbors, 1)
    psi = psi_table(len(a))
    if x_levels and y_levels:
        joint, of_a, of_b = (
            int((counts * psi[counts]).sum()) for counts in map(np.bincount, (crossed(a, b), a, b))
        )
        total = len(a) * int(psi[-1]) + joint - of_a - of_b
    elif x_levels or y_levels:
        numbers, classes = (b, a) if x_levels else (a, b)
        order = np.argsort(numbers, kind="stable")
        total = class_sum(numbers[order], classes[order], int(classes.max()) + 1, neighbors, psi)
    else:
        total = pair_sum(a, b, np.sort(a), np.sort(b), np.argsort(a), neighbors, psi)
    return float(to_nats(np.array(total), len(a)))


@lru_cache(maxsize=4)
def psi_table(n: int) -> np.ndarray:
    """Return the table (n + 1,) of rint(2^32 psi(k)), k = 0..n, as int64; 0 for 0."""
    table = np.zeros(n + 1, dtype=np.int64)
    table[1:] = np.rint(digamma(np.arange(1.0, n + 1)) * STEP)
    table.flags.writeable = False
    return table


@compiled
def class_sum(numbers, classes, width, neighbors, psi):
    """Compute n times the information of ascending numbers (n,) on classes (n,), in 2^-32 nats."""
    n = len(numbers)
    total = np.int64(0)
    own = np.empty(n, dtype=np.int64)
    for c in range(width):
        size = 0
        for i in range(n):
            if classes[i] == c:
                own[size] = numbers[i]
                size += 1
        present = np.searchsorted(own[:size], MISSING)
        k = min(neighbors, present - 1)
        for i in range(size):
            if i < present:
                if k == 0:
                    continue
                radius = reach(own[:present], i, k)
            elif size - present == 1:
                continue
            else:
                radius = np.int64(0)
            if radius == 0:
                near = within(own[:size], own[i], 0)
                around = within(numbers, own[i], 0)
            else:
                near = within(own[:size], own[i], radius + 1) - 1
                around = nearer(numbers, own[i], radius)
            total += psi[n] + psi[near] - psi[around] - psi[size]
    return total


@compiled_part
def reach(ascending, i, k):
    """Return the distance of entry i to its k-th nearest other entry."""
    best = MISSING
    for first in range(max(0, i - k), min(i, len(ascending) - 1 - k) + 1):
        farthest = max(ascending[i] - ascending[first], ascending[first + k] - ascending[i])
        best = min(best, farthest)
    return best


@compiled_part
def within(ascending, value, distance):
    """Count the entries at most this far from a value."""
    if distance < 0:
        return 0
    last = np.searchsorted(ascending, value + distance, side="right")
    return last - np.searchsorted(ascending, value - distance, side="left")


@compiled_part
def nearer(ascending, value, radius):
    """Count rows nearer than the radius, or others within it if more; equal is up to one tick."""
    return max(within(ascending, value, radius - 2), within(ascending, value, radius + 1) - 1)


@compiled
def pair_sum(a, b, ascending_a, ascending_b, order, neighbors, psi):
    """Compute n times the information of two columns of numbers (n,), in steps of 2^-32.

    `order` sorts a; from each row the search goes both ways until no row can be nearer.
    """
    n = len(a)
    total = np.int64(0)
    nearest = np.empty(neighbors, dtype=np.int64)
    for place in range(n):
        i = order[place]
        nearest[:] = MISSING
        for way in (-1, 1):
            other = place + way
            while 0 <= other < n and abs(a[order[other]] - a[i]) < nearest[-1]:
                j = order[other]
                insert(nearest, max(abs(a[j] - a[i]), abs(b[j] - b[i])))
                other += way
        k = 0
        while k < neighbors and nearest[k] < MISSING // 2:
            k += 1
        if k == 0:
            continue
        radius = nearest[k - 1]
        near = np.int64(0)
        widest = radius + 1 if radius > 0 else np.int64(0)
        for way in (-1, 1):
            other = place + way
            while 0 <= other < n and abs(a[order[other]] - a[i]) <= widest:
                near += abs(b[order[other]] - b[i]) <= widest
                other += way
        if radius == 0:
            counts = psi[within(ascending_a, a[i], 0)] + psi[within(ascending_b, b[i], 0)]
            near += 1
        else:
            counts = psi[nearer(ascending_a, a[i], radius)] + psi[nearer(ascending_b, b[i], radius)]
        total += psi[n] + psi[near] - counts
    return total


@compiled_part
def insert(ascending, value):
    """Insert a value into an ascending list and drop the last entry."""
    if value >= ascending[-1]:
        return
    k = len(ascending) - 1
    while k > 0 and ascending[k - 1] > value:
        ascending[k] = ascending[k - 1]
        k -= 1
    ascending[k] = value
