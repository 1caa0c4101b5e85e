import numpy as np

from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import Information


class JMI(ForwardInformationFilter):
    """Choose features by the joint information that each pair with a chosen one has on the target.

    J(f) = sum_{s in S} I(f, s; y), with S the features chosen before f; the first is the one of
    the largest I(f; y). Features that tell the class only together are found once one of them is
    chosen.

    References
    ----------
    Yang and Moody 1999, Advances in Neural Information Processing Systems 12, 687-693.
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
