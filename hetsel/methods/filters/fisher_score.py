import numpy as np

from hetsel.ground.equal_numbers import equalized
from hetsel.selection import About, Cost, Problem, UnivariateFilter
from hetsel.statistics.column_tests.group_means import anova_f, fisher_scores


class FisherScore(UnivariateFilter):
    """Rank columns by the variance between the classes over the variance within them.

    J(f) = sum_c n_c (m_c - m)^2 / sum_c n_c v_c,

    with v_c the variance of class c with divisor n_c. The method is for continuous and ordinal
    columns; an ordinal column enters by the numbers of its levels. It ranks as `pearson` does,
    whose square is J / (1 + J), and as `anova-f` does if no value is missing. Prefer it if an
    effect size is wanted that does not grow with the number of rows.

    J is infinite for a column that is constant within every class, as in `t-test`, and 0 for a
    constant column. With missing="separate" a column omits its missing values.

    See Also
    --------
    FisherCriterion : All classes count alike.
    AnovaF : The p-value of the same ratio.

    References
    ----------
    Duda, Hart and Stork 2001, Pattern Classification, section 3.8.2.

    Examples
    --------
    >>> from hetsel import FisherScore, datasets
    >>> heart = datasets.load("heart")
    >>> selector = FisherScore(unsupported="skip").fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                     feature  importance
    0  major vessels colored       0.268
    1         ST by exercise       0.220
    2                 max HR       0.211
    """

    about = About(
        "Fisher score: variance between the classes over variance within",
        paper="Duda, Hart and Stork 2001, section 3.8.2",
        cost=Cost("n p", "0.2 n p + 20 n"),
        takes=("continuous", "ordinal"),
        why_not={
            "numbers": "it compares class means; use pearson",
            "survival": "it compares class means",
        },
    )

    def _score(self, problem: Problem) -> np.ndarray:
        test = anova_f(problem.table.values, problem.classes.codes)
        return equalized(fisher_scores(test))
