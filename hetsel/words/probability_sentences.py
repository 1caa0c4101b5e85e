"""What probabilities are worth, in sentences, from their facts."""

from collections.abc import Mapping
from typing import Any

from hetsel.ground.text import listed, plain_number, shown
from hetsel.words.phrases import bracketed


def calibration(one: Mapping[str, Any]) -> str:
    """The Brier score, and slope and intercept of each class.

    Examples
    --------
    >>> value = {"rate": 0.9, "low": 0.7, "high": 1.1}
    >>> facts = {"brier": {"rate": 0.125}, "scaled_brier": {"rate": 0.493}, "prevalence": None}
    >>> calibration(facts | {"classes": [{"class": "yes", "slope": value, "intercept": value}]})
    'Probabilities: Brier score 0.125, calibration slope 0.90 [0.70, 1.10], intercept 0.90 [0.70, 1.10].'
    """  # noqa: E501
    score = f"Brier score {one['brier']['rate']:.3f}"
    several = len(one["classes"]) > 1
    parts = [score]
    for of_class in one["classes"]:
        of = f" of class {shown(str(of_class['class']))}" if several else ""
        if of_class["slope"]["rate"] is not None:
            parts.append(f"calibration slope{of} {bracketed(of_class['slope'], 2)}")
        if not several and of_class["intercept"]["rate"] is not None:
            parts.append(f"intercept {bracketed(of_class['intercept'], 2)}")
    said = f"Probabilities: {', '.join(parts)}."
    if one["prevalence"] is not None:
        shares = one["prevalence"]
        told = plain_number(shares[1], 3) if len(shares) == 2 else listed(map(plain_number, shares))
        said += f" They are those where the prevalence is {told}, and rows weigh accordingly."
    return said


def miscalibrated(one: Mapping[str, Any]) -> str:
    """What is wrong with them, if an interval of slope or intercept says so.

    Examples
    --------
    >>> slope = {"rate": 0.5, "low": 0.3, "high": 0.8}
    >>> miscalibrated({"classes": [{"class": "yes", "slope": slope, "intercept": {"low": None}}]})
    'Probabilities of yes are too extreme: those near 0 or 1 are to be taken with care.'
    """
    told = []
    for of_class in one["classes"]:
        name, slope, level = shown(str(of_class["class"])), of_class["slope"], of_class["intercept"]
        if slope["low"] is not None and slope["high"] < 1:
            told.append(
                f"Probabilities of {name} are too extreme: those near 0 or 1 are to be taken with "
                "care."
            )
        elif slope["low"] is not None and slope["low"] > 1:
            told.append(f"Probabilities of {name} are too near to its share.")
        if level["low"] is not None and level["low"] > 0:
            told.append(f"They are too low: there are more rows of {name} than they say.")
        elif level["low"] is not None and level["high"] < 0:
            told.append(f"They are too high: there are fewer rows of {name} than they say.")
    return " ".join(told)


def benefit(one: Mapping[str, Any]) -> str:
    """From where to where deciding by the model is better than treating all or none."""
    said = []
    for of_class in one["classes"]:
        curve, name = of_class["decision"], shown(str(of_class["class"]))
        marks = curve["threshold"]
        sure = [t for t, low in zip(marks, curve["over_better_low"], strict=True) if (low or 0) > 0]
        if not sure:
            said.append(
                f"No threshold is shown at which deciding for {name} by the model does more good "
                "than treating all rows or none."
            )
            continue
        between = [mark for mark in marks if sure[0] <= mark <= sure[-1]]
        said.append(
            f"Deciding for {name} by the model is shown to do more good than treating all rows or "
            f"none at thresholds from {sure[0]:.2g} to {sure[-1]:.2g}"
            + ("." if sure == between else ", not at all of them.")
        )
    if one["threshold"] is not None:
        said.append(
            f"Where missing a case costs {plain_number(one['cost_of_missing'])} times a needless "
            f"treatment the threshold is {one['threshold']:.3g}."
        )
    return " ".join(said)


def movement(one: Mapping[str, Any]) -> str:
    """How much the probability of a person would move.

    Examples
    --------
    >>> moved = {"median": 0.11, "high": 0.18, "crossed": [{"threshold": 0.5, "share": 0.09}]}
    >>> movement({"movement": moved, "threshold": None}).split(":")[0]
    'With other rows to learn from the probability of a row would be another'
    """
    moved = one.get("movement")
    if not moved:
        return ""
    said = (
        "With other rows to learn from the probability of a row would be another: its standard "
        f"deviation over such models is {moved['median']:.2f} for the median row and above "
        f"{moved['high']:.2f} for one in ten."
    )
    marks = [c for c in moved["crossed"] if one["threshold"] in (None, c["threshold"])]
    crossed = marks[-1]
    return (
        f"{said} {100 * crossed['share']:.0f} % of such models put a row on the other side of "
        f"{crossed['threshold']:.3g} than most do."
    )
