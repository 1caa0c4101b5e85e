"""Methods ranked over the data sets: which of them differ, in performance and in stability."""

import math
from collections.abc import Iterator

import pandas as pd

from hetsel.report.elements.document import COMPARISON, Fold, Section
from hetsel.report.elements.rank_tables import diagrams, mean_ranks, pairs, rank_tests
from hetsel.report.elements.wording import (
    count,
    held_level,
    inside,
    join,
    p_number,
    p_value,
    some,
    who_is_better,
)
from hetsel.report.numbers.compared_measures import Analysis, Measure
from hetsel.report.numbers.rank_tests import LEVEL, RankTest
from hetsel.report.numbers.study_summary import Summary

EACH_ALONE = "Each of these tests is made at 0.05, without a correction for the others."


def sizes_rule(summary: Summary) -> str:
    """How the sizes of the first part are chosen."""
    text = (
        "Sizes are cross-fitted: resamplings of even number are judged at the size that those of "
        "odd number choose, and the reverse. A half chooses the smallest size whose mean "
        f"{summary.performance.phrase} lies in the naive 95 % interval of the best mean, of each "
        "method by its own curve (own size), or of all by the mean of their curves (one size). "
        "Both rules treat all methods alike. The halves share the rows of a table: what the table "
        "favors by chance, both favor."
    )
    absent = summary.own_size.absent
    if absent:
        text += (
            f" {join(absent)} {'has' if len(absent) == 1 else 'have'} too few resamplings that all "
            "methods share (2 of even and 2 of odd number), or no size that all methods have."
        )
    return text


def _found(summary: Summary) -> Iterator[str]:
    texts = [_verdict(summary, measure) for measure in summary.measures]
    if any(not a.test.reason for m in summary.measures for a in summary.analyses(m)):
        texts[-1] += _gaps(summary)
    texts[0] += _kept(summary)
    yield from [*texts, _no_power(summary), held_level(summary)]


def _kept(summary: Summary) -> str:
    """The least and the most features that methods keep at their own sizes, where these differ."""
    shares = summary.kept_shares.dropna()
    if len(summary.datasets) < 2 or shares.round(2).nunique() < 2:
        return ""
    # of several that keep as much the first of the study
    pairs = list(zip(shares.to_list(), map(str, shares.index), strict=True))
    least, most = (end(pairs, key=lambda pair: pair[0]) for end in (min, max))
    ends = [f"{100 * share:.0f} % ({method})" for share, method in (least, most)]
    return f" At their own sizes methods keep from {' to '.join(ends)} of the features, on average."


def _verdict(summary: Summary, measure: Measure) -> str:
    """Which methods differ, over the data sets."""
    named = summary.named(measure)
    name = f"{measure.quality} ({measure.label})"
    if named is None:
        reason = summary.analyses(measure)[0].test.reason
        return f"{name}: the methods are not compared over data sets: {reason}."
    others = [a for a in summary.made(measure) if a.key != named.key]
    text = f"{name}: {_in_words(named, summary.level_of(measure))}."
    if others:
        shown = (f"{inside(a.where)} {p_value(a.test.permutation)}" for a in others)
        text += f" Other analyses, which decide nothing here: {'; '.join(shown)}."
    return text


def _gaps(summary: Summary) -> str:
    """That some data sets lack methods, and what compares the methods there."""
    lacking = [
        f"{measure.label}, {inside(analysis.where)}: {count(analysis.test.gaps, 'value')}"
        for measure in summary.measures
        for analysis in summary.analyses(measure)
        if analysis.test.gaps and not analysis.test.reason
    ]
    if not lacking:
        return ""
    return (
        f" Some data sets lack a method ({'; '.join(lacking)}): these comparisons are by the test "
        "of Skillings and Mack, which takes the place of Friedman's and leaves no data set out."
    )


def _in_words(analysis: Analysis, level: float) -> str:
    test, where = analysis.test, inside(analysis.where)
    if test.permutation > level:
        return _not_shown(test, level, where)
    shown = p_value(test.permutation)
    if not test.differences:
        return f"{where}, they differ ({shown}), but Nemenyi's test tells no two apart"
    return f"{where}, {who_is_better(test.differences)} ({shown})"


def _not_shown(test: RankTest, level: float, where: str) -> str:
    """That no difference is shown, and by which level where 0.05 is not the reason."""
    shown = p_value(test.permutation)
    if test.least_permutation > level:
        shown += f"; so few data sets cannot show one at the level {p_number(level)}"
    elif test.permutation <= LEVEL:
        shown += f", above the level {p_number(level)}"
    return f"no difference between the methods is shown {where} ({shown})"


def _no_power(summary: Summary) -> str:
    """Where so few data sets let a test find nothing."""
    tests = [a.test for a in summary.analyses(summary.performance) if not a.test.reason]
    least = max((test.least for test in tests if math.isfinite(test.least)), default=0.0)
    if not least > LEVEL:
        return ""
    blocks, k = min(test.blocks for test in tests), len(summary.methods)
    text = (
        f"With {count(blocks, 'data set')} and {count(k * (k - 1) // 2, 'pair')} of methods "
        f"Wilcoxon's test with Holm's correction cannot go below p\u00a0=\u00a0{p_number(least)}"
    )
    fewest = max(test.least_permutation for test in tests)
    if fewest > summary.levels[0]:
        text += f", nor Friedman's by permutations below p\u00a0=\u00a0{p_number(fewest)}"
    return f"{text}: that way a difference cannot be found, whatever the scores."


def _headlines(summary: Summary) -> Iterator[str]:
    return (_over_data_sets(summary, measure) for measure in summary.measures)


def _over_data_sets(summary: Summary, measure: Measure) -> str:
    """Which methods differ over the data sets, by the analyses that treat them alike."""
    named = summary.named(measure)
    if named is None:
        return ""
    test, where = named.test, inside(named.where)
    begin = f"{measure.quality} ({measure.label}), {count(test.blocks, 'data set')}:"
    if test.permutation > summary.level_of(measure):
        return f"{begin} {_not_shown(test, summary.level_of(measure), where)}."
    shown = p_value(test.permutation)
    best = test.ordered[0][0]
    text = f"{begin} {where}, {best} has the best mean rank"
    if best in test.differences:
        text += f" and is better than {some(test.differences[best], 'other method')}"
    elif not test.differences:
        text += ", but no two methods are told apart"
    return f"{text} ({shown})."


def _paragraphs(summary: Summary) -> list[tuple[str, list[str]]]:
    return [
        (
            f"{measure.quality}, data sets as blocks",
            [rank_tests(one, measure) for one in summary.analyses(measure)] + [EACH_ALONE],
        )
        for measure in summary.measures
    ]


def ranks_frame(summary: Summary) -> pd.DataFrame:
    rows = [
        (
            measure.label,
            analysis.head,
            method,
            rank,
            analysis.test.blocks,
            analysis.test.gaps,
            analysis.test.permutation,
        )
        for measure in summary.measures
        for analysis in summary.analyses(measure)
        for method, rank in zip(summary.methods, analysis.test.mean_ranks, strict=True)
    ]
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


def _folds(summary: Summary) -> Iterator[Fold]:
    tables = [pairs(summary, measure) for measure in summary.measures]
    figures = diagrams(summary, summary.analyses)
    elements = [sizes_rule(summary), mean_ranks(summary), *figures, *tables]
    yield Fold(*COMPARISON, elements)


SECTION = Section(
    folds=_folds,
    headlines=_headlines,
    found=_found,
    paragraphs=_paragraphs,
    tables={"ranks": ranks_frame, "pairs": pairs_frame},
)
