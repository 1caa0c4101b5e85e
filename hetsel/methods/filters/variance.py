import numpy as np

from hetsel.ground import column_blocks
from hetsel.ground.equal_numbers import equalized, unit_scale
from hetsel.selection import About, Cost, Problem, UnivariateFilter


class Variance(UnivariateFilter):
    """Rank columns by how much their cells differ, whatever the target.

    Half the mean squared distance of two rows drawn with replacement,

        J(f) = (1 / 2 n^2) sum_ij d_f(x_i, x_j)^2,

    with the distances of HEOM: |x_i - x_j| / range_f for numbers and the level numbers of an
    ordinal column, 0 or 1 for levels. That is the variance of the column scaled to [0, 1] by its
    range, and half the Gini impurity (1 - sum_l q_l^2) / 2 of a nominal column, q_l the share of
    level l. A column of two values has q (1 - q), whatever its kind. With missing="separate" a
    missing level is a level, a missing number is left out of its column.

    A variance in the units of the columns would rank the units. Unsupervised: a column that tells
    the target and one that says nothing have the same chance.

    References
    ----------
    Wilson and Martinez 1997, Journal of Artificial Intelligence Research 6, 1-34 (HEOM).
    """

    about = About(
        "variance on the scale of the range, blind to the target",
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
