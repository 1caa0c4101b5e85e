"""The verdict, the features, warnings, and a conclusion in plain words."""

from collections.abc import Iterator

from hetsel.ground import listed, shown
from hetsel.report.elements.blocks import Callout, Paragraph, PrintedTable, Shown
from hetsel.report.signature_sections import how_good
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS
from hetsel.words import signature_sentences, target_words

NAMED = 4  # alternatives of a feature
MOODS = {ABOVE: "good", NOT_SHOWN: "bad", TOO_FEW_ROWS: "bad"}


def blocks(facts: target_words.Facts) -> Iterator[Shown]:
    """Yield what a reader sees first."""
    if copies := signature_sentences.copies(facts):
        yield Callout(copies, "bad", strong=True)
    yield Callout(signature_sentences.verdict(facts), MOODS.get(facts.verdict, ""))
    yield how_good.drawn_measures(facts) or signature_sentences.performance(facts)
    yield signature_sentences.lacks(facts)
    for caution in _cautions(facts):
        yield Paragraph(caution, label="Caution.")
    if warning := _warning(facts):
        yield Paragraph(warning, strong=True)
    yield signature_sentences.chosen_size(facts)
    yield _features(facts)
    if conclusion := signature_sentences.conclusion(facts):
        yield Paragraph(conclusion, label="In short:")


def _cautions(facts: target_words.Facts) -> list[str]:
    """List cautions on columns: identifiers, outcomes and target leaks."""
    return [
        f"{listed(one.columns)}: {one.note}"
        for one in facts.cautions or ()
        if one.what in ("identifier", "outcome", "leak")
    ]


def _warning(facts: target_words.Facts) -> str:
    """Warn of chance or of a wide interval."""
    if facts.verdict == NOT_SHOWN:
        return "The features and effects below may be due to chance."
    one = facts.performance
    main = None if one is None else one.main.known
    if main is not None and main.high - main.low > target_words.words_of(facts).wide:
        return "The CI is wide: these rows are too few for a precise estimate of the performance."
    return ""


def _features(facts: target_words.Facts) -> PrintedTable:
    halves = facts.stability
    rows = [
        [
            shown(one.feature),
            one.kind,
            "–" if one.frequency is None else f"{100 * one.frequency:.0f}%",
            listed(one.alternatives, NAMED) if one.alternatives else "–",
        ]
        for one in facts.features
    ]
    head = ["feature", "kind", "selection frequency", "alternative features"]
    note = ""
    if halves:
        note = (
            f"Selection frequency: proportion of {halves.half_samples} half-samples (random halves "
            "of the rows) in which the method selects the feature again. Alternative features: "
            f"each of these can replace the feature. The {target_words.words_of(facts).short} on "
            "held-out rows then falls by at most one standard error (of the difference between the "
            "two models). Such a small fall can be chance."
        )
    return PrintedTable(
        "features", "The selected features, most important first.", head, rows, note=note
    )
