"""Evaluate thresholds: sensitivity, specificity, predictive values and net benefit.

Rows at and above the threshold are positive. Each value is a proportion of rows with Wilson's
interval, see :func:`hetsel.statistics.probabilities.pooled_rows.share_interval`. The likelihood
ratios are s / (1 - f) and (1 - s) / f, with sensitivity s and specificity f. They have the interval
of a ratio a / b of two proportions, on the logarithm:

low = (a / b) exp(-sqrt(log^2(a / low of a) + log^2(high of b / b))), high alike,

and if a or b is 0, low of a / high of b to high of a / low of b. If the prevalence q is known from
another source and rows were sampled by class, the odds of the positive predictive value are q / (1
- q) times the positive likelihood ratio. The odds of 1 minus the negative predictive value are q /
(1 - q) times the negative likelihood ratio, and the ends of the intervals alike.

References: Mercaldo, Lau & Zhou (2007) Statistics in Medicine 26, 2170-2183 (predictive values of a
known prevalence); Zou & Donner (2008) Statistics in Medicine 27, 1693-1702 (ratios).
"""

from dataclasses import dataclass
from functools import partial
from math import exp, inf, isnan, log, nan, sqrt
from operator import mul

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from hetsel.ground import TableError
from hetsel.ground.array_types import Flags, Floats
from hetsel.statistics.performance.auc_and_concordance_intervals import on_scale
from hetsel.statistics.performance.rate_intervals import RateInterval, grouped, student_quantile
from hetsel.statistics.probabilities import pooled_rows
from hetsel.statistics.probabilities.pooled_rows import PooledRows

MAPS = 16  # around the ellipse
SHARES = (0.0, 1.0)  # limits of a proportion
FLAT = 1e-10  # relative to the eigenvalues of B: logits that do not differ


@dataclass(frozen=True)
class ThresholdValues:
    threshold: float
    share_above: RateInterval  # proportion of all rows that are positive
    sensitivity: RateInterval
    specificity: RateInterval
    positive_predictive_value: RateInterval  # proportion of cases among the positive rows
    negative_predictive_value: RateInterval
    positive_likelihood_ratio: RateInterval  # factor of the odds of a case by such a result
    negative_likelihood_ratio: RateInterval


def threshold_values(
    rows: PooledRows,
    threshold: float,
    *,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> ThresholdValues:
    """Compute the values of a threshold.

    `prevalence` is q if it is known from another source than the rows. A proportion of no rows is
    NaN, with an interval from 0 to 1.
    """
    if not 0 <= threshold <= 1:
        raise TableError(f"threshold must be in [0, 1]. Got {threshold}")
    if prevalence is not None and not 0 < prevalence < 1:
        raise TableError(f"prevalence must be between 0 and 1. Got {prevalence}")
    case, above = rows.truth == 1, rows.probability >= threshold
    of = partial(pooled_rows.share_of_rows, rows, spread=spread)
    sensitivity, specificity = of(above, case), of(~above, ~case)
    positive = ratio_interval(sensitivity, _less(specificity))
    negative = ratio_interval(_less(sensitivity), specificity)
    if prevalence is None:
        share = of(above, np.ones(len(above), dtype=bool))
        predicted = of(case, above), of(~case, ~above)
    else:
        q = prevalence
        cases = on_scale(sensitivity, lambda value: q * value)
        less = pooled_rows.difference_interval(cases, specificity, 1 - q, 0.0)
        share = on_scale(less, lambda value: value + 1 - q)
        predicted = _share_of(positive, q), _less(_share_of(negative, q))
    return ThresholdValues(
        float(threshold), share, sensitivity, specificity, *predicted, positive, negative
    )


def ratio_interval(first: RateInterval, second: RateInterval) -> RateInterval:
    """Compute the interval of the ratio of two independent proportions."""
    a, b = first.estimate, second.estimate
    if isnan(a) or isnan(b) or not (a or b):
        return RateInterval(nan, 0.0, inf, first.level)
    ratio = a / b if b else inf
    if not (a and b and first.low and second.low):  # 1 minus a proportion may be 0 up to rounding
        high = first.high / second.low if second.low else inf
        return RateInterval(ratio, first.low / second.high, high, first.level)
    below = sqrt(log(a / first.low) ** 2 + log(second.high / b) ** 2)
    above = sqrt(log(first.high / a) ** 2 + log(b / second.low) ** 2)
    return RateInterval(ratio, ratio * exp(-below), ratio * exp(above), first.level)


def _share_of(ratio: RateInterval, prevalence: float) -> RateInterval:
    """Compute the proportion of cases among results with this likelihood ratio."""

    def share(value: float) -> float:
        odds = prevalence / (1 - prevalence) * value
        return 1.0 if odds == inf else odds / (1 + odds)

    return on_scale(ratio, share)


def _less(share: RateInterval) -> RateInterval:
    """Return 1 minus the proportion."""
    return RateInterval(1 - share.estimate, 1 - share.high, 1 - share.low, share.level)


def moved_probabilities(rows: PooledRows) -> Floats:
    """Compute the probabilities (16, m) of the rows by maps at the limits of the map's error.

    A threshold is a place on the logits z of the probabilities, and the map that puts a row above
    it is learned from a sample. The map's error is that of a and b in logit P(y = 1) = z + a + b (z
    - m), m the mean of z, at a = b = 0: the sandwich C = B^-1 (sum_g s_g s_g') B^-1 G / (G - 1)
    over the G units, B the information and s_g the score of unit g (Liang & Zeger 1986, Biometrika
    73, 13-22). The maps are those at the ends of {(a, b): (a, b) C^-1 (a, b)' <= t^2}, t Student's
    quantile, with 1 + b cut off at 0, where all rows have one probability. For a value that is
    linear in a and b, its smallest and largest values over these maps are those of the delta
    method; a proportion is not linear.
    """
    z, w, p = pooled_rows.logits(rows.probability), rows.shares, rows.probability
    middle = float(w @ z)
    x = np.column_stack([np.ones(len(z)), z - middle])
    information = ((w * p * (1 - p))[:, None] * x).T @ x
    moves = (w * (rows.truth - p))[:, None] * x @ np.linalg.pinv(information, rcond=FLAT)
    sums = np.column_stack([grouped(own, rows.units) for own in moves.T])
    values, vectors = np.linalg.eigh(sums.T @ sums * len(sums) / max(1, len(sums) - 1))
    angle = 2 * np.pi * np.arange(MAPS) / MAPS
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    ends = circle @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    a, b = student_quantile(rows.weights, rows.units, pooled_rows.LEVEL) * ends.T
    slope = np.maximum(1 + b, 0.0)[:, None]
    return np.asarray(expit(middle + a[:, None] + slope * (z - middle)))


def rates_at(
    probabilities: Floats, truth: Floats, weights: Floats, threshold: float
) -> dict[str, Floats]:
    """Compute the values of a threshold by each of k maps to probabilities (k, m): (k,) by name."""
    above = probabilities >= threshold
    case = truth * weights
    other = weights - case
    cases, others, whole = case.sum(), other.sum(), weights.sum()
    true, false = above @ case, above @ other
    odds = threshold / (1 - threshold)
    benefit = (true - odds * false) / whole
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "above": (true + false) / whole,
            "sensitivity": true / cases,
            "specificity": 1 - false / others,
            "positive_predictive_value": true / (true + false),
            "negative_predictive_value": (others - false) / (whole - true - false),
            "net_benefit": benefit,
            "over_better": np.minimum(benefit, benefit - (cases - odds * others) / whole),
        }


def wider(
    interval: RateInterval, values: Floats, limits: tuple[float, float] = (-np.inf, np.inf)
) -> RateInterval:
    """Widen an interval by the error of the map.

    Each end at the distance d moves to sqrt(d^2 + e^2), where e is the distance of the farthest
    value (k,) by other maps on its side (Zou & Donner 2008); NaN is left out.
    """
    known = values[np.isfinite(values)]
    rate, low, high = interval.estimate, interval.low, interval.high
    if not len(known) or not np.isfinite([rate, low, high]).all():
        return interval
    below, above = max(0.0, rate - known.min()), max(0.0, known.max() - rate)
    low = max(rate - float(np.hypot(rate - low, below)), limits[0])
    high = min(rate + float(np.hypot(high - rate, above)), limits[1])
    return RateInterval(rate, low, high, interval.level)


@dataclass(frozen=True)
class NetBenefit:
    threshold: float
    model: RateInterval  # of treating the rows above the threshold
    treat_all: float
    # the model's minus the larger net benefit of treat all and treat none
    over_better: RateInterval
    # treatments avoided per 100 rows, at as many treated cases as with treat all: 100 (model -
    # treat_all) (1 - t) / t
    avoided: float


def threshold_of_cost(harm_ratio: float) -> float:
    """Compute the smallest probability at which treating is best, t = 1 / (1 + c).

    c is the loss of a missed case divided by that of a needless treatment: Pauker & Kassirer (1975)
    New England Journal of Medicine 293, 229-234.
    """
    if not 0 < harm_ratio < np.inf:
        raise TableError(f"harm_ratio must be a positive number. Got {harm_ratio}")
    return 1 / (1 + harm_ratio)


def net_benefit(
    rows: PooledRows,
    thresholds: ArrayLike,
    *,
    prevalence: float | None = None,
    spread: float = 1.0,
) -> list[NetBenefit]:
    """Compute the net benefit of treating above each threshold, against treat all and treat none.

    A decision maker who treats from the probability t on values one needless treatment at t / (1 -
    t) of the benefit of treating a case. The net benefit, in cases treated per row, is

        NB(t) = TP - t / (1 - t) FP,

    with TP and FP the weighted proportions of all rows that are cases above t, and no cases above
    t. That of treat all is NB of t <= every p_i, that of treat none 0. With a known `prevalence` q,
    if rows were sampled by class, TP = q x sensitivity and FP = (1 - q) (1 - specificity).

    NB is a difference of two proportions, whose intervals are combined with their correlation. So
    is NB minus that of treat all: t / (1 - t) TN - FN. The difference to the better of treat all
    and treat none is the smaller of the two differences, and its ends are the smaller of their
    ends.

    References: Vickers & Elkin (2006) Medical Decision Making 26, 565-574; Pfeiffer & Gail (2020)
    Biometrical Journal 62, 764-776 (its variance).
    """
    each = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if each.ndim != 1 or not ((each > 0) & (each < 1)).all():
        raise TableError(f"thresholds must be between 0 and 1. Got {thresholds!r}")
    pooled_rows.check_prevalence(rows, prevalence)
    return [_at(rows, float(t), prevalence, spread) for t in each]


def _at(rows: PooledRows, t: float, prevalence: float | None, spread: float) -> NetBenefit:
    odds, case = t / (1 - t), rows.truth == 1
    q = rows.share_of_cases if prevalence is None else prevalence
    above = rows.probability >= t

    def share(side: Flags, kind: Flags, of_kind: float) -> tuple[RateInterval, Floats]:
        known = None if prevalence is None else of_kind
        return _share(rows, side, kind, known, spread)

    model = _difference(share(above, case, q), share(above, ~case, 1 - q), odds)
    # odds x TN - FN
    true, moves = share(~above, ~case, 1 - q)
    true = on_scale(true, partial(mul, odds))
    less_all = _difference((true, moves), share(~above, case, q), 1.0)
    better = RateInterval(
        min(model.estimate, less_all.estimate),
        min(model.low, less_all.low),
        min(model.high, less_all.high),
        pooled_rows.LEVEL,
    )
    return NetBenefit(t, model, q - odds * (1 - q), better, 100 * less_all.estimate / odds)


def _difference(
    one: tuple[RateInterval, Floats], other: tuple[RateInterval, Floats], times: float
) -> RateInterval:
    """Compute the interval of a proportion minus `times` another, from each unit's moves."""
    (first, moves), (second, against) = one, other
    sizes = float((moves**2).sum() * (against**2).sum())
    correlation = float((moves * against).sum()) / np.sqrt(sizes) if sizes else 0.0
    return pooled_rows.difference_interval(first, second, times, correlation)


def _share(
    rows: PooledRows, side: Flags, kind: Flags, prevalence: float | None, spread: float
) -> tuple[RateInterval, Floats]:
    """Compute the proportion of all rows of a kind on a side, and how much each unit moves it."""
    every = np.ones(len(side), dtype=bool)
    wanted, held = (side & kind, every) if prevalence is None else (side, kind)
    share = pooled_rows.share_of_rows(rows, wanted, held, spread=spread)
    if prevalence is not None:
        share = on_scale(share, partial(mul, prevalence))
    moves = rows.weights * held * (wanted - share.estimate / (prevalence or 1.0))
    if rows.units is not None:
        moves = np.asarray(np.bincount(rows.units, moves), dtype=np.float64)
    return share, moves
