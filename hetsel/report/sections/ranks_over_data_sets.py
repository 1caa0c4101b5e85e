"""Methods ranked over the data sets: which of them differ, in performance and in stability."""

from collections.abc import Iterator

import pandas as pd

from hetsel.report.elements.blocks import COMPARISON, Part, Section, part_of
from hetsel.report.elements.rank_tables import diagrams, mean_ranks, pairs
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.rank_sentences import rank_tests, ranks_found, ranks_headlines
from hetsel.words.study_sentences import sizes_rule

EACH_ALONE = "Each of these tests is made at 0.05, without a correction for the others."


def _paragraphs(summary: Summary) -> list[tuple[str, list[str]]]:
    return [
        (
            f"{measure.quality}, data sets as blocks",
            [rank_tests(one, measure) for one in summary.analyses(measure)] + [EACH_ALONE],
        )
        for measure in summary.measures
    ]


def ranks_frame(summary: Summary) -> pd.DataFrame:
    rows = []
    for measure in summary.measures:
        for analysis in summary.analyses(measure):
            test = analysis.test
            for method, rank in zip(summary.methods, test.mean_ranks, strict=True):
                place = (measure.label, analysis.head, method, rank)
                rows.append((*place, test.blocks, test.gaps, test.permutation))
    columns = ["measure", "analysis", "method", "mean_rank", "blocks", "gaps", "pvalue"]
    return pd.DataFrame(rows, columns=columns)


def pairs_frame(summary: Summary) -> pd.DataFrame:
    columns = ["measure", "analysis", "better", "worse", "nemenyi", "wilcoxon_holm"]
    parts = [
        analysis.test.pairs.rename(columns={"pvalue": "nemenyi", "wilcoxon": "wilcoxon_holm"})
        .assign(measure=measure.label, analysis=analysis.head)
        .reindex(columns=columns)
        for measure in summary.measures
        for analysis in summary.analyses(measure)
        if analysis.test.pairs is not None
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _parts(summary: Summary) -> Iterator[Part]:
    tables = [pairs(summary, measure) for measure in summary.measures]
    figures = diagrams(summary, summary.analyses)
    elements = [sizes_rule(summary), mean_ranks(summary), *figures, *tables]
    yield part_of(*COMPARISON, elements)


SECTION = Section(
    parts=_parts,
    headlines=ranks_headlines,
    found=ranks_found,
    paragraphs=_paragraphs,
    tables={"ranks": ranks_frame, "pairs": pairs_frame},
)
