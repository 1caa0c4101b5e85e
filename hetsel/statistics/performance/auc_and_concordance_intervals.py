"""Compute intervals of the proportion of row pairs in the right order, from pairs inside of folds.

Notation. (i, j) is a pair of rows of one fold whose order is known; a_ij is its weight. h_ij is 1
if the prediction orders the pair correctly, 1/2 for equal predictions, else 0.

    C = sum_ij a_ij h_ij / sum_ij a_ij = A / B,

is (1 + Kendall's tau) / 2 for numbers, Harrell's C for survival times, Uno's with other weights,
and the area under the ROC curve for classes. Pairs of different folds are not compared. A unit is a
row, or a group of rows. With d_gh the sum of a_ij (h_ij - C) / B over the pairs of the units g and
h, C moves by m_g = sum_h d_gh with unit g, and

    variance = (G - 1) / G  sum_g (m_g W / (W - W_g))^2 - sum_{g < h} d_gh^2,

at least half of the first sum, the jackknife, which contains the square of each pair twice
(decision 074). The interval is that of the logit. For rows predicted by cross-validation, the
variance is multiplied by 1 + 2 u^2 (decision 080), with u = cos^2(pi (2 C - 1) / 2): 1 - r^2 of
normal numbers whose Kendall's tau is 2 C - 1; u = 1 if C is below 1/2. The variance of an area is
multiplied by OVERLAP, twice (decision 046). The quantile is Student's. For more than MOST units,
each with many pairs, the variance is the jackknife of A_i and B_i, the sums over the pairs of row
i.

Near 0 and 1 there may be no pair that moves C. There C counts as c = 1 / (N + 2) or 1 - c, where N
is Kish's number of rows (for survival times, of rows with an event), and the variance is at least c
(1 - c) / (N + 2).

References: Hoeffding (1948) Annals of Mathematical Statistics 19, 293-325 (U-statistics); Arvesen
(1969) Annals of Mathematical Statistics 40, 2076-2100 (their jackknife); Aronow, Samii & Assenova
(2015) Political Analysis 23, 564-577 (each pair once); Kruskal (1958) Journal of the American
Statistical Association 53, 814-861 (r and tau of normal numbers); Pencina & D'Agostino (2004)
Statistics in Medicine 23, 2109-2123 (of concordance); DeLong, DeLong & Clarke-Pearson (1988)
Biometrics 44, 837-845 and Obuchowski (1997) Biometrics 53, 567-578 (of areas, rows in groups).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.array_types import Floats
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval

CELLS = 2**21  # pairs held in memory at once
MOST = 2000  # units up to which the variance uses each pair
# A_i of models of all rows, A_i of models without a fold, and B_i of the pairs; (n,) each
Sums = tuple[Floats, Floats, Floats]


def concordant_sums(
    order: NDArray[np.int64], first: ArrayLike, risks: ArrayLike, weights: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Compute A_i (k, m) of k vectors of risk scores, and B_i (m,), of the rows of one fold.

    Row i comes before row j if its number in `order` (m,) is smaller. `first` (m,) is the weight of
    the pairs by the row that comes first, 0 if it is unknown what comes after; the weights (m,) of
    both rows multiply it. Risk scores are larger if the row is expected to come earlier.
    """
    r = np.atleast_2d(np.asarray(risks, dtype=np.float64))
    right, pairs = np.zeros(r.shape), np.zeros(len(order))
    for rows, cells, in_order in _pairs(order, first, r, weights, np.arange(len(order))):
        for total, held in chain([(pairs, cells)], zip(right, in_order, strict=True)):
            np.add.at(total, rows, held.sum(axis=1))
            total += held.sum(axis=0)
    return right, pairs


def sums_of_units(
    order: NDArray[np.int64],
    first: ArrayLike,
    risks: ArrayLike,
    units: NDArray[np.int64],
    weights: ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Add up a h (k, U, U) and a (U, U) over the pairs of units, by first row's unit and other's.

    The units (m,) are 0..U-1; the other arguments are those of :func:`concordant_sums`.
    """
    r = np.atleast_2d(np.asarray(risks, dtype=np.float64))
    count = int(units.max()) + 1
    right, pairs = np.zeros((len(r), count, count)), np.zeros((count, count))
    place = np.argsort(units, kind="stable")  # columns of one unit side by side
    starts = np.searchsorted(units[place], np.arange(count))
    for rows, cells, in_order in _pairs(order, first, r, weights, place):
        for total, held in chain([(pairs, cells)], zip(right, in_order, strict=True)):
            np.add.at(total, units[rows], np.add.reduceat(held, starts, axis=1))
    return right, pairs


def _pairs(
    order: NDArray[np.int64],
    first: ArrayLike,
    risks: Floats,
    weights: ArrayLike | None,
    columns: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], Floats, Iterator[Floats]]]:
    """Iterate over blocks of first rows, the a_ij of their pairs, and a_ij h_ij by each risk."""
    u = np.asarray(first, dtype=np.float64)
    w = np.ones(len(order)) if weights is None else np.asarray(weights, dtype=np.float64)
    early = np.flatnonzero(u > 0)
    step = max(1, CELLS // len(order))
    for start in range(0, len(early), step):
        rows = early[start : start + step]
        cells = (order[rows, None] < order[columns]) * (u[rows] * w[rows])[:, None] * w[columns]
        apart = (risk[rows, None] - risk[columns] for risk in risks)
        yield rows, cells, (cells * ((away > 0) + 0.5 * (away == 0)) for away in apart)


def concordance_interval(
    right: ArrayLike,
    pairs: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    also: ArrayLike | None = None,
    spread: float | None = None,
    rows: float | None = None,
    free: float = np.inf,
    level: float = 0.95,
) -> RateInterval:
    """Compute the interval of C from the sums over the pairs of each row.

    `right` and `pairs` are the sums over the pairs of each two units (G, G), the groups in their
    order or the rows; or A_i and B_i (n,). They may add up several cross-validations. `also` is
    `right` without a correction; the larger of the two variances counts. The variance is multiplied
    by `spread`, 1 + 2 u^2 by default. N of the smallest variance is `rows`, Kish's number by
    default. Student's quantile uses `free` rows if these are fewer.
    """
    a, b = np.asarray(right, dtype=np.float64), np.asarray(pairs, dtype=np.float64)
    n = len(a) if groups is None else np.size(groups)
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    whole = float(b.sum())
    variances = [_variance(own, b, w, groups) for own in (a, also) if own is not None]
    least = 1 / ((rate_intervals.effective_rows(w) if rows is None else rows) + 2)
    share = min(1.0, max(0.0, float(a.sum()) / whole))
    inside = min(max(share, least), 1 - least)
    if spread is None:
        spread = rate_intervals.noise_factor(np.cos(np.pi * max(share - 0.5, 0.0)) ** 2)
    variance = max(spread * max(variances), least**2 * (1 - least))
    quantile = rate_intervals.student_quantile(w, groups, level)
    if np.isfinite(free):
        quantile = max(
            quantile, rate_intervals.student_quantile(np.ones(max(2, int(free))), None, level)
        )
    apart = quantile * np.sqrt(variance) / (inside * (1 - inside))
    middle = np.log(inside / (1 - inside))
    low, high = (float(1 / (1 + np.exp(-middle - sign * apart))) for sign in (-1, 1))
    return RateInterval(share, min(low, share), max(high, share), level)


def _variance(right: ArrayLike, pairs: Floats, weights: Floats, groups: ArrayLike | None) -> float:
    """Compute the variance of C, see the top of the module."""
    a = np.asarray(right, dtype=np.float64)
    whole = float(pairs.sum())
    moves = (a - float(a.sum()) / whole * pairs) / whole
    if a.ndim == 1:  # a pair counts at both of its rows
        return loss_intervals.jackknife_variance(2 * moves, weights, groups)
    between = np.tril(moves + moves.T, -1)
    of_units = between.sum(axis=0) + between.sum(axis=1) + moves.diagonal()
    jackknife = loss_intervals.jackknife_variance(of_units, rate_intervals.grouped(weights, groups))
    return max(jackknife - float((between**2).sum()), jackknife / 2)


def on_scale(interval: RateInterval, scale: Callable[[float], float]) -> RateInterval:
    """Return the interval on another, increasing scale, such as 2 C - 1."""
    rate, low, high = (scale(value) for value in (interval.estimate, interval.low, interval.high))
    return RateInterval(rate, low, high, interval.level)


def placement_sums(
    own: NDArray[np.bool_], values: ArrayLike, weights: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Compute A_i (k, m) of k vectors of decision values, and B_i (m,), of the rows of one fold.

    These are DeLong's placements, computed by sorting. A pair has the product of the weights (m,)
    of its rows as its weight.
    """
    f = np.atleast_2d(np.asarray(values, dtype=np.float64))
    w = np.ones(len(own)) if weights is None else np.asarray(weights, dtype=np.float64)
    right = np.empty(f.shape)
    for k, scores in enumerate(f):
        place = np.unique(scores, return_inverse=True)[1]
        levels = int(place.max()) + 1
        mine, others = (np.bincount(place[part], w[part], levels) for part in (own, ~own))
        below = np.cumsum(others) - others / 2
        above = mine.sum() - np.cumsum(mine) + mine / 2
        right[k] = w * np.where(own, below[place], above[place])
    return right, w * np.where(own, w[~own].sum(), w[own].sum())


def area_interval(
    sums: Sequence[Sums],
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    spread: float = rate_intervals.OVERLAP,
    fewest: float = np.inf,
    level: float = 0.95,
) -> RateInterval:
    """Compute the interval of the area under the ROC curve; NaN without a pair.

    For more than two classes it is that of the mean one-vs-rest area. `sums` has one entry per
    class, or one entry for two classes, over folds and cross-validations; classes without a pair
    are left out. `fewest` is the number of rows of the rarest class. Student's quantile uses it,
    since the placements of few cases determine the variance.
    """
    w = np.ones(len(sums[0][2])) if weights is None else np.asarray(weights, dtype=np.float64)
    known = [(a, b, held) for a, b, held in sums if held.sum() > 0]
    if not known:
        return RateInterval(np.nan, np.nan, np.nan, level)
    more, plain, pairs = (np.zeros(len(known[0][2])) for _ in range(3))
    areas = [[float(part.sum() / held.sum()) for part in (a, b)] for a, b, held in known]
    middle = np.mean(areas, axis=0)
    for (a, b, held), area in zip(known, areas, strict=True):
        share = held / held.sum() / len(known)
        pairs += share
        # a row moves the mean of the areas by its moves of each area
        more += a / held.sum() / len(known) - (area[0] - middle[0]) * share
        plain += b / held.sum() / len(known) - (area[1] - middle[1]) * share
    return concordance_interval(
        more, pairs, w, groups, also=plain, spread=spread, free=fewest, level=level
    )


def area_of_rows(
    truth: NDArray[np.int64],
    values: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> RateInterval:
    """Compute the area of new rows from decision values (n, 1) for two classes, else (n, C)."""
    f = np.asarray(values, dtype=np.float64)
    w = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=np.float64)
    sums = []
    for c in [1] if f.shape[1] == 1 else range(f.shape[1]):
        right, pairs = placement_sums(truth == c, f[:, 0 if f.shape[1] == 1 else c], w)
        sums.append((right[0], right[0], pairs))
    counts = np.bincount(truth[w > 0])
    fewest = float(counts[counts > 0].min()) if counts.any() else 1.0
    return area_interval(sums, w, groups, spread=1.0, fewest=fewest, level=level)
