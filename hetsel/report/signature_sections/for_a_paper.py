"""What a paper needs: methods to copy with their references, and the checklist TRIPOD+AI."""

from collections.abc import Iterator

from hetsel.report.elements.blocks import Head, Items, Paragraph, PrintedTable, Shown, Verbatim
from hetsel.words.checklist_answers import ITEMS, known_items
from hetsel.words.cited_papers import cited, references
from hetsel.words.methods_section import keys_of, methods_paragraphs, write_paragraph
from hetsel.words.target_words import Facts


def methods_blocks(facts: Facts) -> Iterator[Shown]:
    """A methods section to start from, its references, and the same as BibTeX."""
    told = methods_paragraphs(facts)
    papers = references(keys_of(told), facts.version)
    yield "To copy and to complete: who the rows are, where and when they came from, and why."
    for heading, said in told:
        yield Paragraph(write_paragraph(said), label=f"{heading}.")
    yield Head("References")
    yield Items([paper.described() for paper in papers])
    yield Head("BibTeX")
    yield Verbatim("\n\n".join(paper.bibtex for paper in papers))


def checklist(facts: Facts) -> Iterator[Shown]:
    """What is known here of each item, and what the authors must write."""
    answers = known_items(facts)
    alone = sum(item.number in answers and not item.write for item in ITEMS)
    part = sum(item.number in answers for item in ITEMS) - alone
    yield (
        f"Of {len(ITEMS)} items and parts {alone} are answered here, {part} in part; the other "
        f"{len(ITEMS) - alone - part} are yours. The items are in short words of our own; the "
        f"published ones are what counts {cited('collins2024')}."
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
    head = ["item", "about", "known here", "yours"]
    yield PrintedTable("checklist", "TRIPOD+AI.", head, rows, of_words=True)


def _asked(write: str, begun: bool) -> str:
    """What is left to write."""
    if not write:
        return "–" if begun else "You must write this: nothing is known here."
    return f"{'Also' if begun else 'You must write this'}: {write}."
