"""Treatments of a data set compared with the untreated data set."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import Part, PrintedTable, Section, bold, part_of
from hetsel.study.comparison import baselines, rank_tests, study_summary, treated_pairs
from hetsel.words import comparison_sentences as sentences
from hetsel.words import phrases


def treatments_table(summary: study_summary.Summary) -> PrintedTable:
    """Tabulate the comparison of each treatment with its data set, by method."""
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
            f"{100 * row['common']:.0f}%",
        ]
        for _, row in found.iterrows()
    ]
    label = summary.performance.label
    head = ["treatment", "method", "size", f"{label} untreated", f"{label} treated"]
    head += ["difference", "95% CI", "p", "Holm p", "KI untreated", "KI treated"]
    head += ["in common"]
    caption = (
        f"Treatments: {summary.performance.phrase} on the treatment minus "
        f"{summary.performance.phrase} on the untreated data set, on the same splits."
    )
    return PrintedTable("treatments", caption, head, rows, _note(summary, found))


def _note(summary: study_summary.Summary, found: pd.DataFrame) -> str:
    text = (
        f"The size is the one that {summary.reference} chooses on the untreated data set, which "
        "may favor the untreated data set slightly; if a treatment lacks this size, it is the "
        "largest smaller size that both have. The 95% CI and the two-sided p-value use the "
        f"parted-pairs correction for overlapping training sets and need {baselines.FEWEST} "
        "resamplings. Holm p is adjusted for all rows; bold: at most 0.05. KI: Kuncheva index, "
        "without a test. In common: mean proportion of the features of a signature that the "
        "method also selects on the treatment in the same resampling. Methods on one data set "
        "are not independent blocks, so no test counts how many of them agree."
    )
    pairs = found[["dataset", "treatment", "method"]].drop_duplicates()
    lacking = len(summary.treatments) * len(summary.methods) - len(pairs)
    if lacking:
        rows = phrases.count(lacking, "row")
        text += f" {rows} {'is' if lacking == 1 else 'are'} missing: no cell or no common size."
    return text


def _interval(row: Any, measure: rank_tests.RankedMeasure) -> str:
    if np.isnan(row["low"]):
        return "–"
    if row["low"] == row["high"]:
        return "no variation"
    return f"{measure.signed(row['low'])} to {measure.signed(row['high'])}"


def _shown(value: float) -> str:
    return phrases.p_number(value) if np.isfinite(value) else "–"


def _parts(summary: study_summary.Summary) -> Iterator[Part]:
    words = [sentences.treatments_changed(summary), *sentences.treatments_found(summary)]
    yield part_of("treatments", "Treatments", [*words, treatments_table(summary)])


SECTION = Section(
    applies=lambda summary: bool(summary.treatments),
    parts=_parts,
    headlines=lambda summary: [sentences.treatments_headline(summary)],
    found=sentences.treatments_found,
    tables={"treatments": treated_pairs.paired},
)
