from typing import Any

import numpy as np

from hetsel.search.rankings.logs_of_column_tests import t_test_logs, to_importance
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking


class TTest(BaseSelector):
    """Rank columns by Welch's t-test, or the F-test for more than two classes.

    J(f) = -log10 p_f, with p_f of Welch's two-sample t-test. For more than two classes p_f is that
    of the F-test of one-way analysis of variance. The method is for continuous and ordinal columns;
    an ordinal column enters by the numbers of its levels. Prefer it if means differ between two
    classes and variances may differ, too; `kruskal-wallis` is for skewed columns. `fisher-exact`
    has the same scale for nominal columns, and `univariate-tests` ranks both kinds together.

    J(f) stays finite if p_f is below the smallest double. It is infinite for a column that is
    constant within every class and differs between classes. With missing="separate" the test of a
    column omits its missing values. A class with one value has no variance: Welch's test then gives
    p = 1, while the F-test and Student's test include the class.

    Parameters
    ----------
    equal_var : bool
        Whether to use Student's t-test with a pooled variance in place of Welch's. The F-test
        always pools.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `p_value` (p,) is the p-value of each column.

    See Also
    --------
    KruskalWallis : The rank test, which outliers do not affect.
    FisherExact : The test of the same scale for nominal columns.
    UnivariateTests : One test per column for tables of mixed kinds.

    References
    ----------
    Welch 1947, Biometrika 34, 28-35; Paul, D'Ambrosio and Dupont 2015, section 3.

    Examples
    --------
    >>> from hetsel import TTest, datasets
    >>> heart = datasets.load("heart")
    >>> selector = TTest(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(2)
                     feature  importance
    0  major vessels colored       15.00
    1                 max HR       13.04
    2         ST by exercise       12.66
    """

    equal_var: Any = False

    about = About(
        "Welch's t-test, or the F-test for more than two classes",
        paper="paul2015, section 3",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it compares class means; use anova-f, with the t-test of the slope",
            "survival": "it compares class means; use univariate-tests, with Cox's score test",
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        values, codes = problem.table.values, problem.classes.codes
        logs = t_test_logs(values, codes, self.equal_var)
        return Ranking.from_importance(to_importance(logs), extras={"p_value": np.exp(logs)})
