"""Methods at their own size compared with no selection, the judge on all features."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hetsel.report.elements.blocks import COMPARISON, Part, PrintedTable, Section, bold, part_of
from hetsel.study.comparison import baselines
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.summary_tables.no_selection import against_no_selection
from hetsel.words import phrases


def no_selection_table(summary: Summary) -> PrintedTable | None:
    """Tabulate the difference to all features by data set and over the data sets."""
    compared = against_no_selection(summary)
    if compared.empty:
        return None
    measure = summary.performance
    rows = []
    for dataset in [*summary.datasets, None]:
        own = compared[compared["dataset"].isna()]
        name = "all data sets except treatments" if summary.treatments else "all data sets"
        if dataset is not None:
            own, name = compared[compared["dataset"] == dataset], dataset
        if len(own):
            cells = dict.fromkeys(summary.methods, "–")
            cells |= {str(row["method"]): _cell(summary, row) for _, row in own.iterrows()}
            whole = measure.text(float(own["all_features"].iloc[0])) if dataset else ""
            rows.append([name, whole, *cells.values()])
    note = (
        "Mean difference on the same splits, its 95% CI and unadjusted two-sided p-value. Bold: "
        "at most 0.05 after Holm's adjustment, over all methods in the last row and over all data "
        "sets and methods in the other rows. The test on a data set is a t-test over resamplings "
        f"with the parted-pairs correction and needs {baselines.FEWEST} resamplings. The test over "
        "data sets is a t-test of their mean differences. A difference near 0 means that the judge "
        "does as well with the selected features as with all."
    )
    caption = (
        f"No selection: {measure.phrase} of each method at its own cross-fitted size minus "
        f"{measure.phrase} of the judge on all features."
    )
    head = ["data set", "all features", *summary.methods]
    return PrintedTable("no-selection", caption, head, rows, note)


def _cell(summary: Summary, row: Any) -> str:
    measure = summary.performance
    shown = measure.signed(row["difference"])
    if np.isfinite(row["pvalue"]):
        shown += f"\n{measure.signed(row['low'])} to {measure.signed(row['high'])}"
        shown += f"\np {phrases.p_number(row['pvalue'])}"
    return bold(shown, row["holm"] <= baselines.LEVEL)


def _parts(summary: Summary) -> Iterator[Part]:
    table = no_selection_table(summary)
    missing = (
        "Methods are not compared with no selection, since no size is that of all features. Add "
        "the number of features to the sizes of the plan: this costs no selection."
    )
    yield part_of(*COMPARISON, [table or missing])


SECTION = Section(parts=_parts, tables={"no_selection": against_no_selection})
