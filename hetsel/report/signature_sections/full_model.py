"""The final model in full: a formula and what each value of each feature adds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from hetsel.ground.text import listed, plain_number, shown
from hetsel.report.elements.document import Block, Facts, SignatureSection
from hetsel.report.elements.section import PrintedTable
from hetsel.report.paper.said_of_methods import kind_of

PRINTED = 80  # lines of the table; the file of the signature has all of them
DIGITS = 6  # of values and of what they add
NAMED = 12
RESULT = {
    "numbers": "f is the number that is predicted.",
    "survival": "f is a risk without a unit: the larger it is, the sooner the event comes.",
}


def _blocks(facts: Facts) -> Iterator[Block | None]:
    if "intercept" not in facts:
        yield (
            "The file of the signature is of an earlier version, which kept no intercept among its "
            "facts: the model itself is in the file and predicts."
        )
        return
    yield from _formula(facts)
    lines = model_lines(facts)
    more = len(lines) - PRINTED
    note = (
        f"{more:,} further lines are in the file of the signature, under “effects”, and its "
        "“model” has them to the last bit."
        if more > 0
        else f"To {DIGITS} digits; the file of the signature has them to the last bit."
    )
    head = ["feature", "value", "adds to f"]
    yield PrintedTable("model", "What each value adds.", head, lines[:PRINTED], note=note)
    yield _between(facts)
    yield _absent(facts)


def _formula(facts: Facts) -> Iterator[str]:
    """The sum, and what follows from it."""
    names = [f"g({shown(one['feature'])})" for one in facts["features"]]
    effects = (
        " + ".join(names)
        if len(names) <= NAMED
        else (" + ".join([*names[: NAMED - 1], "...", names[-1]]))
    )
    labels = [shown(str(label)) for label in facts["classes"]]
    if len(labels) > 2:
        yield f"Of each class c: f(c) = b(c) + {effects}; that of the largest f is predicted."
        each = zip(labels, facts["intercept"], strict=True)
        yield "b: " + ", ".join(f"{plain_number(b, DIGITS)} of {label}" for label, b in each) + "."
        return
    intercept = plain_number(facts["intercept"][0], DIGITS)
    yield f"f = {intercept} + {effects}."
    if labels:
        yield f"Class {labels[1]} is predicted where f is above 0, else class {labels[0]}."
    else:
        yield RESULT[kind_of(facts)]


def model_lines(facts: Facts) -> list[list[str]]:
    """Feature, value and what the value adds to f, all that the model is made of but b.

    Between two values of a feature of numbers the effect is linear; the pieces that
    `facts["effects"]` has are joined end to end.
    """
    ordered, several = facts["ordered"], len(facts["classes"]) > 2
    lines = []
    for (name, label), pieces in groupby(
        facts["effects"], key=lambda piece: (piece["feature"], piece["class"])
    ):
        told = shown(name) + (f" (class {shown(str(label))})" if several else "")
        for value, effect in _points(list(pieces)):
            lines.append([told, _value(value, ordered.get(name)), _adds(effect)])
    return lines


def _points(pieces: list[dict[str, Any]]) -> Iterator[tuple[Any, float]]:
    """The ends of the pieces, each once."""
    last = None
    for piece in pieces:
        low, high = piece["low"], piece["high"]
        if last is None or low != last:
            yield low, piece["effect_low"]
        if high != low:
            yield high, piece["effect_high"]
        last = high


def _value(value: Any, levels: list[str] | None) -> str:
    """A number, or the name of a level."""
    if levels is not None and not isinstance(value, str) and float(value).is_integer():
        return shown(levels[int(value)])
    return plain_number(value, DIGITS) if isinstance(value, float) else shown(str(value))


def _adds(effect: float) -> str:
    return plain_number(effect, DIGITS, signed=True)


def _between(facts: Facts) -> str:
    """What lies between two lines, and beyond all."""
    numbers = any(one["kind"] == "continuous" for one in facts["features"])
    told = ""
    if numbers and facts.get("scale") == "quantile":
        told = (
            "Between two values of a continuous feature the effect is linear in the share of the "
            "training rows below the value; its figure and the file of the signature have that. "
        )
    elif numbers:
        told = "Between two values of a continuous feature the effect is linear. "
    if numbers:
        told += "Beyond the first and the last it stays what it is there. "
    if any(one["kind"] == "nominal" for one in facts["features"]):
        told += "A level that is not in the table has no effect of its own, and is refused if not "
        told += "asked for otherwise."
    return told.strip()


def _absent(facts: Facts) -> str:
    """What a missing cell counts as."""
    fill = facts.get("fill") or {}
    if not fill:
        return ""
    each = [f"{shown(name)} {_value(cell, None)}" for name, cell in fill.items()]
    return f"A missing cell counts as: {listed(each, NAMED)}."


SECTION = SignatureSection(
    key="model", title="The model in full", short="The model in full", blocks=_blocks
)
