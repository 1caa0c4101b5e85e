"""Estimate how strongly columns relate to a target in new rows, and where one more column ranks.

There are two groups of columns: z_j ~ N(theta_j, 1) for column j, with theta_j = 0 with probability
1 - q, else theta_j ~ N(0, t). The logarithm of q is uniform, from half a column of all p on; t is
one of 2, 4, 8, ... up to the number of rows, with equal probabilities.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logsumexp, ndtr, ndtri
from scipy.stats import norm

from hetsel.statistics.survival.curves_and_martingale_residuals import checked_times, kaplan_meier

GRID = 50  # values of q
MOST = 0.99  # the largest value of q
NODES = 24  # of the distribution of a statistic
DECIMALS = 9  # of a probability, so that the order of columns does not matter
HAZARD_GRID = np.linspace(-8.0, 8.0, 401)  # of x
HAZARDS = np.geomspace(1e-8, 1e8, 1601)  # of L


def drawn_effects(
    z: ArrayLike, rows: int, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw theta_j (draws, p) from their posterior given z_j >= 0; negative draws count as 0.

    The numbers of `rng` belong to the columns by their z_j. Johnstone & Silverman (2004) The Annals
    of Statistics 32, 1594-1649; Efron (2008) Statistical Science 23, 1-22.
    """
    given = np.asarray(z, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    x = given[order]
    shares = np.geomspace(0.5 / len(x), MOST, GRID)
    spreads = 2.0 ** np.arange(1, max(2, int(np.ceil(np.log2(rows)))) + 1)
    null = norm.logpdf(x)
    other = norm.logpdf(x, scale=np.sqrt(1 + spreads)[:, None])
    q = shares[:, None, None]
    both = np.logaddexp(np.log1p(-q) + null, np.log(q) + other).sum(axis=2)
    weight = np.exp(both - logsumexp(both)).ravel()
    found = np.empty((draws, len(x)))
    for k in range(draws):
        a, b = divmod(int(rng.choice(len(weight), p=weight / weight.sum())), len(spreads))
        there = expit(np.log(shares[a]) + other[b] - np.log1p(-shares[a]) - null)
        kept = spreads[b] / (1 + spreads[b])
        uniform, normal = rng.uniform(size=len(x)), rng.normal(size=len(x))
        theta = np.where(uniform < there, kept * x + np.sqrt(kept) * normal, 0.0)
        found[k, order] = theta.clip(min=0)
    return found


def chances_of_place(effects: ArrayLike, own: float, size: int) -> NDArray[np.float64]:
    """Compute P(< `size` of |theta_j + e_j| exceed |own + e|), e ~ N(0, 1), theta (draws, p)."""
    theta = np.sort(np.asarray(effects, dtype=np.float64), axis=1)[:, :, None]
    above = np.abs(own + ndtri((np.arange(NODES) + 0.5) / NODES))
    few = np.zeros((size, len(theta), NODES))  # P(k exceed it, of the columns so far)
    few[0] = 1.0
    for j in range(theta.shape[1]):
        p = ndtr(theta[:, j] - above) + ndtr(-theta[:, j] - above)
        few[1:] = few[1:] * (1 - p) + few[:-1] * p
        few[0] *= 1 - p
    return np.round(few.sum(axis=0).mean(axis=1), DECIMALS)


def column_of_hazard(
    times: ArrayLike, events: ArrayLike, effect: float, uniform: ArrayLike
) -> NDArray[np.float64]:
    """Compute a column x (n,) with an effect on the hazard, from uniform numbers.

    x ~ N(0, 1) over the population, and the hazard of a row is lambda(t) exp(beta x), where beta is
    the log hazard ratio per standard deviation. The proportion without an event by the time t is
    S(t) = E exp(-L(t) exp(beta x)). Kaplan and Meier's curve estimates S(t) and thereby L(t); an
    event lies in the middle of its step. The density of x in a row of the time t with an event (d =
    1) or without (d = 0) is proportional to phi(x) exp(d beta x - L(t) exp(beta x)), if censoring
    does not depend on x.
    """
    t, d = checked_times(times, events)
    curve = kaplan_meier(t, d)
    free = np.where(d, (curve.at(t) + curve.before(t)) / 2, curve.at(t))
    free = free.clip(0.5 / len(t), 1 - 0.5 / len(t))
    weight = np.exp(-(HAZARD_GRID**2) / 2)
    shares = np.exp(-HAZARDS[:, None] * np.exp(effect * HAZARD_GRID)) @ (weight / weight.sum())
    hazard = np.exp(np.interp(free, shares[::-1], np.log(HAZARDS)[::-1]))
    log_density = effect * np.outer(d, HAZARD_GRID) - hazard[:, None] * np.exp(effect * HAZARD_GRID)
    density = weight * np.exp(log_density - log_density.max(axis=1, keepdims=True))
    cumulated = np.cumsum(density, axis=1)
    below = (cumulated - density / 2) / cumulated[:, -1:]
    u = np.asarray(uniform, dtype=np.float64)
    return np.array([np.interp(one, row, HAZARD_GRID) for one, row in zip(u, below, strict=True)])
