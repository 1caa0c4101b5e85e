"""A document as one HTML file; all that it shows is inside."""

import re
from pathlib import Path
from typing import Any

from hetsel.ground.errors import need
from hetsel.ground.text import visible
from hetsel.report.elements.blocks import Bold, Document, Picture
from hetsel.report.figures.figure_style import inline_svg
from hetsel.report.formats.placed_blocks import Placed, placed


def html_page(document: Document) -> str:
    """The page as text, all text in it escaped; the same document gives the same page."""
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
    shown = [(part, [_shown(one) for one in blocks]) for part, blocks in placed(document)]
    first = shown.pop(0)[1] if document.first else []
    template = environment.get_template("page.html")
    return str(template.render(document=document, first=first, parts=shown))


def _shown(one: Placed) -> dict[str, Any]:
    """A block with its figure, if it has one; those without a title are drawn a fourth larger."""
    shown = {"block": one.block, "place": one.place, "number": one.number}
    if isinstance(one.block, Picture) and one.block.figure is not None:
        width = round((96 if one.block.title else 120) * one.block.figure.get_figwidth())
        shown |= {"width": width, "svg": inline_svg(one.block.figure, one.place, one.block.spoken)}
    return shown


def no_break(text: str) -> Any:
    """Text of a page whose lines do not break at the hyphens of short words, such as names.

    Examples
    --------
    >>> print(no_break("hfs-nb < rfe-mkl."))
    <span class="no-break">hfs-nb</span> &lt; <span class="no-break">rfe-mkl.</span>
    """
    from markupsafe import Markup, escape

    kept = Markup('<span class="no-break">{}</span>')
    return Markup("").join(
        kept.format(part) if "-" in part and len(part) <= 30 else escape(part)
        for part in re.split(r"(\S+)", visible(text, "\n"))
    )
