"""The two-class problems of a target: itself, one class against the rest, or pairs of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

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


def pair_problems(codes: np.ndarray) -> np.ndarray:
    """Labels (pairs, n) of one machine a pair of classes: 1 the second, -1 the first, 0 no part.

    Examples
    --------
    >>> pair_problems(np.array([0, 1, 2]))
    array([[-1.,  1.,  0.],
           [-1.,  0.,  1.],
           [ 0., -1.,  1.]])
    """
    first, second = np.triu_indices(int(codes.max()) + 1, 1)
    return (codes == second[:, None]).astype(np.float64) - (codes == first[:, None])


def problem_bounds(
    codes: np.ndarray,
    C: float,
    class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
    classes: Sequence[Any] | np.ndarray = (),
) -> np.ndarray:
    """Bounds on alpha (problems, n) of the rows of the two-class problems of a target.

    C; C n / (2 n_class) for "balanced", within each problem; C times the weight of the row's class
    for a mapping of class label to weight, 1 for a class that it does not name.

    Raises
    ------
    ValueError
        C not a positive number, class_weight unknown or not positive.
    """
    if isinstance(C, bool) or not (isinstance(C, int | float | np.number) and 0 < C < np.inf):
        raise ValueError(f"C must be a positive number. Got {C!r}")
    labels = two_class_problems(codes)
    if class_weight is None:
        return np.full(labels.shape, float(C))
    if isinstance(class_weight, Mapping):
        weights = np.array([float(class_weight.get(label, 1.0)) for label in classes])
        strange = [label for label in class_weight if label not in list(classes)]
        if strange or not (weights > 0).all():
            raise ValueError(
                f"class_weight must give a positive weight to classes among {list(classes)}. "
                f"Got {dict(class_weight)!r}"
            )
        return np.tile(C * weights[codes], (len(labels), 1))
    if class_weight != "balanced":
        raise ValueError(
            f"class_weight must be None, 'balanced' or a mapping of class to weight. "
            f"Got {class_weight!r}"
        )
    n = labels.shape[1]
    positive = (labels > 0).sum(axis=1, keepdims=True)
    return C * n / (2.0 * np.where(labels > 0, positive, n - positive))
