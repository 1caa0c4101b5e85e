"""Treatments of one table beside the table itself."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import Part, PrintedTable, Section, bold, part_of
from hetsel.study.comparison import baselines, rank_tests, study_summary, treated_pairs
from hetsel.words import comparison_sentences as sentences
from hetsel.words import phrases


def treatments_table(summary: study_summary.Summary) -> PrintedTable:
    """A row for each table, treatment and method; none where the study has no treatments."""
    found = treated_pairs.paired(summary)
    measure = summary.performance
    rows = [
        [
            f"{row['treatment']} of {row['dataset']}",
            str(row["method"]),
            str(row["size"]),
            measure.text(row[measure.key]),
            measure.text(row[f"{measure.key}_treated"]),
            bold(measure.signed(row["difference"]), row["holm"] <= rank_tests.LEVEL),
            _interval(row, measure),
            _shown(row["pvalue"]),
            bold(_shown(row["holm"]), row["holm"] <= rank_tests.LEVEL),
            phrases.number(row["kuncheva"], 2),
            phrases.number(row["kuncheva_treated"], 2),
            f"{100 * row['common']:.0f} %",
        ]
        for _, row in found.iterrows()
    ]
    label = summary.performance.label
    head = ["treatment", "method", "size", f"{label} of the table", f"{label} treated"]
    head += ["difference", "95 % interval", "p", "Holm p", "KI of the table", "KI treated"]
    head += ["in common"]
    caption = (
        f"Treatments of one table: {summary.performance.phrase} on the treatment minus that on the "
        "table, on the same splits."
    )
    return PrintedTable("treatments", caption, head, rows, _note(summary, found))


def _note(summary: study_summary.Summary, found: pd.DataFrame) -> str:
    text = (
        f"At the size that {summary.reference} chooses on the table, which may flatter the table a "
        "little, or the largest below it that both have. The interval of the difference and the "
        "two-sided p-value are corrected for training sets that overlap, by parted pairs of rows, "
        f"and given from {baselines.FEWEST} resamplings on. Holm's correction is for all rows, "
        "at most 0.05 in bold. KI: Kuncheva's index, without a test. In common: mean share "
        "of the features of a signature that the method selects from the treatment in the same "
        "resampling, too. "
        "The methods on one table are no independent blocks: no test counts how many of them agree."
    )
    pairs = found[["dataset", "treatment", "method"]].drop_duplicates()
    lacking = len(summary.treatments) * len(summary.methods) - len(pairs)
    if lacking:
        text += f" Rows that lack ({lacking}) have no cell on one side, or no size in common."
    return text


def _interval(row: Any, measure: rank_tests.RankedMeasure) -> str:
    if np.isnan(row["low"]):
        return "–"
    if row["low"] == row["high"]:
        return "always the same"
    return f"{measure.signed(row['low'])} to {measure.signed(row['high'])}"


def _shown(value: float) -> str:
    return phrases.p_number(value) if np.isfinite(value) else "–"


def _parts(summary: study_summary.Summary) -> Iterator[Part]:
    words = [sentences.treatments_changed(summary), *sentences.treatments_found(summary)]
    yield part_of("treatments", "Treatments of one table", [*words, treatments_table(summary)])


SECTION = Section(
    applies=lambda summary: bool(summary.treatments),
    parts=_parts,
    headlines=lambda summary: [sentences.treatments_headline(summary)],
    found=sentences.treatments_found,
    tables={"treatments": treated_pairs.paired},
)
