"""The report of a study as one list of sections; page, words and exported files walk over it."""

from collections.abc import Iterator
from importlib import import_module

import pandas as pd

from hetsel.report.elements.document import Element, Fold, Head, Section
from hetsel.report.numbers.study_summary import Summary

ORDER = (  # files of `report/sections`, each with a SECTION
    "studied_data_sets",
    "ranks_over_data_sets",
    "own_sizes",
    "probable_pairs",
    "above_baselines",
    "single_data_sets",
    "treatments",
    "as_paul2015_prints",
    "each_data_set",
    "proved_orders",
    "cpu_time",
    "plan_and_versions",
)
MOST = 5  # sentences of the first screen
ABOUT = (
    "A comparison of feature selection methods on tables that mix continuous and categorical "
    "columns."
)


def sections(summary: Summary) -> Iterator[Section]:
    """The sections that apply to a study, in order."""
    for file in ORDER:
        section: Section = import_module(f"hetsel.report.sections.{file}").SECTION
        if section.applies(summary):
            yield section


def headlines(summary: Summary) -> list[str]:
    """What the first screen says, the most important first."""
    every = (sentence for one in sections(summary) for sentence in one.headlines(summary))
    return [sentence for sentence in every if sentence][:MOST]


def found(summary: Summary) -> list[str]:
    """What the comparisons that hold their level say."""
    every = (sentence for one in sections(summary) for sentence in one.found(summary))
    return [sentence for sentence in every if sentence]


def paragraphs(summary: Summary) -> list[tuple[str, list[str]]]:
    """The study in words: a heading each, with its sentences."""
    out = [("What was found", found(summary))]
    return out + [said for one in sections(summary) for said in one.paragraphs(summary)]


def tables(summary: Summary) -> dict[str, pd.DataFrame]:
    """The numbers of all sections by the name of their table."""
    return {name: table(summary) for one in sections(summary) for name, table in one.tables.items()}


def folds(summary: Summary) -> list[Fold]:
    """What the page shows: all in words, then the folds of the sections."""
    words: list[Element | None] = [ABOUT]
    for title, sentences in paragraphs(summary):
        words += [Head(title), *sentences]
    out = {"words": Fold("words", "In words", words)}
    for section in sections(summary):
        for one in section.folds(summary):
            before = out[one.key].elements if one.key in out else []
            shown = [element for element in one.elements if element]
            out[one.key] = Fold(one.key, one.title, [*before, *shown])
    return [one for one in out.values() if one.elements]
