"""Scores of methods compared with baselines that use no features."""

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import COMPARISON, PrintedTable, Section, bold, part_of
from hetsel.study.comparison import baselines, rank_tests, study_summary
from hetsel.words import comparison_sentences, phrases


def against_baseline(summary: study_summary.Summary, one: baselines.Baseline) -> PrintedTable:
    """Tabulate a score minus its baseline by data set and over all data sets."""
    measure = summary.measure(one.score)
    rows = []
    for dataset in summary.datasets:
        own = one.by_dataset[one.by_dataset["dataset"] == dataset]
        base = float(own["baseline"].mean())
        cells = dict.fromkeys(summary.methods, "–") | _differences(own, measure)
        rows.append([dataset, measure.text(base), *cells.values()])
    every = "all data sets except treatments" if summary.treatments else "all data sets"
    rows.append([every, "", *_differences(one.overall, measure).values()])
    note = (
        "Mean difference over all sizes (no size is chosen) and unadjusted one-sided p-value. "
        "Bold: at most 0.05 after Holm's adjustment, over all methods in the last row and over "
        "all data sets and methods in the other rows. The test on a data set is a t-test over "
        f"resamplings with the parted-pairs correction and needs {baselines.FEWEST} resamplings; "
        "the correction of Nadeau and Bengio rejects too often on noise. The test in the last "
        "row is a t-test over the means of the data sets."
    )
    head = ["data set", one.what, *summary.methods]
    return PrintedTable(
        f"baseline-{one.score}",
        f"{comparison_sentences.baseline_name(summary, one)}.",
        head,
        rows,
        note,
    )


def _differences(tested: pd.DataFrame, measure: rank_tests.RankedMeasure) -> dict[str, str]:
    """Format the cell of each method, in bold if the score is above its baseline."""
    cells = {}
    for _, row in tested.iterrows():
        shown = measure.signed(row["difference"]) if np.isfinite(row["difference"]) else "–"
        if np.isfinite(row["pvalue"]):
            shown += f"\np {phrases.p_number(row['pvalue'])}"
        cells[str(row["method"])] = bold(shown, row["holm"] <= baselines.LEVEL)
    return cells


def baselines_frame(summary: study_summary.Summary) -> pd.DataFrame:
    columns = ["score", "against", "dataset", "method", "mean", "baseline", "difference"]
    columns += ["pvalue", "holm"]
    parts = [
        table.assign(score=one.score, against=one.what).reindex(columns=columns)
        for one in summary.baselines
        for table in (one.by_dataset, one.overall.assign(dataset=None))
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


SECTION = Section(
    parts=lambda summary: [
        part_of(*COMPARISON, [against_baseline(summary, one) for one in summary.baselines])
    ],
    headlines=lambda summary: [comparison_sentences.baselines_headline(summary)],
    found=lambda summary: [
        comparison_sentences.baseline_found(summary, one) for one in summary.baselines
    ],
    tables={"baselines": baselines_frame},
)
