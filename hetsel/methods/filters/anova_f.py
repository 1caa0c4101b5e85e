import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import KINDS, About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import group_means, linear_tests


class AnovaF(BaseSelector):
    """Rank columns by the F-test of one-way analysis of variance.

    J(f) = -log10 p_f,   F = (sum_c n_c (m_c - m)^2 / (k - 1)) / (sum_c (n_c - 1) v_c / (n - k)),

    with n_c rows, mean m_c and variance v_c of class c, the overall mean m and k classes. The
    method is for continuous and ordinal columns; an ordinal column enters by the numbers of its
    levels. Prefer it to `t-test` for more than two classes. For two classes it equals Student's
    t-test with a pooled variance, where `t-test` uses Welch's test.

    J(f) stays finite if p_f is below the smallest double. It is infinite for a column that is
    constant within every class and differs between classes. With missing="separate" the test of a
    column omits the rows with a missing value, and includes each class that has at least one value.

    For a numeric target the test asks how well a column explains the target, which puts columns of
    all kinds on one scale. A nominal column gets the F-test of the target over its k levels, and a
    separate missing value is one of the levels. A continuous or ordinal column gets the F-test of
    the slope, F = r^2 (n - 2) / (1 - r^2).

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `statistic` (p,), the F of each column, and `p_value` (p,).

    See Also
    --------
    TTest : Welch's t-test for two classes.
    KruskalWallis : The rank test, which outliers do not affect.
    UnivariateTests : One test per column for tables of mixed kinds.

    References
    ----------
    Fisher 1925, Statistical Methods for Research Workers, chapter 7.

    Examples
    --------
    >>> from hetsel import AnovaF, datasets
    >>> heart = datasets.load("heart")
    >>> selector = AnovaF(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(2)
                     feature  importance
    0  major vessels colored       16.55
    1         ST by exercise       13.96
    2                 max HR       13.46
    """

    about = About(
        "F-test of one-way analysis of variance",
        paper="Fisher 1925",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={
            "survival": "censored times have no mean; use univariate-tests, with the log-rank test"
        },
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
    """Return F (p,) of each column for a numeric target, and the logarithm of its p-value."""
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
