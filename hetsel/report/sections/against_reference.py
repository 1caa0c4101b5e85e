"""Tests of every other method against a reference method, with Bonferroni-Dunn diagrams."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import (
    EFFECTS,
    Part,
    Picture,
    PrintedTable,
    Section,
    bold,
    part_of,
)
from hetsel.report.sections.ranks_over_data_sets import EACH_ALONE
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest
from hetsel.study.comparison.study_summary import Summary
from hetsel.words import over_data_sets, phrases
from hetsel.words.phrases import number, p_number

AGAINST = (
    "Difference: mean rank minus that of {control}, negative if the method is better. z has the "
    "normal approximation (Demšar 2006), with Holm's adjustment for {tests}; the adjusted p-value "
    "is at least that of Friedman's permutation test. CD is the Bonferroni–Dunn critical "
    "difference at level 0.05. Bold: the difference reaches it and the permutation test rejects. "
    "Wilcoxon's test compares scores, so there is none over all sizes."
)


def control_table(summary: Summary, measure: RankedMeasure) -> PrintedTable | None:
    """Tabulate the tests of every other method against the reference method."""
    table = summary.control_tests
    table = table[table["measure"] == measure.label]
    if table.empty:
        return None
    tuples: Iterator[Any] = table.itertuples()
    rows = [
        [
            f"{row.method}, {row.analysis}",
            f"{row.blocks}",
            bold(_signed(row.difference), row.differs),
            _signed(row.z),
            p_number(row.pvalue),
            p_number(row.holm),
            number(row.bonferroni_dunn_cd, 2),
            *("–" if np.isnan(p) else p_number(p) for p in (row.wilcoxon, row.wilcoxon_holm)),
        ]
        for row in tuples
    ]
    tests = len(summary.methods) - 1
    note = AGAINST.format(control=summary.control, tests=phrases.count(tests, "comparison"))
    head = ["method", "data sets", "difference", "z", "p", "Holm p", "CD"]
    head += ["Wilcoxon p", "Wilcoxon–Holm p"]
    caption = f"{measure.label}: mean ranks of the other methods against {summary.control}."
    return PrintedTable(f"control-{measure.key}", caption, head, rows, note)


def bonferroni_dunn_diagrams(summary: Summary) -> Iterator[Picture]:
    """Draw Bonferroni-Dunn diagrams, one figure with all measures for each analysis."""
    if not summary.control:
        return
    table = summary.control_tests
    for same in zip(*map(summary.analyses, summary.measures), strict=True):
        drawn = []
        for measure, analysis in zip(summary.measures, same, strict=True):
            own = table[(table["measure"] == measure.label) & (table["analysis"] == analysis.head)]
            if len(own):
                drawn.append((measure, _joined(analysis.test, own, str(summary.control))))
        if drawn:
            yield _diagram(summary.control, same[0], drawn)


def _joined(test: RankTest, own: pd.DataFrame, control: str) -> RankTest:
    """Return the test with the control's critical difference, joined with what does not differ."""
    alike = {control, *own.loc[~own["differs"], "method"]}
    group = tuple(name for name, _ in test.ordered if name in alike)
    distance = float(own["bonferroni_dunn_cd"].iloc[0])
    return replace(test, critical_difference=distance, groups=(group,))


def _diagram(
    control: str, analysis: Analysis, drawn: list[tuple[RankedMeasure, RankTest]]
) -> Picture:
    from hetsel.report.figures.critical_difference import plot_critical_difference

    tests = [test for _, test in drawn]
    titles = [f"{measure.quality} ({measure.name})" for measure, _ in drawn]
    figure = plot_critical_difference(tests, titles=titles, control=control)
    caption = (
        f"Mean ranks (1 is best) against {control} (diamond), {phrases.inside(analysis.where)}; "
        f"each block is a {tests[0].what}. The band reaches as far as the Bonferroni–Dunn critical "
        "difference (CD, level 0.05) from its mean rank. The thick line joins it with the methods "
        "that do not differ from it: all within the band, and all methods if the permutation test "
        "does not reject."
    )
    if any(np.isnan(test.critical_difference) for test in tests):
        caption += (
            " If a data set has no value of a method, pairs have no common critical difference, "
            "and each is compared by its own variance."
        )
    spoken = "Bonferroni–Dunn diagram. " + " ".join(
        f"{measure.name}: "
        + ", ".join(f"{method} {rank:.2f}" for method, rank in test.ordered)
        + "."
        for measure, test in drawn
    )
    return Picture(f"bonferroni-dunn-{analysis.key}", caption, spoken, figure)


def _signed(value: float) -> str:
    shown = f"{value:+z.2f}".replace("-", "−")
    return "0.00" if shown == "+0.00" else shown


def _parts(summary: Summary) -> Iterator[Part]:
    tables = [control_table(summary, measure) for measure in summary.measures]
    yield part_of(*EFFECTS, [*bonferroni_dunn_diagrams(summary), *tables])


def _paragraphs(summary: Summary) -> Iterator[tuple[str, list[str]]]:
    for measure in summary.measures:
        if said := over_data_sets.against_control(summary, measure):
            yield f"{measure.quality}, against {summary.control}", [said, EACH_ALONE]


SECTION = Section(
    parts=_parts,
    applies=lambda summary: summary.control is not None,
    paragraphs=_paragraphs,
    tables={"control": lambda summary: summary.control_tests},
)
