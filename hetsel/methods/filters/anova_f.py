import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import KINDS, About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import group_means, linear_tests


class AnovaF(BaseSelector):
    """Rank columns by the F-test of one-way analysis of variance, or of regression.

    J(f) = -log10 p_f, F = (sum_c n_c (m_c - m)^2 / (k - 1)) / (sum_c (n_c - 1) v_c / (n - k)). It
    stays a number where p_f itself is below the smallest double, and it is infinite for a column
    that is constant in every class. An ordinal column counts by the numbers of its levels. With
    missing="separate" a missing cell is left out of the test of its column, in which a class counts
    from one value on. For two classes it is Student's test with one pooled variance; `t-test` there
    takes Welch's.

    A target of numbers is what the columns explain, so that columns of every kind are on one scale:
    over a nominal column the F-test of one-way analysis of variance of the target, k levels in
    place of classes, a missing cell that is kept one of them; for a column of numbers the F-test of
    its slope, F = r^2 (n - 2) / (1 - r^2).

    The answer's extras: `statistic` (p,), F of each column.

    References
    ----------
    Fisher 1925, Statistical Methods for Research Workers, chapter 7.
    """

    about = About(
        "F-test of one-way analysis of variance",
        paper="Fisher 1925",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={"survival": "censored times have no mean, univariate-tests has the log-rank test"},
        takes_otherwise=KINDS,
    )

    def _select(self, problem: Problem) -> Ranking:
        if problem.target.kind == "numbers":
            statistic, log_pvalue = _of_numbers(problem)
        else:
            test = group_means.anova_f(problem.table.values, problem.classes.codes)
            statistic, log_pvalue = test.statistic, test.log_pvalue
        logs = equalized(log_pvalue)
        extras = {"statistic": statistic, "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)


def _of_numbers(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """F (p,) of a target of numbers for each column, and the logarithm of its p-value."""
    table, y = problem.table, problem.numbers.values
    statistic, log_pvalue = np.empty((2, problem.p))
    for columns, test in (
        (table.nominal, linear_tests.levels_f),
        (~table.nominal, linear_tests.slope_f),
    ):
        if columns.any():
            result = test(table.values[:, columns], y)
            statistic[columns], log_pvalue[columns] = result.statistic, result.log_pvalue
    return statistic, log_pvalue
