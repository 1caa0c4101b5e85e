"""The table of a report that compares treatments of a table with the table itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.numbers.baselines import FEWEST
from hetsel.report.numbers.compared_measures import Measure
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.tables_as_text import PrintedTable
from hetsel.report.pages.treatments import LEVEL, paired
from hetsel.report.pages.wording import p_number


def treatments_table(summary: Summary) -> PrintedTable | None:
    """A row for each table, treatment and method; none where the study has no treatments."""
    if not summary.treatments:
        return None
    found = paired(summary)
    measure = summary.performance
    score = measure.key
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for k, (_, row) in enumerate(found.iterrows()):
        if row["holm"] <= LEVEL:
            best |= {(k, 5), (k, 8)}
        rows.append(
            [
                f"{row['treatment']} of {row['dataset']}",
                str(row["method"]),
                str(row["size"]),
                measure.text(row[score]),
                measure.text(row[f"{score}_treated"]),
                measure.signed(row["difference"]),
                _interval(row, measure),
                _shown(row["pvalue"]),
                _shown(row["holm"]),
                _index(row["kuncheva"]),
                _index(row["kuncheva_treated"]),
                f"{100 * row['common']:.0f} %",
            ]
        )
    label = summary.performance.label
    head = ["treatment", "method", "size", f"{label} of the table", f"{label} treated"]
    head += ["difference", "95 % interval", "p", "Holm p", "KI of the table", "KI treated"]
    head.append("in common")
    caption = (
        f"Treatments of one table: {summary.performance.phrase} on the treatment minus that on the "
        "table, on the same splits."
    )
    return PrintedTable("treatments", caption, head, rows, best, _note(summary, found))


def _note(summary: Summary, found: pd.DataFrame) -> str:
    text = (
        f"At the size that {summary.reference} chooses on the table, which may flatter the table a "
        "little, or the largest below it that both have. The interval of the difference and the "
        "two-sided p-value are corrected for training sets that overlap, by parted pairs of rows, "
        f"and given from {FEWEST} resamplings on. Holm's correction is for all rows, at most "
        "0.05 in bold. KI: Kuncheva's index, without a test. In common: mean share of the features "
        "of a signature that the method selects from the treatment in the same resampling, too. "
        "The methods on one table are no independent blocks: no test counts how many of them agree."
    )
    pairs = found[["dataset", "treatment", "method"]].drop_duplicates()
    lacking = len(summary.treatments) * len(summary.methods) - len(pairs)
    if lacking:
        text += f" Rows that lack ({lacking}) have no cell on one side, or no size in common."
    return text


def _interval(row: Any, measure: Measure) -> str:
    if np.isnan(row["low"]):
        return "–"
    if row["low"] == row["high"]:
        return "always the same"
    return f"{measure.signed(row['low'])} to {measure.signed(row['high'])}"


def _shown(value: float) -> str:
    return p_number(value) if np.isfinite(value) else "–"


def _index(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "–"
