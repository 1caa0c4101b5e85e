"""The report of a study with several kinds of targets: ranks over all, then each kind."""

from collections.abc import Iterator
from dataclasses import replace

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
from hetsel.report.pages.found_over_kinds import headlines_over_kinds
from hetsel.report.sections.ranks_over_data_sets import paragraphs
from hetsel.report.sections.seconds import seconds_part
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.words import over_data_sets


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
            [_ranks(summary), *_parts_by_kind(summary), seconds_part(summary)],
            Part("summary", "", first),
            ": a comparison of feature selection methods",
            summary.study.digest(),
        )


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
