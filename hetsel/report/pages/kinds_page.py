"""The report of a study with several kinds of targets: ranks over all, then each kind."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from hetsel import __version__
from hetsel.report.elements import rank_tables
from hetsel.report.elements.blocks import (
    Block,
    Document,
    Head,
    Items,
    Part,
    Picture,
    PrintedTable,
    Shown,
    part_of,
)
from hetsel.report.figures.figure_style import house_style, method_lines
from hetsel.report.pages import first_screen, section_list
from hetsel.report.sections.ranks_over_data_sets import RANKED, paragraphs
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.words import over_data_sets, rank_sentences


def kinds_document(summary: SummaryOfKinds) -> Document:
    """Build the document of a study with several kinds of targets."""
    with house_style():
        lines = method_lines(summary.methods, summary.told)
        pictures = [
            first_screen.mean_ranks_picture(summary, lines),
            first_screen.seconds_picture(summary, lines, first_screen.HALF),
        ]
        first: list[Block] = [Items(headlines_over_kinds(summary))]
        first += [picture for picture in pictures if picture is not None]
        return Document(
            summary.study.plan.get("name", "study"),
            over_data_sets.setting_of_kinds(summary),
            __version__,
            [_ranks(summary), *_parts_by_kind(summary)],
            Part("summary", "", first),
            ": a comparison of feature selection methods",
            summary.study.digest(),
        )


def headlines_over_kinds(summary: SummaryOfKinds) -> list[str]:
    """Return the sentences on the ranks over all data sets."""
    ranks = [sentence for sentence in rank_sentences.ranks_headlines(summary) if sentence]
    if not ranks:
        reason = summary.analyses(summary.performance)[0].test.reason
        ranks = [f"There is no test over all data sets because {reason}."]
    return [*ranks, over_data_sets.scores_of_kinds(summary)]


def found_over_kinds(summary: SummaryOfKinds) -> list[str]:
    """Return the findings over all data sets, then those of each kind."""
    every = [*headlines_over_kinds(summary), over_data_sets.held_levels(summary)]
    for kind, one in summary.by_kind.items():
        every += [f"{over_data_sets.NAMES[kind]}: {text}" for text in section_list.found(one)]
    return every


def tables_over_kinds(summary: SummaryOfKinds) -> dict[str, pd.DataFrame]:
    """Return ranks and their tests over all data sets, and the tables of each kind."""
    every = {name: frame(summary) for name, frame in RANKED.items()}
    for kind, one in summary.by_kind.items():
        every |= {f"{name}_{kind}": table for name, table in section_list.tables(one).items()}
    return every


def _ranks(summary: SummaryOfKinds) -> Part:
    blocks: list[Shown] = [
        over_data_sets.scores_of_kinds(summary),
        over_data_sets.held_levels(summary),
    ]
    for title, sentences in paragraphs(summary):
        blocks += [Head(title), *sentences]
    blocks += [
        rank_tables.mean_ranks(summary),
        *rank_tables.diagrams(summary, summary.analyses),
        *(rank_tables.pairs(summary, measure) for measure in summary.measures),
    ]
    return part_of("all-kinds", "Ranks over all data sets", blocks, unfolded=True)


def _parts_by_kind(summary: SummaryOfKinds) -> Iterator[Part]:
    """Yield the parts of the report of each kind, with its name in titles and keys."""
    for kind, one in summary.by_kind.items():
        name = over_data_sets.NAMES[kind]
        figures: list[Shown] = [Items(section_list.headlines(one)), *first_screen.overview(one)]
        parts = [part_of("figures", "Figures", figures), *section_list.parts(one)]
        for part in parts:
            blocks = [
                replace(block, key=f"{kind}-{block.key}")
                if isinstance(block, PrintedTable | Picture)
                else block
                for block in part.blocks
            ]
            title, short = f"{name}: {part.title}", part.short and f"{name}: {part.short}"
            yield replace(part, key=f"{kind}-{part.key}", title=title, short=short, blocks=blocks)
