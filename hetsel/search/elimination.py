"""Recursive feature elimination (Guyon et al. 2002; Algorithm 1 of paul2015)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hetsel.selection.answer import Ranking, Step, best_first

# features left (ascending) -> importances (keys, the first decides), objective, relative gap
Importances = Callable[[np.ndarray], tuple[tuple[np.ndarray, ...], float, float]]


def recursive_elimination(
    importances: Importances, columns: np.ndarray, step: float = 0.2
) -> Ranking:
    """Rank p features by training a model, dropping the least important ones, and again.

    Of the p features left, max(1, round(step p)) are dropped, or `step` of them if it is a whole
    number.

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
    step : float or int
        Share of the features left to drop in one step, or their number.

    Raises
    ------
    ValueError
        step neither a share in (0, 1) nor a whole number from 1 on.

    Examples
    --------
    >>> weights = np.array([0.3, 0.9, 0.1, 0.5])
    >>> ranking = recursive_elimination(lambda left: ((weights[left],), 0.0, 0.0), np.arange(4))
    >>> ranking.order
    array([1, 3, 0, 2])
    """
    if isinstance(step, bool) or not (0.0 < step < 1.0 or (_whole(step) and step >= 1)):
        raise ValueError(
            "step must be a share between 0 and 1, e.g. 0.2, or a whole number of features. "
            f"Got {step!r}"
        )
    left = np.arange(len(columns))
    sizes = elimination_sizes(len(columns), step)
    importance = np.empty(len(columns))
    order: list[int] = []
    steps = []
    for size, rest in zip(sizes, [*sizes[1:], 0], strict=True):
        keys, objective, gap = importances(left)
        dropped_here = _worst(keys, size - rest)
        dropped = columns[left[dropped_here]]
        importance[dropped] = keys[0][dropped_here]
        order = [*dropped.tolist(), *order]
        steps.append(Step(size, tuple(dropped.tolist()), objective, gap))
        left = np.delete(left, dropped_here)
    return Ranking(np.array(order, dtype=np.intp), importance, tuple(steps))


def varying_elimination(
    importances: Importances, columns: np.ndarray, varies: np.ndarray, step: float = 0.2
) -> Ranking:
    """:func:`recursive_elimination` of the features that vary; the others come last.

    Features are numbered as in `columns` and `varies` (p,). Those that do not vary have the
    importance 0, and no step tells of them.
    """
    kept = np.flatnonzero(varies)
    among = recursive_elimination(lambda left: importances(kept[left]), np.arange(len(kept)), step)
    return among.within(columns[kept], len(columns))


def elimination_sizes(p: int, step: float = 0.2) -> list[int]:
    """Numbers of features at the steps of an elimination that drops a share or a number of them.

    max(1, round(step p)) of the p features left are dropped (paul2015, section 2.1), or `step` of
    them if it is a whole number.

    Examples
    --------
    >>> elimination_sizes(13)
    [13, 10, 8, 6, 5, 4, 3, 2, 1]
    >>> elimination_sizes(5, 1)
    [5, 4, 3, 2, 1]
    """
    sizes = []
    while p > 0:
        sizes.append(p)
        p -= min(p, int(step) if _whole(step) else max(1, round(step * p)))
    return sizes


def _worst(keys: tuple[np.ndarray, ...], count: int) -> np.ndarray:
    """Indices of the last `count` by these keys, best first; only what may be among them sorts."""
    low = np.flatnonzero(keys[0] <= np.partition(keys[0], count - 1)[count - 1])
    return low[best_first(*(key[low] for key in keys))[-count:]]


def _whole(step: float) -> bool:
    """Whether a step is a number of features; else it is a share."""
    return isinstance(step, int | np.integer)
