"""Interval of a share of rows that may go together, and of what two such shares make."""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from hetsel.statistics.performance.rate_intervals import (
    RateInterval,
    effective_rows,
    student_quantile,
    wilson_interval,
)
from hetsel.statistics.probabilities.pooled_rows import LEVEL, Flags, Floats, PooledRows


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
    and A_g the sum of the a_i of unit g, 1 at least, and over (t / z)^2 of few units. Of a_i = w_i
    / sum w it is as :func:`hetsel.statistics.performance.rate_intervals.design_effect` has it.

    `heaviest` is the largest a_i that a row might have had: a share of 0 or 1 has 1 / heaviest rows
    at most. Without rows the interval is from 0 to 1.

    References: Kish (1965) Survey Sampling; Korn & Graubard (1998) Survey Methodology 24, 193-201
    (intervals of binomial shares with the effective number of rows).

    >>> y = np.array([1.0, 1, 1, 0, 1])
    >>> print(share_interval(0.8, np.full(5, 0.2), y - 0.8))
    0.800 [0.376, 0.964]
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
        rows *= float(ndtri((1 + LEVEL) / 2) / student_quantile(sums, None, LEVEL)) ** 2
    return wilson_interval(share, rows / spread, LEVEL)


def _rows_of_units(share: float, sums: Floats, moves: Floats, heaviest: float) -> float:
    """How many independent rows have the variance by the jackknife over units."""
    count = len(sums)
    if count < 2 or sums.max() >= 1.0 - 1e-12:  # one unit has all the weight
        return 1.0
    if share * (1 - share) <= 1e-12:
        return min(effective_rows(sums), 1 / heaviest if heaviest else np.inf)
    variance = float(((moves / (1 - sums)) ** 2).sum()) * (count - 1) / count
    return share * (1 - share) / variance if variance else np.inf


def share_of_rows(
    rows: PooledRows, wanted: Flags, held: Flags, *, spread: float = 1.0
) -> RateInterval:
    """Weighted share of the rows that are wanted among those that are held, with its interval.

    >>> from hetsel.statistics.probabilities.pooled_rows import pooled_rows
    >>> rows = pooled_rows([1, 1, 0, 1], [0.9, 0.4, 0.6, 0.7])
    >>> print(share_of_rows(rows, rows.probability >= 0.5, rows.truth == 1))
    0.667 [0.208, 0.939]
    """
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

    low = d - sqrt(u^2 - 2 r u v + v^2), u = a - low of a, v = c (high of b - b); high alike.

    Reference: Zou & Donner (2008) Statistics in Medicine 27, 1693-1702 (MOVER).

    >>> half = RateInterval(0.5, 0.4, 0.6, 0.95)
    >>> print(difference_interval(half, half, 1.0, 0.0))
    0.000 [-0.141, 0.141]
    """
    value = first.rate - times * second.rate

    def apart(u: float, v: float) -> float:
        return sqrt(max(0.0, u**2 - 2 * correlation * u * v + v**2))

    below = apart(first.rate - first.low, times * (second.high - second.rate))
    above = apart(first.high - first.rate, times * (second.rate - second.low))
    return RateInterval(value, value - below, value + above, first.level)
