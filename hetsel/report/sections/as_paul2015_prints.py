"""The analyses of Paul et al. (2015): every size is a block, or a method chooses one size."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.report.elements import rank_frames
from hetsel.report.elements.blocks import Head, Part, PrintedTable, Section, Shown, bold, part_of
from hetsel.report.elements.rank_tables import diagrams, printed_mean_ranks, printed_pairs
from hetsel.study.comparison import rank_tests, study_summary
from hetsel.study.summary_tables import at_chosen_size
from hetsel.words import phrases, rank_sentences

TITLE = "Analyses of Paul et al. (2015)"
EVERY_SIZE = (
    "Blocks are as in section 4.2 of Paul et al. (2015). The sizes of a data set are correlated, "
    "so these p-values are too small."
)
NOT_PRINTED = "Paul et al. (2015) has no tables of means and stability at this size."


def performance_at_chosen(summary: study_summary.Summary) -> PrintedTable:
    """Tabulate mean scores with their intervals at the chosen size."""
    note = (
        "Bold: best mean of each data set. Each ± is half a 95% CI. The naive interval treats "
        "resamplings as independent; it shows the precision of the mean over all splits of this "
        "data set. The corrected interval (Nadeau and Bengio 2003) is wider because training sets "
        "overlap."
    )
    caption = (
        f"Mean {summary.performance.phrase} at the size that {summary.reference} chooses, with "
        "naive and corrected 95% CIs."
    )
    small = summary.small(summary.scores)
    rows = []
    for dataset in summary.datasets:
        own = small[small["dataset"] == dataset].set_index("method")
        top = own.index[reaches(own["value"].to_numpy(), own["value"].max())] if len(own) else ()
        cells = dict.fromkeys(summary.methods, "–")
        cells |= {
            str(m): bold(_two_intervals(row, summary.performance), m in top)
            for m, row in own.iterrows()
        }
        rows.append([dataset, str(summary.chosen[dataset]), *cells.values()])
    head = ["data set", "size", *summary.methods]
    return PrintedTable("performance", caption, head, rows, note)


def against_reference(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate paired t-tests of the reference method against the others by data set."""
    rows = [
        [
            str(test["dataset"]),
            str(test["method"]),
            summary.performance.signed(test["difference"]),
            *(
                bold(phrases.p_number(pvalue), pvalue <= rank_tests.LEVEL)
                for pvalue in test[["pvalue_naive", "pvalue_corrected"]]
            ),
        ]
        for _, test in at_chosen_size.t_tests_frame(summary).iterrows()
    ]
    if not rows:
        return None
    note = (
        f"Difference: {summary.performance.phrase} of {summary.reference} minus "
        f"{summary.performance.phrase} of the method on the same splits. p-values are two-sided "
        "and not adjusted for several pairs; bold: at most 0.05. Naive p-values treat "
        "resamplings as independent and are too small. Corrected p-values (Nadeau and Bengio "
        "2003) allow for overlapping training sets, but not for the choice of the size."
    )
    caption = (
        f"Paired resampled t-tests of {summary.reference} against each method, at the size that "
        f"{summary.reference} chooses."
    )
    head = ["data set", "method", "difference", "naive p", "corrected p"]
    return PrintedTable("against", caption, head, rows, note)


def stability_at_chosen(summary: study_summary.Summary) -> PrintedTable:
    """Tabulate four stability measures at the chosen size, with Nogueira's interval."""
    rows = []
    for _, row in at_chosen_size.stability_frame(summary).iterrows():
        measures = map(phrases.number, row[["kuncheva", "cw_rel", "ati", "nogueira"]])
        low, high = map(phrases.number, row[["low", "high"]])
        interval = "none" if np.isnan(row["low"]) else f"{low} to {high}"
        place = f"{row['dataset']}, size {row['size']}", row["method"]
        rows.append([*place, *measures, interval])
    head = ["data set", "method", "Kuncheva", "CWrel", "ATI", "Nogueira", "naive 95% CI"]
    note = (
        "All measures are 1 for identical signatures. For Kuncheva and Nogueira, 0 is random "
        "selection. For CWrel and ATI (average Tanimoto index), 0 is the smallest possible value; "
        "they are not fully corrected for chance. All signatures have the same size, so Nogueira's "
        "measure equals the Kuncheva index and the 95% CI applies to both. The interval is "
        "asymptotic and may exceed 1. It treats resamplings as independent: it refers to more "
        "resamplings of this data set, not to other samples. There is no interval if fewer than 3 "
        "signatures differ from the most frequent one, because its coverage would be far below 95%."
    )
    caption = f"Stability at the size that {summary.reference} chooses."
    return PrintedTable("stability", caption, head, rows, note=note)


def classifiers(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate mean scores at the chosen size by judge, if there are several."""
    if len(summary.classifiers) < 2:
        return None
    score = summary.performance
    means = summary.small(summary.full).pivot_table(
        score.key, ["dataset", "classifier"], "method", aggfunc="mean"
    )
    places = list(product(summary.datasets, summary.classifiers))
    means = means.reindex(index=places, columns=summary.methods)
    rows = [[*place, *map(score.text, means.loc[place])] for place in places]
    head = ["data set", summary.judge, *summary.methods]
    chosen = f"at the size that {summary.reference} chooses"
    caption = f"Mean {score.phrase} {chosen}, by judge."
    return PrintedTable("classifiers", caption, head, rows)


def other_scores(summary: study_summary.Summary) -> PrintedTable | None:
    """Tabulate the other scores at the chosen size, if there are any."""
    scores = summary.results.scores
    every = zip(scores.names, scores.labels, strict=True)
    others = {name: label for name, label in every if name != summary.score}
    if not others:
        return None
    names, labels = tuple(others), tuple(others.values())
    units = [name in scores.in_units for name in names]
    small = summary.small(summary.frame)
    parts = [
        study_summary.mean_intervals(small, name).set_index(["dataset", "method"]) for name in names
    ]
    rows = [
        [*place, *(_with_half(part, place, unit) for part, unit in zip(parts, units, strict=True))]
        for place in product(summary.datasets, summary.methods)
    ]
    head = ["data set", "method", *labels]
    note = "Each ± is half the naive 95% CI."
    if "sensitivity" in names:
        note += " The table of data sets shows the positive class."
    what = phrases.join((f"{labels[0][0].upper()}{labels[0][1:]}", *labels[1:]))
    caption = f"{what} at the size that {summary.reference} chooses, with naive 95% CIs."
    return PrintedTable("other-scores", caption, head, rows, note=note)


def _with_half(means: pd.DataFrame, place: Any, unit: bool) -> str:
    value, high = means.loc[place, ["value", "high"]] if place in means.index else (np.nan, np.nan)
    if not np.isfinite(value):
        return "–"
    half = f" ± {rank_tests.in_text(high - value, unit)}" if np.isfinite(high) else ""
    return f"{rank_tests.in_text(value, unit)}{half}"


def _two_intervals(row: Any, measure: rank_tests.RankedMeasure) -> str:
    lines = [measure.text(row["value"])]
    if np.isfinite(row["corrected"]):
        naive = row["high"] - row["value"]
        lines.append(f"naive ± {measure.text(naive)}")
        lines.append(f"corrected ± {measure.text(row['corrected'])}")
    return "\n".join(lines)


def _parts(summary: study_summary.Summary) -> Iterator[Part]:
    every, small = diagrams(summary, summary.printed)
    elements: list[Shown] = [
        Head("Blocks: every size of every data set"),
        EVERY_SIZE,
        printed_mean_ranks(summary),
        every,
        *(printed_pairs(summary, measure) for measure in summary.measures),
        Head(f"One small size per data set, chosen by {summary.reference}"),
        f"{rank_sentences.small_size(summary)} {NOT_PRINTED}",
        small,
        performance_at_chosen(summary),
        against_reference(summary),
        other_scores(summary),
        classifiers(summary),
        stability_at_chosen(summary),
    ]
    yield part_of("printed", TITLE, elements)


SECTION = Section(
    parts=_parts,
    paragraphs=lambda summary: [(TITLE, rank_sentences.as_printed(summary))],
    tables={
        "paul2015_sizes": at_chosen_size.sizes_frame,
        "paul2015_ranks": lambda summary: rank_frames.frame_of_ranks(summary, summary.printed),
        "paul2015_tests": lambda summary: rank_frames.frame_of_tests(summary, summary.printed),
        "paul2015_pairs": lambda summary: rank_frames.frame_of_pairs(summary, summary.printed),
        "paul2015_groups": lambda summary: rank_frames.frame_of_groups(summary, summary.printed),
        "paul2015_performance": at_chosen_size.performance_frame,
        "paul2015_t_tests": at_chosen_size.t_tests_frame,
        "paul2015_scores": at_chosen_size.scores_frame,
        "paul2015_judges": at_chosen_size.scores_by_judge_frame,
        "paul2015_stability": at_chosen_size.stability_frame,
    },
)
