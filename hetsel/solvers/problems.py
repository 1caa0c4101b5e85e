"""The two-class problems of a target: itself, or one class against the rest for each class."""

from __future__ import annotations

from typing import Literal

import numpy as np


def two_class_problems(codes: np.ndarray) -> np.ndarray:
    """Labels -1 and +1 (problems, n): one row for two classes, else one a class.

    Examples
    --------
    >>> two_class_problems(np.array([0, 1, 1]))
    array([[-1.,  1.,  1.]])
    """
    count = int(codes.max()) + 1
    if count == 2:
        return np.where(codes == 1, 1.0, -1.0)[None, :]
    return np.where(codes == np.arange(count)[:, None], 1.0, -1.0)


def problem_bounds(
    labels: np.ndarray, C: float, class_weight: Literal["balanced"] | None
) -> np.ndarray:
    """Bounds on alpha (problems, n): C, or C n / (2 n_class) for balanced classes.

    Raises
    ------
    ValueError
        C not a positive number, class_weight unknown.
    """
    if not (isinstance(C, int | float | np.number) and np.isfinite(C) and C > 0):
        raise ValueError(f"C must be a positive number. Got {C!r}")
    if class_weight is None:
        return np.full(labels.shape, float(C))
    if class_weight != "balanced":
        raise ValueError(f"class_weight must be None or 'balanced'. Got {class_weight!r}")
    n = labels.shape[1]
    positive = (labels > 0).sum(axis=1, keepdims=True)
    return C * n / (2.0 * np.where(labels > 0, positive, n - positive))
