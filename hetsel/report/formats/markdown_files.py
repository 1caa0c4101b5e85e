"""A document as Markdown, with its figures as PNG files beside it."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from hetsel.ground.text import slugs, visible
from hetsel.ground.writing import Content
from hetsel.report.elements.document import (
    Bold,
    Callout,
    Document,
    Head,
    Items,
    Paragraph,
    Picture,
    PrintedTable,
    Verbatim,
    columns_of_numbers,
)
from hetsel.report.figures.figure_style import figure_file

# what Markdown, or a reader of it, takes for more than itself: escapes, code, emphasis, HTML,
# tables, formulas, strokes, notes, citations, attributes, entities, links, dashes, dots
_SIGNS = re.compile(
    r"[\\`*<|$~^@{}]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|\](?=[(\[:{])|--|\.\.\.|:(?=\w+:)"
)
# what begins a list, a quotation, or makes a heading of its line or of the line above
_FIRST = re.compile(r"^(?:([-+=#>\[])|(\d+)(?=[.)]))")


def markdown_files(document: Document, path: Path) -> dict[str | Path, Content]:
    """The document and its figures, by the path of each; the document is first.

    Parameters
    ----------
    document : Document
    path : Path
        Of the document. A figure is STEM-KEY.png beside it.
    """
    pictures = [
        block for part in document.parts for block in part.blocks if isinstance(block, Picture)
    ]
    names = [f"{path.stem}-{slug.removeprefix('figure-')}.png" for slug in slugs(_keys(pictures))]
    places = {id(one): name for one, name in zip(pictures, names, strict=True)}
    lines = [f"# {escaped(document.title)}", "", escaped(document.lead)]
    numbers = count(1)
    for part in document.parts:
        lines += ["", f"## {escaped(part.title)}"]
        for block in part.blocks:
            number = next(numbers) if isinstance(block, Picture) and block.figure else 0
            lines += ["", *_lines(block, places.get(id(block), ""), number)]
    files: dict[str | Path, Content] = {path: "\n".join(lines) + "\n"}
    return files | {
        path.with_name(places[id(one)]): figure_file(one.figure, ".png")
        for one in pictures
        if one.figure is not None
    }


def _keys(pictures: list[Picture]) -> list[str]:
    return [one.key for one in pictures]


def escaped(text: str, *, begins: bool = True) -> str:
    """Text on one line in which nothing is a sign of Markdown.

    Parameters
    ----------
    text : str
    begins : bool
        Whether it begins its line or its item of a list.

    Examples
    --------
    >>> print(escaped("a*b|c <i>"), escaped("1. first"))
    a\\*b\\|c \\<i> 1\\. first
    """
    line = " ".join(visible(str(text), "\n").split("\n"))
    line = _SIGNS.sub(lambda sign: "\\" + sign[0].replace("--", "-\\-"), line.strip())
    if not begins:
        return line
    return _FIRST.sub(lambda sign: f"\\{sign[1]}" if sign[1] else f"{sign[2]}\\", line)


def _within(text: str) -> str:
    """Text that stands behind something else on its line."""
    return escaped(text, begins=False)


def _lines(block: Any, place: str, number: int) -> Iterator[str]:
    """The lines of a block."""
    if isinstance(block, Paragraph):
        text = escaped(block.text, begins=not (block.strong or block.label))
        text = f"**{text}**" if block.strong else text
        yield f"**{_within(block.label)}** {text}" if block.label else text
    elif isinstance(block, Callout):
        yield f"> **{_within(block.text)}**"
    elif isinstance(block, Head):
        yield f"### {escaped(block.text)}"
    elif isinstance(block, Items):
        for k, item in enumerate(block.items, 1):
            yield f"{f'{k}.' if block.numbered else '-'} {escaped(item)}"
    elif isinstance(block, Verbatim):
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        yield from (fence, *visible(block.text, "\n").split("\n"), fence)
    elif isinstance(block, PrintedTable):
        yield from _table(block)
    elif isinstance(block, Picture):
        yield from _picture(block, place, number)
    elif isinstance(block, list):
        for name, meaning in block:
            yield f"- **{_within(name)}**: {_within(meaning)}"
    else:
        yield escaped(block)


def _table(table: PrintedTable) -> Iterator[str]:
    """A pipe table under its caption; columns of numbers are set to the right."""
    yield f"**{_within(table.caption)}**"
    yield ""
    yield _row(map(_within, table.head))
    yield _row("---:" if numbers else ":---" for numbers in columns_of_numbers(table))
    for row in table.rows:
        yield _row(
            f"**{_within(cell)}**" if isinstance(cell, Bold) else _within(cell) for cell in row
        )
    if table.note:
        yield ""
        yield escaped(table.note)


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _picture(picture: Picture, place: str, number: int) -> Iterator[str]:
    if picture.figure is None:
        yield escaped(picture.caption)
        return
    if picture.title:
        yield from (f"**{_within(picture.title)}**", "")
    spoken = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", _within(picture.spoken))  # no link inside of it
    yield f"![{spoken}]({_address(place)})"
    yield ""
    yield f"**Figure {number}.** {_within(picture.caption)}"


def _address(name: str) -> str:
    """The name of a file as an address, in which nothing ends it."""
    from urllib.parse import quote

    return quote(name)
