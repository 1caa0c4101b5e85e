"""A document as a Word file, by python-docx; the same document gives the same bytes."""

import io
import zipfile
from datetime import datetime
from typing import Any

import numpy as np

from hetsel.ground import need, visible
from hetsel.report.elements import blocks
from hetsel.report.figures.figure_style import figure_file

INCH, POINT = 914_400, 12_700  # in the unit of Word
WIDEST = 6.2  # inches of a page
MARGIN = 1.0
SMALL, SMALLER = 9, 8  # points
LETTER, BESIDE = 0.072, 0.2  # inches of a letter of a table, and beside the words of a cell
HEAVY = 1.15  # a bold letter, beside another
STEP = 0.1  # inches by which columns grow
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file knows
QUIET = (0x5A, 0x5A, 0x5E)
MOODS = {"good": "0072B2", "bad": "D55E00", "": "D9D9D6"}  # color of the line beside a callout


def word_file(document: blocks.Document) -> bytes:
    """Return the content of a .docx file with fixed times, so that files can be compared."""
    word = _empty(document)
    title, lead = map(_text, document.lines)
    word.add_heading(title, 0)
    _colored(word.add_paragraph(lead))
    for part, shown in blocks.placed(document):
        if part.title:
            word.add_heading(_text(part.title), 1)
        for one in shown:
            _add(word, one)
    buffer = io.BytesIO()
    word.save(buffer)
    return _without_times(buffer.getvalue())


def _empty(document: blocks.Document) -> Any:
    """Return an empty document with our style and fixed properties."""
    docx = need("docx")
    from docx.shared import RGBColor

    word = docx.Document()
    for section in word.sections:
        section.left_margin = section.right_margin = int(INCH * MARGIN)
        section.top_margin = section.bottom_margin = int(INCH * MARGIN)
    for name in ("Title", "Heading 1", "Heading 2"):
        word.styles[name].font.color.rgb = RGBColor(0x1D, 0x1D, 0x1F)
    word.styles["Title"].font.size = int(POINT * 20)
    word.styles["Normal"].font.size = int(POINT * 10.5)
    told = word.core_properties
    told.title, told.author, told.comments = _text(document.lines[0]), "", ""
    told.last_modified_by, told.keywords = f"hetsel {document.version}", ""
    told.created = told.modified = datetime(*EPOCH)
    told.revision = 1
    return word


def _without_times(content: bytes) -> bytes:
    """Rewrite a zip file with one time for all members, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(out, "w") as written:
        first = "[Content_Types].xml"  # readers look for it there
        for name in sorted(given.namelist(), key=lambda name: (name != first, name)):
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 0
            written.writestr(member, given.read(name))
    return out.getvalue()


def _text(text: Any) -> str:
    return " ".join(visible(str(text), "\n").split("\n"))


def _add(word: Any, one: blocks.Placed) -> None:
    match one.block:
        case blocks.Paragraph(text, label, strong):
            paragraph = word.add_paragraph()
            if label:
                paragraph.add_run(f"{_text(label)} ").bold = True
            paragraph.add_run(_text(text)).bold = strong or None
        case blocks.Callout(text, mood):
            _callout(word, text, mood)
        case blocks.Head(text):
            word.add_heading(_text(text), 2)
        case blocks.Items() as items:
            _items(word, items)
        case blocks.Names(pairs):
            for term, meaning in pairs:
                paragraph = word.add_paragraph()
                paragraph.add_run(f"{_text(term)}: ").bold = True
                paragraph.add_run(_text(meaning))
        case blocks.Verbatim(text):
            run = word.add_paragraph().add_run(visible(text, "\n"))  # python-docx breaks lines
            run.font.name, run.font.size = "Courier New", int(POINT * SMALLER)
        case blocks.PrintedTable() as table:
            _table(word, table)
        case blocks.Picture() as picture:
            _picture(word, picture, one.number)


def _colored(paragraph: Any, size: float | None = None) -> None:
    from docx.shared import RGBColor

    for run in paragraph.runs:
        run.font.color.rgb = RGBColor(*QUIET)
        if size is not None:
            run.font.size = int(POINT * size)


def _callout(word: Any, text: str, mood: str) -> None:
    """Add a paragraph with a colored line at its left."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    paragraph = word.add_paragraph()
    paragraph.add_run(_text(text)).bold = True
    borders, left = OxmlElement("w:pBdr"), OxmlElement("w:left")
    told = {"val": "single", "sz": "24", "space": "8", "color": MOODS[mood]}
    for name, value in told.items():
        left.set(qn(f"w:{name}"), value)
    borders.append(left)
    paragraph._p.get_or_add_pPr().insert_element_before(
        borders, *("w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")
    )


def _items(word: Any, block: blocks.Items) -> None:
    """Add a list; numbers are text, because Word continues them from one list to the next."""
    for k, item in enumerate(block.items, 1):
        if not block.numbered:
            word.add_paragraph(_text(item), style="List Bullet")
            continue
        paragraph = word.add_paragraph(f"{k}.\t{_text(item)}")
        paragraph.paragraph_format.left_indent = int(INCH * 0.35)
        paragraph.paragraph_format.first_line_indent = int(INCH * -0.35)
        paragraph.paragraph_format.tab_stops.add_tab_stop(int(INCH * 0.35))


def _table(word: Any, block: blocks.PrintedTable) -> None:
    """Add a table under its caption; its head is repeated on every page."""
    caption = word.add_paragraph()
    caption.add_run(_text(block.caption)).bold = True
    caption.paragraph_format.keep_with_next = True
    table = word.add_table(rows=0, cols=len(block.head), style="Light Shading")
    widths, numbers = _widths(block), blocks.columns_of_numbers(block)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = int(INCH * width)
    for row in (block.head, *block.rows):
        _row(table, row, widths, numbers)
    _looks(table)
    note = word.add_paragraph(_text(block.note))  # an empty one separates tables
    note.paragraph_format.space_before = int(POINT * 4)
    _colored(note, SMALL)


def _row(table: Any, row: list[str], widths: list[float], numbers: list[bool]) -> None:
    """Add a row; numbers are aligned right."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    for cell, text, width, number in zip(table.add_row().cells, row, widths, numbers, strict=True):
        cell.width = int(INCH * width)
        paragraph = cell.paragraphs[0]
        run = paragraph.add_run(_text(text))
        run.bold, run.font.size = isinstance(text, blocks.Bold) or None, int(POINT * SMALLER)
        run.italic = isinstance(text, blocks.Italic) or None
        paragraph.paragraph_format.space_after = int(POINT * 2)
        if number:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _looks(table: Any) -> None:
    """Repeat the head on every page; keep rows together; remove stripes and the bold column."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for row in table.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    look = table._tbl.tblPr.find(qn("w:tblLook"))
    told = {"val": "0620", "firstRow": "1", "firstColumn": "0", "noHBand": "1", "noVBand": "1"}
    for name, value in told.items():
        look.set(qn(f"w:{name}"), value)


def _widths(block: blocks.PrintedTable) -> list[float]:
    """Return the width of each column in inches: as needed, or for the fewest lines."""
    lines = [block.head, *block.rows]
    letters = np.array([[len(cell) for cell in line] for line in lines])
    words = np.array([[max(map(len, cell.split()), default=0) for cell in line] for line in lines])
    letters[0], words[0] = np.ceil(HEAVY * letters[0]), np.ceil(HEAVY * words[0])
    needed = BESIDE + LETTER * letters.max(axis=0)
    if needed.sum() <= WIDEST:
        return [float(width) for width in needed]
    widths = BESIDE + LETTER * np.maximum(1, words.max(axis=0))
    widths *= min(1.0, WIDEST / widths.sum())
    while widths.sum() + STEP <= WIDEST:
        heights = letters * LETTER / (widths - BESIDE)
        after = letters * LETTER / (widths + STEP - BESIDE)
        tallest = np.maximum(1.0, np.ceil(heights)).max(axis=1)
        saved = []
        for j in range(len(widths)):
            others = np.ceil(np.delete(heights, j, axis=1)).max(axis=1, initial=1.0)
            saved.append((tallest - np.maximum(others, np.ceil(after[:, j]))).sum())
        # if no column saves a whole line, widen the one that is nearest to it
        filled = (np.maximum(1.0, heights) - np.maximum(1.0, after)).sum(axis=0)
        widths[int(np.argmax(np.array(saved) + filled / (1 + filled.sum())))] += STEP
    return [float(width) for width in widths]


def _picture(word: Any, block: blocks.Picture, number: int) -> None:
    """Add a figure with its text alternative, above its caption."""
    if block.figure is None:
        _colored(word.add_paragraph(_text(block.caption)), SMALL)
        return
    if block.title:
        word.add_paragraph().add_run(_text(block.title)).bold = True
    content = io.BytesIO(figure_file(block.figure, ".png"))
    width = int(INCH * min(WIDEST, float(block.figure.get_figwidth())))
    shape = word.add_picture(content, width=width)
    shape._inline.docPr.set("descr", _text(block.spoken))
    shape._inline.docPr.set("name", block.key)
    word.paragraphs[-1].paragraph_format.keep_with_next = True
    caption = word.add_paragraph()
    caption.add_run(f"Figure {number}. ").bold = True
    caption.add_run(_text(block.caption))
    _colored(caption, SMALL)
