"""Recursive feature elimination (Guyon et al. 2002; Algorithm 1 of paul2015)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hetsel.selection.answer import Ranking, Step, best_first

# features left (ascending) -> importances (keys, the first decides), objective, relative gap
Importances = Callable[[np.ndarray], tuple[tuple[np.ndarray, ...], float, float]]


def recursive_elimination(
    importances: Importances, columns: np.ndarray, share: float = 0.2
) -> Ranking:
    """Rank p features by training a model, dropping the least important ones, and again.

    Of the p features left, max(1, round(share p)) are dropped.

    Parameters
    ----------
    importances : callable
        Called with the features left, ascending numbers of 0..p-1. Returns a tuple of keys, each
        one number for each of these features (larger is better; a later key breaks the ties of the
        earlier ones, then the lower number is better; keys tie only if they are equal: see
        :func:`hetsel.tables.ties.tied`), the objective of the model and its
        relative duality gap.
    columns : ndarray of int, shape (p,)
        Which column of the table each feature is; the ranking names these.
    share : float
        Share of the features to drop in one step.

    Raises
    ------
    ValueError
        share outside (0, 1).

    Examples
    --------
    >>> weights = np.array([0.3, 0.9, 0.1, 0.5])
    >>> ranking = recursive_elimination(lambda left: ((weights[left],), 0.0, 0.0), np.arange(4))
    >>> ranking.order
    array([1, 3, 0, 2])
    """
    if not 0.0 < share < 1.0:
        raise ValueError(f"step must be a share between 0 and 1, e.g. 0.2. Got {share!r}")
    left = np.arange(len(columns))
    sizes = elimination_sizes(len(columns), share)
    importance = np.empty(len(columns))
    order: list[int] = []
    steps = []
    for size, rest in zip(sizes, [*sizes[1:], 0], strict=True):
        keys, objective, gap = importances(left)
        by_importance = best_first(*keys)
        dropped = columns[left[by_importance[rest:]]]
        importance[columns[left]] = keys[0]
        order = [*dropped.tolist(), *order]
        steps.append(Step(size, tuple(dropped.tolist()), objective, gap))
        left = np.sort(left[by_importance[:rest]])
    return Ranking(np.array(order, dtype=np.intp), importance, tuple(steps))


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
