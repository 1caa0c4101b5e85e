"""What probabilities are worth, as vectors of R; and what is asked of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from msgspec.structs import replace

from hetsel.ground.sealed_json import plain_values
from hetsel.signature.probabilities.probability_facts import PartWorth, ProbabilityFacts
from r_bridge.from_r.described import by_column, or_nan, text_of
from r_bridge.from_r.r_words import with_r_values
from r_bridge.from_r.vectors import frame_of, whole

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


def probabilities_asked(options: Mapping[str, Any], y: Any) -> dict[str, Any]:
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


def by_asked(columns: Sequence[Mapping[str, Any]] | None) -> pd.DataFrame | None:
    """The columns in whose parts the performance is told as well, if there are any."""
    return None if columns is None else frame_of(columns)


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


def probabilities_by_column(
    given: ProbabilityFacts | None, classes: Sequence[str]
) -> dict[str, Any] | None:
    """What probabilities are worth by column, NaN in place of None.

    Parameters
    ----------
    given : ProbabilityFacts or None
        With the classes as R writes them.
    classes : sequence of str

    Returns
    -------
    dict or None
        ``map``, ``runs``, ``brier`` and ``scaled_brier`` with their ends, ``threshold``,
        ``cost_of_missing``, ``prevalence`` of each class; by column ``calibration``, ``curve``,
        ``histogram``, ``decision``, ``thresholds``, ``parts``; ``movement``.
    """
    if given is None:
        return None
    facts = plain_values(given)
    each = facts["classes"]
    prevalence = facts["prevalence"]
    return {
        "map": facts.get("map", ""),
        "runs": facts.get("runs", 1),
        "brier": _ends(facts["brier"]),
        "scaled_brier": _ends(facts["scaled_brier"]),
        "threshold": facts["threshold"],
        "cost_of_missing": facts["cost_of_missing"],
        "prevalence": {"class": [*classes] if prevalence else [], "share": prevalence or []},
        "calibration": by_column(
            [{"class": one["class"], **_wide(one, OF_CLASS), **_more(one)} for one in each],
            ("class", *_names(OF_CLASS), "likelihood_slope", "ici", "e50", "e90"),
        ),
        "curve": _curves(each, "curve", CURVE),
        "histogram": _histogram(each),
        "decision": _curves(each, "decision", DECISION),
        "thresholds": by_column(
            [
                {"class": one["class"], **_wide(at, AT), **_plain(at, ("threshold", "treat_all"))}
                for one in each
                for at in one["at"]
            ],
            ("class", "threshold", *_names(AT), "treat_all"),
        ),
        "parts": _parts(facts["by"], classes),
        "movement": _movement(facts.get("movement")),
    }


def _ends(one: Mapping[str, Any]) -> dict[str, Any]:
    names = ("rate", "low", "high")
    return dict(zip(names, or_nan([one[name] for name in names]), strict=True))


def _names(values: Sequence[str]) -> list[str]:
    """Of each value and its ends."""
    return [name for value in values for name in (value, f"{value}_low", f"{value}_high")]


def _wide(one: Mapping[str, Any], values: Sequence[str]) -> dict[str, Any]:
    """Values with their ends beside them; one that is not there is not known."""
    return {
        f"{value}{end}": one.get(value, {}).get(key)
        for value in values
        for end, key in (("", "rate"), ("_low", "low"), ("_high", "high"))
    }


def _plain(one: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: one[name] for name in names}


def _more(one: Mapping[str, Any]) -> dict[str, Any]:
    """The likeliest slope, and how far the curve is from the probabilities."""
    distances = _plain(one["curve"], ("ici", "e50", "e90"))
    return {"likelihood_slope": one.get("likelihood_slope"), **distances}


def _curves(
    each: Sequence[Mapping[str, Any]], key: str, names: Sequence[str]
) -> dict[str, list[Any]]:
    """The lines of a curve of each class below one another."""
    found: dict[str, list[Any]] = {name: [] for name in ("class", *names)}
    for one in each:
        found["class"] += [one["class"]] * len(one[key][names[0]])
        for name in names:
            found[name] += or_nan(one[key][name])
    return found


def _histogram(each: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {k: [] for k in ("class", "low", "high", "own", "others")}
    for one in each:
        edges, counts = one["histogram"]["edges"], one["histogram"]
        found["class"] += [one["class"]] * (len(edges) - 1)
        found["low"] += edges[:-1]
        found["high"] += edges[1:]
        found["own"] += counts["own"]
        found["others"] += counts["others"]
    return found


def _parts(by: Sequence[Mapping[str, Any]], classes: Sequence[str]) -> dict[str, list[Any]]:
    rows = [f"rows {label}" for label in classes]
    content = [
        {
            **_plain(one, ("column", "level", "rows", "few")),
            "threshold": one.get("threshold"),
            **_wide(one, OF_PART),
            **dict(zip(rows, one["class_rows"], strict=True)),
        }
        for one in by
    ]
    return by_column(
        content, ("column", "level", "rows", *rows, *_names(OF_PART), "threshold", "few")
    )


def _movement(moved: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not moved:
        return None
    return {
        **_plain(moved, ("pairs", "median", "high", "mean_difference")),
        "crossed": by_column(moved["crossed"], ("threshold", "share")),
        "persons": {
            name: or_nan([person[k] for person in moved["persons"]])
            for k, name in enumerate(("mean", "low", "high"))
        },
    }
