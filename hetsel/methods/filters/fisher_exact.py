import numpy as np

from hetsel.search.rankings.logs_of_column_tests import fisher_logs, fisher_tests, to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class FisherExact(BaseSelector):
    """Rank columns of levels by Fisher's exact test of their table of levels and classes.

    J(f) = -log10 p_f. It stays a number where p_f itself is below the smallest double. The order
    of the levels of an ordinal column is not used. With missing="separate" missing is a level.
    `t-test` has the same scale for columns of numbers.

    Parameters
    ----------
    samples : int
        Number of tables drawn for a column whose table is too large for the exact test; a warning
        then names the column and the standard error. Where none of them is as improbable as the
        column's own, its p-value is estimated by multilevel splitting, or where that is long by
        the likelihood ratio's asymptotic one: no floor hides the order. Parts of a table that only
        judge a signature take 5,000 at the most, without a warning.
    limit : int
        Number of partial tables that may be counted for one column before the test gives up being
        exact; 0 always draws. Parts of a table that only judge a signature count 30,000 at the
        most.

    Notes
    -----
    The answer's extras: `exact` (p,), whether the p-value of the column is exact, and
    `standard_error` (p,), that of the p-value divided by the p-value, 0 where it is exact and NaN
    where it is asymptotic.

    References
    ----------
    Freeman and Halton 1951, Biometrika 38, 141-149; Paul, D'Ambrosio and Dupont 2015, section 3.
    """

    samples: int = 100_000
    limit: int = 3_000_000

    about = About(
        "Fisher's exact test",
        paper="paul2015, section 3",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("nominal", "ordinal"),
        why_not={
            "numbers": "it counts rows by level and class, anova-f tests a number over levels",
            "survival": "it counts rows by level and class, univariate-tests has the log-rank test",
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
