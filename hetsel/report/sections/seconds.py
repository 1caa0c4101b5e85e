"""Time of selections, elapsed and of the processor, with rank tests over the data sets."""

from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.elements import rank_frames, rank_tables
from hetsel.report.elements.blocks import Part, PrintedTable, Section, Shown, part_of
from hetsel.study.comparison.ranked_summary import CLOCKS, RankedSummary
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.means_over_data_sets import seconds_over_data_sets_frame
from hetsel.words import rank_sentences
from hetsel.words.phrases import number

EACH_ALONE = (
    "Elapsed time includes waiting, such as for a server. CPU time includes the processes that a "
    "method started. Each test has level 0.05, without adjustment for the other tests."
)
NOTE = (
    "Elapsed time, and CPU time below it. Mean ranks (1 is best): data sets as blocks. Elapsed "
    "time depends on what else the machine did."
)
PAIRS = "p-values are adjusted for all pairs; bold: at most 0.05. Wilcoxon's test compares ratios."


def sentences(summary: RankedSummary) -> list[str]:
    """Report the rank tests of both clocks."""
    if len(summary.methods) < 2:
        return []
    tests = ((clock, one) for clock in CLOCKS for one in summary.seconds_analyses(clock))
    return [*(rank_sentences.rank_tests(one, clock) for clock, one in tests), EACH_ALONE]


def seconds_table(summary: RankedSummary) -> PrintedTable:
    """Tabulate seconds by data set and method, with the mean ranks."""
    elapsed, cpu = (summary.seconds[clock.key].to_numpy(np.float64) for clock in CLOCKS)
    rows = [
        [
            name,
            *(f"{seconds_text(e)}\nCPU {seconds_text(c)}" for e, c in zip(*both, strict=True)),
        ]
        for name, *both in zip(summary.datasets, elapsed, cpu, strict=True)
    ]
    for clock in CLOCKS:
        for one in summary.seconds_analyses(clock):
            ranks = (number(rank, 2) for rank in one.test.mean_ranks)
            rows.append([f"mean rank, {clock.name}", *ranks])
    caption = "Seconds of one selection, mean over resamplings, without the judges."
    return PrintedTable("seconds", caption, ["data set", *summary.methods], rows, NOTE)


def seconds_text(value: float) -> str:
    """Format seconds with at least two digits.

    Examples
    --------
    >>> seconds_text(0.01234), seconds_text(1234.5)
    ('0.012', '1,234')
    """
    return "–" if np.isnan(value) else f"{value:#.2g}" if value < 9.95 else f"{value:,.0f}"


def seconds_frame(summary: RankedSummary) -> pd.DataFrame:
    """Return mean seconds of one selection by data set and method."""
    tables = [
        table.rename_axis("dataset")
        .reset_index()
        .melt("dataset", var_name="method", value_name=key)
        for key, table in summary.seconds.items()
    ]
    return tables[0].merge(tables[1], on=["dataset", "method"]).dropna()


def seconds_part(summary: RankedSummary) -> Part:
    """Build the part with sentences and tables."""
    caption = "Seconds of one selection: p-values of pairs of methods, data sets as blocks."
    tests = [one for clock in CLOCKS for one in summary.seconds_analyses(clock)]
    pairs = rank_tables.pairs_table("seconds-pairs", caption, tests, PAIRS)
    blocks: list[Shown] = [*sentences(summary), seconds_table(summary), pairs]
    return part_of("seconds", "Time", blocks)


def _headline(summary: Summary) -> str:
    means = summary.seconds[CLOCKS[0].key].mean().dropna().sort_values()
    if len(means) < 2:
        return ""
    ends = [f"{seconds_text(means.iloc[k])} s ({means.index[k]})" for k in (0, -1)]
    over = ", averaged over data sets" if len(summary.datasets) > 1 else ""
    return f"Elapsed time of one selection{over}: {' to '.join(ends)}."


def _tested(frame: Any) -> Any:
    def table(summary: RankedSummary) -> pd.DataFrame:
        return frame(summary, summary.seconds_analyses, CLOCKS)

    return table


TABLES = {
    "seconds": seconds_frame,
    "seconds_over_data_sets": seconds_over_data_sets_frame,
    "seconds_ranks": _tested(rank_frames.frame_of_ranks),
    "seconds_pairs": _tested(rank_frames.frame_of_pairs),
    "seconds_tests": _tested(rank_frames.frame_of_tests),
}
SECTION = Section(
    parts=lambda summary: [seconds_part(summary)],
    headlines=lambda summary: [_headline(summary)],
    paragraphs=lambda summary: [("Time", said)] if (said := sentences(summary)) else [],
    tables=TABLES,
)
