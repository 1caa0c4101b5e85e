import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.search.rankings.forward_loop import InformationFilter
from hetsel.selection import About, Cost, Problem, UnivariateFilter


class MIHistogram(InformationFilter, UnivariateFilter):
    """Rank features by their mutual information with the target, estimated by counts.

    J(f) = I(f; y) = sum_ac (n_ac / n) log(n n_ac / (n_a n_c)), over the bins or levels a and the
    classes c. It is never above the entropies of f and y. The estimate is too large by about
    (levels - 1)(classes - 1) / 2n, so it favors columns of many levels.

    References
    ----------
    Battiti 1994, IEEE Transactions on Neural Networks 5, 537-550.
    """

    about = About(
        "mutual information with the target, by counts",
        paper="battiti1994",
        cost=Cost("n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "counts need the time of each row"},
    )

    def _score(self, problem: Problem) -> np.ndarray:
        information, y = self._information(problem)
        return merged(information.with_column(y), SAME_INFORMATION)
