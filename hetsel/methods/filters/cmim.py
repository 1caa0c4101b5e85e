import numpy as np

from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import Information


class CMIM(ForwardInformationFilter):
    """Select features one by one by conditional mutual information maximization.

    J(f) = min(I(f; y), min_{s in S} I(f; y | s)),

    with S the features selected before f: a feature counts by the least information that it adds to
    any selected one. Columns of all kinds are accepted. Prefer CMIM if a copy of a selected feature
    should never be selected: its J is 0.

    See Also
    --------
    JMI : The sum over the selected features in place of the minimum.
    MRMR : Penalizes redundancy without conditional information.

    References
    ----------
    Fleuret 2004, Journal of Machine Learning Research 5, 1531-1555, Eq. 5.

    Examples
    --------
    The second column is a copy of the first, so the third one is selected.

    >>> from hetsel import CMIM
    >>> x, z = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> table = list(zip(x, x, z))
    >>> CMIM(size=2).fit(table, [0, 0, 1, 1, 1, 1, 1, 1]).signature()
    array([0, 2])
    """

    about = About(
        "conditional mutual information maximization",
        paper="fleuret2004",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "concordance has no conditional information"},
    )

    def _criterion(self, information: Information, y: np.ndarray) -> tuple[np.ndarray, After]:
        least = information.with_column(y)

        def after(last: int, left: np.ndarray) -> np.ndarray:
            added = information.given(information.column(last), y, left)[left]
            least[left] = np.minimum(least[left], added)
            return least

        return least.copy(), after
