import numpy as np

from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import Information


class JMI(ForwardInformationFilter):
    """Select features one by one by their joint mutual information with selected ones.

    J(f) = sum_{s in S} I(f, s; y),

    with S the features selected before f; the first feature is the one of the largest I(f; y).
    Columns of all kinds are accepted. Prefer JMI to `mrmr` if features may interact: of two
    features that are informative only together, the second is found once the first is selected.

    See Also
    --------
    CMIM : The minimum over the selected features in place of the sum.
    MIForward : The information of the whole subset.
    MRMR : Relevance minus mean redundancy.

    References
    ----------
    Yang and Moody 1999, Advances in Neural Information Processing Systems 12, 687-693.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import JMI
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> JMI(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "joint mutual information of pairs with the target",
        paper="yang1999",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "concordance has no joint information of two columns"},
    )

    def _criterion(self, information: Information, y: np.ndarray) -> tuple[np.ndarray, After]:
        relevance = information.with_column(y)
        joint = np.zeros(len(relevance))

        def after(last: int, left: np.ndarray) -> np.ndarray:
            joint[left] += information.given(information.column(last), y, left)[left]
            joint[left] += relevance[last]
            return joint

        return relevance, after
