"""The R^2 of Cox and Snell that a model is anticipated to have, from what studies report.

Notation. phi the share of the rows with the event, C the area under the ROC curve, log L_0 the
log-likelihood of the model without features; R^2 = 1 - exp(-(LR / n)) with the likelihood ratio
statistic LR of the model; Nagelkerke's R^2 is R^2 / max R^2, max R^2 = 1 - exp(2 log L_0 / n).
"""

from collections.abc import Sequence
from math import ceil, exp, log, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri, xlogy

FAR = 12.0  # standard deviations beyond which a normal density adds nothing to a double


def r2_of_c_statistic(c_statistic: float, prevalence: float) -> float:
    """R^2 of Cox and Snell of a model of two classes with this C statistic.

    The linear predictor is normal in both classes with one variance: x ~ N(0, 1) without the event
    and N(mu, 1) with it, mu = sqrt(2) Phi^-1(C). Then logit p(x) = logit(phi) + mu x - mu^2 / 2,

    R^2 = 1 - exp(-2 I),  I = phi E_1[log(p / phi)] + (1 - phi) E_0[log((1 - p) / (1 - phi))].

    Riley et al. draw a million rows and fit a logistic regression to them; here the expectations
    are integrated, which is where that goes with more rows: nothing is drawn.

    Parameters
    ----------
    c_statistic : float
        In [0.5, 1).
    prevalence : float
        phi, in (0, 1).

    References
    ----------
    Riley, Van Calster & Collins (2021) Statistics in Medicine 40, 859-864.

    Examples
    --------
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

    Parameters
    ----------
    shares : sequence of float
        phi_k of each class, with the sum 1.

    References
    ----------
    Riley et al. (2019) Statistics in Medicine 38, 1276-1296, equation 23.

    Examples
    --------
    >>> round(largest_r2([0.826, 0.174]), 3)
    0.603
    """
    own = np.asarray(shares, dtype=np.float64)
    return 1 - exp(2 * float(xlogy(own, own).sum()))


def largest_survival_r2(event_rate: float, follow_up: float) -> float:
    """The largest R^2 of Cox and Snell of a model of survival times, from an exponential model.

    log L_0 / n = e log(e) - e with e events a row, of 10,000 rows and a whole number of events, as
    pmsampsize has it.

    Parameters
    ----------
    event_rate : float
        Events in a unit of time.
    follow_up : float
        Mean time that a row is followed, in that unit.

    References
    ----------
    Riley et al. (2019) Statistics in Medicine 38, 1276-1296.

    Examples
    --------
    >>> round(largest_survival_r2(0.065, 2.07), 3)
    0.555
    """
    rows = 10_000
    events = ceil(event_rate * (follow_up * rows)) / rows
    return 1 - exp(2 * (events * log(events) - events))
