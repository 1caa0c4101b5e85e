"""Compute the rows needed to develop a model, and its anticipated R^2: Riley's criteria.

Notation. P is the number of candidate parameters, all that a selection may choose from; R^2 that of
Cox and Snell, max R^2 its largest value; S the shrinkage of the effects that overfitting requires.

These criteria are for a regression by maximum likelihood with all P parameters: Riley et al. (2019)
Statistics in Medicine 38, 1276-1296; Riley et al. (2020) BMJ 368, m441.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import ceil, exp, log, sqrt
from typing import NamedTuple

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri, xlogy
from scipy.stats import chi2, t

from hetsel.ground import TableError

Z = 1.96  # of a 95% CI, as the papers round it
FAR = 12.0  # standard deviations beyond which a normal density adds nothing to a double
MOST = 10**9  # largest number of rows that is tried


class DevelopmentLimits(NamedTuple):
    """The limits that the criteria allow."""

    shrinkage: float = 0.9  # smallest shrinkage of the effects
    optimism: float = 0.05  # largest optimism of the apparent R^2
    margin: float = 0.05  # of the interval of the overall risk


LIMITS = DevelopmentLimits()


def rows_for_shrinkage(parameters: int, r2: float, shrinkage: float) -> float:
    """Compute P / ((S - 1) log(1 - R^2 / S)), S > R^2: Riley et al. (2019), equation 11."""
    return parameters / ((shrinkage - 1) * log(1 - r2 / shrinkage))


def shrinkage_of_optimism(r2: float, most: float, optimism: float) -> float:
    """Compute the S at which apparent Nagelkerke R^2 is d too large: R^2 / (R^2 + d max R^2)."""
    return r2 / (r2 + optimism * most)


def rows_for_two_classes(
    parameters: int,
    r2: float,
    prevalence: float,
    limits: DevelopmentLimits = LIMITS,
) -> dict[str, int]:
    """Compute the rows that each criterion requires for a model of two classes, as pmsampsize does.

    "shrinkage": :func:`rows_for_shrinkage`; "optimism": the same with the S of
    :func:`shrinkage_of_optimism`; "overall risk": (1.96 / margin)^2 phi (1 - phi), phi the
    prevalence.

    >>> rows_for_two_classes(24, 0.288, 0.174)
    {'shrinkage': 623, 'optimism': 662, 'overall risk': 221}
    """
    most = largest_r2([prevalence, 1 - prevalence])
    return {
        **_overfitting(parameters, r2, most, limits),
        "overall risk": ceil((Z / limits.margin) ** 2 * (prevalence * (1 - prevalence))),
    }


def rows_for_survival(
    parameters: int,
    r2: float,
    event_rate: float,
    follow_up: float,
    horizon: float,
    limits: DevelopmentLimits = LIMITS,
) -> dict[str, int]:
    """Compute the rows that each criterion requires for a model of survival times.

    "shrinkage" and "optimism" as for two classes. "overall risk": with r events per unit of time
    and a total follow-up of T units, the upper end of the risk 1 - exp(-r t) at the horizon t is
    within the margin: T = r (1.96 t / log(1 - margin exp(r t)))^2, divided by the mean follow-up of
    a row. pmsampsize prints that interval and does not require rows by it.
    """
    most = largest_survival_r2(event_rate, follow_up)
    share = limits.margin * exp(event_rate * horizon)  # of the rows without the event
    time = event_rate * (Z * horizon / log(1 - share)) ** 2 if share < 1 else 0.0
    return {
        **_overfitting(parameters, r2, most, limits),
        "overall risk": max(1, ceil(time / follow_up)),
    }


def rows_for_more_classes(
    parameters: int,
    pair_r2: Sequence[float],
    r2: float,
    shares: Sequence[float],
    limits: DevelopmentLimits = LIMITS,
) -> dict[str, int]:
    """Compute the rows that each criterion requires for a multinomial model of K classes.

    The proportions of the classes are phi_k. "shrinkage": the largest over the pairs of classes,
    for the two-class model of a pair, divided by the proportion of rows of the pair; "optimism": K
    - 1 times the rows of P parameters with the R^2 of all; "overall risk": chi^2_1(1 - 0.05 / K)
    phi_k (1 - phi_k) / margin^2, the largest. P is that of each of the K - 1 equations, `pair_r2`
    in the order (1, 2), (1, 3), ..., (2, 3), ... Pate et al. (2023) Statistical Methods in Medical
    Research 32, 555-571.
    """
    most, k = largest_r2(shares), len(shares)
    among = zip(combinations(range(k), 2), pair_r2, strict=True)
    each = (
        ceil(rows_for_shrinkage(parameters, of_pair, limits.shrinkage)) / (shares[i] + shares[j])
        for (i, j), of_pair in among
    )
    small = shrinkage_of_optimism(r2, most, limits.optimism)
    quantile = float(chi2.ppf(1 - 0.05 / k, 1))
    return {
        "shrinkage": ceil(max(each)),
        "optimism": ceil((k - 1) * rows_for_shrinkage(parameters, r2, small)),
        "overall risk": ceil(max(quantile * p * (1 - p) / limits.margin**2 for p in shares)),
    }


def _overfitting(
    parameters: int, r2: float, most: float, limits: DevelopmentLimits
) -> dict[str, int]:
    small = shrinkage_of_optimism(r2, most, limits.optimism)
    return {
        "shrinkage": ceil(rows_for_shrinkage(parameters, r2, limits.shrinkage)),
        "optimism": ceil(rows_for_shrinkage(parameters, r2, small)),
    }


def r2_of_c_statistic(c_statistic: float, prevalence: float) -> float:
    """Compute Cox and Snell's R^2 of a model of two classes from its C statistic in [0.5, 1).

    The linear predictor is normal in both classes with one variance: x ~ N(0, 1) without the event
    and N(mu, 1) with it, mu = sqrt(2) Phi^-1(C). With the prevalence phi, logit p(x) = logit(phi) +
    mu x - mu^2 / 2,

        R^2 = 1 - exp(-2 I),  I = phi E_1[log(p / phi)] + (1 - phi) E_0[log((1 - p) / (1 - phi))].

    Riley, Van Calster & Collins (2021, Statistics in Medicine 40, 859-864) draw a million rows and
    fit a logistic regression to them; here the expectations are integrated.
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
    """Return log(p / q); 0 if p underflows to 0, where it has no weight."""
    return log(p / q) if p > 0 else 0.0


def largest_r2(shares: Sequence[float]) -> float:
    """Compute the largest Cox-Snell R^2 of a model of classes: 1 - prod_k phi_k^(2 phi_k).

    Riley et al. (2019) Statistics in Medicine 38, 1276-1296, equation 23.
    """
    own = np.asarray(shares, dtype=np.float64)
    return 1 - exp(2 * float(xlogy(own, own).sum()))


def largest_survival_r2(event_rate: float, follow_up: float) -> float:
    """Compute the largest Cox-Snell R^2 of survival times, from an exponential model.

    log L_0 / n is e log(e) - e with e events per row, for 10,000 rows and a whole number of events,
    as in pmsampsize.
    """
    rows = 10_000
    events = ceil(event_rate * (follow_up * rows)) / rows
    return 1 - exp(2 * (events * log(events) - events))


def linear_shrinkage(rows: int, parameters: int, r2: float) -> float:
    """Compute the shrinkage that the effects need with n > P + 1 rows.

    S = 1 + (P - 2) / (n log(1 - R^2_app)), R^2_app = (R^2 (n - P - 1) + P) / (n - 1): Riley et al.
    (2019) Statistics in Medicine 38, 1262-1275; Copas (1983) Journal of the Royal Statistical
    Society B 45, 311-354.
    """
    apparent = (r2 * (rows - parameters - 1) + parameters) / (rows - 1)
    return float(1 + (parameters - 2) / (rows * np.log(1 - apparent)))


def rows_for_numbers(
    parameters: int,
    r2: float,
    mean: float | None = None,
    deviation: float | None = None,
    limits: DevelopmentLimits = LIMITS,
    *,
    ratio: float = 1.1,
) -> dict[str, int]:
    """Compute the rows that each criterion requires for a model of numbers with this adjusted R^2.

    "shrinkage": the smallest n with :func:`linear_shrinkage` of at least S; "optimism": 1 + P (1 -
    R^2) / d; "residual deviation": its interval is within the ratio, sqrt(df / chi^2_df(0.025)) <=
    ratio with df = n - P - 1; "mean": that of the mean is, too, 1 + t_df(0.975) sd sqrt((1 - R^2) /
    n) / |mean| <= ratio, if mean and deviation are known. Riley et al. (2020) BMJ 368, m441.
    """
    beyond = parameters + 1  # rows that leave no degree of freedom
    needed = {
        "shrinkage": fewest_rows(
            lambda n: linear_shrinkage(n, parameters, r2) >= limits.shrinkage, parameters + 2
        ),
        "optimism": ceil(1 + parameters * (1 - r2) / limits.optimism),
        "residual deviation": beyond
        + fewest_rows(lambda df: bool(np.sqrt(df / chi2.ppf(0.025, df)) <= ratio)),
    }
    if mean is not None and deviation is not None:
        spread = deviation * np.sqrt(1 - r2) / abs(mean)

        def within(df: int) -> bool:
            return bool(1 + t.ppf(0.975, df) * spread / np.sqrt(df + beyond) <= ratio)

        needed["mean"] = beyond + fewest_rows(within)
    return needed


def fewest_rows(enough: Callable[[int], bool], start: int = 1) -> int:
    """Find the smallest number from `start` on that is enough, by bisection: false, then true."""
    low, high = start - 1, start
    while not enough(high):
        if high > MOST:
            raise TableError(f"even {MOST:,} rows are not enough for the requested precision")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
