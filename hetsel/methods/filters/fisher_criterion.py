import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.column_tests.group_means import fisher_criterion


class FisherCriterion(UnivariateFilter):
    """Rank columns of numbers by the difference of the class means over the spread in the classes.

    J(f) = (m_1 - m_2)^2 / (v_1 + v_2), v_c the variance of class c with divisor n_c - 1; of more
    than two classes the mean of all pairs of them that have two values. The classes count alike,
    however many rows they have: `fisher-score` weighs them by their rows, and `t-test` has
    v_c / n_c in the place of v_c. J is infinite for a column that is constant in two classes and
    has different means there, and 0 for a constant column. An ordinal column counts by the numbers
    of its levels. With missing="separate" a missing cell is left out of its column.

    References
    ----------
    Ramona, Richard and David 2012, Eq. 1.
    """

    about = About(
        "the Fisher criterion, difference of class means over the spread in the classes",
        paper="ramona2012, Eq. 1",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it compares the means of classes, pearson orders by a number",
            "survival": "it compares the means of classes",
        },
    )

    def _score(self, problem: Problem) -> np.ndarray:
        return equalized(fisher_criterion(problem.table.values, problem.classes.codes))
