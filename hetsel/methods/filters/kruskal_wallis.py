import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import KINDS, About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, group_means, linear_tests


class KruskalWallis(BaseSelector):
    """Rank columns by the Kruskal-Wallis test of ranks.

    J(f) = -log10 p_f of the test, corrected for ties. For two classes it is the two-sided test of
    Wilcoxon, Mann and Whitney without continuity correction. The method is for continuous and
    ordinal columns; an ordinal column enters by the order of its levels. Prefer it to `t-test` and
    `anova-f` if columns are skewed or have outliers, since only ranks count. J(f) stays finite if
    p_f is below the smallest double. With missing="separate" the test of a column omits its missing
    values.

    For a numeric target the test asks how well a column explains the ranks of the target, which
    puts columns of all kinds on one scale. A nominal column gets the test of the target's ranks
    over its levels, and a separate missing value is one of the levels. A continuous or ordinal
    column gets Mantel's test with ranks as scores, H = (n - 1) r^2, with r Spearman's correlation.
    For a column of two values both tests are the same.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `statistic` (p,), H of each column, `df` (p,), the degrees of freedom, and
        `p_value` (p,).

    See Also
    --------
    AUC : The effect size of the same comparison for two classes.
    Spearman : The rank correlation.
    UnivariateTests : One test per column for tables of mixed kinds.

    References
    ----------
    Kruskal and Wallis 1952, Journal of the American Statistical Association 47, 583-621; Mantel
    1963, Journal of the American Statistical Association 58, 690-700.

    Examples
    --------
    >>> from hetsel import KruskalWallis, datasets
    >>> heart = datasets.load("heart")
    >>> selector = KruskalWallis(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(2)
                     feature  importance
    0  major vessels colored       16.66
    1                 max HR       12.73
    2         ST by exercise       12.17
    """

    about = About(
        "Kruskal-Wallis test of ranks",
        paper="Kruskal and Wallis 1952",
        cost=Cost("n p log n", "0.2 n p + 24 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        takes_otherwise=KINDS,
        why_not={
            "survival": "a censored time has no rank; use univariate-tests, with the log-rank test"
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        if problem.target.kind == "numbers":
            test = _of_numbers(problem)
        else:
            test = chi_squared.kruskal_wallis(problem.table.values, problem.classes.codes)
        logs = equalized(test.log_pvalue)
        extras = {"statistic": test.statistic, "df": np.asarray(test.df), "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)


def _of_numbers(problem: Problem) -> group_means.TestResult:
    """Return H, its degrees of freedom and log p-value (p,) of each column for a numeric target."""
    table, y = problem.table, problem.numbers.values
    statistic, df, log_pvalue = np.empty((3, problem.p))
    for columns, test in (
        (table.nominal, linear_tests.levels_kruskal_wallis),
        (~table.nominal, linear_tests.rank_trend),
    ):
        if columns.any():
            result = test(table.values[:, columns], y)
            statistic[columns], df[columns] = result.statistic, result.df
            log_pvalue[columns] = result.log_pvalue
    return group_means.TestResult(statistic, df, log_pvalue)
