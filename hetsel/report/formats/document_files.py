"""A document as one HTML file, and in the format of its file name."""

import re
from pathlib import Path
from typing import Any

from hetsel.ground import Content, TableError, need, visible
from hetsel.ground.text import value_or_type
from hetsel.report.elements.blocks import Bold, Document, Italic, Picture, Placed, placed
from hetsel.report.figures.figure_style import house_style, inline_svg
from hetsel.report.formats.markdown_files import markdown_files
from hetsel.report.formats.word_file import word_file

ENDINGS = {".html": "HTML", ".htm": "HTML", ".md": "Markdown", ".markdown": "Markdown"}
ENDINGS |= {".docx": "Word"}


def html_page(document: Document) -> str:
    """Return the self-contained page, text escaped; the same document gives the same page."""
    jinja2 = need("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: visible(value, "\n") if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"no_break": no_break, "kind": lambda block: type(block).__name__}
    environment.tests["bold"] = lambda cell: isinstance(cell, Bold)
    environment.tests["italic"] = lambda cell: isinstance(cell, Italic)
    shown = [(part, [_shown(one) for one in blocks]) for part, blocks in placed(document)]
    first = shown.pop(0)[1] if document.first else []
    template = environment.get_template("page.html")
    return str(template.render(document=document, first=first, parts=shown))


def _shown(one: Placed) -> dict[str, Any]:
    """Return a block with its figure, if any; figures without a title are a quarter larger."""
    shown = {"block": one.block, "place": one.place, "number": one.number}
    if isinstance(one.block, Picture) and one.block.figure is not None:
        width = round((96 if one.block.title else 120) * one.block.figure.get_figwidth())
        shown |= {"width": width, "svg": inline_svg(one.block.figure, one.place, one.block.spoken)}
    return shown


def no_break(text: str) -> Any:
    """Keep short words with hyphens, such as names, on one line.

    Examples
    --------
    >>> print(no_break("hfs-nb < rfe-mkl."))
    <span class="no-break">hfs-nb</span> &lt; <span class="no-break">rfe-mkl.</span>
    """
    from markupsafe import Markup, escape

    whole = Markup('<span class="no-break">{}</span>')
    return Markup("").join(
        whole.format(part) if "-" in part and len(part) <= 30 else escape(part)
        for part in re.split(r"(\S+)", visible(text, "\n"))
    )


def check_page_path(path: str | Path, what: str) -> None:
    """Refuse a path that cannot be a file, or an ending without a format."""
    if not isinstance(path, str | Path):
        raise TableError(f"file must be a path. Got {value_or_type(path)}")
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        why = "is a folder" if Path(path).is_dir() else "is in a folder that does not exist"
        raise TableError(f"{path} {why}. Name a file, such as report.html")
    if Path(path).suffix.lower() not in ENDINGS:
        legal = ", ".join(ENDINGS)
        raise TableError(f"the page of a {what} must end in one of {legal}. Got {path}")


def document_files(document: Document, path: str | Path) -> dict[str | Path, Content]:
    """Return the document, and in Markdown its figures, for `write_files`."""
    with house_style():
        match ENDINGS[Path(path).suffix.lower()]:
            case "Markdown":
                return markdown_files(document, Path(path))
            case "Word":
                return {path: word_file(document)}
            case _:
                return {path: html_page(document)}
