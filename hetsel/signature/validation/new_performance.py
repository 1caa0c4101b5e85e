"""Performance on rows that no model has learned from, in the form of that of a signature."""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any, Literal, get_args

import numpy as np

from hetsel.signature.probabilities.probability_facts import interval_of
from hetsel.statistics.performance.concordance_intervals import (
    MOST,
    area_of_rows,
    concordance_interval,
    concordant_sums,
    sums_of_units,
)
from hetsel.statistics.performance.loss_intervals import loss_interval, told_interval
from hetsel.statistics.performance.rate_intervals import (
    balanced_interval,
    design_effect,
    effective_rows,
    few_groups_effect,
    wilson_interval,
)
from hetsel.tables import Numbers, Survival, Target

LEVEL = 0.95


def class_measures(
    truth: np.ndarray,
    decisions: np.ndarray,
    labels: Sequence[Any],
    weights: np.ndarray,
    groups: np.ndarray | None,
) -> dict[str, Any]:
    """BCR, recalls and the area under the ROC curve, with intervals; of classes that have rows.

    Where only one has there is no BCR and no area.

    Parameters
    ----------
    truth : ndarray of int, shape (n,)
    decisions : ndarray of shape (n,), or (n, classes)
    labels : sequence
    weights : ndarray of shape (n,)
    groups : ndarray of int, shape (n,), optional
    """
    predicted = (decisions > 0).astype(int) if decisions.ndim == 1 else decisions.argmax(axis=1)
    right = (predicted == truth).astype(np.float64)
    recalls, counting, told = [], [], []
    for c, label in enumerate(labels):
        own = truth == c
        if not own.any():
            continue
        mine = None if groups is None else groups[own]
        effect = design_effect(right[own], mine, weights[own])
        effect *= few_groups_effect(mine, LEVEL, weights[own])
        counting.append(effective_rows(weights[own]) / effect)
        rate = float(np.average(right[own], weights=weights[own]))
        recalls.append(wilson_interval(rate, counting[-1], LEVEL))
        told.append({"class": str(label), "rows": int(own.sum()), **interval_of(recalls[-1])})
    if len(recalls) == 1:
        unknown = {"rate": None, "low": None, "high": None, "level": LEVEL}
        return {"bcr": unknown, "recalls": told, "auc": None}
    return {
        "bcr": interval_of(balanced_interval(recalls, counting)),
        "recalls": told,
        "auc": interval_of(area_of_rows(truth, decisions.reshape(len(truth), -1), weights, groups)),
    }


def value_measures(
    target: Target, predicted: np.ndarray, weights: np.ndarray, groups: np.ndarray | None
) -> dict[str, Any]:
    """Of numbers R^2 and errors, of survival times Harrell's concordance, with intervals.

    Of numbers there is `kurtosis` of the errors about 0, 3 of normal ones.
    """
    kurtosis = None
    shared: dict[str, Any] = {"weights": weights, "groups": groups, "spread": 1.0, "level": LEVEL}
    if isinstance(target, Survival):
        once = target.events.astype(np.float64)
        given, units = (target.content, once, predicted), groups
        if units is None:
            units = np.arange(len(predicted))
        events = effective_rows(weights[target.events])
        right, pairs = (
            sums_of_units(*given, units, weights)
            if units.max() < MOST
            else concordant_sums(*given, weights)
        )
        found = [
            ("harrell", "Harrell's C", concordance_interval(right[0], pairs, rows=events, **shared))
        ]
    else:
        assert isinstance(target, Numbers)
        truth = target.values
        squares, away = (truth - predicted) ** 2, (truth - np.average(truth, weights=weights)) ** 2
        if squares.any():
            fourth = float(np.average(squares**2, weights=weights))
            kurtosis = fourth / float(np.average(squares, weights=weights)) ** 2
        found = [
            ("r2", "R²", told_interval(squares, away, **shared)),
            ("rmse", "RMSE", loss_interval(squares, power=0.5, **shared)),
            ("mae", "MAE", loss_interval(np.abs(truth - predicted), **shared)),
        ]
    measures = [{"key": k, "label": label, **interval_of(one)} for k, label, one in found]
    chance = 0.5 if isinstance(target, Survival) else 0.0
    return {"measures": measures, "chance": chance, "kurtosis": kurtosis}


# Whether a signature is worth on new rows what it was estimated to be worth.


Verdict = Literal["better", "worse", "undecided"]
BETTER, WORSE, UNDECIDED = get_args(Verdict)


def comparison(here: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The main measure on new rows less what it was estimated to be, with its interval.

    low = d - sqrt((here - low_here)^2 + (high_before - before)^2), high alike, of the difference d:
    two intervals that overlap can be of measures that differ. Of 200 tables a design and new rows
    of the same population "better" or "worse" was said in 0 to 3 %, see
    tests/arena/campaigns/validations.py.

    Parameters
    ----------
    here : mapping
        Performance on new rows.
    before : mapping or None
        What the signature said of itself.

    Returns
    -------
    dict or None
        `verdict`, one of "better", "worse" and "undecided"; `measure`; `here` and `before`, its
        values with their intervals; the `difference` with its ends `low` and `high`. None where one
        of them is not known.

    References
    ----------
    Zou & Donner (2008) Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> then = {"auc": {"rate": 0.85, "low": 0.79, "high": 0.9}}
    >>> now = {"auc": {"rate": 0.7, "low": 0.62, "high": 0.8}}
    >>> found = comparison(now, then)
    >>> found["verdict"], round(found["low"], 3), round(found["high"], 3)
    ('worse', -0.244, -0.033)
    """
    if before is None:
        return None
    if "measures" in here:
        one, then = here["measures"][0], before["measures"][0]
    else:
        one, then = here["auc"], before["auc"]
    if any(
        side is None or None in (side["rate"], side["low"], side["high"]) for side in (one, then)
    ):
        return None
    difference = one["rate"] - then["rate"]
    low = difference - hypot(one["rate"] - one["low"], then["high"] - then["rate"])
    high = difference + hypot(one["high"] - one["rate"], then["rate"] - then["low"])
    verdict: Verdict = WORSE if high < 0 else BETTER if low > 0 else UNDECIDED
    sides = {"here": one, "before": then}
    return {
        "verdict": verdict,
        "measure": one.get("label", "area under the ROC curve"),
        **{
            name: {key: side[key] for key in ("rate", "low", "high")}
            for name, side in sides.items()
        },
        "difference": difference,
        "low": low,
        "high": high,
    }
