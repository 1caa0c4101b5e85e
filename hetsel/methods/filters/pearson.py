import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, BaseSelector, Cost, Problem, Ranking
from hetsel.statistics.column_tests import group_means, linear_tests


class Pearson(BaseSelector):
    """Rank columns by the absolute Pearson correlation with the target.

    J(f) = |r(x_f, y)|. For more than two classes J(f) is the multiple correlation R of the column
    with the indicators of the classes,

    R^2 = sum_c n_c (m_c - m)^2 / sum_i (x_i - m)^2,

    which is |r| for two classes. The method is for continuous and ordinal columns; an ordinal
    column enters by the numbers of its levels. Prefer it for linear effects; `spearman` is for
    monotone ones. A constant column has J = 0. With missing="separate" a column omits its missing
    values.

    Attributes
    ----------
    answer_ : Ranking
        Its extra `p_value` (p,) comes from the F-test of the correlation.

    See Also
    --------
    Spearman : The correlation of ranks.
    AnovaF : The p-value as importance, also for nominal columns if the target is numeric.

    References
    ----------
    Guyon and Elisseeff 2003, Journal of Machine Learning Research 3, 1157-1182, Eq. 2.

    Examples
    --------
    >>> from hetsel import Pearson, datasets
    >>> heart = datasets.load("heart")
    >>> selector = Pearson(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0  major vessels colored       0.460
    1         ST by exercise       0.425
    2                 max HR       0.417
    """

    about = About(
        "Pearson's correlation with the target",
        paper="Guyon and Elisseeff 2003, Eq. 2",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        targets=("classes", "numbers"),
        why_not={
            "survival": "a censored time has no value; use univariate-tests, with Cox's score test"
        },
    )

    def _select(self, problem: Problem) -> Ranking:
        values = problem.table.values
        if problem.target.kind == "numbers":
            test = linear_tests.slope_f(values, problem.numbers.values)
            extras = {"p_value": np.exp(equalized(test.log_pvalue))}
            return Ranking.from_importance(equalized(linear_tests.correlation(test)), extras=extras)
        codes = problem.classes.codes
        test = group_means.anova_f(values, codes)
        extras = {"p_value": np.exp(equalized(test.log_pvalue))}
        return Ranking.from_importance(
            equalized(group_means.correlation_ratio(test)), extras=extras
        )
