"""Groups of rows by their held-out risk, and what became of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hetsel.signature.nested.nested_values import NestedValues
from hetsel.statistics.survival.survival_curves import kaplan_meier
from hetsel.tables import Survival

NAMES = ("low risk", "middle", "high risk")
MARKS = 6  # times at which rows at risk are counted, about
DIGITS = 6  # of times and shares


def third_of(runs: Sequence[NestedValues]) -> np.ndarray:
    """Third (n,) of each row by its risk among the held-out rows of its fold, 0 is the lowest.

    Risks of different folds are those of different models: a row is placed by its rank inside of
    its fold, from 0 to 1, the mean of the runs. The thirds know no time and no event.

    Parameters
    ----------
    runs : sequence of NestedValues
        Of risks.
    """
    places = np.zeros(len(runs[0].fold))
    for run in runs:
        for k in range(run.folds):
            rows = run.fold == k
            places[rows] += (pd.Series(run.predicted[rows]).rank().to_numpy() - 0.5) / rows.sum()
    even = (pd.Series(np.round(places, 9)).rank().to_numpy() - 0.5) / len(places)
    return np.minimum((even * len(NAMES)).astype(np.int64), len(NAMES) - 1)


def risk_groups(
    runs: Sequence[NestedValues], target: Survival, weights: np.ndarray | None = None
) -> dict[str, Any]:
    """Kaplan and Meier's curve of each third of the rows by their held-out risk, plain values.

    The curves have no test: rows that are predicted by cross-validation are not independent, and a
    log-rank test of their groups finds a difference too often (Simon, Subramanian, Li & Menezes
    2011, Briefings in Bioinformatics 12, 203-214). The test against chance is that of permutations.

    Returns
    -------
    dict
        `at`, times; `groups`, each with its `name`, `rows`, `events`, the `times` at which its
        curve falls, its `survival` from each on, and `at_risk`, the rows at risk at the times `at`.
    """
    third, times, events = third_of(runs), target.times, target.events
    step = round_step(float(times.max()) / MARKS)
    at = step * np.arange(int(times.max() / step) + 1)
    groups = []
    for place, name in enumerate(NAMES):
        rows = third == place
        if not rows.any():
            continue
        own = None if weights is None else weights[rows]
        curve = kaplan_meier(times[rows], events[rows], own)
        falls = np.diff(np.append(1.0, curve.values)) < 0
        groups.append(
            {
                "name": name,
                "rows": int(rows.sum()),
                "events": int(events[rows].sum()),
                "last": float(times[rows].max()),
                "times": _shortened(curve.times[falls]),
                "survival": _shortened(curve.values[falls]),
                "at_risk": [int((times[rows] >= mark).sum()) for mark in at],
            }
        )
    return {"at": _shortened(at), "groups": groups}


def round_step(step: float) -> float:
    """The next larger one of 1, 2 and 5 times a power of ten; 1 for 0.

    Examples
    --------
    >>> round_step(13.4), round_step(0.3), round_step(0.0)
    (20.0, 0.5, 1.0)
    """
    if not step > 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(step))
    return float(power * next(one for one in (1, 2, 5, 10) if one * power >= step))


def _shortened(values: np.ndarray) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
