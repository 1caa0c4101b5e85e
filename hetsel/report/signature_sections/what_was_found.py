"""The verdict, the features, warnings, and a conclusion in plain words."""

from collections.abc import Iterator

from hetsel.ground import listed, shown
from hetsel.report.elements.blocks import Callout, Paragraph, PrintedTable, Shown
from hetsel.report.signature_sections import how_good
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS
from hetsel.words import phrases, signature_sentences, target_words

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
            f"In each of {halves.half_samples} half-samples (random halves of the rows), the "
            f"method selects {phrases.count(facts.size, 'feature')}. Selection frequency: the "
            "proportion of half-samples in which the feature is among them. Alternative features: "
            "if one of them takes the place of the feature, the "
            f"{target_words.words_of(facts).short} on held-out rows falls by at most one standard "
            "error (of the difference between the two models). A fall as small as this can be "
            "chance; it does not show that the alternative has the same information."
        )
    return PrintedTable(
        "features",
        "The selected features, as the method ranks them, most important first.",
        head,
        rows,
        note=note,
    )
