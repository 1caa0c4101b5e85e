"""Measures of predictive performance from confusion counts and decision values."""

from __future__ import annotations

import numpy as np


def recalls(confusion: np.ndarray) -> np.ndarray:
    """Share of the rows of each class that are predicted right; NaN for a class without rows.

    Parameters
    ----------
    confusion : ndarray of int, shape (..., c, c)
        Test rows by class (rows) and predicted class (columns).

    Returns
    -------
    ndarray of shape (..., c)
    """
    rows = confusion.sum(axis=-1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    return np.where(rows > 0, right / np.maximum(rows, 1), np.nan)


def balanced_rate(confusion: np.ndarray) -> np.ndarray:
    """BCR (...): mean of the recalls (paul2015, Eq. 12, for any number of classes).

    A class that is absent from the test rows has no recall and is left out of the mean.

    Examples
    --------
    >>> balanced_rate(np.array([[3, 1], [0, 2]]))
    array(0.875)
    """
    found = recalls(confusion)
    known = ~np.isnan(found)
    total = np.where(known, found, 0.0).sum(axis=-1)
    return np.asarray(total / np.maximum(known.sum(axis=-1), 1))


def area_under_curve(decisions: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Area under the ROC curve (sizes,); for more classes the mean of one class against the rest.

    The share of pairs of a row of the class and another row of which the first has the larger
    decision value; equal values count one half. Classes that lack either kind of row, or a training
    row, are left out; NaN where none is left.

    Parameters
    ----------
    decisions : ndarray of shape (sizes, m, d)
    truth : ndarray of int, shape (m,)

    Examples
    --------
    >>> area_under_curve(np.array([[[0.1], [0.9], [0.5]]]), np.array([0, 1, 0]))
    array([1.])
    """
    d = decisions.shape[2]
    areas = []
    for place, c in enumerate([1] if d == 1 else range(d)):
        own = truth == c
        values = decisions[:, :, place]
        if not own.any() or own.all() or np.isnan(values).any():
            continue
        difference = values[:, own, None] - values[:, None, ~own]
        areas.append(((difference > 0) + 0.5 * (difference == 0)).mean(axis=(1, 2)))
    if not areas:
        return np.full(len(decisions), np.nan)
    return np.asarray(np.mean(areas, axis=0))
