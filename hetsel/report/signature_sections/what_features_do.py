"""The effect of each feature of the signature."""

from collections.abc import Iterator
from operator import add
from typing import Any

from msgspec.structs import replace

from hetsel.ground import plain_number, shown
from hetsel.report.elements.blocks import Paragraph, Picture, PrintedTable, Shown
from hetsel.report.figures.signature_figures import plot_pieces
from hetsel.report.signature_sections.full_model import value_or_level
from hetsel.signature.signature_facts import Effect
from hetsel.words import phrases, signature_sentences, target_words

PRINTED = 60  # lines of the table of effects
BANDS = 5  # of a continuous feature, about


def blocks(given: target_words.Facts) -> Iterator[Shown]:
    """Yield the effects, and interactions that they cannot show."""
    facts = target_words.relative_risks(given)
    if said := signature_sentences.interaction(facts):
        yield Paragraph(said, strong=True)
    yield signature_sentences.without_effect(facts)
    yield _picture(facts)
    yield _effects(facts)


def _picture(facts: target_words.Facts) -> Picture:
    names = ", ".join(shown(name.feature) for name in facts.features)
    predicted = ""
    if len(facts.classes) == 2:
        predicted = f"; if the value is above 0, class {shown(str(facts.classes[-1]))} is predicted"
    caption = (
        f"Effect of each feature on {target_words.words_of(facts).effect}. This value is a "
        f"constant plus the sum of the effects{predicted}. Gray bars and numbers in parentheses "
        "count the rows: where there is little gray, few rows support the effect."
    )
    if len(facts.features) > 12:
        caption += " The first 12 features are drawn."
    return Picture("figure-effects", caption, f"Effect curves of {names}", plot_pieces(facts))


def _effects(facts: target_words.Facts) -> PrintedTable:
    """Tabulate the effects by level or by range of values, with the number of rows."""
    rows, before = [], ("", "")  # feature and class of the line before
    several, classes = len(facts.classes) > 2, facts.classes
    ordered = facts.ordered
    for one in _bands(facts):
        level = one.low == one.high
        place = (one.feature, one.of_class)
        where = _ends(one.low, one.high, ordered.get(one.feature), place != before)
        before = place
        effect = _effect(one.effect_low, bool(classes))
        if not level:
            begin, end = (
                value_or_level(at, ordered.get(one.feature), 4) for at in (one.low, one.high)
            )
            last = _effect(one.effect_high, bool(classes))
            effect = f"from {effect} at {begin} to {last} at {end}"
        counts = [f"{count:,}" for count in one.class_rows]
        name = shown(one.feature) + (f" (class {shown(one.of_class)})" if several else "")
        rows.append([name, where, effect, f"{one.rows:,}", *counts])
    more = len(rows) - PRINTED
    labels = [f"of class {shown(str(label))}" for label in facts.classes]
    head = ["feature", "value", "effect", "rows", *labels]
    toward = shown(str(classes[-1])) if classes else ""
    note = "" if several else target_words.words_of(facts).effect_sign.replace("{class}", toward)
    if any(one.low != one.high for one in facts.effects):
        note += "Between two values of the table, the effect of a continuous feature is linear. "
    note += f"{phrases.count(more, 'more line')} in the file of the signature." if more > 0 else ""
    caption = "Effects by level or range of values, with the number of rows."
    return PrintedTable("effects", caption, head, rows[:PRINTED], note=note.strip())


def _ends(low: Any, high: Any, levels: list[str] | None, first: bool) -> str:
    """Write a level, or the ends of a range of values or ordered levels."""
    if low != high:
        begin, end = (value_or_level(one, levels, 4) for one in (low, high))
        return f"{begin} to {end}" if first else f"above {begin}, up to {end}"
    return value_or_level(low, levels)


def _effect(effect: float, logarithm: bool) -> str:
    """Write the effect on a decision value, a predicted number or a risk score."""
    return f"{effect:+z.2f}" if logarithm else plain_number(effect, 3, signed=True)


def _bands(facts: target_words.Facts) -> list[Effect]:
    """List the pieces of the effects; of a continuous feature they are joined to about five."""
    fewest = facts.rows / BANDS
    kinds = {one.feature: one.kind for one in facts.features}
    bands: list[Effect] = []
    for piece in facts.effects:
        last = bands[-1] if bands else None
        if (
            last is not None
            and kinds[piece.feature] != "nominal"
            and piece.low != "missing"
            and (last.feature, last.of_class) == (piece.feature, piece.of_class)
            and last.high == piece.low
            and last.rows < fewest
        ):
            bands[-1] = replace(
                last,
                high=piece.high,
                effect_high=piece.effect_high,
                rows=last.rows + piece.rows,
                class_rows=[*map(add, last.class_rows, piece.class_rows)],
            )
        else:
            bands.append(piece)
    return bands
