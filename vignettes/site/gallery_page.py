"""Make the gallery: each cell of examples/gallery.py and .R is a figure with its call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from executed_examples import EXAMPLES

HEAD = "# %% "
LANGUAGES = {".py": ("Python", "python"), ".R": ("R", "r")}


def gallery() -> str:
    """Make the page in Markdown: per language the shared code, then one card per figure."""
    parts = []
    for suffix, (language, lexer) in LANGUAGES.items():
        first, *cells = (EXAMPLES / f"gallery{suffix}").read_text(encoding="utf-8").split(HEAD)
        parts += [f"## From {language}", fence(lexer, first), "::::{grid} 1 1 2 2", ":gutter: 3"]
        parts += list(cards(cells, f"examples/gallery{suffix}.figures", lexer))
        parts += ["::::", ""]
    return "\n".join(parts)


def cards(cells: list[str], folder: str, lexer: str) -> Iterator[str]:
    """Yield the card of each cell: title, figure, text (the comments at its top) and code.

    The first line of a cell has its title and file. R numbers its plots, so a
    cell of R has only a title.
    """
    for number, cell in zip(count(1), cells, strict=False):
        head, body = cell.split("\n", 1)
        title, _, file = head.partition(": ")
        words = re.match(r"(?:# .*\n)*", body)
        assert words is not None
        figure = f"/{folder}/{file or f'plot-{number}.png'}"
        yield f":::{{grid-item-card}} {title}"
        yield f"```{{image}} {figure}\n:alt: {title}\n:width: 100%\n```"
        yield re.sub(r"^# ", "", words[0], flags=re.MULTILINE)
        yield fence(lexer, body[words.end() :])
        yield ":::"


def fence(lexer: str, code: str) -> str:
    """Make a block of code; empty if there is no code."""
    return f"```{lexer}\n{code.strip()}\n```" if code.strip() else ""
