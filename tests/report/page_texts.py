"""Pages as text, in every format as a program that reads it has it."""

import re

import docx
from markdown_it import MarkdownIt
from report.pages.test_study_page import Page

from hetsel.report.pages.signature_page import report_files


def signature_page(facts, **given):
    """The web page of a signature."""
    (page,) = report_files(facts, "page.html", **given).values()
    return page


def words_of_html(path):
    return Page(path.read_text(encoding="utf-8")).words


def words_of_markdown(path, italics=False):
    """Words of a CommonMark reader with tables and strokes; refuses what is no text of ours."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in parser.parse(path.read_text(encoding="utf-8")):
        assert token.type != "html_block"
        for one in token.children or ():
            assert one.type not in ("html_inline", "link_open", "code_inline", "s_open")
            assert italics or one.type != "em_open"
            yield one.content
            yield from [inner.content for inner in one.children or ()]
        if token.type == "fence":
            yield token.content


def words_of_word(path):
    document = docx.Document(path)
    yield from (paragraph.text for paragraph in document.paragraphs)
    for table in document.tables:
        yield from (cell.text for row in table.rows for cell in row.cells)


WORDS = {".html": words_of_html, ".md": words_of_markdown, ".docx": words_of_word}


def squeezed(text):
    return re.sub(r"\s+", " ", text)
