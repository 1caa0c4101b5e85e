"""Rankings by scale factors that are multiplied by the weights of a discriminant, again and again.

    w_f <- w_f |w_h,f|,   w_h the normal of the discriminant of the columns w_f z_f,

with |w_h,f| the norm over the columns of feature f. Most factors fall towards 0 ever faster; a
feature whose factor is below 1e-8 of the largest leaves, and the later it leaves, the better.
"""

from collections.abc import Callable

import numpy as np

from hetsel.ground.ties import tied
from hetsel.kernels.expanded_features import Expansion
from hetsel.selection import Ranking, best_first

FALLEN = 1e-8  # of the largest factor
# features left, their squared factors u (k,) -> |w_h,f| (k,)
Normal = Callable[[Expansion, np.ndarray], np.ndarray]


def multiplied_factors(
    features: Expansion, normal: Normal, *, iterations: int, tolerance: float
) -> Ranking:
    """Rank p features that vary by their factors in the end, or by when they fell.

    `normal` gives weights (k,) of any unit, all 0 where none of the features left tells anything,
    for squared factors u (k,) whose largest is 1. The updates end when no factor changes by more
    than `tolerance` of the largest one. The importance is the factor relative to the largest, 0 for
    a feature that fell; `first` are the weights of the first update.
    """
    left = np.arange(features.p)
    factors = np.ones(features.p)
    stage, last = np.zeros(features.p), np.zeros(features.p)
    first = np.zeros(features.p)
    held = features
    for iteration in range(iterations):
        own = factors[left]
        weights = own * normal(held, own * own)
        if not iteration:
            first = tied(weights.copy())
        if not weights.any():
            factors[left], stage[left], last[left] = 0.0, iteration, own
            break
        weights /= weights.max()
        change = float(np.abs(weights - own).max())
        factors[left], stage[left], last[left] = weights, iteration, weights
        fallen = weights < FALLEN
        if fallen.any():
            factors[left[fallen]] = 0.0
            left = left[~fallen]
            held = features.subset(left)
        if change <= tolerance:
            break
    keys = (tied(factors), stage, tied(last))
    return Ranking(best_first(*keys), keys[0], first=first)
