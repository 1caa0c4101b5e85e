from typing import Any

import numpy as np

from hetsel.search.rankings.logs_of_column_tests import t_test_logs, to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class TTest(BaseSelector):
    """Rank columns of numbers by how surely their means differ between the classes.

    J(f) = -log10 p_f, with p_f of Welch's two-sample t-test; more than two classes: of the F-test
    of one-way analysis of variance. It stays a number where p_f itself is below the smallest
    double, and it is infinite for a column that is constant in every class. An ordinal column
    counts by the numbers of its levels. With missing="separate" a missing cell is left out of the
    test of its column; a class of one value has no variance, and Welch's test then p = 1, while the
    F-test and Student's count it. `fisher-exact` has the same scale for nominal columns.

    Parameters
    ----------
    equal_var : bool
        Student's t-test with one pooled variance in place of Welch's; the F-test always pools.

    References
    ----------
    Welch 1947, Biometrika 34, 28-35; Paul, D'Ambrosio and Dupont 2015, section 3.
    """

    equal_var: Any = False

    about = About(
        "Welch's t-test, or the F-test for more than two classes",
        paper="paul2015, section 3",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it compares the means of classes, anova-f has the t-test of a slope",
            "survival": "it compares the means of classes, univariate-tests has Cox's score test",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        values, codes = problem.table.values, problem.classes.codes
        logs = t_test_logs(values, codes, self.equal_var)
        return Ranking.from_importance(to_importance(logs), extras={"p_value": np.exp(logs)})
