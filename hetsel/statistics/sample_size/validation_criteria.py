"""Compute the rows needed to validate a model of two classes, or for a wanted width of 95% CIs.

Notation. phi is the proportion of rows with the event, C the area under the ROC curve, w the wanted
width of a 95% CI; phi_k the proportion of class k in n rows, r_k its recall; f the variance of the
rows over that of as many independent rows: 1 for new rows, 2 for rows held out in turn, see
:mod:`hetsel.statistics.performance.rate_intervals`.
"""

from collections.abc import Sequence
from math import asinh, ceil, log, sqrt

import numpy as np
from scipy import optimize
from scipy.integrate import quad
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from hetsel.statistics.performance import rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.sample_size.development_criteria import FAR, Z, fewest_rows

FACTORS = (1e-3, 1e6)  # range in which a variance factor is searched


def rows_for_observed_over_expected(prevalence: float, width: float) -> int:
    """Compute the n at which the CI of an observed/expected ratio of 1 has this width.

    n = (1 - phi) / (phi SE^2), with the SE of log(O/E) that satisfies exp(1.96 SE) - exp(-1.96 SE)
    = w (decision 050).
    """
    error = asinh(width / 2) / Z
    return ceil((1 - prevalence) / (prevalence * error**2))


def rows_for_slope_by_c(prevalence: float, c_statistic: float, width: float) -> int:
    """Compute the n at which the CI of the calibration slope has this width, if the model is right.

    SE^2 = I_00 / (n (I_00 I_11 - I_01^2)), I_jk = E[x^(j + k) p (1 - p)] with p = 1 / (1 +
    exp(-x)). The linear predictor x is normal in both classes, with the variance v = 2 Phi^-1(C)^2
    and the means logit(phi) - v / 2 without the event and logit(phi) + v / 2 with it. pmvalsampsize
    draws a million x; here the expectations are integrated. Riley et al. (2021) Statistics in
    Medicine 40, 4230-4251.
    """
    variance = 2 * float(ndtri(c_statistic)) ** 2
    middle, deviation = log(prevalence / (1 - prevalence)), sqrt(variance)

    def expected(mean: float, power: int) -> float:
        def content(z: float) -> float:
            x = mean + deviation * z
            p = float(expit(x))
            return float(x**power * p * (1 - p) * np.exp(-(z**2) / 2))

        return float(quad(content, -FAR, FAR, limit=200, epsabs=1e-13)[0])

    def mixed(power: int) -> float:
        without = (1 - prevalence) * expected(middle - variance / 2, power)
        return (without + prevalence * expected(middle + variance / 2, power)) / sqrt(2 * np.pi)

    i00, i01, i11 = mixed(0), mixed(1), mixed(2)
    error = width / (2 * Z)
    return ceil(i00 / (error**2 * (i00 * i11 - i01**2)))


def rows_for_c_statistic(prevalence: float, c_statistic: float, width: float) -> int:
    """Compute the n at which the CI of the C statistic has this width, by Newcombe's variance.

    Var = C (1 - C) (1 + (n/2 - 1) (1 - C) / (2 - C) + (n/2 - 1) C / (1 + C)) / (n^2 phi (1 - phi)).

    References: Newcombe (2006) Statistics in Medicine 25, 559-573; Riley et al. (2021).
    """
    c = c_statistic

    def narrow(n: int) -> bool:
        half = n / 2 - 1
        above = c * (1 - c) * (1 + half * ((1 - c) / (2 - c)) + half * c / (1 + c))
        variance = above / (n * n * prevalence * (1 - prevalence))
        return 2 * Z * sqrt(max(0.0, variance)) <= width

    return fewest_rows(narrow, 2)


def balanced_rate_of_c(c_statistic: float) -> float:
    """Compute the recalls Phi(Phi^-1(C) / sqrt(2)) at the best threshold of two normal classes."""
    return float(ndtr(ndtri(c_statistic) / sqrt(2)))


def balanced_width(
    recalls: Sequence[float], shares: Sequence[float], rows: float, factor: float = 1.0
) -> float:
    """Compute the width of hetsel's CI of balanced accuracy, with n phi_k / f rows of each class.

    >>> round(balanced_width([0.8, 0.8], [0.5, 0.5], 200), 3)
    0.114
    """
    counts = [share * rows / factor for share in shares]
    each = [rate_intervals.wilson_interval(r, n) for r, n in zip(recalls, counts, strict=True)]
    mean = rate_intervals.balanced_interval(each, counts)
    return mean.high - mean.low


def rows_for_balanced_width(
    recalls: Sequence[float], shares: Sequence[float], width: float, factor: float = 1.0
) -> int:
    """Compute the smallest n at which :func:`balanced_width` is at most this."""
    return fewest_rows(lambda n: balanced_width(recalls, shares, n, factor) <= width, 2)


def variance_factor(
    recalls: Sequence[float], shares: Sequence[float], rows: int, width: float
) -> float:
    """Compute the f at which n rows give a CI of the balanced accuracy of this width.

    >>> round(variance_factor([0.8, 0.9], [0.5, 0.5], 300, balanced_width([0.8, 0.9], [0.5, 0.5],
    ...     300, 2.5)), 6)
    2.5
    """

    def away(factor: float) -> float:
        return balanced_width(recalls, shares, rows, factor) - width

    if away(FACTORS[0]) >= 0:
        return FACTORS[0]
    if away(FACTORS[1]) <= 0:
        return FACTORS[1]
    return float(optimize.brentq(away, *FACTORS, xtol=1e-12))


def auc_variance(area: float, with_event: float, without: float) -> float:
    """Compute the variance of the AUC of n_1 rows with the event and n_0 without.

    (A (1 - A) + (n_1 - 1) (Q_1 - A^2) + (n_0 - 1) (Q_2 - A^2)) / (n_0 n_1), not negative, Q_1 = A /
    (2 - A), Q_2 = 2 A^2 / (1 + A): Hanley & McNeil (1982) Radiology 143, 29-36.
    """
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    above = area * (1 - area) + (with_event - 1) * (first - area**2)
    above += (without - 1) * (second - area**2)
    return max(0.0, above / (with_event * without))


def auc_width(area: float, prevalence: float, rows: float, factor: float = 1.0) -> float:
    """Compute the width of hetsel's CI of the area under the ROC curve.

    The interval is logit A +- t SE / (A (1 - A)), with SE^2 of :func:`auc_variance` with phi n / f
    rows with the event, Student's quantile t for the rows of the rarer class, and A at most 1 - 1 /
    (n / f + 2).
    """
    independent = rows / factor
    least = 1 / (independent + 2)
    inside = min(area, 1 - least)
    counts = (prevalence * independent, (1 - prevalence) * independent)
    variance = max(auc_variance(inside, *counts), least**2 * (1 - least))
    free = max(1.0, min(prevalence, 1 - prevalence) * rows - 1)
    apart = float(stdtrit(free, 0.975)) * sqrt(variance) / (inside * (1 - inside))
    return float(expit(logit(inside) + apart) - expit(logit(inside) - apart))


def rows_for_auc_width(area: float, prevalence: float, width: float, factor: float = 1.0) -> int:
    """Compute the smallest n, with rows of both classes, with :func:`auc_width` of at most this."""
    start = int(np.ceil(factor / min(prevalence, 1 - prevalence)))
    return fewest_rows(lambda n: auc_width(area, prevalence, n, factor) <= width, start)


def rows_for_logit_width(seen: RateInterval, rows: int, width: float, factor: float = 1.0) -> int:
    """Compute the smallest n from `rows` on at which a CI on the logit scale is no wider than this.

    The variance is `factor` times that of the interval observed with `rows` rows.
    """
    least = 1 / (rows + 2)
    low, middle = logit(np.clip([seen.low, seen.estimate], least, 1 - least))
    apart = (middle - low) * sqrt(factor)

    def wide(n: int) -> float:
        half = apart * sqrt(rows / n)
        return float(expit(middle + half) - expit(middle - half))

    return fewest_rows(lambda n: wide(n) <= width, rows)
