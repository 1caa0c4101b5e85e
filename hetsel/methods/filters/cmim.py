import numpy as np

from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import Information


class CMIM(ForwardInformationFilter):
    """Choose features by the least that they add to any one of the chosen features.

    J(f) = min(I(f; y), min_{s in S} I(f; y | s)), with S the features chosen before f.

    References
    ----------
    Fleuret 2004, Journal of Machine Learning Research 5, 1531-1555, Eq. 5.
    """

    about = About(
        "conditional mutual information maximization",
        paper="fleuret2004",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "concordance has no information given another column"},
    )

    def _criterion(self, information: Information, y: np.ndarray) -> tuple[np.ndarray, After]:
        least = information.with_column(y)

        def after(last: int, left: np.ndarray) -> np.ndarray:
            added = information.given(information.column(last), y, left)[left]
            least[left] = np.minimum(least[left], added)
            return least

        return least.copy(), after
