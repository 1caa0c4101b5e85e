"""Recursive feature elimination (Guyon et al. 2002; Algorithm 1 of paul2015)."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from hetsel.ground import TableError, is_whole
from hetsel.selection import Ranking, Step, order_best_first
from hetsel.selection.cut_verdicts import OPEN, PROVED, TIE, UNSAID


class Evaluation(NamedTuple):
    """What a model says of the k features that it was trained on.

    Of the keys (k,) the first decides (larger is better); a later key breaks the ties of the
    earlier ones, then the lower number is better. Keys tie only if they are equal.
    """

    keys: tuple[np.ndarray, ...]
    objective: float = float("nan")
    gap: float = float("nan")  # relative duality gap of the model
    # how far first keys (k,) can be from those at the optimum; of None nothing is proved
    radius: np.ndarray | None = None
    refine: "Callable[[], Evaluation] | None" = None  # finds the same with a smaller radius
    compared: np.ndarray | None = None  # over other labels, (k,); None is the first key
    settled: bool = True  # whether equal keys tie; far from the optimum they may be so by chance


Importances = Callable[[np.ndarray], Evaluation]  # of the features left, ascending


def recursive_elimination(
    importances: Importances,
    columns: np.ndarray,
    step: float = 0.2,
    sizes: Collection[int] = (),
    always: Collection[int] = (),
    *,
    every: bool = True,
) -> Ranking:
    """Rank p features by training a model, dropping the least important ones, and again.

    Of the p features left, max(1, round(step p)) are dropped, or `step` of them if it is a whole
    number (1.0 is one feature: no step drops all, and R's 1 is a double). Where the model says how
    far its importances are from those at its optimum, each cut between what is kept and what is
    dropped is *proved* if no such distance can move a feature across it, or a *tie* if the features
    on its two sides tie. What is neither is refined; if that does not help it is *open*. Inside of
    what a step drops only the cuts that `sizes` ask for are refined; `every` says whether all cuts
    between steps are, or only those.

    The model is asked with the features left, ascending numbers of 0..p-1; the ranking names them
    by `columns` (p,). The columns `always` stay as long as any other is left.
    """
    if isinstance(step, bool) or not (0.0 < step < 1.0 or (is_whole(step) and step >= 1)):
        raise TableError(
            "step must be a share between 0 and 1, e.g. 0.2, or a whole number of features. "
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
        found, dropped_here, verdicts = _decide(evaluation, size - rest, asked)
        if not steps:
            first[columns] = found.keys[0] if found.compared is None else found.compared
        dropped = columns[left[dropped_here]]
        importance[dropped] = found.keys[0][dropped_here]
        order = [*dropped.tolist(), *order]
        # the last step keeps nothing: there is no cut before its first feature
        cuts = [*(verdicts if rest else verdicts[1:]), *cuts]
        bound = float("nan") if found.radius is None else float(found.radius.max())
        verdict = verdicts[0] if rest else ""
        names = tuple(dropped.tolist())
        steps.append(Step(size, names, found.objective, found.gap, bound, verdict))
        left = np.delete(left, dropped_here)
    order_found = np.array(order, dtype=np.intp)
    return Ranking(order_found, importance, tuple(steps), cuts=tuple(cuts), first=first)


def _with_kept(found: Evaluation, kept: np.ndarray) -> Evaluation:
    """The evaluation with some of its features (a mask, (k,)) above all others, if there are."""
    if not kept.any() or kept.all():
        return found
    refine = found.refine
    return found._replace(
        keys=(np.where(kept, np.inf, found.keys[0]), *found.keys[1:]),
        radius=None if found.radius is None else np.where(kept, 0.0, found.radius),
        refine=None if refine is None else lambda: _with_kept(refine(), kept),
        compared=found.keys[0] if found.compared is None else found.compared,
    )


def _decide(
    found: Evaluation, count: int, asked: Collection[int]
) -> tuple[Evaluation, np.ndarray, list[str]]:
    """The last `count` features, best first, and the verdict on the cut before each, refined."""
    size = len(found.keys[0])
    while True:
        # the last `count`, best first; only what may be among them is sorted
        low = np.flatnonzero(found.keys[0] <= np.partition(found.keys[0], count - 1)[count - 1])
        dropped = low[order_best_first(*(key[low] for key in found.keys))[-count:]]
        verdicts = _verdicts(found, dropped)
        here = (verdicts[cut - size + count] for cut in asked)
        if OPEN not in here or found.refine is None:
            return found, dropped, verdicts
        found = found.refine()


def _verdicts(found: Evaluation, dropped: np.ndarray) -> list[str]:
    """Of the cut before each of the dropped features, best first, all else above them."""
    if found.radius is None:
        return [UNSAID] * len(dropped)
    values, radius = found.keys[0], found.radius
    kept = np.ones(len(values), dtype=bool)
    kept[dropped] = False
    # the least that a feature above a cut can have, the most that one below it can have
    above, below = (values - radius)[dropped], (values + radius)[dropped]
    nothing = np.inf
    least = np.min(values[kept] - radius[kept], initial=nothing)
    lowest = np.min(values[kept], initial=nothing)
    lowests = np.minimum.accumulate(np.append(lowest, values[dropped[:-1]]))
    leasts = np.minimum.accumulate(np.append(least, above[:-1]))
    mosts = np.maximum.accumulate(below[::-1])[::-1]
    proved, equal = leasts > mosts, lowests == values[dropped]
    return [
        (TIE if found.settled else OPEN) if same else PROVED if sure else OPEN
        for same, sure in zip(equal.tolist(), proved.tolist(), strict=True)
    ]


def varying_elimination(
    importances: Importances,
    columns: np.ndarray,
    varies: np.ndarray,
    step: float = 0.2,
    sizes: Collection[int] = (),
    always: Collection[int] = (),
) -> Ranking:
    """:func:`recursive_elimination` of features that vary; others come last, of importance 0."""
    kept = np.flatnonzero(varies)
    every = np.arange(len(kept))
    stay = np.flatnonzero(np.isin(columns[kept], list(always)))
    among = recursive_elimination(
        lambda left: importances(kept[left]), every, step, sizes, stay.tolist()
    )
    return among.within(columns[kept], len(columns))


def elimination_sizes(p: int, step: float = 0.2, always: int = 0) -> list[int]:
    """Numbers of features at the steps of an elimination (paul2015, section 2.1).

    One step ends where only the `always` ones that stay are left.
    """
    sizes = []
    while p > 0:
        sizes.append(p)
        free = p - always if p > always else p
        p -= min(free, int(step) if step >= 1 else max(1, round(step * p)))
    return sizes
