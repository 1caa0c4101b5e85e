"""The score of predictions by the kind of target, as scikit-learn has it."""

from __future__ import annotations

from typing import Any

import numpy as np


def score_of(kind: str, y: Any, predicted: np.ndarray, weights: Any = None) -> float:
    """Balanced classification rate of predicted classes, R^2 of predicted numbers.

    Parameters
    ----------
    kind : {"classes", "numbers"}
    y : array-like of shape (n,)
    predicted : ndarray of shape (n,)
    weights : array-like of shape (n,), optional

    Examples
    --------
    >>> score_of("numbers", [1.0, 2.0, 3.0], np.array([1.0, 2.0, 2.0]))
    0.5
    """
    from sklearn.metrics import balanced_accuracy_score, r2_score

    score = {"classes": balanced_accuracy_score, "numbers": r2_score}[kind]
    return float(score(y, predicted, sample_weight=weights))
