"""Area under the ROC curve of each column on its own: how well it orders rows by their class."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.memory import column_blocks
from hetsel.statistics.column_tests.chi_squared import mid_ranks
from hetsel.statistics.column_tests.group_means import TestResult, anova_f

Floats = NDArray[np.float64]


def areas_of_numbers(x: ArrayLike, y: ArrayLike) -> Floats:
    """Area (p,) of columns of numbers (n, p) in the better direction, 1/2 where none is known.

    A = U / (n_0 n_1), U the statistic of Mann and Whitney: the share of the pairs of rows of two
    classes that the column has in the right order, ties half; max(A, 1 - A). Of more than two
    classes the mean of all pairs of classes. NaN is left out of its own column.

    References
    ----------
    Hand & Till (2001) Machine Learning 45, 171-186, Eq. 7.

    Examples
    --------
    >>> areas_of_numbers([[3.0], [2.0], [1.0], [2.0]], [0, 0, 1, 1])
    array([0.875])
    """
    values, codes = np.asarray(x, dtype=np.float64), np.asarray(y)
    return _mean_of_pairs(
        codes, values.shape[1], lambda rows, second: _numbers(values[rows], second)
    )


def areas_of_levels(x: ArrayLike, y: ArrayLike) -> Floats:
    """Area (p,) of columns of level codes (n, p), their levels in the order of the class's share.

    No order of the levels has a larger one, which makes columns of many levels look good. A missing
    cell is a level. Of more than two classes as :func:`areas_of_numbers`, an order for each pair.

    Examples
    --------
    >>> areas_of_levels([[0], [1], [2], [2]], [0, 1, 0, 1])
    array([0.875])
    """
    values, codes = np.asarray(x, dtype=np.float64), np.asarray(y)
    return _mean_of_pairs(
        codes,
        values.shape[1],
        lambda rows, second: np.array([_levels(column, second) for column in values[rows].T]),
    )


def _mean_of_pairs(
    codes: NDArray[np.int64],
    p: int,
    areas: Callable[[NDArray[np.bool_], NDArray[np.bool_]], Floats],
) -> Floats:
    total, pairs = np.zeros(p), list(combinations(np.unique(codes), 2))
    for one, other in pairs:
        rows = (codes == one) | (codes == other)
        total += areas(rows, codes[rows] == other)
    return total / len(pairs)


def _numbers(values: Floats, second: NDArray[np.bool_]) -> Floats:
    parts = [_block(values[:, block], second) for block in column_blocks(*values.shape)]
    return np.concatenate(parts)


def _block(values: Floats, second: NDArray[np.bool_]) -> Floats:
    ranks, present = mid_ranks(values), ~np.isnan(values)
    others, own = present[~second].sum(axis=0), present[second].sum(axis=0)
    sums = np.where(present[second], ranks[second], 0.0).sum(axis=0)
    both = others * own
    area = (sums - own * (own + 1) / 2) / np.maximum(both, 1)
    return np.where(both > 0, np.maximum(area, 1 - area), 0.5)


def _levels(column: Floats, second: NDArray[np.bool_]) -> float:
    _, level = np.unique(column, return_inverse=True, equal_nan=True)
    own, whole = np.bincount(level, second), np.bincount(level)
    order = np.argsort(own / whole)
    own, others = own[order], (whole - own)[order]
    before = np.cumsum(others) - others
    return float(own @ (before + others / 2) / (own.sum() * others.sum()))


# How much of a column's spread lies between the classes: Fisher's score, and the correlation.


def fisher_scores(x: ArrayLike, y: ArrayLike) -> Floats:
    """Fisher's score (p,) of columns (n, p): spread between the classes over spread within.

    J = sum_c n_c (m_c - m)^2 / sum_c n_c v_c, v_c the variance of class c with divisor n_c. It is F
    of the analysis of variance times (k - 1) / (n - k), with its rules, see
    :func:`hetsel.statistics.column_tests.group_means.anova_f`: NaN is left out of its own column,
    and so is a class without a value there; infinite for a column constant in every class, 0 for a
    constant one and for one value in each class.

    Examples
    --------
    >>> fisher_scores([[1.0], [3.0], [5.0], [7.0]], [0, 0, 1, 1])
    array([4.])
    """
    return scores_of(anova_f(x, y))


def scores_of(test: TestResult) -> Floats:
    """Fisher's scores (p,) of the F-tests of analysis of variance."""
    dfn, dfd = np.asarray(test.df)
    return np.asarray(test.statistic * dfn / np.maximum(dfd, 1.0))


def correlation_ratio(x: ArrayLike, y: ArrayLike) -> Floats:
    """Multiple correlation (p,) of columns (n, p) with the indicators of the classes, in 0..1.

    R^2 = sum_c n_c (m_c - m)^2 / sum_i (x_i - m)^2 = J / (1 + J), J Fisher's score. For two
    classes R is the absolute correlation of the column with the class code.

    References
    ----------
    Fisher 1925, Statistical Methods for Research Workers, section 45.

    Examples
    --------
    >>> correlation_ratio([[1.0], [3.0], [5.0], [7.0]], [0, 0, 1, 1]).round(4)
    array([0.8944])
    """
    return ratio_of(fisher_scores(x, y))


def ratio_of(score: Floats) -> Floats:
    """The multiple correlation (p,) of Fisher's scores (p,)."""
    # 1 / (1 + 1/J): right at 0 and at infinity
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(1.0 / (1.0 + 1.0 / score)))
