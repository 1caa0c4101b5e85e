"""The elements of pages: blocks, parts and documents; each format shows all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from hetsel.ground.text import slugs
from hetsel.study.comparison.study_summary import Summary

if TYPE_CHECKING:  # tables of a study need no matplotlib
    from matplotlib.figure import Figure


class Bold(str):
    """A cell of a table in bold."""


class Italic(str):
    """A cell of a table in italics."""


def bold(cell: str, when: bool) -> str:
    return Bold(cell) if when else cell


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, bold if `strong`; `label` precedes it in bold."""

    text: str
    label: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Head:
    text: str


@dataclass(frozen=True)
class Callout:
    """A highlighted paragraph."""

    text: str
    mood: str = ""  # "good", "bad" or neither
    strong: bool = False


@dataclass(frozen=True)
class Items:
    items: Sequence[str]
    numbered: bool = False


@dataclass(frozen=True)
class Names:
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Verbatim:
    """Lines that are shown unchanged, to be copied."""

    text: str


@dataclass(frozen=True)
class PrintedTable:
    """A table of text; the first column holds row heads."""

    key: str  # identifier in the page
    caption: str
    head: list[str]
    rows: list[list[str]]  # some cells are `bold` or `Italic`
    note: str = ""  # below the table
    of_words: bool = False  # whether its cells hold words, not numbers
    below: int = 0  # number of last rows that a line separates from the others, in LaTeX


@dataclass(frozen=True)
class Picture:
    """A figure; without one the caption states why."""

    key: str  # name of its file and of its place in the page
    caption: str
    spoken: str  # text alternative
    figure: Figure | None
    title: str = ""  # above the figure


Block = Paragraph | Head | Callout | Items | Names | Verbatim | PrintedTable | Picture
Shown = Block | str | None  # text is a paragraph; empty ones are left out


@dataclass(frozen=True)
class Part:
    """A part of a page, its blocks from top to bottom."""

    key: str  # where links lead
    title: str
    blocks: Sequence[Block]
    short: str = ""  # a shorter title in the list of contents
    unfolded: bool = False  # where parts fold away


@dataclass(frozen=True)
class Document:
    """A document; if it has a first screen, its parts fold away."""

    title: str
    lead: str
    version: str  # of hetsel that computed the facts
    parts: Sequence[Part]
    first: Part | None = None
    subject: str = ""  # behind the title, where that is a name
    digest: str = ""  # of the results

    @property
    def lines(self) -> list[str]:
        source = f" hetsel {self.version}; digest {self.digest[:16]}." if self.digest else ""
        return [f"{self.title}{self.subject}", f"{self.lead}{source}"]


def part_of(
    key: str, title: str, shown: Iterable[Shown], short: str = "", *, unfolded: bool = False
) -> Part:
    """Build a part from the blocks that are not empty."""
    blocks = [Paragraph(one) if isinstance(one, str) else one for one in shown if one]
    return Part(key, title, blocks, short, unfolded)


def united(parts: Iterable[Part]) -> list[Part]:
    """List the parts that are not empty, in their order; parts of one key are joined."""
    by_key: dict[str, Part] = {}
    for part in parts:
        before = by_key[part.key].blocks if part.key in by_key else []
        by_key[part.key] = replace(part, blocks=[*before, *part.blocks])
    return [part for part in by_key.values() if part.blocks]


COMPARISON = ("comparison", "Comparison with data sets as blocks")  # shared by several sections
EFFECTS = ("effects", "Effects: differences over the data sets")


def nothing(summary: Summary) -> tuple[()]:
    """Return no sentences."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Section:
    """A statistic of a study, for reports, exported files, Python and R."""

    parts: Callable[[Summary], Iterable[Part]]  # what the page shows
    applies: Callable[[Summary], bool] = lambda summary: True  # otherwise the section is skipped
    # sentences of the first screen and of the results; empty ones are left out
    headlines: Callable[[Summary], Iterable[str]] = nothing
    found: Callable[[Summary], Iterable[str]] = nothing
    # further paragraphs: a heading each, with its sentences
    paragraphs: Callable[[Summary], Iterable[tuple[str, list[str]]]] = nothing
    # tables that `hetsel study export` writes to `comparison_NAME.csv`, by NAME
    tables: Mapping[str, Callable[[Summary], pd.DataFrame]] = field(default_factory=dict)


_NUMBER = re.compile(r"[-+−]?[\d.,]+( ?%)?( (?:to|±) [-+−]?[\d.,]+)?|–|")


def columns_of_numbers(table: PrintedTable) -> list[bool]:
    """Find the columns that hold only numbers, which are aligned right.

    Examples
    --------
    >>> columns_of_numbers(PrintedTable("t", "", ["name", "share"], [["age", "95%"], ["", "–"]]))
    [False, True]
    """
    if not table.rows:
        return [False] * len(table.head)
    columns = zip(*table.rows, strict=True)
    numbers = [all(_NUMBER.fullmatch(cell) for cell in column) for column in columns]
    return [k > 0 and of_numbers for k, of_numbers in enumerate(numbers)]


class Placed(NamedTuple):
    """A block with the unique name and the number of its figure."""

    block: Block
    place: str = ""
    number: int = 0


def placed(document: Document) -> list[tuple[Part, list[Placed]]]:
    """List the parts of a document, including its first screen, with their blocks."""
    parts = [*([document.first] if document.first else []), *document.parts]
    shown = [(part, part.blocks) for part in parts]
    pictures = [block for _, blocks in shown for block in blocks if isinstance(block, Picture)]
    places, numbers = iter(slugs(picture.key for picture in pictures)), count(1)

    def place(block: Block) -> Placed:
        if not isinstance(block, Picture):
            return Placed(block)
        return Placed(block, next(places), next(numbers) if block.figure else 0)

    return [(part, [place(block) for block in blocks]) for part, blocks in shown]
