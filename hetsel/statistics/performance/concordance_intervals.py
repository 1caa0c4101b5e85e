"""Intervals of the share of pairs of rows that are in the right order, from pairs inside of folds.

Notation. (i, j) is a pair of rows of one fold of which it is known which comes first; a_ij is its
weight, h_ij 1 where the prediction has them in that order, 1/2 where it tells nothing, else 0.

    C = sum_ij a_ij h_ij / sum_ij a_ij = A / B,

of numbers (1 + Kendall's tau) / 2, of times to an event Harrell's C, with other weights Uno's.
Pairs of different folds are not compared: their predictions are those of different models. With A_i
and B_i the sums over the pairs that row i is in, C moves by m_i = (A_i - C B_i) / B with its
weight: the variance of C is that of the jackknife over rows, or groups, and its interval that of
its logit. As in :mod:`hetsel.statistics.performance.loss_intervals` the variance is multiplied, and
the quantile is Student's: by SPREAD of numbers, as that of R^2; of times to an event by OVERLAP
alone, with which more than 95 % of the intervals hold the truth, see
tests/campaigns/measured_signatures.py.

Near 0 and 1 there may be no pair that moves C. The variance is at least that of a share of as many
rows as there are, N by Kish's number, and C counts there as 1 / (N + 2) or 1 - 1 / (N + 2).

References: Hoeffding (1948) Annals of Mathematical Statistics 19, 293-325 (U-statistics); Arvesen
(1969) Annals of Mathematical Statistics 40, 2076-2100 (their jackknife); Pencina & D'Agostino
(2004) Statistics in Medicine 23, 2109-2123 (of concordance).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.statistics.performance.loss_intervals import (
    SPREAD,
    grouped,
    jackknife_variance,
    student_quantile,
)
from hetsel.statistics.performance.rate_intervals import RateInterval, effective_rows

Floats = NDArray[np.float64]
CELLS = 2**21  # pairs that are held at once


def concordant_sums(
    order: NDArray[np.int64],
    first: ArrayLike,
    risks: ArrayLike,
    weights: ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """A_i (k, m) of k vectors of risks, and B_i (m,), of the rows of one fold.

    Parameters
    ----------
    order : ndarray of int, shape (m,)
        Row i comes before row j where its number is smaller.
    first : array-like of shape (m,)
        Weight of the pairs by the row that comes first; 0 where it is not known what comes after.
    risks : array-like of shape (k, m)
        Larger where the row is expected to come sooner.
    weights : array-like of shape (m,), optional
        A pair weighs their product.

    Examples
    --------
    >>> right, pairs = concordant_sums(np.array([0, 1, 2]), [1.0, 0.0, 1.0], [[3.0, 3.0, 1.0]])
    >>> right, pairs
    (array([[1.5, 0.5, 1. ]]), array([2., 1., 1.]))
    """
    r = np.atleast_2d(np.asarray(risks, dtype=np.float64))
    u = np.asarray(first, dtype=np.float64)
    w = np.ones(len(order)) if weights is None else np.asarray(weights, dtype=np.float64)
    right, pairs = np.zeros(r.shape), np.zeros(len(order))
    early = np.flatnonzero(u > 0)
    step = max(1, CELLS // len(order))
    for start in range(0, len(early), step):
        rows = early[start : start + step]
        cells = (order[rows, None] < order) * (u[rows] * w[rows])[:, None] * w
        np.add.at(pairs, rows, cells.sum(axis=1))
        pairs += cells.sum(axis=0)
        for k, own in enumerate(r):
            apart = own[rows, None] - own
            held = cells * ((apart > 0) + 0.5 * (apart == 0))
            np.add.at(right[k], rows, held.sum(axis=1))
            right[k] += held.sum(axis=0)
    return right, pairs


def concordance_interval(
    right: ArrayLike,
    pairs: ArrayLike,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    also: ArrayLike | None = None,
    spread: float = SPREAD,
    rows: float | None = None,
    free: float = np.inf,
    level: float = 0.95,
) -> RateInterval:
    """Interval of C from the sums over the pairs of each row; see the top of this module.

    Parameters
    ----------
    right, pairs : array-like of shape (n,)
        A_i and B_i, perhaps over several cross-validations.
    weights : array-like of shape (n,), optional
    groups : array-like of int, shape (n,), optional
    also : array-like of shape (n,), optional
        A_i without a correction: the larger one of the two variances counts.
    spread : float
        What the variance is multiplied by.
    rows : float, optional
        N of the least variance; Kish's number of the groups by default.
    free : float
        Rows by which Student's quantile is taken, where these are fewer.
    level : float

    Examples
    --------
    >>> right, pairs = concordant_sums(np.arange(6), np.ones(6), [[6.0, 4, 5, 3, 1, 2]])
    >>> print(concordance_interval(right[0], pairs))
    0.867 [0.201, 0.994]
    """
    a, b = np.asarray(right, dtype=np.float64), np.asarray(pairs, dtype=np.float64)
    w = np.ones(len(a)) if weights is None else np.asarray(weights, dtype=np.float64)
    whole = float(b.sum())
    variances = [_variance(own, b, w, groups) for own in (a, also) if own is not None]
    rows = effective_rows(grouped(w, groups)) if rows is None else rows
    share = min(1.0, max(0.0, float(a.sum()) / whole))
    inside = min(max(share, 1 / (rows + 2)), 1 - 1 / (rows + 2))
    variance = max(spread * max(variances), inside * (1 - inside) / (rows + 2))
    quantile = student_quantile(w, groups, level)
    if np.isfinite(free):
        quantile = max(quantile, student_quantile(np.ones(max(2, int(free))), None, level))
    apart = quantile * np.sqrt(variance) / (inside * (1 - inside))
    middle = np.log(inside / (1 - inside))
    low, high = (float(1 / (1 + np.exp(-middle - sign * apart))) for sign in (-1, 1))
    return RateInterval(share, min(low, share), max(high, share), level)


def _variance(right: ArrayLike, pairs: Floats, weights: Floats, groups: ArrayLike | None) -> float:
    """Variance of C by the jackknife."""
    a = np.asarray(right, dtype=np.float64)
    whole = float(pairs.sum())
    moves = 2 * (a - float(a.sum()) / whole * pairs) / whole
    return jackknife_variance(moves, weights, groups)


Scale = Callable[[float], float]


def on_scale(found: RateInterval, scale: Scale) -> RateInterval:
    """The interval on another, increasing scale, such as 2 C - 1.

    Examples
    --------
    >>> print(on_scale(RateInterval(0.75, 0.5, 1.0, 0.95), lambda share: 2 * share - 1))
    0.500 [0.000, 1.000]
    """
    return RateInterval(scale(found.rate), scale(found.low), scale(found.high), found.level)
