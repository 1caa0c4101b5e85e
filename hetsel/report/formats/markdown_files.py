"""A document as Markdown, with its figures as PNG files beside it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from hetsel.ground import Content, visible
from hetsel.report.elements import blocks
from hetsel.report.figures.figure_style import figure_file

# characters with a meaning in Markdown or its readers: escapes, code, emphasis, HTML, tables,
# formulas, strikethrough, footnotes, citations, attributes, entities, links, dashes, dots
_SIGNS = re.compile(
    r"[\\`*<|$~^@{}]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|\](?=[(\[:{])|--|\.\.\.|:(?=\w+:)"
)
# characters that begin a list, a quotation or a heading
_FIRST = re.compile(r"^(?:([-+=#>\[])|(\d+)(?=[.)]))")


def markdown_files(document: blocks.Document, path: Path) -> dict[str | Path, Content]:
    """Return the document, then its figures STEM-KEY.png, by path."""
    title, lead = map(escaped, document.lines)
    lines = [f"# {title}", "", lead]
    figures: dict[str | Path, Content] = {}
    for part, shown in blocks.placed(document):
        lines += ["", f"## {escaped(part.title)}"] if part.title else []
        for one in shown:
            name = f"{path.stem}-{one.place.removeprefix('figure-')}.png"
            lines += ["", *_lines(one, name)]
            if one.number and isinstance(one.block, blocks.Picture) and one.block.figure:
                figures[path.with_name(name)] = figure_file(one.block.figure, ".png")
    return {path: "\n".join(lines) + "\n", **figures}


def escaped(text: str, *, begins: bool = True) -> str:
    """Escape text for one line of Markdown; `begins` if it begins a line or an item.

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
    """Escape text that follows other text on its line."""
    return escaped(text, begins=False)


def _lines(one: blocks.Placed, name: str) -> Iterator[str]:
    """Yield the lines of a block; `name` is the file of its figure."""
    match one.block:
        case blocks.Paragraph(text, label, strong):
            line = escaped(text, begins=not (strong or label))
            line = f"**{line}**" if strong else line
            yield f"**{_within(label)}** {line}" if label else line
        case blocks.Callout(text):
            yield f"> **{_within(text)}**"
        case blocks.Head(text):
            yield f"### {escaped(text)}"
        case blocks.Items(items, numbered):
            for k, item in enumerate(items, 1):
                yield f"{f'{k}.' if numbered else '-'} {escaped(item)}"
        case blocks.Names(pairs):
            for term, meaning in pairs:
                yield f"- **{_within(term)}**: {_within(meaning)}"
        case blocks.Verbatim(text):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            yield from (fence, *visible(text, "\n").split("\n"), fence)
        case blocks.PrintedTable() as table:
            yield from _table(table)
        case blocks.Picture() as picture if not one.number:
            yield escaped(picture.caption)
        case blocks.Picture() as picture:
            if picture.title:
                yield from (f"**{_within(picture.title)}**", "")
            # no link inside of the words, no end of the address in the name
            spoken = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", _within(picture.spoken))
            yield from (f"![{spoken}]({quote(name)})", "")
            yield f"**Figure {one.number}.** {_within(picture.caption)}"


def _table(table: blocks.PrintedTable) -> Iterator[str]:
    """Yield a pipe table under its caption; columns of numbers are aligned right."""
    yield from (f"**{_within(table.caption)}**", "")
    yield _row(map(_within, table.head))
    yield _row("---:" if numbers else ":---" for numbers in blocks.columns_of_numbers(table))
    for row in table.rows:
        yield _row(map(_cell, row))
    if table.note:
        yield from ("", escaped(table.note))


def _cell(cell: str) -> str:
    mark = "**" if isinstance(cell, blocks.Bold) else "*" if isinstance(cell, blocks.Italic) else ""
    return f"{mark}{_within(cell)}{mark}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
