import numpy as np

from hetsel.search.rankings.forward_loop import After, ForwardInformationFilter
from hetsel.selection import About, Cost
from hetsel.statistics.information.mutual_information import (
    Information,
    crossed,
    entropy,
    mutual_information,
)


class MIForward(ForwardInformationFilter):
    """Choose features, one by one, by the information of the whole subset on the target.

    J(f) = I(S + f; y), with S the features chosen before f, taken as one column whose levels are
    the combinations that occur. Soon each row has a combination of its own and J is the entropy of
    the class whatever is added: such ties go to the larger I(f; y).

    References
    ----------
    Brown, Pocock, Zhao and Lujan 2012, Journal of Machine Learning Research 13, 27-66, section 3.
    """

    about = About(
        "forward selection by the information of the subset on the target",
        paper="slides",
        cost=Cost("n p k + n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "concordance has no joint information of columns"},
    )

    ties_by_first = True

    def _criterion(self, information: Information, y: np.ndarray) -> tuple[np.ndarray, After]:
        relevance = information.with_column(y)
        full = entropy(y)
        subset = np.zeros(len(y), dtype=np.int64)
        known = 0.0

        def after(last: int, left: np.ndarray) -> np.ndarray:
            nonlocal subset, known
            if known < full:
                subset = crossed(subset, information.column(last))
                known = mutual_information(subset, y)
            if known == full:
                return np.full(len(relevance), full)
            return known + information.given(subset, y, left)

        return relevance, after
