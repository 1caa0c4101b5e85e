import numpy as np

from hetsel.search.rankings.logs_of_column_tests import fisher_logs, fisher_tests, to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class FisherExact(BaseSelector):
    """Rank categorical columns by Fisher's exact test of levels and classes.

    J(f) = -log10 p_f. The method is for nominal and ordinal columns and does not use the order of
    the levels of an ordinal column. Prefer it to `chi-square` if some levels or classes are rare.
    `t-test` has the same scale for continuous columns. J(f) stays finite if p_f is below the
    smallest double. With missing="separate" missing is a level.

    Parameters
    ----------
    samples : int
        Number of random tables for a column whose table is too large for the exact test. A warning
        then states the column and its standard error. If none of the tables is as improbable as the
        observed one, multilevel splitting estimates the p-value. If splitting takes too long, the
        p-value is the asymptotic one of the likelihood ratio. Very small p-values are therefore
        ordered, too. On resamplings that only evaluate a signature at most 5,000 tables are drawn,
        without a warning.
    limit : int
        Number of partial tables that the exact test may count for one column before it gives way to
        random tables; 0 always draws. On resamplings that only evaluate a signature the limit is at
        most 30,000.

    Attributes
    ----------
    answer_ : Ranking
        Its extras are `p_value` (p,), `exact` (p,), whether the p-value is exact, and
        `standard_error` (p,), the standard error of the p-value divided by the p-value. This is 0
        for an exact p-value and NaN for an asymptotic one.

    See Also
    --------
    ChiSquare : The asymptotic test of the same table, faster.
    UnivariateTests : One test per column for tables of mixed kinds.

    References
    ----------
    Freeman and Halton 1951, Biometrika 38, 141-149; Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> from hetsel import FisherExact, datasets
    >>> heart = datasets.load("heart")
    >>> selector = FisherExact(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(2)
             feature  importance
    0           thal       19.21
    1     chest pain       17.96
    2  exerc ind ang       13.39
    """

    samples: int = 100_000
    limit: int = 3_000_000

    about = About(
        "Fisher's exact test",
        paper="paul2015, section 3",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("nominal", "ordinal"),
        why_not={
            "numbers": "it counts rows by level and class; use anova-f",
            "survival": "it counts rows by class; use the log-rank test of univariate-tests",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        tests = fisher_tests(
            problem.table,
            problem.classes.codes,
            samples=self.samples,
            limit=self.limit,
            seed=int(problem.rng().integers(2**31)),
            judging=not problem.proved,
        )
        logs = fisher_logs(tests)
        extras = {
            "p_value": np.exp(logs),
            "exact": np.array([test.exact for test in tests]),
            "standard_error": np.array([test.standard_error for test in tests]),
        }
        return Ranking.from_importance(to_importance(logs), extras=extras)
