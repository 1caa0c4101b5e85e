"""A section of the report of a study, and the elements that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
