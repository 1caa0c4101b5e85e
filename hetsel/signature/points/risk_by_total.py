"""From totals of points to the probability of the positive class."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import expit

STEPS = 100  # of Newton's method; six are usual
LINES = 8  # of the table of totals, about


@dataclass(frozen=True)
class RiskLine:
    """Probability of the positive class by a value: 1 / (1 + exp(-(intercept + slope value)))."""

    intercept: float
    slope: float

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Probabilities (n,) by values (n,)."""
        return np.asarray(expit(self.intercept + self.slope * np.asarray(values)))


def risk_by_total(values: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> RiskLine:
    """The logistic line of held-out values, Platt's.

    The minimum over a and b, with p_i = 1 / (1 + exp(-(a + b v_i))), of

        -sum_i w_i (t_i log p_i + (1 - t_i) log(1 - p_i)),

    t = (N_1 + 1) / (N_1 + 2) in the positive class and 1 / (N_0 + 2) in the other, N_c the weight
    of its rows: so that a value that tells the classes apart without an error has an end.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Of rows that took no part in what gave them.
    truth : ndarray of bool, shape (n,)
        Whether a row is of the positive class.
    weights : ndarray of shape (n,)

    References
    ----------
    Platt 1999, Probabilistic outputs for support vector machines; Lin, Lin and Weng 2007.

    Examples
    --------
    >>> line = risk_by_total(np.array([0.0, 1.0]), np.array([False, True]), np.ones(2))
    >>> line(np.array([0.0, 0.5, 1.0])).round(3)
    array([0.333, 0.5  , 0.667])
    """
    middle = float(np.average(values, weights=weights))
    scale = float(np.sqrt(np.average((values - middle) ** 2, weights=weights))) or 1.0
    x = (values - middle) / scale
    positive, other = weights[truth].sum(), weights[~truth].sum()
    aims = np.where(truth, (positive + 1) / (positive + 2), 1 / (other + 2))
    line = np.zeros(2)
    for _ in range(STEPS):
        p = expit(line[0] + line[1] * x)
        slope = np.array([(weights * (aims - p)).sum(), (weights * (aims - p) * x).sum()])
        bend = weights * p * (1 - p)
        a, b, c = bend.sum(), (bend * x).sum(), (bend * x * x).sum()
        if not a * c - b * b > 0.0:  # one value only
            line[1], step = 0.0, np.array([slope[0] / a, 0.0])
        else:
            step = np.array([c * slope[0] - b * slope[1], a * slope[1] - b * slope[0]])
            step /= a * c - b * b
        line += np.clip(step, -2.0, 2.0)  # from 0 it comes in by steps that are not too long
        if np.abs(step).max() < 1e-12:
            break
    slope_of_values = float(line[1]) / scale
    return RiskLine(float(line[0]) - slope_of_values * middle, slope_of_values)


@dataclass(frozen=True)
class TotalBand:
    """Totals from low to high: rows that have them, their share in the positive class, the risk.

    Parameters
    ----------
    low, high : int
    rows : int
    share : float or None
        Of the positive class, by weight; None without rows.
    risk_low, risk_high : float
        At the two ends.
    """

    low: int
    high: int
    rows: int
    share: float | None
    risk_low: float
    risk_high: float


def bands_of_totals(
    totals: np.ndarray,
    truth: np.ndarray,
    weights: np.ndarray,
    largest: int,
    risks: np.ndarray,
) -> tuple[TotalBand, ...]:
    """Totals in at most eight lines, as wide from the lowest total of a row to the highest.

    Parameters
    ----------
    totals : ndarray of int, shape (n,)
    truth : ndarray of bool, shape (n,)
    weights : ndarray of shape (n,)
    largest : int
    risks : ndarray of shape (largest + 1,)
        Of each total.
    """
    first, last = int(totals.min()), int(totals.max())
    width = -(-(last + 1 - first) // LINES)
    starts = [0, *range(first + width, last + 1, width)]
    found = []
    for low, behind in pairwise([*starts, largest + 1]):
        high = behind - 1
        own = (totals >= low) & (totals <= high)
        share = float(np.average(truth[own], weights=weights[own])) if own.any() else None
        ends = (float(risks[low]), float(risks[high]))
        found.append(TotalBand(low, high, int(own.sum()), share, *ends))
    return tuple(found)
