"""R^2: what predictions tell of a target of numbers, 1 - SSE / SST as scikit-learn's `r2_score`.

SST is about the weighted mean of the rows that are judged: all rows of a cross-validation, the new
rows of a validation, the test rows of a study. The mean of the training rows has no part in it.
"""

from __future__ import annotations

import numpy as np


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
    """SST over the weight of the rows: the weighted mean of the squares about the weighted mean.

    Examples
    --------
    >>> round(spread_of(np.array([1.0, 2.0, 6.0])), 4)
    4.6667
    """
    mean = np.average(truth, weights=weights)
    return float(np.average((truth - mean) ** 2, weights=weights))
