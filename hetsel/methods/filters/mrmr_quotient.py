import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost

LEAST = 1e-3  # nats; smaller mean redundancies count as this


class MRMRQuotient(RedundancyFilter):
    """Rank features by minimum redundancy and maximum relevance (quotient form).

    J(f) = I(f; y) / ((1/|S|) sum_{s in S} I(f; s)),

    with S the features selected before f; the literature calls this criterion MIQ. A mean
    redundancy below 0.001 nats counts as 0.001. The importance of the first feature is its
    relevance. Columns of all kinds and all targets are accepted. The quotient penalizes redundancy
    more than `mrmr` does: a weakly relevant feature comes early if it is independent of the
    selected ones.

    See Also
    --------
    MRMR : The difference form.
    MRMRSum : The sum of the redundancies in place of the mean.
    CMIM : Conditional information in place of redundancy.

    References
    ----------
    Ding and Peng 2005, Journal of Bioinformatics and Computational Biology 3, 185-205.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import MRMRQuotient
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MRMRQuotient(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "mRMR: mutual information divided by the mean redundancy",
        paper="ding2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return np.asarray(relevance / np.maximum(redundancy / chosen, LEAST))
