"""How much of the association that columns show with a target is there in new rows.

Two groups of columns: z_j ~ N(theta_j, 1) of column j, theta_j = 0 with the probability 1 - q and
else ~ N(0, t). q is uniform, t one of 2, 4, 8, ... up to the number of rows, each alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logsumexp
from scipy.stats import norm

SHARES = (np.arange(50) + 0.5) / 50  # of q


def drawn_shares(
    z: ArrayLike, rows: int, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """theta_j / z_j, drawn from what the z_j say of it, cut to [0, 1].

    Parameters
    ----------
    z : array-like of shape (p,)
        Not negative; 0 has the share 0.
    rows : int
        By which the z_j were found.
    draws : int
    rng : Generator
        Its numbers belong to the columns by their z_j, whatever order they come in.

    Returns
    -------
    ndarray of shape (draws, p)

    References
    ----------
    Johnstone & Silverman (2004) The Annals of Statistics 32, 1594-1649; Efron (2008) Statistical
    Science 23, 1-22.

    Examples
    --------
    >>> found = drawn_shares([0.3, 9.0], 100, 200, np.random.default_rng(0))
    >>> found.mean(axis=0).round(1)
    array([0.1, 0.9])
    """
    given = np.asarray(z, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    x = given[order]
    spreads = 2.0 ** np.arange(1, max(2, int(np.ceil(np.log2(rows)))) + 1)
    null = norm.logpdf(x)
    other = norm.logpdf(x, scale=np.sqrt(1 + spreads)[:, None])
    q = SHARES[:, None, None]
    both = np.logaddexp(np.log1p(-q) + null, np.log(q) + other).sum(axis=2)
    weight = np.exp(both - logsumexp(both)).ravel()
    found = np.empty((draws, len(x)))
    for k in range(draws):
        a, b = divmod(int(rng.choice(len(weight), p=weight / weight.sum())), len(spreads))
        there = expit(np.log(SHARES[a]) + other[b] - np.log1p(-SHARES[a]) - null)
        kept = spreads[b] / (1 + spreads[b])
        uniform, normal = rng.uniform(size=len(x)), rng.normal(size=len(x))
        theta = np.where(uniform < there, kept * x + np.sqrt(kept) * normal, 0.0)
        share = np.divide(theta, x, out=np.zeros(len(x)), where=x > 0)
        found[k, order] = share.clip(0, 1)
    return found
