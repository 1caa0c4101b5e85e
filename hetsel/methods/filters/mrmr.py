import numpy as np

from hetsel.search.rankings.forward_loop import RedundancyFilter
from hetsel.selection import About, Cost


class MRMR(RedundancyFilter):
    """Rank features by minimum redundancy and maximum relevance (difference form).

    J(f) = I(f; y) - (1/|S|) sum_{s in S} I(f; s),

    with S the features selected before f; the literature calls this criterion MID. Columns of all
    kinds and all targets are accepted. Prefer it to `mi-histogram` if copies of a selected feature
    should not be selected, and to `mrmr-quotient` if weakly relevant features should not come
    early.

    See Also
    --------
    MRMRQuotient : The quotient form.
    MRMRSum : The sum of the redundancies in place of the mean.
    JMI : Also finds features that are informative only together.

    References
    ----------
    Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27,
    1226-1238, Eq. 8.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import MRMR
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> MRMR(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "mRMR: mutual information minus the mean redundancy",
        paper="peng2005",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers", "survival"),
    )

    def _combined(self, relevance: np.ndarray, redundancy: np.ndarray, chosen: int) -> np.ndarray:
        return relevance - redundancy / chosen
