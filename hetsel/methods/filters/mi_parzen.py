from typing import Any

import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.search.rankings.forward_loop import told_codes
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.information.mutual_information import parzen_information


class MIParzen(UnivariateFilter):
    """Rank features by their mutual information with the target from Parzen windows.

    J(f) = H(y) - H(y | f),   in nats,

    with p(c | f = x_j) the proportion of class c in the sum of Gaussian windows around all rows at
    x_j, averaged over the rows; see
    :func:`hetsel.statistics.information.mutual_information.parzen_information`. J is at least 0 and
    at most the entropy of the class. Columns of all kinds are accepted: an ordinal column enters by
    the numbers of its levels, a nominal column has the information of the counts. With
    missing="separate" missing values are a separate value. Prefer the method to `mi-knn` if a
    smooth estimate is wanted.

    A numeric target is cut into bins of about equally many rows, and c is a bin. Their number is
    the odd number nearest to the cube root of the number of rows. The unit of the target has no
    effect.

    Parameters
    ----------
    bandwidth : float, optional
        Standard deviation of a window, in standard deviations of the column; None is 1 / log n.

    Notes
    -----
    A column takes O(n^2) for n distinct numbers, up to 20,000 of them. For more, numbers that are
    nearer than a sixteenth of a window are put together, which takes O(n log n).

    See Also
    --------
    MIHistogram : Estimates from counts, faster.
    MIKNN : Estimates from nearest neighbors.

    References
    ----------
    Kwak and Choi 2002, IEEE Transactions on Pattern Analysis and Machine Intelligence 24,
    1667-1671.

    Examples
    --------
    >>> from hetsel import MIParzen, datasets
    >>> heart = datasets.load("heart")
    >>> selector = MIParzen().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0                   thal       0.143
    1             chest pain       0.142
    2  major vessels colored       0.126
    """

    bandwidth: Any = None

    about = About(
        "mutual information with the target, from Parzen windows",
        paper="kwak2002",
        cost=Cost("s^2 p + n p log n", "0.2 n p + 20 n"),
        targets=("classes", "numbers"),
        why_not={"survival": "windows need the class of each row"},
    )

    def _score(self, problem: Problem) -> np.ndarray:
        table, y = problem.table, told_codes(problem)
        kinds = zip(table.values.T, table.nominal.tolist(), strict=True)
        information = [
            parzen_information(x, y, levels=kind, bandwidth=self.bandwidth) for x, kind in kinds
        ]
        return merged(np.array(information), SAME_INFORMATION)
