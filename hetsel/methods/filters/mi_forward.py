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
    """Select features one by one by the information of the subset about the target.

    J(f) = I(S + f; y),

    with S the features selected before f, taken as one column whose levels are the combinations
    that occur. Once each row has its own combination, J is the entropy of the class whichever
    feature is added; such ties go to the larger I(f; y). Columns of all kinds are accepted. Prefer
    the method if features may interact and there are many rows for each combination; for fewer rows
    `jmi` is more reliable.

    See Also
    --------
    MIBackward : Backward elimination with the same information.
    JMI : Information of pairs.

    References
    ----------
    Brown, Pocock, Zhao and Lujan 2012, Journal of Machine Learning Research 13, 27-66, section 3.

    Examples
    --------
    >>> from hetsel import MIForward, datasets
    >>> heart = datasets.load("heart")
    >>> selector = MIForward(size=3).fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0                   thal       0.143
    1  major vessels colored       0.250
    2                 max HR       0.353
    """

    about = About(
        "forward selection by the mutual information of the subset and the target",
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
