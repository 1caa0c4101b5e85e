import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost

LEAST = 1e-3  # nats; what is less redundant than this is not told apart


class MRMRQuotient(RedundancyFilter):
    """Choose features by their relevance divided by their mean redundancy, one by one.

    J(f) = I(f; y) / ((1/|S|) sum_{s in S} I(f; s)), with S the features chosen before f.
    This is the criterion MIQ; a mean redundancy below 0.001 nats counts as 0.001. The importance of
    the first feature is its relevance.

    References
    ----------
    Ding and Peng 2005, Journal of Bioinformatics and Computational Biology 3, 185-205.
    """

    about = About(
        "mRMR: mutual information divided by the mean of the redundancies",
        paper="ding2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return np.asarray(relevance / np.maximum(redundancy / chosen, LEAST))
