import numpy as np

from hetsel.ground import column_blocks
from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, group_means, linear_tests


class Spearman(BaseSelector):
    """Rank columns of numbers by the correlation of their ranks with the class, or with a number's.

    `pearson` on mid-ranks: equal values share their mean rank. No increasing scale of a column
    changes it, and one far value counts no more than a near one. For complete columns it orders as
    the statistic of `kruskal-wallis`, H = (n - 1) J^2. A target of numbers goes by its mid-ranks,
    too: no increasing map of it changes anything; p-values are those of Student's t. An ordinal
    column counts by the order of its levels. With missing="separate" a missing cell is left out of
    its column.

    References
    ----------
    Spearman 1904, American Journal of Psychology 15, 72-101.
    """

    about = About(
        "Spearman's rank correlation with the target",
        paper="Spearman 1904",
        cost=Cost("n p log n", "0.2 n p + 24 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={"survival": "a censored time has no rank, univariate-tests has Cox's score test"},
    )

    def _select(self, problem: Problem) -> Ranking:
        if problem.target.kind == "numbers":
            test = linear_tests.rank_slope_f(problem.table.values, problem.numbers.values)
            extras = {"p_value": np.exp(equalized(test.log_pvalue))}
            return Ranking.from_importance(equalized(linear_tests.correlation(test)), extras=extras)
        values, codes = problem.table.values, problem.classes.codes
        blocks = column_blocks(*values.shape)
        test = group_means.TestResult.joined(
            [group_means.anova_f(chi_squared.mid_ranks(values[:, b]), codes) for b in blocks]
        )
        extras = {"p_value": np.exp(equalized(test.log_pvalue))}
        return Ranking.from_importance(
            equalized(group_means.correlation_ratio(test)), extras=extras
        )
