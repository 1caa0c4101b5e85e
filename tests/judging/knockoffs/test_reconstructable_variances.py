"""The variances that a column and its knockoff do not share: an optimizer finds no better ones."""

import numpy as np
from scipy.optimize import minimize

from hetsel.judging.knockoffs.construction import reconstructable_variances


def loss(s, covariance):
    left = 2 * covariance - np.diag(s)
    if s.min() <= 0 or np.linalg.eigvalsh(left)[0] <= 0:
        return np.inf
    return np.trace(np.linalg.inv(left)) + (1 / s).sum()


def test_no_other_variances_are_better():
    size = np.arange(6)
    known = 0.7 ** np.abs(size[:, None] - size)
    s = reconstructable_variances(known)
    best = minimize(
        loss,
        np.full(6, 0.1),
        args=(known,),
        method="Nelder-Mead",
        options={"maxiter": 20000, "maxfev": 20000, "xatol": 1e-8, "fatol": 1e-10},
    )
    np.testing.assert_allclose(loss(s, known), best.fun, rtol=1e-5)


def test_independent_columns_share_nothing_and_copies_all():
    np.testing.assert_allclose(reconstructable_variances(np.eye(3)), 1.0)
    known = np.eye(3)
    known[0, 1] = known[1, 0] = 1 - 1e-6
    s = reconstructable_variances(known)
    assert s[:2].tolist() == [0.0, 0.0]
    assert s[2] > 0.99
