import numpy as np

from hetsel.ground import column_blocks
from hetsel.ground.equal_numbers import equalized, unit_scale
from hetsel.selection import About, Cost, Problem, UnivariateFilter


class Variance(UnivariateFilter):
    """Rank columns by their variance after scaling, without using the target.

    J(f) = (1 / 2 n^2) sum_ij d_f(x_i, x_j)^2

    is half the mean squared distance of two rows drawn with replacement. The distances d_f are
    those of HEOM: |x_i - x_j| / range_f for continuous columns and for the level numbers of an
    ordinal column, 0 or 1 for nominal columns. J is therefore the variance of the column scaled to
    [0, 1] by its range, and (1 - sum_l q_l^2) / 2 for a nominal column, half its Gini impurity,
    with q_l the proportion of level l. A column of two values has q (1 - q) whatever its kind.
    Columns of all kinds are accepted.

    Use the method to find columns that hardly vary. It is unsupervised: informative and
    uninformative columns have the same chance. A variance in the units of the columns would rank
    the units. With missing="separate" missing is a level of a nominal column; other columns omit
    their missing values.

    See Also
    --------
    HSIC : Ranks columns of all kinds by their dependence on the target.

    References
    ----------
    Wilson and Martinez 1997, Journal of Artificial Intelligence Research 6, 1-34 (HEOM).

    Examples
    --------
    >>> from hetsel import Variance, datasets
    >>> heart = datasets.load("heart")
    >>> selector = Variance().fit(heart.X)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
                 feature  importance
    0         chest pain       0.330
    1  slope peak exc ST       0.281
    2               thal       0.270
    """

    about = About(
        "variance after scaling by the range, without the target",
        paper="Wilson and Martinez 1997, the distance",
        cost=Cost("n p", "0.2 n p + 14 n"),
        targets=("classes", "numbers", "survival"),
        flaws=("blind",),
    )

    def _score(self, problem: Problem) -> np.ndarray:
        table = problem.table
        score = np.zeros(problem.p)
        columns = np.flatnonzero(~table.nominal)
        for block in column_blocks(problem.n, len(columns)):
            score[columns[block]] = _variances(table.values[:, columns[block]])
        for f in np.flatnonzero(table.nominal):
            rows = np.unique(table.values[:, f], return_counts=True)[1]
            score[f] = (1.0 - float((rows**2).sum()) / problem.n**2) / 2
        return equalized(score)


def _variances(values: np.ndarray) -> np.ndarray:
    """Variance (k,) of columns (n, k) scaled to [0, 1]."""
    numbers = unit_scale(values)
    known = ~np.isnan(numbers)
    many = np.maximum(known.sum(axis=0), 1)
    away = np.where(known, numbers - np.where(known, numbers, 0.0).sum(axis=0) / many, 0.0)
    return np.asarray((away**2).sum(axis=0) / many)
