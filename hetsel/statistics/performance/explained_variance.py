"""What predictions of some rows tell of a target of numbers, measured by the spread of all rows."""

from __future__ import annotations

import numpy as np

from hetsel.statistics.performance.rate_intervals import effective_rows


def explained(
    truth: np.ndarray, predicted: np.ndarray, spread: float, weights: np.ndarray | None = None
) -> np.ndarray:
    """1 - mean squared error / spread (k,) of predictions (k, m) of some rows.

    With the spread of all rows in place of their own: so the mean over folds is that of all rows,
    and a fold whose numbers are alike has a score, too. NaN of a prediction that holds NaN.

    Examples
    --------
    >>> explained(np.array([1.0, 2.0]), np.array([[1.0, 1.0], [2.0, np.nan]]), 0.5)
    array([ 0., nan])
    """
    return np.asarray(1.0 - np.average((truth - predicted) ** 2, axis=1, weights=weights) / spread)


def spread_of(truth: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Variance of numbers, with n_e - 1 of their n_e effective rows.

    Examples
    --------
    >>> spread_of(np.array([1.0, 2.0, 6.0]))
    7.0
    """
    mean = np.average(truth, weights=weights)
    rows = effective_rows(np.ones(len(truth)) if weights is None else weights)
    return float(np.average((truth - mean) ** 2, weights=weights) * rows / (rows - 1))
