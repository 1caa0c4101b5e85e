"""Rankings: features in order, the tie rule, and merging of rankings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Step:
    """One step of an elimination or of a forward selection.

    Parameters
    ----------
    size : int
        Number of features that the step started with.
    features : tuple of int
        Features dropped (or added) in this step, best first.
    objective : float
        Objective of the model at this step; NaN where a method has none.
    gap : float
        Relative duality gap of the model at this step; NaN where a method has none.
    """

    size: int
    features: tuple[int, ...]
    objective: float = float("nan")
    gap: float = float("nan")


@dataclass(frozen=True)
class Ranking:
    """All features in order.

    Parameters
    ----------
    order : ndarray of int, shape (p,)
        Indices of the features, best first.
    importance : ndarray of float, shape (p,)
        Importance of each feature, in the order of the columns; larger is better. In an elimination
        it is the importance at the step that dropped the feature, and only the features of one
        step compare by it.
    trace : tuple of Step
        How the order came about; empty for a filter.

    Examples
    --------
    >>> ranking = Ranking.from_importance(np.array([0.2, 0.9, 0.2]))
    >>> ranking.order
    array([1, 0, 2])
    >>> ranking.signature(2)
    array([1, 0])
    """

    order: np.ndarray
    importance: np.ndarray
    trace: tuple[Step, ...] = ()

    @classmethod
    def from_importance(cls, importance: np.ndarray, trace: tuple[Step, ...] = ()) -> Ranking:
        """Ranking by importance, largest first; ties go to the lower column index."""
        importance = np.asarray(importance, dtype=np.float64)
        return cls(best_first(importance), importance, trace)

    @property
    def ranks(self) -> np.ndarray:
        """Rank (p,) of each feature, in the order of the columns; 1 is best."""
        ranks = np.empty(len(self.order), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return ranks

    def signature(self, size: int) -> np.ndarray:
        """Indices of the best `size` features, best first."""
        check_size(size, len(self.order))
        return self.order[:size]


def best_first(*keys: np.ndarray) -> np.ndarray:
    """Indices by the first key, largest first, then the next key; then the lower index.

    Examples
    --------
    >>> best_first(np.array([1.0, 2.0, 2.0]), np.array([0.0, 0.0, 5.0]))
    array([2, 1, 0])
    """
    return np.lexsort([-np.asarray(key, dtype=np.float64) for key in reversed(keys)])


def check_size(size: object, p: int) -> int:
    """The size of a signature, if it is a legal one.

    Raises
    ------
    ValueError
        Not a whole number in 1..p.
    """
    if isinstance(size, bool | np.bool_) or not isinstance(size, int | np.integer):
        raise ValueError(f"size must be a whole number in 1..{p}. Got {size!r}")
    if not 1 <= size <= p:
        raise ValueError(f"size must be in 1..{p} (the table has {p} features). Got {size}")
    return int(size)


def elimination_sizes(p: int, share: float = 0.2) -> list[int]:
    """Numbers of features at the steps of an elimination that drops `share` of them each time.

    max(1, round(share p)) of the p features left are dropped (paul2015, section 2.1).

    Examples
    --------
    >>> elimination_sizes(13)
    [13, 10, 8, 6, 5, 4, 3, 2, 1]
    """
    sizes = []
    while p > 0:
        sizes.append(p)
        p -= min(p, max(1, round(share * p)))
    return sizes


def merge(first: np.ndarray, second: np.ndarray, choose: Callable[[int, int], int]) -> np.ndarray:
    """Merge two rankings greedily: `choose` says which of the two heads comes next.

    Parameters
    ----------
    first, second : ndarray of int
        Two rankings of different features, best first.
    choose : callable
        Called with the two heads; returns the one that goes on. Once one ranking is used up the
        other follows, each head passed as choose(head, head), so that a criterion is kept updated.
    """
    merged = []
    i = j = 0
    while i < len(first) or j < len(second):
        left = int(first[i]) if i < len(first) else int(second[j])
        right = int(second[j]) if j < len(second) else left
        taken = choose(left, right)
        merged.append(taken)
        if i < len(first) and taken == first[i]:
            i += 1
        else:
            j += 1
    return np.array(merged, dtype=np.intp)
