import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.column_tests.group_means import anova_f, fisher_scores


class FisherScore(UnivariateFilter):
    """Rank columns of numbers by the spread of the class means over the spread in the classes.

    J(f) = sum_c n_c (m_c - m)^2 / sum_c n_c v_c, v_c the variance of class c with divisor n_c. It
    orders as `pearson` does, whose square is J / (1 + J), and as `anova-f` where no cell is
    missing. It is infinite for a column that is constant in every class, as in `t-test`, and 0 for
    a constant column. An ordinal column counts by the numbers of its levels. With
    missing="separate" a missing cell is left out of its column.

    References
    ----------
    Duda, Hart and Stork 2001, Pattern Classification, section 3.8.2.
    """

    about = About(
        "Fisher's score, spread between the classes over spread within",
        paper="Duda, Hart and Stork 2001, section 3.8.2",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it is the spread of the means of classes, pearson orders by a number",
            "survival": "it is the spread of the means of classes",
        },
    )

    def _score(self, problem: Problem) -> np.ndarray:
        test = anova_f(problem.table.values, problem.classes.codes)
        return equalized(fisher_scores(test))
