"""How many features, and whether others would find the same."""

from collections.abc import Iterator

from hetsel.report.elements.document import Block, Facts, Picture, SignatureSection
from hetsel.report.figures.signature_figures import plot_choice
from hetsel.signature.reported import sentences


def _blocks(facts: Facts) -> Iterator[Block | None]:
    stability, drawn = sentences.stability(facts), facts["sizes"] is not None or facts["frequency"]
    yield stability
    if drawn:
        yield _picture(facts)
    elif not stability:
        yield "Nothing was selected in halves of the rows, and the size was given."


def _picture(facts: Facts) -> Picture:
    caption = "How the size was chosen, and how often halves of the rows select a feature."
    if facts["sizes"] is not None:
        caption += (
            " Inner scores chose the size, so the best of them is too good: the performance "
            "is the nested one above."
        )
    if facts["stable"] is not None:
        caption += (
            " Dashed red: the share from which on at most one false feature is expected "
            f"({facts['stable']['assumption']} bound)."
        )
    return Picture("figure-choice", caption, sentences.stability(facts), plot_choice(facts))


SECTION = SignatureSection(
    key="sure", title="How many features, and how sure", short="How sure", blocks=_blocks
)
