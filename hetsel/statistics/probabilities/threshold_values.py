"""Sensitivity, specificity and predictive values where rows at and above a threshold are positive.

Each is a share of rows with Wilson's interval, see
:mod:`hetsel.statistics.probabilities.share_interval`. The likelihood ratios, sensitivity s over
1 - specificity f and (1 - s) / (1 - f), have that of a ratio a / b of two shares, on the logarithm:

low = (a / b) exp(-sqrt(log^2(a / low of a) + log^2(high of b / b))), high alike,

and where a or b is 0, low of a / high of b to high of a / low of b. Where the prevalence q is known
otherwise, of rows that were sampled by class, the odds of the positive predictive value are
q / (1 - q) s / f, those of 1 - the negative one q / (1 - q) (1 - s) / (1 - f), and so their ends.

References: Mercaldo, Lau & Zhou (2007) Statistics in Medicine 26, 2170-2183 (predictive values of a
known prevalence); Zou & Donner (2008) Statistics in Medicine 27, 1693-1702 (ratios).
"""

from dataclasses import dataclass
from functools import partial
from math import exp, inf, isnan, log, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.concordance_intervals import on_scale
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities.pooled_rows import pooled_rows
from hetsel.statistics.probabilities.share_interval import difference_interval, share_of_rows


@dataclass(frozen=True)
class ThresholdValues:
    threshold: float
    share_above: RateInterval  # share of all rows that are positive
    sensitivity: RateInterval
    specificity: RateInterval
    positive_predictive_value: RateInterval  # share of cases among the positive rows
    negative_predictive_value: RateInterval
    positive_likelihood_ratio: RateInterval  # by what such a result multiplies the odds of a case
    negative_likelihood_ratio: RateInterval


def threshold_values(
    truth: ArrayLike,
    probability: ArrayLike,
    threshold: float,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> ThresholdValues:
    """What a threshold does, rows at and above it positive; see the top of this module.

    `prevalence` is q where it is known otherwise than by the share of cases among the rows. A share
    of no rows is NaN, in an interval from 0 to 1.

    >>> y = [1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> p = [0.9, 0.2, 0.6, 0.7, 0.1, 0.8, 0.3, 0.4, 0.1, 0.2]
    >>> found = threshold_values(y, p, 0.5)
    >>> print(found.specificity, "|", found.positive_predictive_value)
    0.857 [0.487, 0.974] | 0.750 [0.301, 0.954]
    """
    rows = pooled_rows(truth, probability, weights, units)
    if not 0 <= threshold <= 1:
        raise TableError(f"threshold must be in [0, 1]. Got {threshold}.")
    if prevalence is not None and not 0 < prevalence < 1:
        raise TableError(f"prevalence must be between 0 and 1. Got {prevalence}.")
    case, above = rows.truth == 1, rows.probability >= threshold
    of = partial(share_of_rows, rows, spread=spread)
    sensitivity, specificity = of(above, case), of(~above, ~case)
    positive = ratio_interval(sensitivity, _less(specificity))
    negative = ratio_interval(_less(sensitivity), specificity)
    if prevalence is None:
        share = of(above, np.ones(len(above), dtype=bool))
        predicted = of(case, above), of(~case, ~above)
    else:
        q = prevalence
        cases = on_scale(sensitivity, lambda value: q * value)
        less = difference_interval(cases, specificity, 1 - q, 0.0)
        share = on_scale(less, lambda value: value + 1 - q)
        predicted = _share_of(positive, q), _less(_share_of(negative, q))
    return ThresholdValues(
        float(threshold), share, sensitivity, specificity, *predicted, positive, negative
    )


def ratio_interval(first: RateInterval, second: RateInterval) -> RateInterval:
    """Interval of the ratio of two shares that are independent; see the top of this module.

    Examples
    --------
    >>> found = ratio_interval(RateInterval(0.8, 0.6, 0.9, 0.95), RateInterval(0.2, 0.1, 0.4, 0.95))
    >>> print(found)
    4.000 [1.889, 8.080]
    """
    a, b = first.rate, second.rate
    if isnan(a) or isnan(b) or not (a or b):
        return RateInterval(nan, 0.0, inf, first.level)
    ratio = a / b if b else inf
    if not (a and b and first.low and second.low):  # 1 less a share may be 0 but for rounding
        high = first.high / second.low if second.low else inf
        return RateInterval(ratio, first.low / second.high, high, first.level)
    below = sqrt(log(a / first.low) ** 2 + log(second.high / b) ** 2)
    above = sqrt(log(first.high / a) ** 2 + log(b / second.low) ** 2)
    return RateInterval(ratio, ratio * exp(-below), ratio * exp(above), first.level)


def _share_of(ratio: RateInterval, prevalence: float) -> RateInterval:
    """Share of cases of a result with this likelihood ratio."""

    def share(value: float) -> float:
        odds = prevalence / (1 - prevalence) * value
        return 1.0 if odds == inf else odds / (1 + odds)

    return on_scale(ratio, share)


def _less(share: RateInterval) -> RateInterval:
    """1 less the share."""
    return RateInterval(1 - share.rate, 1 - share.high, 1 - share.low, share.level)
