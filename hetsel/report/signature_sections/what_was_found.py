"""The verdict, the features and what must not be overlooked."""

from collections.abc import Iterator

from hetsel.ground import listed, shown
from hetsel.report.elements.blocks import Callout, Paragraph, PrintedTable, Shown
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS
from hetsel.words import signature_sentences, target_words

NAMED = 4  # alternatives of a feature
MOODS = {ABOVE: "good", NOT_SHOWN: "bad", TOO_FEW_ROWS: "bad"}


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """What a reader sees first."""
    if copies := signature_sentences.copies(facts):
        yield Callout(copies, "bad", strong=True)
    yield Callout(signature_sentences.verdict(facts), MOODS.get(facts.verdict, ""))
    yield signature_sentences.features(facts)
    yield signature_sentences.performance(facts)
    yield signature_sentences.lacks(facts)
    for caution in _cautions(facts):
        yield Paragraph(caution, label="Caution.")
    if warning := _warning(facts):
        yield Paragraph(warning, strong=True)
    yield _features(facts)


def _cautions(facts: target_words.Facts) -> list[str]:
    """What was said of columns before the selection: identifiers, outcomes, and what tells all."""
    return [
        f"{listed(one.columns)}: {one.note}"
        for one in facts.cautions or ()
        if one.what in ("identifier", "outcome", "leak")
    ]


def _warning(facts: target_words.Facts) -> str:
    """What a reader must not overlook."""
    if facts.verdict == NOT_SHOWN:
        return "Features and effects below may be chance alone: these rows do not settle it."
    one = facts.performance
    main = None if one is None else one.main.known
    if main is not None and main.high - main.low > target_words.words_of(facts).wide:
        return "The interval is wide: so few rows do not tell how good the signature is."
    return ""


def _features(facts: target_words.Facts) -> PrintedTable:
    halves = facts.stability
    rows = [
        [
            shown(one.feature),
            one.kind,
            "–" if one.frequency is None else f"{100 * one.frequency:.0f} %",
            listed(one.alternatives, NAMED) if one.alternatives else "–",
        ]
        for one in facts.features
    ]
    head = ["feature", "kind", "selected in halves", "can be replaced by"]
    note = ""
    if halves:
        note = (
            f"Selected in halves: of {halves.halves} random halves of the rows, the share in "
            "which the feature is selected again. Can be replaced by: with that feature in its "
            "place the model predicts held-out rows as well, within one standard error."
        )
    return PrintedTable("features", "The signature, best first.", head, rows, note=note)
