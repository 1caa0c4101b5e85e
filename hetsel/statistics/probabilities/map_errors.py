"""What the error of a map to probabilities adds to intervals of held-out rows.

A threshold is a place on the logits z of the probabilities, and the map that puts a row above it is
learned from a sample. Where signals are weak many rows lie near one place: another map moves a
large share of them to the other side.

The map's error is that of a and b in logit P(y = 1) = z + a + b (z - m), m the mean of z, at
a = b = 0: the sandwich C = B^-1 (sum_g s_g s_g') B^-1 G / (G - 1) over the G units, B the
information and s_g the score of unit g. The maps are those at the ends of

{(a, b): (a, b) C^-1 (a, b)' <= t^2},

t Student's quantile, with 1 + b cut off at 0, where all rows have one probability. Of a value that
is linear in a and b its least and largest over these maps are those of the delta method; a share
of rows is not linear, and is cut off at 0 and 1.

An end at the distance d of an interval, and the farthest such value on its side, e from the
estimate, give sqrt(d^2 + e^2).

References: Liang & Zeger (1986) Biometrika 73, 13-22 (the sandwich); Zou & Donner (2008) Statistics
in Medicine 27, 1693-1702 (the sum of squares of distances).
"""

import numpy as np
from scipy.special import expit

from hetsel.statistics.performance.rate_intervals import RateInterval, grouped, student_quantile
from hetsel.statistics.probabilities.pooled_rows import LEVEL, Floats, PooledRows, logits

MAPS = 16  # around the ellipse
SHARES = (0.0, 1.0)  # limits of a share
FLAT = 1e-10  # of the eigenvalues of B: logits that do not differ


def moved_probabilities(rows: PooledRows) -> Floats:
    """Probabilities (16, m) of the rows by maps at the ends of what the map may be.

    >>> from hetsel.statistics.probabilities.pooled_rows import pooled_rows
    >>> moved = moved_probabilities(pooled_rows([0, 1] * 50, np.full(100, 0.5)))
    >>> moved.min().round(2), moved.max().round(2)  # 0.5 -+ 0.1, on the logit
    (np.float64(0.4), np.float64(0.6))
    """
    z, w, p = logits(rows.probability), rows.shares, rows.probability
    middle = float(w @ z)
    x = np.column_stack([np.ones(len(z)), z - middle])
    information = ((w * p * (1 - p))[:, None] * x).T @ x
    moves = (w * (rows.truth - p))[:, None] * x @ np.linalg.pinv(information, rcond=FLAT)
    sums = np.column_stack([grouped(own, rows.units) for own in moves.T])
    values, vectors = np.linalg.eigh(sums.T @ sums * len(sums) / max(1, len(sums) - 1))
    angle = 2 * np.pi * np.arange(MAPS) / MAPS
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    ends = circle @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    a, b = student_quantile(rows.weights, rows.units, LEVEL) * ends.T
    slope = np.maximum(1 + b, 0.0)[:, None]
    return np.asarray(expit(middle + a[:, None] + slope * (z - middle)))


def rates_at(
    probabilities: Floats, truth: Floats, weights: Floats, threshold: float
) -> dict[str, Floats]:
    """What a threshold does by each of k maps to probabilities (k, m): (k,) by name.

    NaN where no row is on a side.

    >>> rates_at(np.array([[0.2, 0.8]]), np.array([0.0, 1.0]), np.ones(2), 0.5)["sensitivity"]
    array([1.])
    """
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
    """An interval with what a value (k,) is by other maps, NaN left out; see above.

    >>> print(wider(RateInterval(0.5, 0.2, 0.8, 0.95), np.array([0.1, 0.5]), SHARES))
    0.500 [0.000, 0.800]
    """
    known = values[np.isfinite(values)]
    rate, low, high = interval.rate, interval.low, interval.high
    if not len(known) or not np.isfinite([rate, low, high]).all():
        return interval
    below, above = max(0.0, rate - known.min()), max(0.0, known.max() - rate)
    low = max(rate - float(np.hypot(rate - low, below)), limits[0])
    high = min(rate + float(np.hypot(high - rate, above)), limits[1])
    return RateInterval(rate, low, high, interval.level)
