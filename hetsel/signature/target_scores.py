"""The score of predictions by the kind of target, as scikit-learn has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hetsel.statistics.survival.concordance import concordance
from hetsel.tables.targets.survival import Survival
from hetsel.tables.validation import codes_with_predicted, finite_numbers, weights_to_score


def score_of(kind: str, y: Any, predicted: np.ndarray, weights: Any = None) -> float:
    """Balanced classification rate of classes, R^2 of numbers, Harrell's C of risks.

    Parameters
    ----------
    kind : {"classes", "numbers", "survival"}
    y : array-like of shape (n,)
    predicted : ndarray of shape (n,)
    weights : array-like of shape (n,), optional

    Examples
    --------
    >>> score_of("numbers", [1.0, 2.0, 3.0], np.array([1.0, 2.0, 2.0]))
    0.5
    """
    weights = weights_to_score(weights, len(predicted))
    if kind == "survival":
        target = Survival.of(y)
        return float(concordance(target.times, target.events, predicted, weights)[0])
    from sklearn.metrics import balanced_accuracy_score, r2_score

    if kind == "classes":
        codes = codes_with_predicted(y, predicted)
        return float(balanced_accuracy_score(*codes, sample_weight=weights))
    return float(r2_score(finite_numbers(y, len(predicted)), predicted, sample_weight=weights))
