"""Check rows with a class, 0 or 1, and a predicted probability, for all functions of this folder.

Notation. Row i has the class y_i (1 for a case), its predicted probability p_i and a weight w_i.
Rows of one unit are not independent: a group of rows, or one row that several cross-validations
predict, each with the weight of the row divided by their number. Without units each row is a unit.

If the prevalence q of cases is known and rows were sampled by class, the p_i refer to q, and the
class proportions among the rows are not random.

Intervals use the jackknife, how much an estimate moves without each unit, see
:mod:`hetsel.statistics.performance.loss_intervals`. The variance is multiplied by `spread`: 1 for
rows that trained no model, OVERLAP = 2 for rows predicted by cross-validation, see
:mod:`hetsel.statistics.performance.rate_intervals`. tests/arena/campaigns/probability_intervals.py
measures their coverage.
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
CERTAIN = 1e-8  # probabilities of 0 and 1 have no logit; this one, and 1 minus it, replace them


@dataclass(frozen=True)
class PooledRows:
    """Rows that were checked, see the top of the module."""

    truth: Floats
    probability: Floats
    weights: Floats
    units: Integers | None  # 0 to the number of units minus 1

    @property
    def shares(self) -> Floats:
        """Weights whose sum is 1."""
        return self.weights / float(self.weights.sum())

    @property
    def clusters(self) -> Integers | None:
        """The units; each row if weights differ, which may be related to the class; else None."""
        if self.units is None and (self.weights != self.weights[0]).any():
            return np.arange(len(self.weights))
        return self.units

    @property
    def share_of_cases(self) -> float:
        """Weighted proportion of class 1."""
        return float((self.shares * self.truth).sum())

    def take(self, kept: Flags | Integers) -> "PooledRows":
        """Return some of the rows, by a mask (m,) or their numbers."""
        units = None if self.units is None else self.units[kept]
        return PooledRows(self.truth[kept], self.probability[kept], self.weights[kept], units)

    def at_prevalence(self, prevalence: float) -> "PooledRows":
        """Return the rows with weights that give cases the prevalence."""
        factors = class_weights_for(prevalence, self.share_of_cases)
        return replace(self, weights=self.weights * factors[self.truth.astype(np.int64)])


def pooled_rows(
    truth: ArrayLike,
    probability: ArrayLike,
    weights: ArrayLike | None = None,
    units: ArrayLike | None = None,
) -> PooledRows:
    """Check the rows of two classes and return them as arrays of one length."""
    y, p = np.asarray(truth, dtype=np.float64), np.asarray(probability, dtype=np.float64)
    if y.ndim != 1 or not len(y) or p.shape != y.shape:
        raise TableError(
            f"truth and probability must be of one shape (m,) with at least one row. Got {y.shape} "
            f"and {p.shape}"
        )
    if not np.isin(y, (0.0, 1.0)).all():
        wrong = y[~np.isin(y, (0.0, 1.0))][0]
        raise TableError(f"truth must be 0 or 1, one class against the others. Got {wrong:g}")
    if not ((p >= 0) & (p <= 1)).all():
        raise TableError(f"probability must be in [0, 1]. Got {p[~((p >= 0) & (p <= 1))][0]:g}")
    w = checked_weights(weights, len(y))
    return PooledRows(y, p, w, unit_codes(units, len(y)))


def checked_weights(weights: ArrayLike | None, rows: int) -> Floats:
    """Return positive weights (rows,), 1 each if there are none."""
    if weights is None:
        return np.ones(rows)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (rows,):
        raise TableError(f"weights must be of shape ({rows},). Got {w.shape}")
    good = (w > 0) & np.isfinite(w)
    if not good.all():
        raise TableError(f"weights must be positive numbers. Got {w[~good][0]:g}")
    return w


def unit_codes(units: ArrayLike | None, rows: int) -> Integers | None:
    """Return the units of the rows as whole numbers from 0, in the order of their labels.

    >>> unit_codes([7, 3, 7], 3)
    array([1, 0, 1])
    """
    if units is None:
        return None
    labels = np.asarray(units)
    if labels.shape != (rows,):
        raise TableError(f"units must be of shape ({rows},). Got {labels.shape}")
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)


def check_prevalence(rows: PooledRows, prevalence: float | None) -> None:
    """Refuse a prevalence that is not between 0 and 1, or with rows of one class only."""
    both = bool(0 < rows.truth.sum() < len(rows.truth))
    if prevalence is not None and not (0 < prevalence < 1 and both):
        raise TableError(
            "prevalence must be between 0 and 1, and there must be rows of both classes. Got "
            f"{prevalence}"
        )


def logits(probability: ArrayLike) -> Floats:
    """Compute log(p / (1 - p)) of p in [1e-8, 1 - 1e-8]."""
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
    """Compute Wilson's interval of sum_i a_i y_i, a proportion that is linear in the rows.

    The coefficients add up to 1. The interval is that of the number of independent rows with the
    same variance. This number is Kish's, 1 / sum_i a_i^2, divided by `spread` and, if rows form
    units, by the design effect

        (G - 1) / G sum_g (sum_{i in g} a_i r_i / (1 - A_g))^2 / (s (1 - s) sum_i a_i^2)

    with the residuals r_i (y_i - s, or y_i minus the value of a curve there), the proportion s, G
    units and the sum A_g of the a_i of unit g, at least 1; and by (t / z)^2 for few units.
    `heaviest` is the largest a_i that a row might have had: a proportion of 0 or 1 has at most 1 /
    heaviest rows. Without rows the interval is from 0 to 1.

    References: Kish (1965) Survey Sampling; Korn & Graubard (1998) Survey Methodology 24, 193-201
    (intervals of binomial proportions with the effective number of rows).
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
        # few units estimate a variance poorly
        rows *= (
            float(ndtri((1 + LEVEL) / 2) / rate_intervals.student_quantile(sums, None, LEVEL)) ** 2
        )
    return rate_intervals.wilson_interval(share, rows / spread, LEVEL)


def _rows_of_units(share: float, sums: Floats, moves: Floats, heaviest: float) -> float:
    """Compute the number of independent rows with the variance by the jackknife over units."""
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
    """Compute the weighted proportion of wanted rows among held rows, with its interval."""
    clusters, w = rows.clusters, rows.weights[held]
    a = w / w.sum() if len(w) else w
    share = float(w[wanted[held]].sum() / w.sum()) if len(w) else np.nan
    groups = None if clusters is None else clusters[held]
    heaviest = float(rows.weights.max() / w.sum()) if len(w) else 0.0
    return share_interval(share, a, wanted[held] - share, groups, heaviest=heaviest, spread=spread)


def difference_interval(
    first: RateInterval, second: RateInterval, times: float, correlation: float
) -> RateInterval:
    """Compute the interval of d = a - c b from those of two proportions a and b with correlation r.

    low = d - sqrt(u^2 - 2 r u v + v^2), u = a - low of a, v = c (high of b - b), c >= 0; high
    alike: Zou & Donner (2008) Statistics in Medicine 27, 1693-1702 (MOVER).
    """
    value = first.estimate - times * second.estimate

    def apart(u: float, v: float) -> float:
        return sqrt(max(0.0, u**2 - 2 * correlation * u * v + v**2))

    below = apart(first.estimate - first.low, times * (second.high - second.estimate))
    above = apart(first.high - first.estimate, times * (second.estimate - second.low))
    return RateInterval(value, value - below, value + above, first.level)
