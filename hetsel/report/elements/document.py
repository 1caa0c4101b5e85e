"""A document as one list of blocks, which every format renders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from hetsel.report.numbers.study_summary import Summary

if TYPE_CHECKING:  # tables of a study need no matplotlib
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Head:
    """A heading inside of a fold."""

    text: str


class Bold(str):
    """A cell of a table in bold."""


def bold(cell: str, when: bool) -> str:
    """A cell that is bold or not."""
    return Bold(cell) if when else cell


@dataclass(frozen=True)
class PrintedTable:
    """A table of text.

    Parameters
    ----------
    key : str
        Identifier in the page.
    caption : str
    head : list of str
        Column heads; the first column holds row heads.
    rows : list of list of str
        Cells, some of them :func:`bold`.
    note : str
        Below the table.
    of_words : bool
        Whether its cells hold words, not numbers.
    """

    key: str
    caption: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""
    of_words: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure of a report, or in words why it is missing.

    Parameters
    ----------
    key : str
        Name of its file and of its place in the page.
    caption : str
    spoken : str
        What the figure shows, for those who cannot see it.
    figure : Figure or None
    title : str
        Above the figure, if it has one.
    """

    key: str
    caption: str
    spoken: str
    figure: Figure | None
    title: str = ""


Element = str | Head | PrintedTable | Picture | list[tuple[str, str]]  # the last: names, meanings


@dataclass(frozen=True)
class Fold:
    """A part of the page that folds away; those of one key are one.

    Parameters
    ----------
    key : str
        Where links lead.
    title : str
    elements : sequence of Element or None
        What it shows, from top to bottom; empty ones are left out, and so is a fold of these.
    """

    key: str
    title: str
    elements: Sequence[Element | None]


COMPARISON = ("comparison", "The comparison, data sets as blocks")  # fold of several sections


def nothing(summary: Summary) -> tuple[()]:
    """What a section that says nothing says."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Section:
    """A statistic of a study: all that a report, the exported files, Python and R have of it.

    Parameters
    ----------
    folds : callable
        From the numbers of a study: what the page shows.
    applies : callable
        Whether the study has an answer; without one nothing below is asked.
    headlines, found : callable
        Sentences of the first screen and of what was found, which R and
        :func:`hetsel.compare_methods` have too; empty ones are left out.
    paragraphs : callable
        Further paragraphs of the words: a heading each, with its sentences.
    tables : mapping
        By name what `hetsel study export` writes into `comparison_NAME.csv`.
    """

    folds: Callable[[Summary], Iterable[Fold]]
    applies: Callable[[Summary], bool] = lambda summary: True
    headlines: Callable[[Summary], Iterable[str]] = nothing
    found: Callable[[Summary], Iterable[str]] = nothing
    paragraphs: Callable[[Summary], Iterable[tuple[str, list[str]]]] = nothing
    tables: Mapping[str, Callable[[Summary], pd.DataFrame]] = field(default_factory=dict)


Facts = Mapping[str, Any]
_NUMBER = re.compile(r"[-+−]?[\d.,]+( %)?( to [-+−]?[\d.,]+)?|–|")


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
    found = [all(_NUMBER.fullmatch(str(cell)) for cell in column) for column in columns]
    return [k > 0 and numbers for k, numbers in enumerate(found)]


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    Parameters
    ----------
    text : str
    label : str
        Words in bold before it.
    strong : bool
        Whether all of it is bold.
    """

    text: str
    label: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Callout:
    """What nobody must overlook.

    Parameters
    ----------
    text : str
    mood : {"", "good", "bad"}
    strong : bool
        Whether it is bold.
    """

    text: str
    mood: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Items:
    """A list.

    Parameters
    ----------
    items : sequence of str
    numbered : bool
    """

    items: Sequence[str]
    numbered: bool = False


@dataclass(frozen=True)
class Verbatim:
    """Lines that stay as they are, to be copied."""

    text: str


Block = (
    str
    | Paragraph
    | Callout
    | Head
    | Items
    | Verbatim
    | PrintedTable
    | Picture
    | list[tuple[str, str]]  # names and their meanings
)


@dataclass(frozen=True)
class Part:
    """A section of a document with its blocks.

    Parameters
    ----------
    key : str
        Where links lead.
    title : str
    short : str
        The title in a list of contents.
    blocks : sequence of Block
    """

    key: str
    title: str
    short: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """What is written into a file: `version` of hetsel is that of the facts.

    Parameters
    ----------
    title, lead, version : str
    parts : sequence of Part
    """

    title: str
    lead: str
    version: str
    parts: Sequence[Part]


@dataclass(frozen=True, kw_only=True)
class SignatureSection:
    """A section of the page of a signature, from its facts.

    Parameters
    ----------
    key : str
        Where links lead.
    title : str
    short : str
        The title in a list of contents.
    blocks : callable
        From the facts: what it shows, from top to bottom; empty ones are left out, and so is a
        section of these.
    """

    key: str
    title: str
    short: str
    blocks: Callable[[Facts], Iterable[Block | None]]

    def part(self, facts: Facts) -> Part | None:
        """The section with its blocks; None if it shows nothing."""
        blocks = [block for block in self.blocks(facts) if block]
        return Part(self.key, self.title, self.short, blocks) if blocks else None
