"""Options and performance of predicted probabilities for R."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from msgspec import UnsetType

from hetsel.ground.sealed_json import plain_values
from hetsel.signature.probabilities.probability_facts import PredictionInstability, ProbabilityFacts
from r_bridge.from_r.asked import Labels, whole
from r_bridge.from_r.r_words import text_of
from r_bridge.r_vectors import RVector, Values, fields, kinds, table, texts

OF_CLASS = ("intercept", "slope", "observed_expected_ratio")
AT = (
    *("above", "sensitivity", "specificity", "positive_predictive_value"),
    *("negative_predictive_value", "net_benefit", "over_better"),
)
OF_PART = ("auc", "brier", "observed_expected_ratio", "sensitivity", "specificity")
CURVE = ("probability", "observed", "low", "high")
DECISION = (
    *("threshold", "model", "low", "high", "all"),
    *("over_better", "over_better_low", "over_better_high"),
)
BARS = ("low", "high", "own", "others")
ESTIMATE = ("estimate", "low", "high")
PERSON = kinds(float, "mean", "low", "high")
CLASS: dict[str, type] = {"class": str}


def probabilities_asked(options: Values | None, y: Labels | Sequence[object]) -> Values:
    """Return the options, with a prevalence named by the labels of the target.

    Examples
    --------
    >>> probabilities_asked({"prevalence": {"TRUE": 0.02, "FALSE": 0.98}}, np.array([True, False]))
    {'prevalence': {'True': 0.02, 'False': 0.98}}
    """
    given = options or {}
    wanted = given.get("prevalence")
    if not isinstance(wanted, Mapping):
        return given
    labels = pd.unique(pd.Series(np.asarray(y, dtype=object)).dropna()).tolist()
    names = {text_of(label): str(label) for label in labels}
    return {**given, "prevalence": {names.get(k, k): whole(v) for k, v in wanted.items()}}


def probabilities_of(given: ProbabilityFacts | None, classes: Sequence[str]) -> Values | None:
    """Convert the performance of probabilities to tables by class."""
    if given is None:
        return None
    facts = plain_values(given)
    each, shares, counts = facts["classes"], given.prevalence, [f"rows {name}" for name in classes]
    of_class = kinds(float, *_names(OF_CLASS), "likelihood_slope", "ici", "e50", "e90")
    bars = [{**one["histogram"], "class": one["class"]} for one in each]
    rows = [dict(zip(counts, one.class_rows, strict=True)) for one in given.by]
    parts = [{**_flat(one), **counted} for one, counted in zip(facts["by"], rows, strict=True)]
    wanted = RVector("double", np.array(shares), {"names": texts(classes)}) if shares else None
    return {
        "map": given.map or "",
        "runs": given.runs or 1,
        **{name: fields(getattr(given, name), *ESTIMATE) for name in ("brier", "scaled_brier")},
        "prevalence": wanted,
        **fields(given, "threshold", "harm_ratio"),
        "calibration": table(({**one["curve"], **_flat(one)} for one in each), CLASS | of_class),
        "curve": _lines(({**one["curve"], "class": one["class"]} for one in each), CURVE),
        "decision": _lines(({**one["decision"], "class": one["class"]} for one in each), DECISION),
        "thresholds": table(
            ({**_flat(at), "class": one["class"]} for one in each for at in one["at"]),
            CLASS | kinds(float, "threshold", *_names(AT), "treat_all"),
        ),
        "parts": table(
            parts,
            kinds(str, "column", "level")
            | kinds(int, "rows", *counts)
            | kinds(float, *_names(OF_PART), "threshold")
            | {"few": str},
        ),
        "prediction_instability": _instability(given.prediction_instability),
        "histogram": _lines(
            ({**one, "low": one["edges"][:-1], "high": one["edges"][1:]} for one in bars), BARS
        ),
    }


def _names(values: Sequence[str]) -> list[str]:
    """Name each value and the ends of its interval."""
    return [name for value in values for name in (value, f"{value}_low", f"{value}_high")]


def _flat(record: Values) -> Values:
    """Return a record with the ends of each interval next to its value."""
    found = dict(record)
    for name, value in record.items():
        if isinstance(value, Mapping) and "estimate" in value:
            found |= zip(
                _names([name]), (value["estimate"], value["low"], value["high"]), strict=True
            )
    return found


def _lines(curves: Iterable[Values], names: Sequence[str]) -> RVector:
    """Stack the curves of all classes."""
    each = [*curves]
    cells = {name: [value for one in each for value in one[name]] for name in names}
    classes = [one["class"] for one in each for _ in one[names[0]]]
    return table({"class": classes, **cells}, CLASS | kinds(float, *names))


def _instability(moved: PredictionInstability | UnsetType | None) -> Values | None:
    """Convert the prediction instability."""
    if not isinstance(moved, PredictionInstability):
        return None
    known = fields(moved, "pairs", "median", "high", "mean_difference", "disagreement")
    return {**known, "example_rows": table(moved.example_rows, PERSON)}
