"""Performance on held-out rows: the folds, the rate, and what states that measure it share.

The performance is the balanced classification rate over the held-out rows of all folds together,

    BCR = (1/c) sum_classes (rows of the class predicted right) / (rows of the class)

(paul2015, Eq. 12, for any number of classes).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from hetsel.compiled import compiled
from hetsel.selection.problem import Problem
from hetsel.tables.ties import GRID


def stratified_folds(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold (n,) of each row, drawn so that every class is spread evenly over the folds.

    There are no more folds than rows of the rarest class, so that every class has rows to learn
    from, whichever fold is held out.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> fold = stratified_folds(y, 2, np.random.default_rng(0))
    >>> np.bincount(fold[y == 0]), np.bincount(fold[y == 1])
    (array([2, 2]), array([2, 2]))
    """
    counts = np.bincount(y)
    folds = min(folds, int(counts.min()))
    fold = np.empty(len(y), dtype=np.int64)
    start = 0
    for c in range(len(counts)):
        rows = rng.permutation(np.flatnonzero(y == c))
        fold[rows] = (start + np.arange(len(rows))) % folds
        start += len(rows)
    return fold


@compiled
def mean_recall(predicted, y, n_classes):
    """Balanced classification rate: the mean over classes of the share predicted right."""
    right = np.zeros(n_classes)
    count = np.zeros(n_classes)
    for i in range(len(y)):
        count[y[i]] += 1
        if predicted[i] == y[i]:
            right[y[i]] += 1
    rate = 0.0
    for c in range(n_classes):
        rate += right[c] / count[c]
    return np.rint(rate / n_classes * GRID) / GRID


class HeldOutState(ABC):
    """A subset whose classifier predicts every row from the other folds.

    Parameters
    ----------
    problem : Problem
    fold : ndarray of int, shape (n,)
        Fold in which each row is held out.
    """

    def __init__(self, problem: Problem, fold: np.ndarray) -> None:
        # for compiled functions: one type, writable
        self.y, self.fold = problem.target.codes.copy(), np.array(fold)
        self.n_classes = len(problem.target.labels)
        self._subset: list[int] = []

    @property
    def subset(self) -> tuple[int, ...]:
        """The features, in the order in which they came."""
        return tuple(self._subset)

    @property
    def value(self) -> float:
        """BCR of the subset."""
        return self._rate(self.predict())

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        """BCR (k,) of the subset with each of these features added."""
        return np.array([self._rate(self.predict(f, 1.0)) for f in candidates])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        """BCR (k,) of the subset with each of these features taken away."""
        return np.array([self._rate(self.predict(f, -1.0)) for f in candidates])

    def add(self, feature: int) -> None:
        """Add a feature to the subset."""
        self._update(feature, 1.0)
        self._subset.append(feature)

    def remove(self, feature: int) -> None:
        """Take a feature of the subset away."""
        self._subset.remove(feature)
        self._update(feature, -1.0)

    def _rate(self, predicted: np.ndarray) -> float:
        return float(mean_recall(predicted, self.y, self.n_classes))

    @abstractmethod
    def predict(self, feature: int | None = None, sign: float = 1.0) -> np.ndarray:
        """Class (n,) of every held-out row; with a feature added (sign 1) or taken away (-1)."""

    @abstractmethod
    def _update(self, feature: int, sign: float) -> None:
        """Add a feature to what is kept (sign 1), or take it away (-1)."""
