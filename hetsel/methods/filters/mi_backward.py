import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION
from hetsel.search.rankings.forward_loop import InformationFilter
from hetsel.selection import About, Cost, Problem, Ranking, Step, order_best_first
from hetsel.statistics.information.mutual_information import SubsetInformation


class MIBackward(InformationFilter):
    """Drop features, one by one, so that the subset keeps the most information on the class.

    The feature f is dropped whose absence leaves the largest I(S - f; y), with S the features left,
    taken as one column whose levels are the combinations that occur. As long as the rows of most
    combinations are of one class nothing is lost: such ties drop the smallest I(f; y), then the
    higher column index. The importance of a feature is the information lost with it.

    A target of numbers is refused: a row soon has a combination of its own, and the more bins there
    are to tell the sooner, so that columns that tell most of it are dropped without a loss.

    A step looks at features in this order until one loses nothing, each in O(n log n). In a wide
    table the first one loses nothing nearly always: about p looks; at most there are p^2 / 2.

    References
    ----------
    Brown, Pocock, Zhao and Lujan 2012, Journal of Machine Learning Research 13, 27-66, section 3.
    """

    about = About(
        "backward elimination by the information of the subset on the class",
        paper="slides",
        cost=Cost("n p^2 log n", "0.4 n p + 20 n"),
        why_not={
            "numbers": "combinations of columns tell all of its bins",
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
        # many features together tell the rows apart: without one of them nothing is lost
        return Ranking(np.array(dropped[::-1]), importance, tuple(steps), first=relevance)
