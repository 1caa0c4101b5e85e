"""A document as one list of blocks, which every format renders."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hetsel.report.elements.section import Head, Picture, PrintedTable

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
