"""Text for a paper: a methods section with its references, and the TRIPOD+AI checklist."""

from collections.abc import Iterator

from hetsel.report.elements.blocks import Head, Items, Paragraph, PrintedTable, Shown, Verbatim
from hetsel.words.checklist_answers import ITEMS, known_items
from hetsel.words.cited_papers import cited, references
from hetsel.words.methods_section import keys_of, methods_paragraphs, write_paragraph
from hetsel.words.target_words import Facts


def methods_blocks(facts: Facts) -> Iterator[Shown]:
    """Yield a draft of a methods section, its references, and these as BibTeX."""
    paragraphs = methods_paragraphs(facts)
    papers = references(keys_of(paragraphs), facts.version)
    yield (
        "Copy this draft and complete it: describe the participants, and where, when and why the "
        "data were collected."
    )
    for heading, sentences in paragraphs:
        yield Paragraph(write_paragraph(sentences), label=f"{heading}.")
    yield Head("References")
    yield Items([paper.described() for paper in papers])
    yield Head("BibTeX")
    yield Verbatim("\n\n".join(paper.bibtex for paper in papers))


def checklist(facts: Facts) -> Iterator[Shown]:
    """Yield the answer to each item, and what the authors must add."""
    answers = known_items(facts)
    alone = sum(item.number in answers and not item.write for item in ITEMS)
    part = sum(item.number in answers for item in ITEMS) - alone
    yield (
        f"Of {len(ITEMS)} items, this report answers {alone} completely and {part} in part. You "
        f"answer the other {len(ITEMS) - alone - part}. The items are abbreviated; the published "
        f"checklist is authoritative {cited('collins2024')}."
    )
    rows = [
        [
            item.number,
            f"{item.section}: {item.topic}",
            answers.get(item.number, "–"),
            _asked(item.write, item.number in answers),
        ]
        for item in ITEMS
    ]
    head = ["item", "topic", "answer", "for you to add"]
    yield PrintedTable("checklist", "TRIPOD+AI items.", head, rows, of_words=True)


def _asked(write: str, begun: bool) -> str:
    """State what the authors must add."""
    if not write:
        return "–" if begun else "Write this item: this report has no information on it."
    return f"{write[0].upper()}{write[1:]}."
