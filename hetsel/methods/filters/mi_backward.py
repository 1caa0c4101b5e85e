import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION
from hetsel.search.rankings.forward_loop import InformationFilter
from hetsel.selection import About, Cost, Problem, Ranking, Step, order_best_first
from hetsel.statistics.information.mutual_information import SubsetInformation


class MIBackward(InformationFilter):
    """Eliminate features one by one to keep the most information about the class.

    The dropped feature f is the one whose absence leaves the largest I(S - f; y). S are the
    remaining features, taken as one column whose levels are the combinations that occur. The
    importance of a feature is the information that is lost with it. Nothing is lost as long as the
    rows of most combinations have one class; such ties drop the smallest I(f; y), then the higher
    column index. Columns of all kinds are accepted. Prefer the method for tables of few columns and
    many rows; for wide tables `mi-forward` or `jmi` is the better choice.

    A numeric target is refused. Soon each row has its own combination, the sooner the more bins the
    target has, and then the most informative columns are dropped without a loss.

    Notes
    -----
    A step tries the features in the order of their I(f; y), smallest first, until one loses
    nothing; each trial takes O(n log n). In a wide table the first trial nearly always loses
    nothing, which makes about p trials in all; there are at most p^2 / 2.

    See Also
    --------
    MIForward : Forward selection with the same information.
    JMI : Information of pairs, reliable for fewer rows.

    References
    ----------
    Brown, Pocock, Zhao and Lujan 2012, Journal of Machine Learning Research 13, 27-66, section 3.

    Examples
    --------
    The class depends on the first two columns only.

    >>> from itertools import product
    >>> from hetsel import MIBackward
    >>> table = list(product([0, 1], repeat=3))
    >>> MIBackward(size=2).fit(table, [a or b for a, b, _ in table]).get_support()
    array([ True,  True, False])
    """

    about = About(
        "backward elimination by the mutual information of the subset and the class",
        paper="slides",
        cost=Cost("n p^2 log n", "0.4 n p + 20 n"),
        why_not={
            "numbers": "combinations of columns soon predict all bins of the target",
            "survival": "concordance has no joint information of columns",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        information, y = self._information(problem)
        subset = SubsetInformation(information, y)
        relevance = information.with_column(y)
        weakest_first = order_best_first(relevance)[::-1].tolist()
        importance = np.empty(problem.p)
        dropped: list[int] = []
        steps = []
        while weakest_first:
            known, kept, worst = subset.value, -1.0, -1
            for f in weakest_first:
                value = subset.without(f)
                if value > kept + SAME_INFORMATION:
                    kept, worst = value, f
                if value >= known - SAME_INFORMATION:
                    break
            steps.append(Step(len(weakest_first), (worst,), kept))
            importance[worst] = known - kept
            subset.remove(worst)
            weakest_first.remove(worst)
            dropped.append(worst)
        # many features together distinguish all rows: without one of them nothing is lost
        return Ranking(np.array(dropped[::-1]), importance, tuple(steps), first=relevance)
