"""Area under the ROC curve on held-out rows: how well scores order rows by their class.

    A = (1/#pairs) sum_pairs (A(a|b) + A(b|a)) / 2,

over the pairs of classes, A(a|b) the share of the pairs of a row of a and a row of b of which the
row of a has the larger score of a; equal scores count one half. Of two classes it is the usual
area. Scores of different models have no common scale: rows are compared within a fold, and the area
is the mean over the folds, as of scikit-learn's `cross_val_score`. Rows of all folds in one
ranking give areas down to 0.41 for features that tell nothing.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground.errors import TableError
from hetsel.ground.ties import on_grid


class Areas:
    """Area under the ROC curve of scores of held-out rows.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Class codes, all present.
    fold : ndarray of int, shape (repeats, n)
        Fold in which each row is held out.

    Raises
    ------
    TableError
        No fold holds rows of two classes.

    References
    ----------
    Hand and Till 2001, Machine Learning 45, 171-186, Eq. 7.

    Examples
    --------
    >>> y, fold = np.array([0, 1, 0, 1]), np.array([[0, 0, 1, 1]])
    >>> float(Areas(y, fold).of(np.array([[[0.1], [0.2], [0.8], [0.7]]])))
    0.5
    """

    def __init__(self, y: np.ndarray, fold: np.ndarray) -> None:
        self._y, self._fold = y, fold
        if np.isnan(mean_areas(np.zeros((1, *fold.shape, int(y.max()) + 1)), y, fold)).any():
            raise TableError(
                "rate='auc' compares rows of one fold: in some division into folds no fold holds "
                "rows of two classes. Take fewer folds, or rate='bcr'"
            )

    def of(self, scores: np.ndarray) -> np.ndarray:
        """Mean area (...) of scores (..., repeats, n, d) over the repeats.

        d is the number of classes, or 1: the score of class 1 of two.
        """
        rows = np.ascontiguousarray(scores).reshape(-1, *scores.shape[-3:])
        found = mean_areas(rows, self._y, self._fold).reshape(scores.shape[:-2])
        return np.asarray(on_grid(found.mean(axis=-1)))


@compiled
def mean_areas(scores, y, fold):
    """Area (m, repeats) of scores (m, repeats, n, d); NaN where no fold holds two classes.

    Mean over the pairs of classes of the mean over the folds that hold both.
    """
    m, repeats, _, d = scores.shape
    n_classes = y.max() + 1
    out = np.empty((m, repeats))
    for i in range(m):
        for r in range(repeats):
            total, pairs = 0.0, 0
            for b in range(1, n_classes):
                for a in range(b):
                    area, folds = 0.0, 0
                    for k in range(fold[r].max() + 1):
                        rows, others = (fold[r] == k) & (y == b), (fold[r] == k) & (y == a)
                        if rows.any() and others.any():
                            part = scores[i, r, :, min(b, d - 1)]
                            area += share_of_pairs(part[rows], part[others])
                            if d > 1:
                                part = scores[i, r, :, a]
                                area += share_of_pairs(part[others], part[rows])
                            folds += 1
                    if folds > 0:
                        total += area / (folds * min(d, 2))
                        pairs += 1
            out[i, r] = total / pairs if pairs > 0 else np.nan
    return out


@compiled_part
def share_of_pairs(own, others):
    """Share of the pairs in which the score (a,) is above the other one (b,); equal ones half."""
    order = np.sort(others)
    halves = 0
    for value in own:
        halves += np.searchsorted(order, value) + np.searchsorted(order, value, side="right")
    return halves / (2 * len(own) * len(others))
