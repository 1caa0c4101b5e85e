"""A methods section to start from, its references, and the same as BibTeX."""

from collections.abc import Iterator

from hetsel.report.elements.document import (
    Block,
    Facts,
    Head,
    Items,
    Paragraph,
    SignatureSection,
    Verbatim,
)
from hetsel.report.paper.cited_papers import references
from hetsel.report.paper.said_of_methods import in_words, keys_of, paragraphs


def _blocks(facts: Facts) -> Iterator[Block | None]:
    told = paragraphs(facts)
    every = references(keys_of(told), facts["version"])
    yield "To copy and to complete: who the rows are, where and when they came from, and why."
    for heading, said in told:
        yield Paragraph(in_words(said), label=f"{heading}.")
    yield Head("References")
    yield Items([paper.described() for paper in every])
    yield Head("BibTeX")
    yield Verbatim("\n\n".join(paper.bibtex for paper in every))


SECTION = SignatureSection(
    key="paper", title="Methods, to copy", short="Methods and references", blocks=_blocks
)
