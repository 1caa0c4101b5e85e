"""Sentences on differences over data sets, and on data sets with several kinds of targets."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from hetsel.study.comparison.method_effects import limits_frame
from hetsel.study.comparison.rank_tests import LEVEL, Analysis, RankedMeasure
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.summary_of_kinds import SummaryOfKinds
from hetsel.words.phrases import count, join, p_number, p_value
from hetsel.words.study_sentences import fallback, number_of_resamplings

NAMES = {"classes": "Classes", "numbers": "Numbers", "survival": "Survival times"}


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


def setting_of_kinds(summary: SummaryOfKinds) -> str:
    """Describe the design in one line, and how many cells are finished if some are not."""
    status = summary.study.status()
    kinds = join(
        f"{len(one.datasets)} with {NAMES[kind].lower()}" for kind, one in summary.by_kind.items()
    )
    numbers = dict.fromkeys(map(number_of_resamplings, summary.by_kind.values()))
    judges = dict.fromkeys(one.classifier for one in summary.by_kind.values())
    text = (
        f"{count(len(summary.methods), 'method')} on {count(len(summary.datasets), 'data set')} "
        f"({kinds}), {join(numbers)}, {'judge' if len(judges) == 1 else 'judges'} {join(judges)}"
    )
    if status["finished"] < status["cells"]:
        text += f"; {status['finished']:,} of {status['cells']:,} cells are finished"
    return f"{text}.{''.join(map(fallback, summary.by_kind.values()))}"


def scores_of_kinds(summary: SummaryOfKinds) -> str:
    """State by which score each data set is ranked."""
    scores = join(
        f"{label} for {NAMES[kind].lower()} ({join(summary.by_kind[kind].datasets)})"
        for kind, label in summary.first_scores.items()
    )
    return (
        f"Each data set is ranked by {'the first' if summary.score is None else 'a'} score of its "
        f"kind of target: {scores}. Means and differences of scores are compared within a "
        "kind only."
    )


def held_levels(summary: SummaryOfKinds) -> str:
    """State the levels of the tests over all data sets and of those of each kind."""
    main, others = summary.levels
    return (
        "The two rank tests over all data sets together have a familywise error rate of at most "
        f"5% (level {p_number(main)} for performance, {p_number(others)} for stability). The tests "
        "of each kind of target hold 5% of their own; they are not adjusted for each other."
    )
