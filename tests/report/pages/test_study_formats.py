"""The report of a study as Markdown and Word: what its web page says, and names that stay names."""

import re

import docx
import pytest
from report.page_texts import WORDS, squeezed
from report.synthetic_study import Synthetic

from hetsel import write_study_report
from hetsel.report.elements.blocks import Items, Names, Paragraph, Picture, PrintedTable, placed
from hetsel.report.pages.study_page import study_document


def said(document):
    """All that a document says outside of its figures."""
    for _, blocks in placed(document):
        for block in (one.block for one in blocks):
            match block:
                case Paragraph(text):
                    yield text
                case Items(items):
                    yield from items
                case Names(pairs):
                    yield from (words for pair in pairs for words in pair)
                case PrintedTable():
                    yield from (block.caption, block.note, *block.head)
                    yield from (cell for row in block.rows for cell in row)
                case Picture():
                    yield block.caption


@pytest.mark.slow
@pytest.mark.parametrize("end", [".md", ".docx"])
def test_other_formats_say_what_the_web_page_says(tmp_path, end):
    document = study_document(Synthetic())
    path = write_study_report(Synthetic(), tmp_path / f"r{end}")
    text = squeezed(" ".join(WORDS[end](path)))
    for part in document.parts:
        assert part.title in text
    assert [words for words in said(document) if squeezed(words).strip() not in text] == []
    assert f"digest {Synthetic().digest()[:16]}" in text


@pytest.mark.slow
def test_figures_stand_beside_the_markdown_and_are_numbered_as_on_the_page(tmp_path):
    path = write_study_report(Synthetic(), tmp_path / "of study.md")
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"^!\[.+\]\((.+)\)$", text, re.M)
    there = {one.name.replace(" ", "%20") for one in tmp_path.glob("*.png")}
    assert set(named) == there
    numbers = [int(number) for number in re.findall(r"^\*\*Figure (\d+)\.\*\*", text, re.M)]
    assert numbers == list(range(1, len(named) + 1))


@pytest.mark.slow
def test_a_word_file_has_every_table_and_the_same_bytes_each_time(tmp_path):
    one, two = (write_study_report(Synthetic(), tmp_path / f"{name}.docx") for name in "ab")
    assert one.read_bytes() == two.read_bytes()
    blocks = [one.block for _, part in placed(study_document(Synthetic())) for one in part]
    tables = docx.Document(one).tables
    assert len(tables) == sum(isinstance(block, PrintedTable) for block in blocks)
