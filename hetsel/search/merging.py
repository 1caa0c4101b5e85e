"""Merging of two rankings of different features."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hetsel.errors import TableError


def merge_rankings(
    first: np.ndarray, second: np.ndarray, choose: Callable[[int, int], int]
) -> np.ndarray:
    """Merge two rankings greedily: `choose` says which of the two heads comes next.

    Parameters
    ----------
    first, second : ndarray of int
        Two rankings of different features, best first.
    choose : callable
        Called with the two heads; returns the one that goes on. Once one ranking is used up the
        other follows, each head passed as choose(head, head), so that a criterion is kept updated.

    Raises
    ------
    TableError
        `choose` returned neither head.
    """
    merged: list[int] = []
    one, other = first.tolist(), second.tolist()
    i = j = 0
    while i < len(one) or j < len(other):
        left = one[i] if i < len(one) else other[j]
        right = other[j] if j < len(other) else left
        taken = choose(left, right)
        if taken not in (left, right):
            raise TableError(
                f"choose must return one of the two heads {left}, {right}. Got {taken}"
            )
        merged.append(taken)
        if i < len(one) and taken == left:
            i += 1
        else:
            j += 1
    return np.array(merged, dtype=np.intp)
