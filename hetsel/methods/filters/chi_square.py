import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.search.rankings.logs_of_column_tests import to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests.chi_squared import chi_square


class ChiSquare(BaseSelector):
    """Rank categorical columns by Pearson's chi-square test of levels and classes.

    J(f) = -log10 p_f,   X^2 = sum_lc (n_lc - n_l n_c / n)^2 / (n_l n_c / n),

    with (levels - 1) (classes - 1) degrees of freedom. The method is for nominal and ordinal
    columns and does not use the order of the levels of an ordinal column. Prefer it to
    `fisher-exact` for large tables: where expected counts are small its p-value is only
    approximate, and `fisher-exact` is the exact test of the same table. J(f) stays finite if p_f is
    below the smallest double. With missing="separate" missing is a level.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `statistic` (p,), X^2 of each column, `df` (p,), the degrees of freedom, and
        `p_value` (p,).

    See Also
    --------
    FisherExact : The exact test of the same table.
    UnivariateTests : One test per column for tables of mixed kinds.

    References
    ----------
    Pearson 1900, Philosophical Magazine 50, 157-175.

    Examples
    --------
    >>> from hetsel import ChiSquare, datasets
    >>> heart = datasets.load("heart")
    >>> selector = ChiSquare(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(2)
             feature  importance
    0           thal       17.95
    1     chest pain       16.90
    2  exerc ind ang       13.25
    """

    about = About(
        "Pearson's chi-square test of levels and classes",
        paper="Pearson 1900",
        cost=Cost("n p", "0.2 n p + 14 n"),
        takes=("nominal", "ordinal"),
        why_not={
            "numbers": "it counts rows by level and class; use kruskal-wallis",
            "survival": "it counts rows by class; use the log-rank test of univariate-tests",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        test = chi_square(problem.table.values, problem.classes.codes)
        logs = equalized(test.log_pvalue)
        extras = {"statistic": test.statistic, "df": np.asarray(test.df), "p_value": np.exp(logs)}
        return Ranking.from_importance(to_importance(logs), extras=extras)
