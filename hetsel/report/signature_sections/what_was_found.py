"""The verdict, the features and what must not be overlooked."""

from collections.abc import Iterator

from hetsel.ground.text import listed, shown
from hetsel.report.elements.document import (
    Block,
    Callout,
    Facts,
    Paragraph,
    PrintedTable,
    SignatureSection,
)
from hetsel.signature.reported import sentences
from hetsel.signature.reported.sentences import ABOVE, FEW, NOT_SHOWN
from hetsel.signature.reported.wording_by_target import main_of, words_of

NAMED = 4  # alternatives of a feature
MOODS = {ABOVE: "good", NOT_SHOWN: "bad", FEW: "bad"}


def _blocks(facts: Facts) -> Iterator[Block | None]:
    if copies := sentences.copies(facts):
        yield Callout(copies, "bad", strong=True)
    yield Callout(sentences.verdict(facts), MOODS.get(facts["verdict"], ""))
    yield sentences.features(facts)
    yield sentences.performance(facts)
    if lacks := sentences.lacks(facts):
        yield lacks
    for caution in _cautions(facts):
        yield Paragraph(caution, label="Caution.")
    if warning := _warning(facts):
        yield Paragraph(warning, strong=True)
    yield _features(facts)


def _cautions(facts: Facts) -> list[str]:
    """What was said of columns before the selection: identifiers, outcomes, and what tells all."""
    return [
        f"{listed(one['columns'])}: {one['note']}"
        for one in facts.get("cautions", ())
        if one["what"] in ("identifier", "outcome", "leak")
    ]


def _warning(facts: Facts) -> str:
    """What a reader must not overlook."""
    if facts["verdict"] == NOT_SHOWN:
        return "Features and effects below may be chance alone: these rows do not settle it."
    one = facts["performance"]
    if one is not None and main_of(one)["high"] - main_of(one)["low"] > words_of(facts).wide:
        return "The interval is wide: so few rows do not tell how good the signature is."
    return ""


def _features(facts: Facts) -> PrintedTable:
    halves = facts["stability"] or {}
    rows = [
        [
            shown(one["feature"]),
            one["kind"],
            "–" if one["frequency"] is None else f"{100 * one['frequency']:.0f} %",
            listed(map(shown, one["alternatives"]), NAMED) if one["alternatives"] else "–",
        ]
        for one in facts["features"]
    ]
    head = ["feature", "kind", "selected in halves", "can be replaced by"]
    note = ""
    if halves:
        note = (
            f"Selected in halves: of {halves['halves']} random halves of the rows, the share in "
            "which the feature is selected again. Can be replaced by: with that feature in its "
            "place the model predicts held-out rows as well, within one standard error."
        )
    return PrintedTable("features", "The signature, best first.", head, rows, note=note)


SECTION = SignatureSection(
    key="found", title="What was found", short="What was found", blocks=_blocks
)
