"""The checklist TRIPOD+AI: what is known here, and what the authors must write."""

from collections.abc import Iterator

from hetsel.report.elements.document import Block, Facts, PrintedTable, SignatureSection
from hetsel.report.paper.cited_papers import cited
from hetsel.report.paper.known_items import ITEMS, known

MUST = "You must write this: "


def _blocks(facts: Facts) -> Iterator[Block | None]:
    told = known(facts)
    alone = sum(item.number in told and not item.write for item in ITEMS)
    part = sum(item.number in told for item in ITEMS) - alone
    yield (
        f"Of {len(ITEMS)} items and parts {alone} are answered here, {part} in part; the other "
        f"{len(ITEMS) - alone - part} are yours. The items are in short words of our own; the "
        f"published ones are what counts {cited('collins2024')}."
    )
    rows = [
        [
            item.number,
            f"{item.section}: {item.topic}",
            told.get(item.number, "–"),
            _asked(item.write, item.number in told),
        ]
        for item in ITEMS
    ]
    head = ["item", "about", "known here", "yours"]
    yield PrintedTable("checklist", "TRIPOD+AI.", head, rows, of_words=True)


def _asked(write: str, begun: bool) -> str:
    """What is left to write."""
    if not write:
        return "–" if begun else f"{MUST}nothing is known here."
    return f"{'Also' if begun else 'You must write this'}: {write}."


SECTION = SignatureSection(
    key="checklist",
    title="Reporting checklist",
    short="Checklist",
    blocks=_blocks,
)
