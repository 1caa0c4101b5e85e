import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import group_means, linear_tests


class Pearson(BaseSelector):
    """Rank columns of numbers by their correlation with the class, or with a number.

    J(f) = |r(x_f, y)|; of more than two classes the multiple correlation R of the column with
    the indicators of the classes, R^2 = sum_c n_c (m_c - m)^2 / sum_i (x_i - m)^2, which for two
    classes is |r|. A constant column has J = 0. An ordinal column counts by the numbers of its
    levels. With missing="separate" a missing cell is left out of its column.

    References
    ----------
    Guyon and Elisseeff 2003, Journal of Machine Learning Research 3, 1157-1182, Eq. 2.
    """

    about = About(
        "Pearson's correlation with the target",
        paper="Guyon and Elisseeff 2003, Eq. 2",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={"survival": "a censored time has no value, univariate-tests has Cox's score test"},
    )

    def _select(self, problem: Problem) -> Ranking:
        values = problem.table.values
        if problem.target.kind == "numbers":
            test = linear_tests.slope_f(values, problem.numbers.values)
            extras = {"p_value": np.exp(equalized(test.log_pvalue))}
            return Ranking.from_importance(equalized(linear_tests.correlation(test)), extras=extras)
        codes = problem.classes.codes
        test = group_means.anova_f(values, codes)
        extras = {"p_value": np.exp(equalized(test.log_pvalue))}
        return Ranking.from_importance(
            equalized(group_means.correlation_ratio(test)), extras=extras
        )
