"""How little a normal column and its knockoff may share, given the covariance of the columns."""

from __future__ import annotations

import numpy as np

SWEEPS = 30
SETTLED = 1e-3  # of the largest s: a sweep that moves them by less is the last
OWN = 1e-4  # of a variance: a column that the others determine so far is its own knockoff


def reconstructable_variances(covariance: np.ndarray) -> np.ndarray:
    """What a column and its knockoff do not share (p,): s = var - cov(column, knockoff).

    s minimizes tr (2 Sigma - diag s)^-1 + sum 1/s: the variance that is left of a column when its
    knockoff and all other pairs are known is as large as it can be. By coordinates, each exactly.

    Parameters
    ----------
    covariance : ndarray of shape (p, p)
        Positive definite, variances of 1.

    References
    ----------
    Spector & Janson (2022) The Annals of Statistics 50, 252-276, Algorithm 1.

    Examples
    --------
    >>> reconstructable_variances(np.eye(2)).round(6)
    array([1., 1.])
    """
    p = len(covariance)
    if not p:
        return np.empty(0)
    s = np.full(p, min(1.0, float(np.linalg.eigvalsh(covariance)[0])))
    for _ in range(SWEEPS):
        inverse = np.linalg.inv(2 * covariance - np.diag(s))
        moved = 0.0
        for j in range(p):
            column = inverse[:, j].copy()
            root = float(np.linalg.norm(column))
            step = (1 - root * s[j]) / (column[j] + root)
            s[j] += step
            inverse += step / (1 - step * column[j]) * np.outer(column, column)
            moved = max(moved, abs(step))
        if moved < SETTLED * s.max():
            break
    return np.where(s < OWN, 0.0, s)
