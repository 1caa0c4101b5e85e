"""Sentences and tables of a study with several kinds of targets; they need no figures."""

import pandas as pd

from hetsel.report.pages import section_list
from hetsel.report.sections.ranks_over_data_sets import RANKED
from hetsel.report.sections.seconds import TABLES
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.words import over_data_sets, rank_sentences


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
    every = {name: frame(summary) for name, frame in {**RANKED, **TABLES}.items()}
    for kind, one in summary.by_kind.items():
        every |= {f"{name}_{kind}": table for name, table in section_list.tables(one).items()}
    return every
