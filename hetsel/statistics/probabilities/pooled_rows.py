"""Rows with a class, 0 or 1, and its predicted probability, as all of this folder takes them.

Notation. Row i has the class y_i, 1 of a case, its predicted probability p_i and a weight w_i. Rows
of one unit are not independent: a group of rows, or one row that several cross-validations predict,
each with the weight of the row over their number. Where there are no units each row is one.

Where the prevalence q of cases is known, of rows that were sampled by class, the p_i are those of
q, and the shares of the classes among the rows are no chance.

Intervals take what an estimate moves without each unit, the jackknife, see
:mod:`hetsel.statistics.performance.loss_intervals`. Their variance is multiplied by `spread`: 1 of
rows that trained no model, OVERLAP = 2 of rows that were predicted by cross-validation, see
:mod:`hetsel.statistics.performance.rate_intervals`. How often they hold the truth is measured in
tests/arena/campaigns/probability_intervals.py.
"""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from hetsel.ground import TableError
from hetsel.ground.array_types import Flags, Floats, Integers
from hetsel.statistics.performance import rate_intervals
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.probabilities.prevalence import class_weights_for

LEVEL = 0.95  # of all intervals
UNKNOWN = RateInterval(np.nan, np.nan, np.nan, LEVEL)
CERTAIN = 1e-8  # a probability of 0 or 1 has no logit: that of this one, or of 1 less it


@dataclass(frozen=True)
class PooledRows:
    """Rows that were checked; see the top of this module."""

    truth: Floats
    probability: Floats
    weights: Floats
    units: Integers | None  # 0 to the number of units less 1

    @property
    def shares(self) -> Floats:
        """Weights whose sum is 1."""
        return self.weights / float(self.weights.sum())

    @property
    def clusters(self) -> Integers | None:
        """The units; a row each where weights differ, which may go with the class; else None."""
        if self.units is None and (self.weights != self.weights[0]).any():
            return np.arange(len(self.weights))
        return self.units

    @property
    def share_of_cases(self) -> float:
        """Weighted share of class 1."""
        return float((self.shares * self.truth).sum())

    def take(self, kept: Flags | Integers) -> "PooledRows":
        """Some of the rows, by a mask (m,) or their numbers."""
        units = None if self.units is None else self.units[kept]
        return PooledRows(self.truth[kept], self.probability[kept], self.weights[kept], units)

    def at_prevalence(self, prevalence: float) -> "PooledRows":
        """With the weights by which cases have the prevalence."""
        factors = class_weights_for(prevalence, self.share_of_cases)
        return replace(self, weights=self.weights * factors[self.truth.astype(np.int64)])


def pooled_rows(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
) -> PooledRows:
    """Rows of two classes as arrays of one length, checked."""
    y, p = np.asarray(truth, dtype=np.float64), np.asarray(probability, dtype=np.float64)
    if y.ndim != 1 or not len(y) or p.shape != y.shape:
        raise TableError(
            "truth and probability must be of one shape (m,), m of 1 or more. "
            f"Got {y.shape} and {p.shape}."
        )
    if not np.isin(y, (0.0, 1.0)).all():
        wrong = y[~np.isin(y, (0.0, 1.0))][0]
        raise TableError(f"truth must be 0 or 1, one class against the others. Got {wrong:g}.")
    if not ((p >= 0) & (p <= 1)).all():
        raise TableError(f"probability must be in [0, 1]. Got {p[~((p >= 0) & (p <= 1))][0]:g}.")
    w = checked_weights(weights, len(y))
    return PooledRows(y, p, w, unit_codes(units, len(y)))


def checked_weights(weights: ArrayLike | None, rows: int) -> Floats:
    """Positive weights (rows,), 1 each without any."""
    if weights is None:
        return np.ones(rows)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (rows,):
        raise TableError(f"weights must be of shape ({rows},). Got {w.shape}.")
    good = (w > 0) & np.isfinite(w)
    if not good.all():
        raise TableError(f"weights must be positive numbers. Got {w[~good][0]:g}.")
    return w


def unit_codes(units: ArrayLike | None, rows: int) -> Integers | None:
    """Units of the rows as whole numbers from 0, in the order of what they are called.

    >>> unit_codes([7, 3, 7], 3)
    array([1, 0, 1])
    """
    if units is None:
        return None
    labels = np.asarray(units)
    if labels.shape != (rows,):
        raise TableError(f"units must be of shape ({rows},). Got {labels.shape}.")
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)


def check_prevalence(rows: PooledRows, prevalence: float | None) -> None:
    """Refuse a prevalence that is not between 0 and 1, or of rows of one class."""
    both = bool(0 < rows.truth.sum() < len(rows.truth))
    if prevalence is not None and not (0 < prevalence < 1 and both):
        raise TableError(
            f"prevalence must be between 0 and 1, of rows of both classes. Got {prevalence}."
        )


def logits(probability: ArrayLike) -> Floats:
    """log(p / (1 - p)), of p in [1e-8, 1 - 1e-8]."""
    p = np.clip(np.asarray(probability, dtype=np.float64), CERTAIN, 1 - CERTAIN)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float64)


def share_interval(
    share: float,
    coefficients: ArrayLike,
    away: ArrayLike,
    units: ArrayLike | None = None,
    *,
    heaviest: float = 0.0,
    spread: float = 1.0,
) -> RateInterval:
    """Wilson's interval of sum_i a_i y_i, a share that is linear in the rows, sum_i a_i = 1.

    It is that of as many independent rows as have its variance: 1 / sum_i a_i^2, Kish's number,
    over `spread` and, of rows that go together, over the design effect

        (G - 1) / G sum_g (sum_{i in g} a_i r_i / (1 - A_g))^2 / (s (1 - s) sum_i a_i^2)

    with the residuals r_i (y_i - s, or y_i less the value of a curve there), the share s, G units
    and A_g the sum of the a_i of unit g, 1 at least, and over (t / z)^2 of few units. `heaviest` is
    the largest a_i that a row might have had: a share of 0 or 1 has 1 / heaviest rows at most.
    Without rows the interval is from 0 to 1.

    References: Kish (1965) Survey Sampling; Korn & Graubard (1998) Survey Methodology 24, 193-201
    (intervals of binomial shares with the effective number of rows).
    """
    a, r = np.asarray(coefficients, dtype=np.float64), np.asarray(away, dtype=np.float64)
    if not len(a):
        return RateInterval(np.nan, 0.0, 1.0, LEVEL)
    rows = 1 / float((a**2).sum())
    if units is not None:
        code = np.asarray(units)
        there = np.bincount(code) > 0
        sums, moves = (np.bincount(code, each)[there].astype(np.float64) for each in (a, a * r))
        rows = min(rows, _rows_of_units(share, sums, moves, heaviest))
        # few units tell little of a variance
        rows *= (
            float(ndtri((1 + LEVEL) / 2) / rate_intervals.student_quantile(sums, None, LEVEL)) ** 2
        )
    return rate_intervals.wilson_interval(share, rows / spread, LEVEL)


def _rows_of_units(share: float, sums: Floats, moves: Floats, heaviest: float) -> float:
    """How many independent rows have the variance by the jackknife over units."""
    count = len(sums)
    if count < 2 or sums.max() >= 1.0 - 1e-12:  # one unit has all the weight
        return 1.0
    if share * (1 - share) <= 1e-12:
        return min(rate_intervals.effective_rows(sums), 1 / heaviest if heaviest else np.inf)
    variance = float(((moves / (1 - sums)) ** 2).sum()) * (count - 1) / count
    return share * (1 - share) / variance if variance else np.inf


def share_of_rows(
    rows: PooledRows, wanted: Flags, held: Flags, *, spread: float = 1.0
) -> RateInterval:
    """Weighted share of the rows that are wanted among those that are held, with its interval."""
    clusters, w = rows.clusters, rows.weights[held]
    a = w / w.sum() if len(w) else w
    share = float(w[wanted[held]].sum() / w.sum()) if len(w) else np.nan
    groups = None if clusters is None else clusters[held]
    heaviest = float(rows.weights.max() / w.sum()) if len(w) else 0.0
    return share_interval(share, a, wanted[held] - share, groups, heaviest=heaviest, spread=spread)


def difference_interval(
    first: RateInterval, second: RateInterval, times: float, correlation: float
) -> RateInterval:
    """Interval of d = a - c b from those of two shares a and b with correlation r, c of 0 or more.

    low = d - sqrt(u^2 - 2 r u v + v^2), u = a - low of a, v = c (high of b - b); high alike: Zou &
    Donner (2008) Statistics in Medicine 27, 1693-1702 (MOVER).
    """
    value = first.rate - times * second.rate

    def apart(u: float, v: float) -> float:
        return sqrt(max(0.0, u**2 - 2 * correlation * u * v + v**2))

    below = apart(first.rate - first.low, times * (second.high - second.rate))
    above = apart(first.high - first.rate, times * (second.rate - second.low))
    return RateInterval(value, value - below, value + above, first.level)
