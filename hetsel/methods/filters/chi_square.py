import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests.chi_squared import chi_square


class ChiSquare(BaseSelector):
    """Rank columns of levels by Pearson's chi-square test of their table of levels and classes.

    J(f) = -log10 p_f, X^2 = sum_lc (n_lc - n_l n_c / n)^2 / (n_l n_c / n) with (levels - 1)
    (classes - 1) degrees of freedom. It stays a number where p_f itself is below the smallest
    double. The order of the levels of an ordinal column is not used. With missing="separate"
    missing is a level. Where expected counts are small the p-value is rough: `fisher-exact` is the
    exact test of the same table.

    The answer's extras: `statistic` (p,), X^2, and `df` (p,), its degrees of freedom.

    References
    ----------
    Pearson 1900, Philosophical Magazine 50, 157-175.
    """

    about = About(
        "Pearson's chi-square test of levels and classes",
        paper="Pearson 1900",
        cost=Cost("n p", "0.2 n p + 14 n"),
        takes=("nominal", "ordinal"),
        why_not={
            "numbers": "it counts rows by level and class, kruskal-wallis tests ranks over levels",
            "survival": "it counts rows by level and class, univariate-tests has the log-rank test",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        test = chi_square(problem.table.values, problem.classes.codes)
        logs = equalized(test.log_pvalue)
        extras = {"statistic": test.statistic, "df": np.asarray(test.df), "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)
