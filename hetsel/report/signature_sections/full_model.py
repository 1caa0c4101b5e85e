"""The final model in full: a formula and what each value of each feature adds."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from hetsel.ground import listed, plain_number, shown
from hetsel.report.elements.blocks import PrintedTable, Shown
from hetsel.signature.signature_facts import Effect
from hetsel.words.probability_formula import probability_formula, steps_of_map
from hetsel.words.target_words import Facts, risk_slope

PRINTED = 80  # lines of the table; the file of the signature has all of them
SHARES = (0.002, 0.005, 0.01, 0.02, 0.05)  # of the largest effect that lines may be off
NONE = 1e-9  # of the largest effect: a smaller number is rounding
DIGITS = 6  # of values and of what they add
NAMED = 12
RESULT = {
    "numbers": "f is the number that is predicted.",
    "survival": "f is a risk without a unit: the larger it is, the sooner the event comes.",
}


def blocks(facts: Facts) -> Iterator[Shown]:
    """A formula, what each value adds, what lies between, and the map to probabilities."""
    yield from _formula(facts)
    every = model_lines(facts)
    lines, off = _short_enough(facts, every)
    note = f"To {DIGITS} digits; the file of the signature has them to the last bit."
    if len(lines) < len(every):
        note = (
            f"{len(every) - len(lines):,} of {len(every):,} lines are left out: there an effect is "
            f"off by {plain_number(off, 2)} at the most. The file of the signature has all of "
            "them to the last bit."
        )
    if len(lines) > PRINTED:
        note += f" It has {len(lines) - PRINTED:,} more, which do not fit here."
    head = ["feature", "value", "adds to f"]
    yield PrintedTable("model", "What each value adds.", head, lines[:PRINTED], note=note)
    yield _between(facts)
    yield missing_sentence(facts)
    if steps := steps_of_map(facts):
        name = shown(str(facts.classes[1]))
        caption = f"From f to the probability of {name}, linear between the lines."
        yield PrintedTable("map", caption, ["f", "probability"], steps)
    yield from probability_formula(facts)


def _formula(facts: Facts) -> Iterator[str]:
    """The sum, and what follows from it."""
    names = [f"g({shown(one.feature)})" for one in facts.features]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], "...", names[-1]]
    effects = " + ".join(names)
    labels = [shown(str(label)) for label in facts.classes]
    nothing = NONE * _reach(facts)
    intercepts = [b if abs(b) > nothing else 0.0 for b in facts.intercept]
    if len(labels) > 2:
        yield f"Of each class c: f(c) = b(c) + {effects}; that of the largest f is predicted."
        each = zip(labels, intercepts, strict=True)
        yield "b: " + ", ".join(f"{plain_number(b, DIGITS)} of {label}" for label, b in each) + "."
        return
    yield f"f = {plain_number(intercepts[0], DIGITS)} + {effects}."
    if labels:
        yield f"Class {labels[1]} is predicted where f is above 0, else class {labels[0]}."
    else:
        yield RESULT[facts.kind] + _in_log_risks(facts)


def _in_log_risks(facts: Facts) -> str:
    """How the effects here become those of the figure."""
    if facts.kind != "survival" or facts.performance is None:
        return ""
    slope = plain_number(risk_slope(facts), DIGITS)
    return (
        f" Times {slope}, the slope of Cox's model of the held-out risks, the effects are the log "
        "relative risks of “What each feature does”."
    )


def model_lines(facts: Facts, off: float = 0.0) -> list[list[str]]:
    """Feature, value and what the value adds to f, all that the model is made of but b.

    Between two values of a feature of numbers the effect is linear; the pieces that
    `facts.effects` has are joined end to end.

    Parameters
    ----------
    facts : SignatureFacts
    off : float
        Lines of numbers are left out where the line between those that stay is at the most so much
        off.
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
    """As many lines as fit, and how far the effects of those left out are off at the most."""
    lines, off = every, 0.0
    for share in SHARES:
        if len(lines) <= PRINTED:
            break
        off = share * _reach(facts)
        lines = model_lines(facts, off)
    return lines, off


def _reach(facts: Facts) -> float:
    """The largest effect there is."""
    return max(
        (max(abs(one.effect_low), abs(one.effect_high)) for one in facts.effects),
        default=0.0,
    )


def _thinned(points: list[tuple[Any, float]], off: float) -> list[tuple[Any, float]]:
    """The points that a line needs not to be off by more (Ramer, Douglas and Peucker)."""
    numbers = [point for point in points if not isinstance(point[0], str)]
    others = [point for point in points if isinstance(point[0], str)]  # a missing cell
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
    """The ends of the pieces, each once."""
    last = None
    for piece in pieces:
        low, high = piece.low, piece.high
        if last is None or low != last:
            yield low, piece.effect_low
        if high != low:
            yield high, piece.effect_high
        last = high


def value_or_level(value: Any, levels: list[str] | None, digits: int = DIGITS) -> str:
    """A number, or the name of a level."""
    if levels is not None and not isinstance(value, str) and float(value).is_integer():
        return shown(levels[int(value)])
    return plain_number(value, digits) if isinstance(value, float) else shown(str(value))


def _between(facts: Facts) -> str:
    """What lies between two lines, and beyond all."""
    numbers = any(one.kind == "continuous" for one in facts.features)
    told = ""
    if numbers and facts.scale == "quantile":
        told = (
            "Between two values of a continuous feature the effect is linear in the share of the "
            "training rows below the value; its figure and the file of the signature have that. "
        )
    elif numbers:
        told = "Between two values of a continuous feature the effect is linear. "
    if numbers:
        told += "Beyond the first and the last it stays what it is there. "
    if any(one.kind == "nominal" for one in facts.features):
        told += "A level that is not in the table has no effect of its own, and is refused if not "
        told += "asked for otherwise."
    return told.strip()


def missing_sentence(facts: Facts) -> str:
    """What a missing cell counts as."""
    fill = facts.fill
    if not fill:
        return ""
    each = [f"{shown(name)} {value_or_level(cell, None)}" for name, cell in fill.items()]
    return f"A missing cell counts as: {listed(each, NAMED)}."
