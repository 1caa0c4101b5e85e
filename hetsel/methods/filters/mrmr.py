import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost


class MRMR(RedundancyFilter):
    """Choose features by their relevance less their mean redundancy, one by one.

    J(f) = I(f; y) - (1/|S|) sum_{s in S} I(f; s), with S the features chosen before f.
    This is the criterion MID.

    References
    ----------
    Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27,
    1226-1238, Eq. 8.
    """

    about = About(
        "mRMR: mutual information less the mean of the redundancies",
        paper="peng2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return relevance - redundancy / chosen
