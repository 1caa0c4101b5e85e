"""What new rows say of a signature, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hetsel.ground.text import counted, listed, shown
from hetsel.signature.probabilities.probability_sentences import benefit, calibration, miscalibrated
from hetsel.signature.reported.sentences import measured, performance
from hetsel.signature.reported.wording_by_target import area_of

MUCH, SOME = 0.25, 0.1  # of the population stability index
LEVEL = 0.05
NAMED = 5


def validation_sentences(facts: Mapping[str, Any]) -> list[str]:
    """All of it, the performance first; what is not there is left out."""
    one = facts["probabilities"]
    parts = [
        rows(facts),
        performance(facts),
        compared(facts),
        *([calibration(one), miscalibrated(one), benefit(one)] if one else []),
        never_seen(facts),
        drift(facts),
    ]
    return [said for said in parts if said]


def rows(facts: Mapping[str, Any]) -> str:
    """How many rows judged, and which did not."""
    groups = "" if facts["groups"] is None else f" in {counted(facts['groups'], 'group')}"
    said = f"{facts['rows']:,} new rows{groups}"
    if facts["classes"]:
        each = zip(facts["classes"], facts["class_rows"], strict=True)
        said += ": " + ", ".join(f"class {shown(str(label))} {n:,}" for label, n in each)
    said += "."
    if facts.get("copies"):
        said += (
            f" {counted(facts['copies'], 'row')} are equal or nearly equal to others: intervals "
            "count each group of them as one."
        )
    if facts["left_out"]:
        said += f" {counted(facts['left_out'], 'row')} of the fit, or of weight 0, were left out."
    if facts["unchecked"]:
        said += f" Whether rows of the fit are among them is not known: {facts['unchecked']}."
    return said


def compared(facts: Mapping[str, Any]) -> str:
    """What the signature said of itself, and whether new rows agree.

    Examples
    --------
    >>> here = {"rate": 0.7, "low": 0.62, "high": 0.77}
    >>> there = {"rate": 0.85, "low": 0.79, "high": 0.9}
    >>> facts = {"performance": {"auc": here}, "before": {"performance": {"auc": there}}}
    >>> compared(facts).split(": ")[1]
    'worse than it was estimated to be.'
    """
    before = facts["before"]["performance"]
    if before is None:
        return ""
    if "measures" in facts["performance"]:
        name, here = "main measure", facts["performance"]["measures"][0]
        there = before["measures"][0]
    else:
        name, here, there = "area under the ROC curve", facts["performance"]["auc"], area_of(before)
    if there is None or here["rate"] is None or there["low"] is None:
        return ""
    both = (
        f"The {name} was estimated as {measured({'key': 'auc', **there})} on rows like those of "
        f"the fit; on these it is {measured({'key': 'auc', **here})}"
    )
    if here["high"] < there["low"]:
        return f"{both}: worse than it was estimated to be."
    if here["low"] > there["high"]:
        return f"{both}: better than it was estimated to be."
    return f"{both}: the intervals overlap."


def never_seen(facts: Mapping[str, Any]) -> str:
    """Levels that the fit has not, and values beyond its range."""
    said = []
    for one in facts["features"]:
        name = shown(one["feature"])
        if one["unseen"]:
            levels = listed([shown(level) for level in one["levels"]], NAMED)
            said.append(f"{name} has {counted(one['unseen'], 'row')} with {levels}")
        if beyond := one["below"] + one["above"]:
            said.append(f"{name} is beyond the range of the fit in {counted(beyond, 'row')}")
    if not said:
        return ""
    return (
        f"Never seen in the fit: {'; '.join(said)}. A level never seen adds nothing, a value "
        "beyond the range counts as its end."
    )


def drift(facts: Mapping[str, Any]) -> str:
    """Features whose distribution is another one."""
    moved = [
        (one["shift"], f"{shown(one['feature'])} (stability index {one['shift']:.2f})")
        for one in facts["features"]
        if one["shift"] is not None
        and one["shift"] > SOME
        and one["pvalue"] is not None
        and one["pvalue"] < LEVEL
    ]
    if not moved:
        return ""
    much = any(shift > MUCH for shift, _ in moved)
    return (
        f"Distributed {'much ' if much else ''}differently from the fit: "
        f"{listed([name for _, name in sorted(moved, reverse=True)], NAMED)}."
    )
