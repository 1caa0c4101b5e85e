"""Recursive feature elimination (Guyon et al. 2002; Algorithm 1 of paul2015)."""

from collections.abc import Collection

import numpy as np

from hetsel.ground import TableError, is_whole
from hetsel.search.rankings.proved_cuts import Evaluation, Importances, last_features
from hetsel.selection import Ranking, Step


def recursive_elimination(
    importances: Importances,
    columns: np.ndarray,
    step: float = 0.2,
    sizes: Collection[int] = (),
    always: Collection[int] = (),
    *,
    every: bool = True,
) -> Ranking:
    """Rank p features: train a model, drop the least important features, and repeat.

    Of the p remaining features max(1, round(step p)) are dropped, or `step` of them if it is a
    whole number (1.0 is one feature: no proportion drops all, and R's 1 is a double). `importances`
    gets the remaining features as ascending numbers of 0..p-1; the ranking names them by `columns`
    (p,). The columns `always` stay as long as any other feature remains.

    A model may bound the distance of its importances from those at its optimum. A cut between kept
    and dropped features is then *proved* if no such distance can move a feature across it, and a
    *tie* if the features on its two sides tie. Other cuts are refined, and are *open* if that does
    not help. Within the features that one step drops, only the cuts at `sizes` are refined. `every`
    is whether all cuts between steps are refined, or only those at `sizes`.
    """
    if isinstance(step, bool) or not (0.0 < step < 1.0 or (is_whole(step) and step >= 1)):
        raise TableError(
            "step must be a proportion between 0 and 1, e.g. 0.2, or a whole number of features. "
            f"Got {step!r}"
        )
    left = np.arange(len(columns))
    forced = np.isin(columns, list(always))
    counts = elimination_sizes(len(columns), step, int(forced.sum()))
    importance = np.empty(len(columns))
    order: list[int] = []
    cuts: list[str] = []
    steps: list[Step] = []
    first = np.zeros(len(columns))
    for size, rest in zip(counts, [*counts[1:], 0], strict=True):
        asked = {cut for cut in sizes if rest <= cut < size} | ({rest} if every else set())
        asked -= {0}
        evaluation = _with_kept(importances(left), forced[left])
        found, dropped_here, verdicts = last_features(evaluation, size - rest, asked)
        if not steps:
            first[columns] = found.keys[0] if found.compared is None else found.compared
        dropped = columns[left[dropped_here]]
        importance[dropped] = found.keys[0][dropped_here]
        order = [*dropped.tolist(), *order]
        # the last step keeps nothing, so there is no cut before its first feature
        cuts = [*(verdicts if rest else verdicts[1:]), *cuts]
        bound = float("nan") if found.radius is None else float(found.radius.max())
        verdict = verdicts[0] if rest else ""
        names = tuple(dropped.tolist())
        steps.append(Step(size, names, found.objective, found.gap, bound, verdict))
        left = np.delete(left, dropped_here)
    order_found = np.array(order, dtype=np.intp)
    return Ranking(order_found, importance, tuple(steps), cuts=tuple(cuts), first=first)


def _with_kept(found: Evaluation, kept: np.ndarray) -> Evaluation:
    """Put some features (a mask, (k,)) of an evaluation above all others."""
    if not kept.any() or kept.all():
        return found
    refine = found.refine
    return found._replace(
        keys=(np.where(kept, np.inf, found.keys[0]), *found.keys[1:]),
        radius=None if found.radius is None else np.where(kept, 0.0, found.radius),
        refine=None if refine is None else lambda: _with_kept(refine(), kept),
        compared=found.keys[0] if found.compared is None else found.compared,
    )


def varying_elimination(
    importances: Importances,
    columns: np.ndarray,
    varies: np.ndarray,
    step: float = 0.2,
    sizes: Collection[int] = (),
    always: Collection[int] = (),
) -> Ranking:
    """Eliminate among the features that vary; others come last, with importance 0."""
    kept = np.flatnonzero(varies)
    every = np.arange(len(kept))
    stay = np.flatnonzero(np.isin(columns[kept], list(always)))
    among = recursive_elimination(
        lambda left: importances(kept[left]), every, step, sizes, stay.tolist()
    )
    return among.within(columns[kept], len(columns))


def elimination_sizes(p: int, step: float = 0.2, always: int = 0) -> list[int]:
    """Return the numbers of features at the steps of an elimination (paul2015, section 2.1).

    One step ends where only the `always` features remain.
    """
    sizes = []
    while p > 0:
        sizes.append(p)
        free = p - always if p > always else p
        p -= min(free, int(step) if step >= 1 else max(1, round(step * p)))
    return sizes
