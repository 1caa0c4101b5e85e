import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost


class MRMRSum(RedundancyFilter):
    """Choose features by their relevance less the sum of their redundancies, one by one.

    J(f) = I(f; y) - sum_{s in S} I(f; s), with S the features chosen before f.
    The sum grows with S and soon outweighs the relevance; `mrmr` takes the mean instead.

    References
    ----------
    Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27,
    1226-1238, with the sum in place of the mean.
    """

    about = About(
        "mRMR: mutual information less the sum of the redundancies",
        paper="peng2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return relevance - redundancy
