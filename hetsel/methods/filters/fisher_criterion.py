import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.column_tests.group_means import fisher_criterion


class FisherCriterion(UnivariateFilter):
    """Rank columns by the squared difference of class means over the class variances.

    J(f) = (m_1 - m_2)^2 / (v_1 + v_2),

    with v_c the variance of class c with divisor n_c - 1. For more than two classes J(f) is the
    mean over all pairs of classes that have two values or more. The method is for continuous and
    ordinal columns; an ordinal column enters by the numbers of its levels. Prefer it to
    `fisher-score` if all classes should count alike, whatever their number of rows. `t-test` has
    v_c / n_c in place of v_c.

    J is infinite for a column that is constant in two classes and has different means there, and 0
    for a constant column. With missing="separate" a column omits its missing values.

    See Also
    --------
    FisherScore : Weighs the classes by their rows.
    TTest : The p-value of the difference of means.

    References
    ----------
    Ramona, Richard and David 2012, Eq. 1.

    Examples
    --------
    >>> from hetsel import FisherCriterion, datasets
    >>> heart = datasets.load("heart")
    >>> selector = FisherCriterion(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0  major vessels colored       0.517
    1         ST by exercise       0.423
    2                 max HR       0.416
    """

    about = About(
        "Fisher criterion: squared difference of class means over class variances",
        paper="ramona2012, Eq. 1",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it compares class means; use pearson",
            "survival": "it compares class means",
        },
    )

    def _score(self, problem: Problem) -> np.ndarray:
        return equalized(fisher_criterion(problem.table.values, problem.classes.codes))
