"""Rank tests of methods as data frames: every number that a page or a diagram shows of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from hetsel.study.comparison import rank_tests
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure
from hetsel.study.comparison.ranked_summary import RankedSummary

Analyses = Callable[[RankedMeasure], list[Analysis]]
Measures = Sequence[RankedMeasure] | None  # None: performance and stability
PLACE = ["measure", "analysis"]


def frame_of_ranks(
    summary: RankedSummary, analyses: Analyses, measures: Measures = None
) -> pd.DataFrame:
    """Return mean ranks, 1 is best."""
    rows = []
    for measure, analysis in _every(summary, analyses, measures):
        test = analysis.test
        for method, rank in zip(summary.methods, test.mean_ranks, strict=True):
            place = (measure.label, analysis.head, method, rank)
            rows.append((*place, test.blocks, test.gaps, test.permutation))
    columns = [*PLACE, "method", "mean_rank", "blocks", "gaps", "pvalue"]
    return pd.DataFrame(rows, columns=columns)


def frame_of_pairs(
    summary: RankedSummary, analyses: Analyses, measures: Measures = None
) -> pd.DataFrame:
    """Return the adjusted p-values of every pair."""
    columns = [*PLACE, "better", "worse", "nemenyi", "wilcoxon_holm"]
    parts = [
        analysis.test.pairs.rename(columns={"pvalue": "nemenyi", "wilcoxon": "wilcoxon_holm"})
        .assign(measure=measure.label, analysis=analysis.head)
        .reindex(columns=columns)
        for measure, analysis in _every(summary, analyses, measures)
        if analysis.test.pairs is not None
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def frame_of_tests(
    summary: RankedSummary, analyses: Analyses, measures: Measures = None
) -> pd.DataFrame:
    """Return statistics, p-values and critical differences, or the reason why there is no test.

    The critical difference of the level 0.05 is in tables; sentences and the first screen use that
    of their own level, in a further row.
    """
    rows = [
        {
            **{"measure": measure.label, "analysis": analysis.head, "level": level},
            **{name: getattr(analysis.test, own) for name, own in STATISTICS.items()},
        }
        for measure, analysis, level in _with_levels(summary, analyses, measures)
    ]
    return pd.DataFrame(rows, columns=[*PLACE, "level", *STATISTICS])


STATISTICS = {  # columns with the fields of a rank test
    **{name: name for name in ("blocks", "gaps", "chi2", "pvalue", "f", "f_pvalue")},
    "permutation_pvalue": "permutation",
    "critical_difference": "critical_difference",
    "least_wilcoxon": "least",
    "reason": "reason",
}


def frame_of_groups(summary: RankedSummary, analyses: Analyses) -> pd.DataFrame:
    """Return the groups of methods that do not differ: the thick lines of the diagrams."""
    rows = [
        (measure.label, analysis.head, level, number, method)
        for measure, analysis, level in _with_levels(summary, analyses)
        for number, group in enumerate(analysis.test.groups, 1)
        for method in group
    ]
    return pd.DataFrame(rows, columns=[*PLACE, "level", "group", "method"])


def _every(
    summary: RankedSummary, analyses: Analyses, measures: Measures
) -> Iterator[tuple[RankedMeasure, Analysis]]:
    every = summary.measures if measures is None else measures
    return ((measure, one) for measure in every for one in analyses(measure))


def _with_levels(
    summary: RankedSummary, analyses: Analyses, measures: Measures = None
) -> Iterator[tuple[RankedMeasure, Analysis, float]]:
    """Yield each analysis at the level of tables, and the one of sentences at its own level."""
    for measure, analysis in _every(summary, analyses, measures):
        yield measure, analysis, rank_tests.LEVEL
        if measure not in summary.measures:
            continue
        named, level = summary.named(measure), summary.level_of(measure)
        if named is not None and named.key == analysis.key and level != rank_tests.LEVEL:
            yield measure, replace(analysis, test=named.test), level
