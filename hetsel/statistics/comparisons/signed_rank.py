"""Wilcoxon's signed-rank test of differences, exact wherever the count is feasible.

scipy's and R's exact distributions are of ranks 1, ..., n without zeros and ties. Ours is the
count with tied ranks, which both lack; without ties it is scipy's that is called.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from hetsel.ground.rounding import tie_rows

EXACT_BELOW = 50  # differences other than 0: up to here the distribution is counted, as in R


def signed_rank_pvalue(differences: ArrayLike, size: ArrayLike | None = None) -> float:
    """Two-sided p-value of Wilcoxon's signed-rank test of differences (n,).

    Differences of 0 are left out; tied absolute differences share their average rank. With fewer
    than 50 differences left the p-value is exact given the zeros and ties: all 2^n signs are
    equally likely, and W is the sum of the ranks with a plus. Otherwise it is of the normal
    approximation with its corrections for ties and continuity, as in R's wilcox.test. 1 where no
    difference is left. Differences that differ by rounding alone tie; `size` (n,) is that of the
    scores, whose rounding they have, by default that of the largest difference.

    Wilcoxon (1945) Biometrics Bulletin 1, 80-83; Streitberg & Röhmel (1986) Statistical Software
    Newsletter 12, 10-17 (the count with ties).

    >>> signed_rank_pvalue([1, 1, 0, 2, 2, -1])  # W- = 2 of 15: ranks 2, 2, 2, 4.5, 4.5
    0.25
    """
    apart = np.asarray(differences, dtype=np.float64)
    size = np.broadcast_to(np.abs(apart).max(initial=0.0) if size is None else size, apart.shape)
    lengths = tie_rows(np.append(0.0, np.abs(apart)), np.append(0.0, size))[1:]
    kept = np.copysign(lengths, apart)[lengths > 0]
    if not len(kept):
        return 1.0
    if len(kept) >= EXACT_BELOW:
        return float(min(stats.wilcoxon(kept, correction=True, method="approx").pvalue, 1.0))
    if len(np.unique(np.abs(kept))) == len(kept):
        return float(stats.wilcoxon(kept, method="exact").pvalue)
    return _counted(kept)


def least_signed_rank_pvalue(n: int) -> float:
    """The smallest two-sided p-value of n differences, 2 / 2^n: all of them have one sign."""
    return 2.0 ** (1 - n)


def _counted(differences: NDArray[np.float64]) -> float:
    """The p-value by the number of signs for each sum of ranks; counts up to 2^49 are exact."""
    ranks = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)  # average ranks: x.5
    counts = np.zeros(int(ranks.sum()) + 1, dtype=np.int64)
    counts[0] = 1
    for rank in ranks:
        counts[rank:] = counts[rank:] + counts[: len(counts) - rank]
    plus = int(ranks[differences > 0].sum())
    tail = counts[: min(plus, int(ranks.sum()) - plus) + 1].sum()
    return min(1.0, 2 * int(tail) / 2 ** len(ranks))
