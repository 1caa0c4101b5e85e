import numpy as np

from hetsel.ground import column_blocks
from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import chi_squared, group_means, linear_tests


class Spearman(BaseSelector):
    """Rank columns by the absolute Spearman rank correlation with the target.

    J(f) is that of `pearson` on mid-ranks: equal values share their mean rank. No increasing
    transformation of a column changes J, and an outlier counts no more than its rank. The method is
    for continuous and ordinal columns; an ordinal column enters by the order of its levels. Prefer
    it to `pearson` for monotone effects that are not linear.

    For complete columns it ranks as the statistic of `kruskal-wallis` does, H = (n - 1) J^2. A
    numeric target also enters by its mid-ranks, so no increasing transformation of it changes J;
    the p-values then come from Student's t. With missing="separate" a column omits its missing
    values.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `p_value` (p,) comes from the test of the correlation of ranks.

    See Also
    --------
    Pearson : The correlation of the values.
    KruskalWallis : The p-value as importance.

    References
    ----------
    Spearman 1904, American Journal of Psychology 15, 72-101.

    Examples
    --------
    >>> from hetsel import Spearman, datasets
    >>> heart = datasets.load("heart")
    >>> selector = Spearman(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0  major vessels colored       0.488
    1                 max HR       0.423
    2         ST by exercise       0.413
    """

    about = About(
        "Spearman's rank correlation with the target",
        paper="Spearman 1904",
        cost=Cost("n p log n", "0.2 n p + 24 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={
            "survival": "a censored time has no rank; use univariate-tests, with Cox's score test"
        },
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
