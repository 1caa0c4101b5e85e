import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost


class MRMRSum(RedundancyFilter):
    """Rank features by relevance minus the sum of the redundancies.

    J(f) = I(f; y) - sum_{s in S} I(f; s),

    with S the features selected before f. The sum grows with S and soon outweighs the relevance;
    `mrmr` takes the mean instead and is the better default. Columns of all kinds and all targets
    are accepted.

    See Also
    --------
    MRMR : The mean of the redundancies.
    MRMRQuotient : The quotient form.

    References
    ----------
    Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27,
    1226-1238, with the sum in place of the mean.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import MRMRSum
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MRMRSum(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "mRMR: mutual information minus the sum of redundancies",
        paper="peng2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return relevance - redundancy
