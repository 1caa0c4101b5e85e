"""The full final model: a formula, and the effect of each value of each feature."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from hetsel.ground import listed, plain_number, shown
from hetsel.report.elements.blocks import PrintedTable, Shown
from hetsel.signature.signature_facts import Effect
from hetsel.words.probability_formula import probability_formula, steps_of_map
from hetsel.words.target_words import Facts, risk_slope

PRINTED = 80  # lines of the table; the file of the signature has all of them
SHARES = (0.002, 0.005, 0.01, 0.02, 0.05)  # of the largest effect: allowed error of omitted lines
NONE = 1e-9  # of the largest effect: a smaller number is rounding
DIGITS = 6  # of values and effects
NAMED = 12
MEANING = "g(feature) is the effect of the feature at its value."
RESULT = {
    "numbers": "f is the predicted number.",
    "survival": "f is a risk score without a unit: a larger f means an earlier event.",
}


def blocks(facts: Facts) -> Iterator[Shown]:
    """Yield the formula, the effects, the rules between values, and the calibration map."""
    yield from _formula(facts)
    every = model_lines(facts)
    lines, off = _short_enough(facts, every)
    note = f"Rounded to {DIGITS} digits. The file of the signature has full precision."
    if len(lines) < len(every):
        note = (
            f"{len(every) - len(lines):,} of {len(every):,} lines are omitted; there, "
            f"interpolated effects have an error of at most {plain_number(off, 2)}. The file of "
            "the signature has all lines with full precision."
        )
    if len(lines) > PRINTED:
        note += f" {len(lines) - PRINTED:,} more lines are only in the file."
    head = ["feature", "value", "effect on f"]
    yield PrintedTable("model", "Effect of each value.", head, lines[:PRINTED], note=note)
    yield _between(facts)
    yield missing_sentence(facts)
    if steps := steps_of_map(facts):
        name = shown(str(facts.classes[1]))
        caption = (
            f"Calibration map: from f to the probability of class {name}, linear between the lines."
        )
        yield PrintedTable("map", caption, ["f", "probability"], steps)
    yield from probability_formula(facts)


def _formula(facts: Facts) -> Iterator[str]:
    """Write the sum of effects and the prediction from it."""
    names = [f"g({shown(one.feature)})" for one in facts.features]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], "...", names[-1]]
    effects = " + ".join(names)
    labels = [shown(str(label)) for label in facts.classes]
    nothing = NONE * _reach(facts)
    intercepts = [b if abs(b) > nothing else 0.0 for b in facts.intercept]
    if len(labels) > 2:
        yield f"For each class c: f(c) = b(c) + {effects}."
        yield MEANING
        yield "The class with the largest f is predicted."
        each = zip(labels, intercepts, strict=True)
        yield (
            "b(c): "
            + ", ".join(f"{plain_number(b, DIGITS)} for {label}" for label, b in each)
            + "."
        )
        return
    yield f"f = {plain_number(intercepts[0], DIGITS)} + {effects}."
    yield MEANING
    if labels:
        yield (
            f"Class {labels[1]} is predicted if f is above 0, otherwise class {labels[0]}. This "
            "limit is set as if the classes were equally frequent, so the probability at f = 0 "
            "can differ from 50%."
        )
    else:
        yield RESULT[facts.kind] + _in_log_risks(facts)


def _in_log_risks(facts: Facts) -> str:
    """Relate these effects to the effects of the figure."""
    if facts.kind != "survival" or facts.performance is None:
        return ""
    slope = plain_number(risk_slope(facts), DIGITS)
    return (
        f" Multiplied by {slope}, the slope of a Cox model on the held-out risk scores, the "
        "effects are the log relative risks of “Effects of the features”."
    )


def model_lines(facts: Facts, off: float = 0.0) -> list[list[str]]:
    """List feature, value and effect on f: the whole model except b.

    Between two values of a continuous feature the effect is linear; the pieces of `facts.effects`
    are joined end to end.

    Parameters
    ----------
    facts : SignatureFacts
    off : float
        Lines of a continuous feature are omitted where interpolation is off by at most this.
    """
    several, nothing = len(facts.classes) > 2, NONE * _reach(facts)
    kinds = {one.feature: one.kind for one in facts.features}
    lines = []
    for (name, label), pieces in groupby(
        facts.effects, key=lambda piece: (piece.feature, piece.of_class)
    ):
        told = shown(name) + (f" (class {shown(str(label))})" if several else "")
        points = list(_points(list(pieces)))
        if off and kinds[name] == "continuous":
            points = _thinned(points, off)
        for value, effect in points:
            adds = plain_number(effect if abs(effect) > nothing else 0.0, DIGITS, signed=True)
            lines.append([told, value_or_level(value, facts.ordered.get(name)), adds])
    return lines


def _short_enough(facts: Facts, every: list[list[str]]) -> tuple[list[list[str]], float]:
    """Return as many lines as fit, and the largest error of omitted lines."""
    lines, off = every, 0.0
    for share in SHARES:
        if len(lines) <= PRINTED:
            break
        off = share * _reach(facts)
        lines = model_lines(facts, off)
    return lines, off


def _reach(facts: Facts) -> float:
    """Return the largest absolute effect."""
    return max(
        (max(abs(one.effect_low), abs(one.effect_high)) for one in facts.effects),
        default=0.0,
    )


def _thinned(points: list[tuple[Any, float]], off: float) -> list[tuple[Any, float]]:
    """Keep the points that bound the error of interpolation (Ramer, Douglas and Peucker)."""
    numbers = [point for point in points if not isinstance(point[0], str)]
    others = [point for point in points if isinstance(point[0], str)]  # a missing value
    if len(numbers) < 3:
        return points
    kept, parts = {0, len(numbers) - 1}, [(0, len(numbers) - 1)]
    while parts:
        first, last = parts.pop()
        (a, low), (b, high) = numbers[first], numbers[last]
        far = [
            abs(low + (high - low) * (value - a) / (b - a) - effect)
            for value, effect in numbers[first + 1 : last]
        ]
        if far and max(far) > off:
            middle = first + 1 + far.index(max(far))
            kept.add(middle)
            parts += [(first, middle), (middle, last)]
    return [numbers[k] for k in sorted(kept)] + others


def _points(pieces: list[Effect]) -> Iterator[tuple[Any, float]]:
    """Yield the ends of the pieces, each once."""
    last = None
    for piece in pieces:
        low, high = piece.low, piece.high
        if last is None or low != last:
            yield low, piece.effect_low
        if high != low:
            yield high, piece.effect_high
        last = high


def value_or_level(value: Any, levels: list[str] | None, digits: int = DIGITS) -> str:
    """Write a number, or the name of a level."""
    if levels is not None and not isinstance(value, str) and float(value).is_integer():
        return shown(levels[int(value)])
    return plain_number(value, digits) if isinstance(value, float) else shown(str(value))


def _between(facts: Facts) -> str:
    """State the effects between two lines, and beyond all."""
    numbers = any(one.kind == "continuous" for one in facts.features)
    said = ""
    if numbers and facts.scale == "quantile":
        said = (
            "Between two values of the table, the effect of a continuous feature is linear in the "
            "proportion of training rows below the value. The figure of effects and the file of "
            "the signature show it. "
        )
    elif numbers:
        said = "Between two values of the table, the effect of a continuous feature is linear. "
    if numbers:
        said += "Beyond the first and the last value it is constant. "
    if any(one.kind == "nominal" for one in facts.features):
        said += "A level that is not in the table is an error by default. With unseen = “separate” "
        said += "(an argument of Signature and hetsel_select, an option of hetsel predict), such a "
        said += "level is accepted and has the effect 0."
    return said.strip()


def missing_sentence(facts: Facts) -> str:
    """State how missing values are imputed."""
    fill = facts.imputed_values
    if not fill:
        return ""
    each = [f"{shown(name)} = {value_or_level(cell, None)}" for name, cell in fill.items()]
    return f"Missing values are imputed as: {listed(each, NAMED)}."
