"""What pages are made of: blocks, parts and documents; each format shows all of them."""

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


def bold(cell: str, when: bool) -> str:
    return Bold(cell) if when else cell


@dataclass(frozen=True)
class Paragraph:
    """Words, all of them bold if they are `strong`; `label` stands in bold before them."""

    text: str
    label: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Head:
    text: str


@dataclass(frozen=True)
class Callout:
    """What nobody must overlook."""

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
    """Lines that stay as they are, to be copied."""

    text: str


@dataclass(frozen=True)
class PrintedTable:
    """A table of text; the first column holds row heads."""

    key: str  # identifier in the page
    caption: str
    head: list[str]
    rows: list[list[str]]  # some cells are `bold`
    note: str = ""  # below the table
    of_words: bool = False  # whether its cells hold words, not numbers


@dataclass(frozen=True)
class Picture:
    """A figure; where there is none its caption says why."""

    key: str  # name of its file and of its place in the page
    caption: str
    spoken: str  # what the figure shows, for those who cannot see it
    figure: Figure | None
    title: str = ""  # above the figure


Block = Paragraph | Head | Callout | Items | Names | Verbatim | PrintedTable | Picture
Shown = Block | str | None  # text is a paragraph; what is empty is left out


@dataclass(frozen=True)
class Part:
    """A part of a page, its blocks from top to bottom."""

    key: str  # where links lead
    title: str
    blocks: Sequence[Block]
    short: str = ""  # the title in a list of contents, if it is another
    unfolded: bool = False  # where parts fold away


@dataclass(frozen=True)
class Document:
    """What is written into a file; where it has a first screen its parts fold away."""

    title: str
    lead: str
    version: str  # of the hetsel that found the facts
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
    """A part of what is given and not empty."""
    blocks = [Paragraph(one) if isinstance(one, str) else one for one in shown if one]
    return Part(key, title, blocks, short, unfolded)


def united(parts: Iterable[Part]) -> list[Part]:
    """The parts that show anything, in their order; those of one key are one."""
    by_key: dict[str, Part] = {}
    for part in parts:
        before = by_key[part.key].blocks if part.key in by_key else []
        by_key[part.key] = replace(part, blocks=[*before, *part.blocks])
    return [part for part in by_key.values() if part.blocks]


COMPARISON = ("comparison", "Comparison with data sets as blocks")  # shared by several sections


def nothing(summary: Summary) -> tuple[()]:
    """What a section that says nothing says."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Section:
    """A statistic of a study: all that a report, the exported files, Python and R have of it."""

    parts: Callable[[Summary], Iterable[Part]]  # what the page shows
    applies: Callable[[Summary], bool] = lambda summary: True  # else nothing below is asked
    # sentences of the first screen and of what was found; empty ones are left out
    headlines: Callable[[Summary], Iterable[str]] = nothing
    found: Callable[[Summary], Iterable[str]] = nothing
    # further paragraphs of the words: a heading each, with its sentences
    paragraphs: Callable[[Summary], Iterable[tuple[str, list[str]]]] = nothing
    # by name what `hetsel study export` writes into `comparison_NAME.csv`
    tables: Mapping[str, Callable[[Summary], pd.DataFrame]] = field(default_factory=dict)


_NUMBER = re.compile(r"[-+−]?[\d.,]+( ?%)?( to [-+−]?[\d.,]+)?|–|")


def columns_of_numbers(table: PrintedTable) -> list[bool]:
    """Which columns of a table hold numbers alone, and are set to the right.

    Examples
    --------
    >>> columns_of_numbers(PrintedTable("t", "", ["name", "share"], [["age", "95 %"], ["", "–"]]))
    [False, True]
    """
    if not table.rows:
        return [False] * len(table.head)
    columns = zip(*table.rows, strict=True)
    numbers = [all(_NUMBER.fullmatch(cell) for cell in column) for column in columns]
    return [k > 0 and of_numbers for k, of_numbers in enumerate(numbers)]


class Placed(NamedTuple):
    """A block with the name of a picture, its own in the document, and the number of its figure."""

    block: Block
    place: str = ""
    number: int = 0


def placed(document: Document) -> list[tuple[Part, list[Placed]]]:
    """The parts of a document, its first screen among them, with their blocks."""
    parts = [*([document.first] if document.first else []), *document.parts]
    shown = [(part, part.blocks) for part in parts]
    pictures = [block for _, blocks in shown for block in blocks if isinstance(block, Picture)]
    places, numbers = iter(slugs(picture.key for picture in pictures)), count(1)

    def place(block: Block) -> Placed:
        if not isinstance(block, Picture):
            return Placed(block)
        return Placed(block, next(places), next(numbers) if block.figure else 0)

    return [(part, [place(block) for block in blocks]) for part, blocks in shown]
