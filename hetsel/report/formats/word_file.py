"""A document as a file of Word, by python-docx; the same document gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from itertools import count
from typing import Any

from hetsel.ground.errors import TableError
from hetsel.ground.text import visible
from hetsel.report.elements.document import Callout, Document, Items, Paragraph, Verbatim
from hetsel.report.elements.section import Bold, Head, Picture, PrintedTable
from hetsel.report.figures.figure_style import figure_file

WIDEST = 6.2  # inches of a page
MARGIN = 1.0
SMALL, SMALLER = 9, 8  # points
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file knows
QUIET = (0x5A, 0x5A, 0x5E)
MOODS = {"good": "0072B2", "bad": "D55E00", "": "D9D9D6"}  # color of the line beside a callout


def word_file(document: Document) -> bytes:
    """The content of a .docx file.

    Its times are fixed, so that files compare.

    Raises
    ------
    TableError
        python-docx is not installed.
    """
    word = _empty(document)
    word.add_heading(_text(document.title), 0)
    _colored(word.add_paragraph(_text(document.lead)))
    numbers = count(1)
    for part in document.parts:
        word.add_heading(_text(part.title), 1)
        for block in part.blocks:
            number = next(numbers) if isinstance(block, Picture) and block.figure else 0
            _add(word, block, number)
    buffer = io.BytesIO()
    word.save(buffer)
    return _without_times(buffer.getvalue())


def _empty(document: Document) -> Any:
    """A document of the house's looks and fixed properties."""
    try:
        import docx
    except ImportError:
        raise TableError(
            "a .docx file needs python-docx: pip install 'hetsel[report]', or write .md or .html"
        ) from None
    from docx.shared import Inches, Pt, RGBColor

    word = docx.Document()
    for section in word.sections:
        section.left_margin = section.right_margin = Inches(MARGIN)
        section.top_margin = section.bottom_margin = Inches(MARGIN)
    for name in ("Title", "Heading 1", "Heading 2"):
        word.styles[name].font.color.rgb = RGBColor(0x1D, 0x1D, 0x1F)
    word.styles["Title"].font.size = Pt(20)
    word.styles["Normal"].font.size = Pt(10.5)
    told = word.core_properties
    told.title, told.author, told.comments = _text(document.title), "", ""
    told.last_modified_by, told.keywords = f"hetsel {document.version}", ""
    told.created = told.modified = datetime(*EPOCH)
    told.revision = 1
    return word


def _without_times(content: bytes) -> bytes:
    """A zip file whose members all have one time, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(out, "w") as written:
        first = "[Content_Types].xml"  # readers look for it there
        for name in sorted(given.namelist(), key=lambda name: (name != first, name)):
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 0
            written.writestr(member, given.read(name))
    return out.getvalue()


def _text(text: Any) -> str:
    """Text that XML can hold."""
    return " ".join(visible(str(text), "\n").split("\n"))


def _add(word: Any, block: Any, number: int) -> None:
    """Add a block."""
    if isinstance(block, Paragraph):
        paragraph = word.add_paragraph()
        if block.label:
            paragraph.add_run(f"{_text(block.label)} ").bold = True
        paragraph.add_run(_text(block.text)).bold = block.strong or None
    elif isinstance(block, Callout):
        _callout(word, block)
    elif isinstance(block, Head):
        word.add_heading(_text(block.text), 2)
    elif isinstance(block, Items):
        _items(word, block)
    elif isinstance(block, Verbatim):
        _verbatim(word, block)
    elif isinstance(block, PrintedTable):
        _table(word, block)
    elif isinstance(block, Picture):
        _picture(word, block, number)
    elif isinstance(block, list):
        for name, meaning in block:
            paragraph = word.add_paragraph()
            paragraph.add_run(f"{_text(name)}: ").bold = True
            paragraph.add_run(_text(meaning))
    else:
        word.add_paragraph(_text(block))


def _colored(paragraph: Any, size: float | None = None) -> None:
    """Words that step back."""
    from docx.shared import Pt, RGBColor

    for run in paragraph.runs:
        run.font.color.rgb = RGBColor(*QUIET)
        if size is not None:
            run.font.size = Pt(size)


def _callout(word: Any, block: Callout) -> None:
    """A paragraph with a line of a color at its left."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    paragraph = word.add_paragraph()
    paragraph.add_run(_text(block.text)).bold = True
    borders, left = OxmlElement("w:pBdr"), OxmlElement("w:left")
    told = {"val": "single", "sz": "24", "space": "8", "color": MOODS[block.mood]}
    for name, value in told.items():
        left.set(qn(f"w:{name}"), value)
    borders.append(left)
    paragraph._p.get_or_add_pPr().insert_element_before(
        borders, *("w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")
    )


def _items(word: Any, block: Items) -> None:
    """A list; numbers are written, as those of Word go on from one list to the next."""
    from docx.shared import Inches

    for k, item in enumerate(block.items, 1):
        if not block.numbered:
            word.add_paragraph(_text(item), style="List Bullet")
            continue
        paragraph = word.add_paragraph(f"{k}.\t{_text(item)}")
        paragraph.paragraph_format.left_indent = Inches(0.35)
        paragraph.paragraph_format.first_line_indent = Inches(-0.35)
        paragraph.paragraph_format.tab_stops.add_tab_stop(Inches(0.35))


def _verbatim(word: Any, block: Verbatim) -> None:
    from docx.shared import Pt

    paragraph = word.add_paragraph()
    run = paragraph.add_run(visible(block.text, "\n"))  # python-docx breaks lines there
    run.font.name, run.font.size = "Courier New", Pt(SMALLER)


def _table(word: Any, block: PrintedTable) -> None:
    """A table under its caption, whose head is repeated on every page."""
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    caption = word.add_paragraph()
    caption.add_run(_text(block.caption)).bold = True
    caption.paragraph_format.keep_with_next = True
    table = word.add_table(rows=1, cols=len(block.head), style="Light List")
    table.autofit = True
    head = table.rows[0]._tr.get_or_add_trPr()
    head.append(OxmlElement("w:tblHeader"))
    for cell, text in zip(table.rows[0].cells, block.head, strict=True):
        cell.text = _text(text)
    for row in block.rows:
        cells = table.add_row().cells
        for cell, text in zip(cells, row, strict=True):
            cell.paragraphs[0].add_run(_text(text)).bold = isinstance(text, Bold) or None
    for row in table.rows:
        for cell in row.cells:
            for run in cell.paragraphs[0].runs:
                run.font.size = Pt(SMALLER)
    if block.note:
        _colored(word.add_paragraph(_text(block.note)), SMALL)


def _picture(word: Any, block: Picture, number: int) -> None:
    """A figure with what is said of it to those who cannot see it, above its caption."""
    from docx.shared import Inches

    if block.figure is None:
        _colored(word.add_paragraph(_text(block.caption)), SMALL)
        return
    if block.title:
        word.add_paragraph().add_run(_text(block.title)).bold = True
    content = io.BytesIO(figure_file(block.figure, ".png"))
    width = Inches(min(WIDEST, float(block.figure.get_figwidth())))
    shape = word.add_picture(content, width=width)
    shape._inline.docPr.set("descr", _text(block.spoken))
    shape._inline.docPr.set("name", block.key)
    word.paragraphs[-1].paragraph_format.keep_with_next = True
    caption = word.add_paragraph()
    caption.add_run(f"Figure {number}. ").bold = True
    caption.add_run(_text(block.caption))
    _colored(caption, SMALL)
