"""The judges of a study side by side: do the ranks of the methods depend on the judge?"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import Part, PrintedTable, Section, bold, part_of
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.judges_side_by_side import judges_side_by_side
from hetsel.words.comparison_sentences import judges_found
from hetsel.words.phrases import count, number


def judges_table(summary: Summary) -> PrintedTable | None:
    """Tabulate the mean rank of each method by each judge."""
    compared = judges_side_by_side(summary)
    if compared is None or not compared.datasets:
        return None
    table = compared.frame.pivot(index="method", columns="classifier", values="mean_rank")
    ranks = table.reindex(index=summary.methods, columns=summary.classifiers).to_numpy()
    rows = [
        [method, *map(_cell, own, ranks.min(axis=0))]
        for method, own in zip(summary.methods, ranks, strict=True)
    ]
    caption = (
        f"Mean ranks by {summary.performance.phrase} of each judge over "
        f"{count(len(compared.datasets), 'data set')}, each method at its own cross-fitted size."
    )
    note = (
        "Bold: best mean rank by this judge. Only data sets with a score of every method by every "
        "judge are counted. The size of a method is chosen by the scores of the judge."
    )
    return PrintedTable("judges", caption, ["method", *summary.classifiers], rows, note)


def _cell(rank: float, best: float) -> str:
    return bold(number(rank, 2), rank == best)


def judges_frame(summary: Summary) -> pd.DataFrame:
    """Return the mean ranks by judge with the test of their difference in each row."""
    compared = judges_side_by_side(summary)
    assert compared is not None
    effect = compared.effect
    pvalue, concordance = (effect.pvalue, effect.concordance) if effect else (np.nan, np.nan)
    facts = {"datasets": len(compared.datasets), "pvalue": pvalue, "concordance": concordance}
    return compared.frame.assign(**facts)


def _parts(summary: Summary) -> Iterator[Part]:
    compared = judges_side_by_side(summary)
    assert compared is not None
    elements = [" ".join(judges_found(summary, compared)), judges_table(summary)]
    yield part_of("judges", "Do the ranks depend on the judge?", elements, "Judges")


SECTION = Section(
    parts=_parts,
    applies=lambda summary: len(summary.classifiers) > 1,
    tables={"judges": judges_frame},
)
