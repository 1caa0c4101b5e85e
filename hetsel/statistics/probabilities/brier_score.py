"""Compute the Brier score for two and more classes, and its loss by chance in class proportions."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground import TableError
from hetsel.ground.array_types import Floats
from hetsel.statistics.performance import loss_intervals, rate_intervals
from hetsel.statistics.probabilities.pooled_rows import (
    UNKNOWN,
    checked_weights,
    pooled_rows,
    unit_codes,
)

LEAST_LEFT = 0.1  # of a score, however much more rows would improve it


@dataclass(frozen=True)
class BrierScore:
    score: rate_intervals.RateInterval  # 0 at best
    scaled: (
        rate_intervals.RateInterval
    )  # 1 at best, 0 for predicting the prevalence for all rows; NaN with one class


def brier_score(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    gains: ArrayLike | None = None,
    share_variance: float = 0.0,
    spread: float = 1.0,
) -> BrierScore:
    """Compute the Brier score B of probabilities (m,) or (m, C), and the scaled score 1 - B / K.

    K is the Brier score of predicting the prevalence. B = sum_i w_i b_i / sum_i w_i, with b_i =
    (p_i - y_i)^2 for two classes, y_i 0 or 1, and b_i = sum_c (p_ic - [y_i = c])^2 for more
    classes, y_i in 0 to C - 1; the latter would be twice the former for two classes. K uses the
    weighted proportion of each class as p_i. Weights, units and spread:
    :mod:`hetsel.statistics.probabilities.pooled_rows`. `gains` (m,) is by how much b_i is smaller
    for a model that learned from more rows. At least a tenth of B is left, and the larger of the
    variances with and without gains counts. K is increased by `share_variance` to refer to rows
    with other class proportions: the variance of the proportion of one of two classes, or the sum
    of the variances for more classes.

    References: Brier (1950) Monthly Weather Review 78, 1-3; Steyerberg et al. (2010) Epidemiology
    21, 128-138 (the scaled one).
    """
    p = np.asarray(probability, dtype=np.float64)
    if p.ndim == 2:
        w, groups = checked_weights(weights, len(p)), unit_codes(units, len(p))
        losses, references = _losses_of_classes(truth, p, w)
    else:
        rows = pooled_rows(truth, p, weights, units)
        w, groups = rows.weights, rows.units
        losses = (rows.probability - rows.truth) ** 2
        references = (rows.truth - rows.share_of_cases) ** 2
    plain = losses
    if gains is not None:
        losses = plain - np.asarray(gains, dtype=np.float64)
        least = LEAST_LEFT * float(np.average(plain, weights=w))
        losses = losses if float(np.average(losses, weights=w)) > least else LEAST_LEFT * plain
    score = loss_intervals.loss_interval(losses, w, groups, also=plain, spread=spread, bounded=True)
    if not references.any():
        return BrierScore(score, UNKNOWN)
    references *= 1 + share_variance / float(np.average(references, weights=w))
    scaled = loss_intervals.told_interval(losses, references, w, groups, also=plain, spread=spread)
    return BrierScore(score, scaled)


def _losses_of_classes(truth: ArrayLike, p: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Compute b_i of the probabilities and of the class proportions, (m,) each."""
    y = np.asarray(truth)
    if y.shape != (len(p),) or not len(y) or not np.isin(y, np.arange(p.shape[1])).all():
        raise TableError(
            f"truth must be of shape ({len(p)},), 0 to {p.shape[1] - 1}. Got shape {y.shape}"
        )
    if not ((p >= 0) & (p <= 1)).all() or (abs(p.sum(axis=1) - 1) > 1e-6).any():
        raise TableError("probability must be in [0, 1], with the sum 1 in each row")
    each = np.eye(p.shape[1])[y.astype(np.int64)]
    share = weights @ each / weights.sum()
    return ((p - each) ** 2).sum(axis=1), ((share - each) ** 2).sum(axis=1)


def class_covariance(
    truth: ArrayLike, classes: int, weights: ArrayLike | None = None, units: ArrayLike | None = None
) -> Floats:
    """Compute the jackknife covariance V (C, C) of class proportions over units; 0 for one unit."""
    of_class = np.eye(classes)[np.asarray(truth, dtype=np.int64)]
    w, code = checked_weights(weights, len(of_class)), unit_codes(units, len(of_class))
    code = np.arange(len(of_class)) if code is None else code
    held = np.bincount(code, w)
    if len(held) < 2:
        return np.zeros((classes, classes))
    moves = w[:, None] * (of_class - _shares(of_class, w))
    sums = [np.bincount(code, moves[:, c]) / (w.sum() - held) for c in range(classes)]
    products = [[float((a * b).sum()) for b in sums] for a in sums]
    return np.array(products) * (len(held) - 1) / len(held)


def _shares(of_class: Floats, weights: Floats) -> Floats:
    return np.asarray((weights[:, None] * of_class).sum(axis=0) / weights.sum())


def share_losses(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
) -> Floats:
    """Compute the Brier score that each row's probabilities (m, C) lose by estimated proportions.

    The class proportions s are those of the rows that the probabilities were learned from, and rows
    with the same proportions cannot reveal the loss. With V the covariance of s, d_c is log s_c
    minus its true value, cov(d) = D V D, D = diag(1 / s). Probabilities move by J d, J = diag(p) -
    p p', and lose E |J d|^2 = trace(J D V D J) of the score, if they are right otherwise. The same
    amount is missing if rows have these proportions: the score of the best probabilities is a
    concave function of the true proportions, and its mean over chance proportions is smaller, also
    by that trace. For two classes of n rows, whose score counts one of them, both together are 2
    mean(p_i^2 (1 - p_i)^2) / (n s (1 - s)).
    """
    p = np.asarray(probability, dtype=np.float64)
    each = np.eye(p.shape[1])
    of_class = each[np.asarray(truth, dtype=np.int64)]
    shares = _shares(of_class, checked_weights(weights, len(p)))
    of_logs = class_covariance(truth, len(each), weights, units) / np.outer(shares, shares)
    columns = [p[:, [c]] * (each[c] - p) for c in range(len(each))]  # of J
    losses = np.zeros(len(p))
    for a, b in product(range(len(each)), repeat=2):
        losses += of_logs[a, b] * (columns[a] * columns[b]).sum(axis=1)
    return losses if len(each) == 2 else 2.0 * losses
