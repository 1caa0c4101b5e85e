"""Whether methods know anything: their scores against what is reached without the features."""

import numpy as np
import pandas as pd

from hetsel.report.elements.blocks import COMPARISON, PrintedTable, Section, bold, part_of
from hetsel.study.comparison import baselines, rank_tests, study_summary
from hetsel.words import comparison_sentences, phrases


def against_baseline(summary: study_summary.Summary, one: baselines.Baseline) -> PrintedTable:
    """A score minus what is reached without the features, data set by data set and over all."""
    measure = summary.measure(one.score)
    rows = []
    for dataset in summary.datasets:
        own = one.by_dataset[one.by_dataset["dataset"] == dataset]
        base = float(own["baseline"].mean())
        cells = dict.fromkeys(summary.methods, "–") | _differences(own, measure)
        rows.append([dataset, measure.text(base), *cells.values()])
    every = "all data sets, without treatments" if summary.treatments else "all data sets"
    rows.append([every, "", *_differences(one.overall, measure).values()])
    note = (
        "Mean difference over all sizes, so that no size is chosen, and the one-sided p-value of "
        "each alone; bold where it is at most 0.05 with Holm's correction: for all methods in the "
        f"last row, for all data sets and methods above it. On a data set, from {baselines.FEWEST} "
        "resamplings on: t-test over the resamplings with the correction by parted pairs of rows "
        "(that of Nadeau and Bengio rejects too often on noise). All data sets: t-test over their "
        "means."
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
    """The cell of each method, bold where the score is above its baseline."""
    cells = {}
    for _, row in tested.iterrows():
        shown = measure.signed(row["difference"]) if np.isfinite(row["difference"]) else "–"
        if np.isfinite(row["pvalue"]):
            shown += f"\np {phrases.p_number(row['pvalue'])}"
        cells[str(row["method"])] = bold(shown, row["holm"] <= baselines.LEVEL)
    return cells


def baselines_frame(summary: study_summary.Summary) -> pd.DataFrame:
    columns = ["score", "against", "dataset", "method", "difference", "pvalue", "holm"]
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
