"""Which cuts of an elimination are proved: no error of an importance moves a feature across."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from hetsel.selection import order_best_first
from hetsel.selection.verdicts_in_words import OPEN, PROVED, TIE, UNSAID


class Evaluation(NamedTuple):
    """The rating of the k features on which a model was trained.

    The first of the keys (k,) decides (larger is better). A later key breaks the ties of the
    earlier ones, then the lower number is better. Keys tie only if they are equal.
    """

    keys: tuple[np.ndarray, ...]
    objective: float = float("nan")
    gap: float = float("nan")  # relative duality gap of the model
    # largest distance of the first keys (k,) from the optimum; with None nothing is proved
    radius: np.ndarray | None = None
    refine: "Callable[[], Evaluation] | None" = None  # evaluates again with a smaller radius
    compared: np.ndarray | None = (
        None  # values (k,) to compare over other labels; None is the first key
    )
    settled: bool = True  # whether equal keys tie; far from the optimum they may be equal by chance


Importances = Callable[[np.ndarray], Evaluation]  # of the remaining features, ascending


def last_features(
    found: Evaluation, count: int, asked: Collection[int]
) -> tuple[Evaluation, np.ndarray, list[str]]:
    """Return the last `count` features, best first, and the verdict on the cut before each.

    Open cuts among `asked` are refined as far as possible.
    """
    size = len(found.keys[0])
    while True:
        # the last `count`, best first; only candidates for them are sorted
        low = np.flatnonzero(found.keys[0] <= np.partition(found.keys[0], count - 1)[count - 1])
        dropped = low[order_best_first(*(key[low] for key in found.keys))[-count:]]
        verdicts = _verdicts(found, dropped)
        here = (verdicts[cut - size + count] for cut in asked)
        if OPEN not in here or found.refine is None:
            return found, dropped, verdicts
        found = found.refine()


def _verdicts(found: Evaluation, dropped: np.ndarray) -> list[str]:
    """Return the verdict on the cut before each dropped feature, best first, below all others."""
    if found.radius is None:
        return [UNSAID] * len(dropped)
    values, radius = found.keys[0], found.radius
    kept = np.ones(len(values), dtype=bool)
    kept[dropped] = False
    # the smallest possible value of a feature above a cut, the largest of one below it
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
