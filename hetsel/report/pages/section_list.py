"""The sections of a study report in their order; page, sentences and exported files use it."""

from collections.abc import Container, Iterator
from importlib import import_module

import pandas as pd

from hetsel.report.elements.blocks import Head, Part, Section, Shown, part_of, united
from hetsel.study.comparison.study_summary import Summary

ORDER = (  # files of `report/sections`, each with a SECTION; after a dot the name of another one
    "means_of_methods",
    "studied_data_sets",
    "ranks_over_data_sets",
    "effects_over_data_sets",
    "performance_profiles",
    "against_reference",
    "ranks_over_data_sets.OWN_SIZE",
    "ranks_by_judge",
    "probable_pairs",
    "above_baselines",
    "with_all_features",
    "ranks_over_data_sets.SINGLE_DATA_SETS",
    "treatments",
    "by_training_rows",
    "as_paul2015_prints",
    "each_data_set",
    "proved_orders",
    "seconds",
    "plan_and_versions",
)
MOST = 5  # maximum number of sentences on the first screen
ABOUT = (
    "A comparison of feature selection methods on tables that mix continuous and categorical "
    "columns."
)


def sections(summary: Summary) -> Iterator[Section]:
    for entry in ORDER:
        file, _, name = entry.partition(".")
        module = import_module(f"hetsel.report.sections.{file}")
        section: Section = getattr(module, name or "SECTION")
        if section.applies(summary):
            yield section


def headlines(summary: Summary) -> list[str]:
    """Return the sentences of the first screen, the most important first."""
    every = (sentence for one in sections(summary) for sentence in one.headlines(summary))
    return [sentence for sentence in every if sentence][:MOST]


def found(summary: Summary) -> list[str]:
    """Return the findings of the comparisons that hold their level."""
    every = (sentence for one in sections(summary) for sentence in one.found(summary))
    return [sentence for sentence in every if sentence]


def study_paragraphs(summary: Summary) -> list[tuple[str, list[str]]]:
    """Return headings with the sentences below them."""
    out = [("Findings", found(summary))]
    return out + [said for one in sections(summary) for said in one.paragraphs(summary)]


def tables(summary: Summary, without: Container[str] = ()) -> dict[str, pd.DataFrame]:
    """Return the data frames of all sections by the name of their table."""
    every = (named for one in sections(summary) for named in one.tables.items())
    return {name: table(summary) for name, table in every if name not in without}


def parts(summary: Summary) -> list[Part]:
    """Return the parts of the page: all sentences, then the parts of the sections."""
    words: list[Shown] = [ABOUT]
    for title, sentences in study_paragraphs(summary):
        words += [Head(title), *sentences]
    every = (part for section in sections(summary) for part in section.parts(summary))
    return united([part_of("words", "In words", words), *every])
