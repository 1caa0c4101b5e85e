"""Intervals of the area under the ROC curve, from pairs of rows inside of folds.

The area is the share of pairs of a row of the class and another row of which the first has the
larger decision value, ties one half: a concordance, see
:mod:`hetsel.statistics.performance.concordance_intervals`, whose sums over the pairs of each row
are the placements of DeLong, found by sorting. For more than two classes it is the mean of the
areas of one class against the rest, and row i moves it by the mean of what it moves them.

References: DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44, 837-845; Obuchowski (1997)
Biometrics 53, 567-578 (rows in groups).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.statistics.performance.concordance_intervals import concordance_interval
from hetsel.statistics.performance.rate_intervals import OVERLAP, Floats, RateInterval

# A_i of models of all rows, A_i of models without a fold, and B_i of the pairs; (n,) each
Sums = tuple[Floats, Floats, Floats]


def placement_sums(
    own: NDArray[np.bool_], values: ArrayLike, weights: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """A_i (k, m) of k vectors of decision values, and B_i (m,), of the rows of one fold.

    A pair weighs the product of the weights (m,) of its rows.

    >>> own = np.array([True, False, True, False])
    >>> placement_sums(own, [[0.9, 0.5, 0.5, 0.1]])
    (array([[2. , 1.5, 1.5, 2. ]]), array([2., 2., 2., 2.]))
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
    spread: float = OVERLAP,
    fewest: float = np.inf,
    level: float = 0.95,
) -> RateInterval:
    """Interval of the area, of more classes of the mean of the areas of each; NaN without a pair.

    `sums` has one entry a class, or one for two classes, over folds and cross-validations; classes
    without a pair are left out. `fewest` is the rows of the rarest class, by which the quantile is
    Student's: those of few cases tell the variance of their placements.

    >>> own = np.array([True, False, True, False, True, False])
    >>> right, pairs = placement_sums(own, [[0.9, 0.5, 0.5, 0.1, 0.7, 0.6]])
    >>> print(area_interval([(right[0], right[0], pairs)], spread=1.0))
    0.833 [0.171, 0.992]
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
    """The area of rows that no model has learned from, with its interval.

    Decision values are (n, 1) of two classes, else one a class; rows of weight 0 are left out.
    """
    f = np.asarray(values, dtype=np.float64)
    w = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=np.float64)
    sums = []
    for c in [1] if f.shape[1] == 1 else range(f.shape[1]):
        right, pairs = placement_sums(truth == c, f[:, 0 if f.shape[1] == 1 else c], w)
        sums.append((right[0], right[0], pairs))
    counts = np.bincount(truth[w > 0])
    fewest = float(counts[counts > 0].min()) if counts.any() else 1.0
    return area_interval(sums, w, groups, spread=1.0, fewest=fewest, level=level)
