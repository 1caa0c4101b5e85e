import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import KINDS, About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, group_means, linear_tests


class KruskalWallis(BaseSelector):
    """Rank columns of numbers by how surely their ranks differ between the classes.

    J(f) = -log10 p_f of the test of Kruskal and Wallis, corrected for ties; two classes: of the
    test of Wilcoxon, Mann and Whitney, two-sided, without correction for continuity. It stays a
    number where p_f itself is below the smallest double. An ordinal column counts by the order of
    its levels. With missing="separate" a missing cell is left out of the test of its column.

    A target of numbers is what the columns explain, so that columns of every kind are on one scale:
    over a nominal column the test of the target's ranks over its levels, a missing cell that is
    kept one of them; for a column of numbers Mantel's with ranks as scores, H = (n - 1) r^2, r
    Spearman's correlation: of a column of two values they are one.

    The answer's extras: `statistic` (p,), H of each column, and `df` (p,), its degrees of freedom.

    References
    ----------
    Kruskal and Wallis 1952, Journal of the American Statistical Association 47, 583-621;
    Mantel 1963, Journal of the American Statistical Association 58, 690-700.
    """

    about = About(
        "Kruskal-Wallis test of ranks",
        paper="Kruskal and Wallis 1952",
        cost=Cost("n p log n", "0.2 n p + 24 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        takes_otherwise=KINDS,
        why_not={"survival": "a censored time has no rank, univariate-tests has the log-rank test"},
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
    """H, its degrees of freedom and log p-value (p,) of each column, numbers being the target."""
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
