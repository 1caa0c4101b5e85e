"""What probabilities are worth, as vectors of R; and what is asked of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values
from hetsel.signature.probabilities.probability_facts import PartWorth, ProbabilityFacts
from r_bridge.from_r.asked import Options, whole
from r_bridge.from_r.described import Plain, rows_of, text_of
from r_bridge.from_r.described import kinds_of_columns as kinds
from r_bridge.from_r.r_words import with_r_values
from r_bridge.r_vectors import RVector, texts

OF_CLASS = ("intercept", "slope", "observed_over_expected")
AT = (
    *("above", "sensitivity", "specificity", "positive_predictive_value"),
    *("negative_predictive_value", "net_benefit", "over_better"),
)
OF_PART = ("auc", "brier", "observed_over_expected", "sensitivity", "specificity")
CURVE = ("probability", "observed", "low", "high")
DECISION = (
    *("threshold", "model", "low", "high", "all"),
    *("over_better", "over_better_low", "over_better_high"),
)
FLAGS = {"False": "FALSE", "True": "TRUE"}


def probabilities_asked(options: Options, y: Any) -> dict[str, Any]:
    """The options with the shares of a prevalence by the labels of the target.

    Examples
    --------
    >>> probabilities_asked({"prevalence": {"TRUE": 0.02, "FALSE": 0.98}}, np.array([True, False]))
    {'prevalence': {'True': 0.02, 'False': 0.98}}
    """
    wanted = options.get("prevalence")
    if not isinstance(wanted, Mapping):
        return dict(options)
    labels = pd.unique(pd.Series(np.asarray(y, dtype=object)).dropna()).tolist()
    names = {text_of(label): str(label) for label in labels}
    return {**options, "prevalence": {names.get(k, k): whole(v) for k, v in wanted.items()}}


def probabilities_in_r(facts: ProbabilityFacts | None) -> ProbabilityFacts | None:
    """Facts of probabilities with the classes, and the parts by a logical column, as in R."""
    if facts is None:
        return None
    levels: dict[str, set[str]] = {}
    for one in facts.by:
        levels.setdefault(one.column, set()).add(one.level)
    flags = {name for name, every in levels.items() if every <= {*FLAGS, "missing"}}
    told = with_r_values if isinstance(facts.classes[0].of_class, bool) else str

    def part(one: PartWorth) -> PartWorth:
        named = FLAGS.get(one.level, one.level) if one.column in flags else one.level
        return replace(one, level=named, few=told(one.few))

    return replace(
        facts,
        classes=[replace(one, of_class=text_of(one.of_class)) for one in facts.classes],
        by=[part(one) for one in facts.by],
    )


class Ends(Struct):
    """A value with its interval."""

    rate: float | None
    low: float | None
    high: float | None


class MovementAnswer(Struct):
    """How far a person's probability moves with the rows that learn."""

    pairs: int
    median: float
    high: float
    mean_difference: float
    crossed: RVector
    persons: RVector


class ProbabilitiesAnswer(Struct, kw_only=True):
    """What probabilities are worth; the tables by class."""

    map: str
    runs: int
    brier: Ends
    scaled_brier: Ends
    prevalence: RVector | None
    threshold: float | None
    cost_of_missing: float | None
    calibration: RVector
    curve: RVector
    decision: RVector
    thresholds: RVector
    parts: RVector
    movement: MovementAnswer | None
    histogram: RVector


def probabilities_of(
    given: ProbabilityFacts | None, classes: Sequence[str]
) -> ProbabilitiesAnswer | None:
    """What probabilities are worth, of facts with the classes as R writes them."""
    if given is None:
        return None
    facts = plain_values(given)
    each, shares = facts["classes"], facts["prevalence"]
    calibration = kinds(float, *_names(OF_CLASS), "likelihood_slope", "ici", "e50", "e90")
    thresholds = kinds(float, "threshold", *_names(AT), "treat_all")
    return ProbabilitiesAnswer(
        map=facts.get("map", ""),
        runs=facts.get("runs", 1),
        brier=_ends(facts["brier"]),
        scaled_brier=_ends(facts["scaled_brier"]),
        prevalence=None
        if not shares
        else RVector("double", np.array(shares), {"names": texts(classes)}),
        threshold=facts["threshold"],
        cost_of_missing=facts["cost_of_missing"],
        calibration=rows_of(
            ({"class": one["class"], **_wide(one, OF_CLASS), **_more(one)} for one in each),
            {"class": str} | calibration,
        ),
        curve=_curves(each, "curve", CURVE),
        decision=_curves(each, "decision", DECISION),
        thresholds=rows_of(
            ({**at, "class": one["class"], **_wide(at, AT)} for one in each for at in one["at"]),
            {"class": str} | thresholds,
        ),
        parts=_parts(facts["by"], classes),
        movement=_movement(facts.get("movement")),
        histogram=_histogram(each),
    )


def _ends(one: Plain) -> Ends:
    return Ends(one["rate"], one["low"], one["high"])


def _names(values: Sequence[str]) -> list[str]:
    """Of each value and its ends."""
    return [name for value in values for name in (value, f"{value}_low", f"{value}_high")]


def _wide(one: Plain, values: Sequence[str]) -> dict[str, Any]:
    """Values with their ends beside them; one that is not there is not known."""
    return {
        f"{value}{end}": one.get(value, {}).get(key)
        for value in values
        for end, key in (("", "rate"), ("_low", "low"), ("_high", "high"))
    }


def _more(one: Plain) -> dict[str, Any]:
    """The likeliest slope, and how far the curve is from the probabilities."""
    distances = {name: one["curve"][name] for name in ("ici", "e50", "e90")}
    return {"likelihood_slope": one.get("likelihood_slope"), **distances}


def _curves(each: Sequence[Plain], key: str, names: Sequence[str]) -> RVector:
    """The lines of a curve of each class below one another."""
    lines = (
        dict(zip(("class", *names), (one["class"], *values), strict=True))
        for one in each
        for values in zip(*(one[key][name] for name in names), strict=True)
    )
    return rows_of(lines, {"class": str} | kinds(float, *names))


def _histogram(each: Sequence[Plain]) -> RVector:
    names = ("class", "low", "high", "own", "others")
    bars = (
        dict(zip(names, (one["class"], *values), strict=True))
        for one in each
        for bins in [one["histogram"]]
        for values in zip(
            bins["edges"], bins["edges"][1:], bins["own"], bins["others"], strict=False
        )
    )
    return rows_of(bars, {"class": str} | kinds(float, *names[1:]))


def _parts(by: Sequence[Plain], classes: Sequence[str]) -> RVector:
    counts = [f"rows {label}" for label in classes]
    parts = (
        {**one, **_wide(one, OF_PART), **dict(zip(counts, one["class_rows"], strict=True))}
        for one in by
    )
    return rows_of(
        parts,
        kinds(str, "column", "level")
        | kinds(int, "rows", *counts)
        | kinds(float, *_names(OF_PART), "threshold")
        | {"few": str},
    )


def _movement(moved: Plain | None) -> MovementAnswer | None:
    if not moved:
        return None
    ends = ("mean", "low", "high")
    persons = (dict(zip(ends, person, strict=True)) for person in moved["persons"])
    return MovementAnswer(
        **{name: moved[name] for name in ("pairs", "median", "high", "mean_difference")},
        crossed=rows_of(moved["crossed"], kinds(float, "threshold", "share")),
        persons=rows_of(persons, kinds(float, *ends)),
    )
