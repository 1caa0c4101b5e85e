"""What probabilities lose on new rows as the shares of the classes are those of their rows.

Probabilities p know the shares s_c of the classes among the rows that they were learned from, which
are those elsewhere but for chance. Where held-out rows have the same shares, as in stratified folds
or by a correction for them, they cannot tell what that costs.

Notation. C classes; V the covariance matrix (C, C) of the shares; d_c is log s_c less its true
value, so that cov(d) = D V D with D = diag(1 / s). Probabilities move by J d, J = diag(p) - p p',
and so lose E |J d|^2 = trace(J D V D J) of the Brier score, if they are right otherwise. As much
again is missing where rows have these shares: the score of the best probabilities is a concave
function of the true shares, of which the mean over chance ones is smaller, by that trace as well.
For two classes of n rows, whose score counts one of them, both together are

    2 mean(p_i^2 (1 - p_i)^2) / (n s (1 - s)),

and 2 s (1 - s) / n where nothing is known of a row.
"""

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from hetsel.statistics.probabilities.pooled_rows import Floats, checked_weights, unit_codes


def share_covariance(
    truth: ArrayLike,
    classes: int,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
) -> Floats:
    """V (C, C), by the jackknife over units; 0 where there is one only.

    >>> share_covariance([0, 1] * 8, 2)[1, 1] * 15  # s (1 - s) / (n - 1)
    np.float64(0.25)
    """
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
    """What each row (m,) loses of its Brier score by chance shares; see the top of this module.

    The shares vary by units; of two classes the loss is that of the score of one of them.

    >>> losses = share_losses([0, 1] * 8, np.full((16, 2), 0.5))
    >>> float(losses.mean()) * 15  # 2 s (1 - s) / (n - 1)
    0.5
    """
    p = np.asarray(probability, dtype=np.float64)
    each = np.eye(p.shape[1])
    of_class = each[np.asarray(truth, dtype=np.int64)]
    shares = _shares(of_class, checked_weights(weights, len(p)))
    of_logs = share_covariance(truth, len(each), weights, units) / np.outer(shares, shares)
    columns = [p[:, [c]] * (each[c] - p) for c in range(len(each))]  # of J
    losses = np.zeros(len(p))
    for a, b in product(range(len(each)), repeat=2):
        losses += of_logs[a, b] * (columns[a] * columns[b]).sum(axis=1)
    return losses if len(each) == 2 else 2.0 * losses
