"""Sentences on effects over data sets, on what cannot be shown, and on a reference method."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from hetsel.study.comparison.method_effects import limits_frame
from hetsel.study.comparison.rank_tests import LEVEL, Analysis, RankedMeasure
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count, join, p_number, p_value


def limits(summary: Summary) -> Iterator[str]:
    """State which tests cannot be significant, and how many data sets would be needed."""
    table = limits_frame(summary.compared_blocks, summary.control)
    first = table["measure"] == table["measure"].iloc[:1].sum()  # the others have no more data sets
    table = table[first & (table["least"] > LEVEL)].drop(columns=["measure", "analysis"])
    rows: Iterator[Any] = table.drop_duplicates().sort_values("tests", ascending=False).itertuples()
    for row in rows:
        what = f"{count(row.tests, 'pair')} of methods"
        if row.comparisons != "all pairs":
            what = f"{count(row.tests, 'comparison')} {row.comparisons}"
        yield (
            f"With {count(row.blocks, 'data set')} and {what}, the smallest possible p-value of "
            f"Wilcoxon's test with Holm's adjustment is {p_number(row.least)}. At least "
            f"{row.needed} data sets are needed to show a difference at level {LEVEL:g}."
        )


def against_control(summary: Summary, measure: RankedMeasure) -> str:
    """Name the methods that differ from the reference method, by each analysis."""
    table = summary.control_tests
    table = table[table["measure"] == measure.label]
    parts = []
    for analysis in summary.analyses(measure):
        own = table[table["analysis"] == analysis.head]
        if not own.empty:
            parts.append(_verdict(own, analysis, str(summary.control)))
    return " ".join(parts)


def _verdict(own: pd.DataFrame, analysis: Analysis, control: str) -> str:
    names = {
        word: [str(m) for m in own.loc[own["differs"] & (own["difference"] * sign > 0), "method"]]
        for word, sign in (("better", -1), ("worse", 1))
    }
    said = [f"{join(of)} {'is' if len(of) == 1 else 'are'} {w}" for w, of in names.items() if of]
    if not said:
        return (
            f"{analysis.where}, no method differs significantly from {control} (smallest "
            f"{p_value(own['holm'].min())})."
        )
    return f"{analysis.where}, {' and '.join(said)} than {control}."
