"""Rows by which a 95 % interval has a wanted width: of the balanced rate, and of the AUC.

Notation. phi_k the share of class k in n rows, r_k its recall; f the variance of the rows over that
of as many independent ones: 1 of new rows, 2 of rows that were held out in turn, see
:mod:`hetsel.statistics.performance.rate_intervals`.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy import optimize
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    balanced_interval,
    wilson_interval,
)
from hetsel.statistics.sample_size.power_law import fewest_rows

FACTORS = (1e-3, 1e6)  # between which a factor of variance is looked for


def balanced_rate_of_c(c_statistic: float) -> float:
    """The balanced rate at the best threshold of two normal classes with this C statistic.

    Phi(Phi^-1(C) / sqrt(2)): both recalls are that.
    """
    return float(ndtr(ndtri(c_statistic) / sqrt(2)))


def balanced_width(
    recalls: Sequence[float], shares: Sequence[float], rows: float, factor: float = 1.0
) -> float:
    """Width of hetsel's interval of the balanced rate: of n phi_k / f rows of each class.

    >>> round(balanced_width([0.8, 0.8], [0.5, 0.5], 200), 3)
    0.114
    """
    counts = [share * rows / factor for share in shares]
    each = [wilson_interval(r, n) for r, n in zip(recalls, counts, strict=True)]
    mean = balanced_interval(each, counts)
    return mean.high - mean.low


def rows_for_balanced_width(
    recalls: Sequence[float], shares: Sequence[float], width: float, factor: float = 1.0
) -> int:
    """The fewest n by which :func:`balanced_width` is no larger than this."""
    return fewest_rows(lambda n: balanced_width(recalls, shares, n, factor) <= width, 2)


def variance_factor(
    recalls: Sequence[float], shares: Sequence[float], rows: int, width: float
) -> float:
    """f by which n rows have an interval of the balanced rate that is this wide.

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
    """Variance of the area under the ROC curve of n_1 rows with the event and n_0 without.

    (A (1 - A) + (n_1 - 1) (Q_1 - A^2) + (n_0 - 1) (Q_2 - A^2)) / (n_0 n_1), not negative, Q_1 = A /
    (2 - A), Q_2 = 2 A^2 / (1 + A): Hanley & McNeil (1982) Radiology 143, 29-36.
    """
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    above = area * (1 - area) + (with_event - 1) * (first - area**2)
    above += (without - 1) * (second - area**2)
    return max(0.0, above / (with_event * without))


def auc_width(area: float, prevalence: float, rows: float, factor: float = 1.0) -> float:
    """Width of hetsel's interval of the area under the ROC curve: that of its logit.

    logit A +- t SE / (A (1 - A)), SE^2 of :func:`auc_variance` with phi n / f rows with the event,
    t Student's quantile of the rows of the rarer class; as in
    :mod:`hetsel.statistics.performance.concordance_intervals` A is 1 - 1 / (n / f + 2) at the most.
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
    """The fewest n by which :func:`auc_width` is no larger than this, with a row of each class."""
    start = int(np.ceil(factor / min(prevalence, 1 - prevalence)))
    return fewest_rows(lambda n: auc_width(area, prevalence, n, factor) <= width, start)


def rows_for_logit_width(seen: RateInterval, rows: int, width: float, factor: float = 1.0) -> int:
    """The fewest n from `rows` on by which an interval of a logit is no wider than this.

    With so many rows its variance is `factor` times that of the interval that was seen; on the
    scale of the logit it is narrower with the root of n.

    >>> rows_for_logit_width(RateInterval(0.8, 0.6, 0.914, 0.95), 50, 0.2)
    124
    """
    least = 1 / (rows + 2)
    low, middle = logit(np.clip([seen.low, seen.rate], least, 1 - least))
    apart = (middle - low) * sqrt(factor)

    def wide(n: int) -> float:
        half = apart * sqrt(rows / n)
        return float(expit(middle + half) - expit(middle - half))

    return fewest_rows(lambda n: wide(n) <= width, rows)
