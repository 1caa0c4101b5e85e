from typing import Any

import numpy as np

from hetsel.ground.equal_numbers import SAME_INFORMATION, merged
from hetsel.search.rankings.forward_loop import told_codes
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.information.mutual_information import parzen_information


class MIParzen(UnivariateFilter):
    """Rank features by their mutual information with the target, estimated by Parzen windows.

    J(f) = H(y) - H(y | f), in nats, with p(c | f = x_j) the share of class c in the sum of Gaussian
    windows around all rows at x_j, averaged over the rows; see
    :func:`hetsel.statistics.information.mutual_information.parzen_information`. It is at least 0
    and at most the entropy of the class. An ordinal column counts by the numbers of its levels. A
    nominal column has the information of the counts; missing cells that are kept count as a value
    apart. It takes O(n^2) for each column of n distinct numbers, up to 20,000 of them; of more,
    those nearer than a sixteenth of a window are put together, and it takes O(n log n).

    A target of numbers is cut into bins of about as many rows each, the odd number nearest to the
    cube root of the number of rows, and c is a bin: its unit has no part in the answer.

    Parameters
    ----------
    bandwidth : float, optional
        Standard deviation of a window, in standard deviations of the column; None takes 1 / log n.

    References
    ----------
    Kwak and Choi 2002, IEEE Transactions on Pattern Analysis and Machine Intelligence 24,
    1667-1671.
    """

    bandwidth: Any = None

    about = About(
        "mutual information with the target, by Parzen windows",
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
