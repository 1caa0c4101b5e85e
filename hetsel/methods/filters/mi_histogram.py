import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.search.rankings.forward_loop import InformationFilter
from hetsel.selection import About, Cost, Problem, UnivariateFilter


class MIHistogram(InformationFilter, UnivariateFilter):
    """Rank features by their mutual information with the target, estimated from counts.

    J(f) = I(f; y) = sum_ac (n_ac / n) log(n n_ac / (n_a n_c)),

    over the bins or levels a and the classes c. J is at most the entropy of f and at most that of
    y. Columns of all kinds are accepted. The estimate is biased upward by about (levels -
    1)(classes - 1) / 2n, which favors columns of many levels. Prefer the method for large tables,
    where this bias is small; `mi-knn` needs no bins.

    See Also
    --------
    MIKNN : Estimates from nearest neighbors.
    MIParzen : Estimates from Parzen windows.
    MRMR : Also accounts for redundancy.

    References
    ----------
    Battiti 1994, IEEE Transactions on Neural Networks 5, 537-550.

    Examples
    --------
    >>> from hetsel import MIHistogram, datasets
    >>> heart = datasets.load("heart")
    >>> selector = MIHistogram().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0                   thal       0.143
    1             chest pain       0.142
    2  major vessels colored       0.126
    """

    about = About(
        "mutual information with the target, from counts",
        paper="battiti1994",
        cost=Cost("n p log n", "0.4 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "counts need an uncensored time of each row"},
    )

    def _score(self, problem: Problem) -> np.ndarray:
        information, y = self._information(problem)
        return merged(information.with_column(y), SAME_INFORMATION)
