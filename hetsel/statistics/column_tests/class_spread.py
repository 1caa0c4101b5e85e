"""How much of a column's spread lies between the classes: Fisher's score, and the correlation."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.statistics.column_tests.group_means import TestResult, anova_f

Floats = NDArray[np.float64]


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
