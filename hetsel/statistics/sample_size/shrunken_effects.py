"""How strongly columns go with a target in new rows, and the place of one more column among them.

Two groups of columns: z_j ~ N(theta_j, 1) of column j, theta_j = 0 with the probability 1 - q and
else ~ N(0, t). The logarithm of q is uniform, from half a column of all p on; t is one of 2, 4, 8,
... up to the number of rows, each alike.
"""

from collections.abc import Sequence
from math import ceil, exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad
from scipy.special import expit, logsumexp, ndtr, ndtri, xlogy
from scipy.stats import norm

from hetsel.statistics.survival.survival_curves import checked_times, kaplan_meier

GRID = 50  # values of q
MOST = 0.99  # the largest of them
NODES = 24  # of the distribution of a statistic
DECIMALS = 9  # of a chance, whatever order columns come in


def drawn_effects(
    z: ArrayLike, rows: int, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """theta_j (draws, p), drawn from what the z_j >= 0 say of it; 0 where it would be negative.

    The numbers of `rng` belong to the columns by their z_j, whatever order they come in.

    References: Johnstone & Silverman (2004) The Annals of Statistics 32, 1594-1649; Efron (2008)
    Statistical Science 23, 1-22.

    >>> found = drawn_effects([0.3, 9.0], 100, 200, np.random.default_rng(0))
    >>> np.median(found, axis=0).round(0)
    array([0., 9.])
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
    """P(fewer than `size` of |theta_j + e_j| are above |own + e|), all e ~ N(0, 1).

    theta_j are (draws, p), the chances (draws,).

    >>> chances_of_place([[0.0], [3.0]], 0.0, 1).round(2)
    array([0.5 , 0.03])
    """
    theta = np.sort(np.asarray(effects, dtype=np.float64), axis=1)[:, :, None]
    above = np.abs(own + ndtri((np.arange(NODES) + 0.5) / NODES))
    few = np.zeros((size, len(theta), NODES))  # P(k are above, of the columns so far)
    few[0] = 1.0
    for j in range(theta.shape[1]):
        p = ndtr(theta[:, j] - above) + ndtr(-theta[:, j] - above)
        few[1:] = few[1:] * (1 - p) + few[:-1] * p
        few[0] *= 1 - p
    return np.round(few.sum(axis=0).mean(axis=1), DECIMALS)


# Values of a column that multiplies the hazard, drawn for survival times that are known.


HAZARD_GRID = np.linspace(-8.0, 8.0, 401)  # of x
HAZARDS = np.geomspace(1e-8, 1e8, 1601)  # of L


def column_of_hazard(
    times: ArrayLike, events: ArrayLike, effect: float, uniform: ArrayLike
) -> NDArray[np.float64]:
    """x (n,) of rows with these times (n,) and events (n,), by uniform numbers (n,).

    An event lies in the middle of its step of the curve.

    >>> column_of_hazard([1.0, 2.0, 3.0], [True, True, False], 1.0, [0.5, 0.5, 0.5]).round(2)
    array([ 0.68,  0.13, -0.72])
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


# The R^2 of Cox and Snell that a model is anticipated to have, from what studies report.


FAR = 12.0  # standard deviations beyond which a normal density adds nothing to a double


def r2_of_c_statistic(c_statistic: float, prevalence: float) -> float:
    """R^2 of Cox and Snell of a model of two classes with this C statistic in [0.5, 1).

    The linear predictor is normal in both classes with one variance: x ~ N(0, 1) without the event
    and N(mu, 1) with it, mu = sqrt(2) Phi^-1(C). With the prevalence phi logit p(x) = logit(phi) +
    mu x - mu^2 / 2,

        R^2 = 1 - exp(-2 I),  I = phi E_1[log(p / phi)] + (1 - phi) E_0[log((1 - p) / (1 - phi))].

    Riley et al. draw a million rows and fit a logistic regression to them; here the expectations
    are integrated, which is where that goes with more rows: nothing is drawn.

    Reference: Riley, Van Calster & Collins (2021) Statistics in Medicine 40, 859-864.

    >>> round(r2_of_c_statistic(0.89, 0.174), 3)
    0.291
    """
    mu = sqrt(2.0) * float(ndtri(c_statistic))
    start = log(prevalence / (1 - prevalence)) - mu**2 / 2

    def gained(x: float) -> float:
        p = float(expit(start + mu * x))
        without = exp(-(x**2) / 2) * (1 - prevalence)
        within = exp(-((x - mu) ** 2) / 2) * prevalence
        return float(
            within * _log_ratio(p, prevalence) + without * _log_ratio(1 - p, 1 - prevalence)
        ) / sqrt(2 * np.pi)

    information = quad(gained, -FAR, mu + FAR, limit=200, points=[0.0, mu], epsabs=1e-13)[0]
    return max(0.0, 1 - exp(-2 * information))


def _log_ratio(p: float, q: float) -> float:
    """log(p / q); 0 where p is no number but 0, which has no weight there."""
    return log(p / q) if p > 0 else 0.0


def largest_r2(shares: Sequence[float]) -> float:
    """The largest R^2 of Cox and Snell of a model of classes: 1 - prod_k phi_k^(2 phi_k).

    Reference: Riley et al. (2019) Statistics in Medicine 38, 1276-1296, equation 23.

    >>> round(largest_r2([0.826, 0.174]), 3)
    0.603
    """
    own = np.asarray(shares, dtype=np.float64)
    return 1 - exp(2 * float(xlogy(own, own).sum()))


def largest_survival_r2(event_rate: float, follow_up: float) -> float:
    """The largest R^2 of Cox and Snell of a model of survival times, from an exponential model.

    log L_0 / n = e log(e) - e with e events a row, of 10,000 rows and a whole number of events, as
    pmsampsize has it (Riley et al. 2019).

    >>> round(largest_survival_r2(0.065, 2.07), 3)
    0.555
    """
    rows = 10_000
    events = ceil(event_rate * (follow_up * rows)) / rows
    return 1 - exp(2 * (events * log(events) - events))
