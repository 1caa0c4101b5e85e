"""Compute mutual information of columns with survival times from their concordance, in nats.

    I(x; T) = -(1/2) log(1 - r^2),   r = 2 C - 1,

C is Harrell's concordance of the column, 1/2 for an uninformative column. I is the information of
two normal variables with correlation r, as in R's packages familiar and mRMRe. The direction of a
column of numbers does not matter.

Levels have no order. Here the other rows order each comparable pair (i, j). Row i has the larger
risk if the mean martingale residual of its level, without i, is above that of the level of j,
without j. A level without another row has the mean 0, and two rows of one level tie. So C is 1/2 on
average for an uninformative column, whatever its levels. (familiar's information, the largest of a
level against the others, grows with the number of levels.) Below 1/2, I is 0. This is concordance
by leave-pair-out cross-validation.

Missing values are a level: with m numbers present in n rows, I is the information of being present
plus m/n times that of the numbers in the rows that have one.

References: De Jay, Papillon-Cavanagh, Olsen, El-Hachem, Bontempi and Haibe-Kains 2013,
Bioinformatics 29, 2365-2368 (information from concordance); Zwanenburg and Loeck 2021, Journal of
Open Source Software (familiar); Airola, Pahikkala, Waegeman, De Baets and Salakoski 2011,
Computational Statistics and Data Analysis 55, 1828-1844 (leave-pair-out).
"""

import numpy as np

from hetsel.compiling.arithmetic import logarithms
from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.equal_numbers import FINE_GRID, on_grid, unit_scale
from hetsel.statistics.survival.concordance import concordance
from hetsel.statistics.survival.curves_and_martingale_residuals import martingale_residuals

LEAST = 1e-10  # of 1 - r^2, as in familiar: information is at most 11.5 nats
WORTH_TREES = 500  # rows per level from which on trees are faster than all pairs
STEP = 2.0**20  # of residuals: whole numbers with exact sums


def concordance_information(
    values: np.ndarray, levels: np.ndarray, times: np.ndarray, events: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute I(x; T) (p,) of the columns (n, p), in nats on a grid of 2^-24, and its estimates.

    The estimates are negative if C is below 1/2 and rank such columns. NaN is missing.
    """
    estimates = np.array(
        [
            _of_levels(x, times, events) if kind else _of_numbers(x, times, events)
            for x, kind in zip(values.T, levels.tolist(), strict=True)
        ]
    )
    estimates = np.rint(estimates * FINE_GRID) / FINE_GRID + 0.0
    return np.maximum(estimates, 0.0), estimates


def _nats(c: float) -> float:
    """Return the information of a concordance, negative below 1/2; 0 without comparable pairs."""
    if np.isnan(c):
        return 0.0
    r = 2.0 * c - 1.0
    nats = max(-0.5 * float(logarithms(np.array([1.0 - r * r + LEAST]))[0]), 0.0)
    return nats if r > 0 else -nats


def _of_numbers(x: np.ndarray, times: np.ndarray, events: np.ndarray) -> float:
    present = ~np.isnan(x)
    if not present.all():
        share = float(present.mean())
        inside = _of_numbers(x[present], times[present], events[present]) if share else 0.0
        of_presence = _of_levels(present.astype(np.float64), times, events)
        return max(of_presence, 0.0) + share * inside
    scaled = on_grid(unit_scale(x[:, None])[:, 0])
    return abs(_nats(float(concordance(times, events, scaled)[0])))


def _of_levels(x: np.ndarray, times: np.ndarray, events: np.ndarray) -> float:
    codes = np.unique(x, return_inverse=True)[1].astype(np.int64)
    moments = np.unique(times, return_inverse=True)[1].astype(np.int64)
    residuals = np.rint(martingale_residuals(times, events) * STEP).astype(np.int64)
    places = 2 * moments + ~events
    width = int(codes.max()) + 1
    if len(x) < WORTH_TREES * width:
        return _nats(float(left_out_concordance(codes, residuals, places, events)))
    rows = np.lexsort([residuals, codes])
    slots = np.empty(len(x), dtype=np.int64)
    slots[rows] = np.arange(len(x))
    starts = np.append(0, np.cumsum(np.bincount(codes)))
    later_first = np.argsort(-places, kind="stable")
    share = left_out_concordance_by_trees(
        codes, residuals, places, events, later_first, residuals[rows], slots, starts
    )
    return _nats(float(share))


@compiled
def left_out_concordance(codes, residuals, places, events):
    """Compute the concordance of levels (n,), with each comparable pair ordered by other rows.

    Residuals (n,) are whole numbers; places (n,) grow with time, events first at equal times.
    """
    n = len(codes)
    width = codes.max() + 1
    sums = np.zeros(width, dtype=np.int64)
    rows = np.zeros(width, dtype=np.int64)
    for i in range(n):
        sums[codes[i]] += residuals[i]
        rows[codes[i]] += 1
    twice, pairs = np.int64(0), np.int64(0)
    for i in range(n):
        if not events[i]:
            continue
        own = codes[i]
        risk, others = sums[own] - residuals[i], max(rows[own] - 1, 1)
        for j in range(n):
            if places[j] <= places[i]:
                continue
            pairs += 1
            level = codes[j]
            here = risk * max(rows[level] - 1, 1)
            there = (sums[level] - residuals[j]) * others
            if level == own or here == there:
                twice += 1
            elif here > there:
                twice += 2
    return 0.5 * twice / pairs if pairs > 0 else 0.5


@compiled
def left_out_concordance_by_trees(
    codes, residuals, places, events, later_first, ascending, slots, starts
):
    """Compute :func:`left_out_concordance` in O(levels n log n).

    Rows enter one binary indexed tree per level (Fenwick 1994), later rows first, at the place of
    their residual among those of the level: later_first (n,) are the rows, ascending (n,) the
    residuals by level, slots (n,) the place of each row there, starts (levels + 1,) the start of
    each level. An event has a larger risk than the later rows of a level whose residual is above a
    bound.
    """
    n, width = len(codes), len(starts) - 1
    sums = np.zeros(width, dtype=np.int64)
    for i in range(n):
        sums[codes[i]] += residuals[i]
    tree, inside = np.zeros(n + 1, dtype=np.int64), np.zeros(width, dtype=np.int64)
    twice, pairs, first = np.int64(0), np.int64(0), 0
    while first < n:
        last = first
        while last < n and places[later_first[last]] == places[later_first[first]]:
            last += 1
        for place in range(first, last):
            i = later_first[place]
            if not events[i]:
                continue
            own = codes[i]
            others = max(starts[own + 1] - starts[own] - 1, 1)
            risk = sums[own] - residuals[i]
            twice += inside[own]
            pairs += first
            for level in range(width):
                if level == own or inside[level] == 0:
                    continue
                start, end = starts[level], starts[level + 1]
                bound = sums[level] * others - risk * max(end - start - 1, 1)
                below = not_above(ascending, start, end, others, bound - 1)
                least = not_above(ascending, start, end, others, bound)
                twice += 2 * inside[level]
                twice -= entered(tree, start, below) + entered(tree, start, least)
        for place in range(first, last):
            i = later_first[place]
            level = codes[i]
            inside[level] += 1
            start, size = starts[level], starts[level + 1] - starts[level]
            at = slots[i] - start + 1
            while at <= size:
                tree[start + at] += 1
                at += at & -at
        first = last
    return 0.5 * twice / pairs if pairs > 0 else 0.5


@compiled_part
def not_above(ascending, start, end, factor, bound):
    """Count the elements of ascending[start:end] that, times a factor, are not above the bound."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] * factor > bound:
            high = middle
        else:
            low = middle + 1
    return low - start


@compiled_part
def entered(tree, start, count):
    """Count the entered places among the first `count` of the tree that starts here."""
    total = np.int64(0)
    while count > 0:
        total += tree[start + count]
        count -= count & -count
    return total
