"""The tables of a report, as text ready to print."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from hetsel.report.ranks import RankTest
from hetsel.report.summary import Measure, Summary, mean_intervals
from hetsel.report.words import join, p_number


@dataclass(frozen=True)
class PrintedTable:
    """A table of text.

    Parameters
    ----------
    key : str
        Identifier in the page.
    caption : str
    head : list of str
        Column heads; the first column holds row heads.
    rows : list of list of str
    best : set of (int, int)
        Cells to set in bold.
    note : str
        Below the table.
    """

    key: str
    caption: str
    head: list[str]
    rows: list[list[str]]
    best: set[tuple[int, int]] = field(default_factory=set)
    note: str = ""


def data_sets(summary: Summary) -> PrintedTable:
    """Shapes and class counts."""
    rows = []
    for name in summary.datasets:
        about = summary.results.datasets[name]
        kinds = about["kinds"]
        continuous = sum(kind == "continuous" for kind in kinds)
        classes = zip(about["classes"], about["class_counts"], strict=True)
        rows.append(
            [
                name,
                f"{about['rows']:,}",
                f"{continuous:,}",
                f"{len(kinds) - continuous:,}",
                ", ".join(f"{label}: {number}" for label, number in classes)
                + (f"; positive: {about['classes'][1]}" if len(about["classes"]) == 2 else ""),
                f"{about['missing_cells']:,}",
                str(summary.chosen[name]),
            ]
        )
    head = ["data set", "rows", "continuous", "categorical", "classes", "missing", "chosen size"]
    return PrintedTable(
        "data", "Data sets: rows, features of either kind, class counts, missing cells.", head, rows
    )


def performance_at_chosen(summary: Summary) -> PrintedTable:
    """Mean score with its interval at the chosen size."""
    note = (
        "Best mean of each data set in bold. ± is half the 95 % t interval of the mean with the "
        "resamplings taken as independent, as in the paper: how well the mean over all splits of "
        "this table is known. In parentheses half the corrected interval of Nadeau and Bengio "
        "(2003): the training sets overlap, so that it is wider."
    )
    return _by_method(
        "performance",
        f"Mean {summary.performance.phrase} at the chosen size.",
        summary,
        summary.small(summary.scores),
        _two_intervals,
        note,
    )


def against_reference(summary: Summary) -> PrintedTable | None:
    """Paired t-tests of the reference method against the others, data set by data set."""
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for dataset in summary.datasets:
        for method in summary.methods:
            tests = summary.against_reference(dataset, method)
            if method == summary.reference or not tests:
                continue
            best |= {(len(rows), 3 + k) for k, test in enumerate(tests) if test.pvalue <= 0.05}
            shown = [p_number(test.pvalue) for test in tests]
            rows.append([dataset, method, _signed(tests[0].mean), *shown])
    if not rows:
        return None
    note = (
        f"{summary.performance.phrase} of {summary.reference} minus that of the method, at the "
        "chosen size on the same splits; two-sided p-values of each pair alone, at most 0.05 in "
        "bold. Naive takes the resamplings as independent and its p-values are too small; Nadeau "
        "and Bengio (2003) correct for the overlap of the training sets."
    )
    return PrintedTable(
        "against",
        f"{summary.reference} against each method at the chosen size: paired resampled t-tests.",
        ["data set", "method", "difference", "naive p", "corrected p"],
        rows,
        best,
        note,
    )


def stability_at_chosen(summary: Summary) -> PrintedTable:
    """Kuncheva's index, CWrel and Nogueira's measure with its interval at the chosen size."""
    rows = []
    small = summary.small(summary.stability)
    for dataset, method in ((d, m) for d in summary.datasets for m in summary.methods):
        own = small[(small["dataset"] == dataset) & (small["method"] == method)]
        if own.empty:
            continue
        row = own.iloc[0]
        weighted, tanimoto = summary.other_stability(dataset, method)
        rows.append(
            [
                f"{dataset}, size {row['size']}",
                method,
                _number(row["value"]),
                _number(weighted),
                _number(tanimoto),
                _number(row["value"]),
                f"{_number(row['low'])} to {_number(row['high'])}",
            ]
        )
    head = ["data set", "method", "Kuncheva", "CWrel", "ATI", "Nogueira", "95 % interval"]
    note = (
        "All signatures of a row have one size; there Nogueira's measure equals the Kuncheva index "
        "and its interval serves both. 1 is the same features every time; 0 is chance for Kuncheva "
        "and Nogueira, the least possible for CWrel and ATI (average Tanimoto index), which are "
        "not, or not fully, corrected for chance. The interval is asymptotic: it may pass 1; it "
        "speaks of more resamplings of this table, not of other samples."
    )
    return PrintedTable("stability", "Stability at the chosen size.", head, rows, note=note)


def seconds(summary: Summary) -> PrintedTable:
    """CPU seconds of the rankings."""
    table = summary.seconds
    rows = [
        [str(name), *map(_seconds, values)]
        for name, values in zip(table.index, table.to_numpy(np.float64), strict=True)
    ]
    return PrintedTable(
        "seconds",
        "CPU seconds of one ranking, mean over the resamplings, without the final classifiers.",
        ["data set", *summary.methods],
        rows,
    )


def classifiers(summary: Summary) -> PrintedTable | None:
    """Mean score at the chosen size by final classifier, if there are several."""
    if len(summary.classifiers) < 2:
        return None
    full, score = summary.full, summary.performance
    small = full[full["size"] == full["dataset"].map(summary.chosen)]
    means = small.groupby(["dataset", "classifier", "method"])[score.key].mean()
    rows = []
    for dataset in summary.datasets:
        for classifier in summary.classifiers:
            values = [means.get((dataset, classifier, method)) for method in summary.methods]
            shown = ["–" if value is None else f"{value:.3f}" for value in values]
            rows.append([dataset, classifier, *shown])
    return PrintedTable(
        "classifiers",
        f"Mean {score.phrase} at the chosen size by final classifier.",
        ["data set", "classifier", *summary.methods],
        rows,
    )


def mean_ranks(summary: Summary) -> PrintedTable:
    """Mean ranks and tests of all analyses."""
    tests: list[tuple[str, RankTest]] = []
    for measure in summary.measures:
        tests += [
            (f"{measure.label}: data set × size (the paper's)", summary.all_sizes(measure)),
            (f"{measure.label}: data set (mean ranks)", summary.by_dataset(measure)),
            (f"{measure.label}: data set at its chosen size", summary.small_sizes(measure)),
        ]
    rows = [
        [method, *(_rank(test.mean_ranks[k]) for _, test in tests)]
        for k, method in enumerate(summary.methods)
    ]
    best = {
        (k, place)
        for place, (_, test) in enumerate(tests, 1)
        for k, rank in enumerate(test.mean_ranks)
        if test.blocks and rank == min(test.mean_ranks)
    }
    rows += [
        ["number of blocks", *(f"{test.blocks}" for _, test in tests)],
        ["Friedman p", *("–" if test.reason else p_number(test.pvalue) for _, test in tests)],
        ["Iman–Davenport p", *(_iman_davenport(test) for _, test in tests)],
        ["critical difference", *(_rank(test.critical_difference) for _, test in tests)],
    ]
    note = (
        "The heads say what a block is. Best mean rank in bold. KI: sizes below the number "
        "of features: at that size all methods select the same. A block that lacks a value of a "
        "method is left out. The critical difference is Nemenyi's at 0.05."
    )
    head = ["method", *(name for name, _ in tests)]
    return PrintedTable("ranks", "Mean ranks (1 is best) and rank tests.", head, rows, best, note)


def _rank(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "–"


def _iman_davenport(test: RankTest) -> str:
    if test.reason:
        return "–"
    return p_number(test.f_pvalue) if np.isfinite(test.f) else "F infinite"


def pairs(summary: Summary, measure: Measure) -> PrintedTable | None:
    """Every pair of methods in every analysis."""
    columns = (
        ("data set × size: Nemenyi", summary.all_sizes(measure), "pvalue"),
        ("data set × size: Wilcoxon–Holm", summary.all_sizes(measure), "wilcoxon"),
        ("data set: Nemenyi", summary.by_dataset(measure), "pvalue"),
        ("chosen size: Nemenyi", summary.small_sizes(measure), "pvalue"),
        ("chosen size: Wilcoxon–Holm", summary.small_sizes(measure), "wilcoxon"),
    )
    made = [(head, test.pairs, key) for head, test, key in columns if test.pairs is not None]
    if not made:
        return None
    first = made[0][1]
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for one, other in zip(first["better"], first["worse"], strict=True):
        cells = []
        for place, (_, table, key) in enumerate(made, 1):
            same = table[["better", "worse"]].isin([one, other]).all(axis=1)
            value = float(table.loc[same, key].iloc[0])
            cells.append(p_number(value))
            if value <= 0.05:
                best.add((len(rows), place))
        rows.append([f"{one} – {other}", *cells])
    note = (
        "p-values over all pairs together, at most 0.05 in bold; the method named first has the "
        "better mean rank over all sizes. Sizes of one data set are correlated blocks: p-values of "
        "data set × size (the paper's version) are too small."
    )
    heads = ["pair", *(head for head, *_ in made)]
    key = f"pairs-{measure.key}"
    caption = f"{measure.label}: pairs of methods, p-values."
    return PrintedTable(key, caption, heads, rows, best, note)


def other_scores(summary: Summary) -> PrintedTable | None:
    """The scores beside the first at the chosen size, if there are others."""
    names, labels = summary.results.scores.names[1:], summary.results.scores.labels[1:]
    if not names:
        return None
    small = summary.frame[summary.frame["size"] == summary.frame["dataset"].map(summary.chosen)]
    parts = {c: mean_intervals(small, c) for c in names}
    rows: list[list[str]] = []
    for dataset in summary.datasets:
        for method in summary.methods:
            values = []
            for part in parts.values():
                own = part[(part["dataset"] == dataset) & (part["method"] == method)]
                values.append(
                    f"{own['value'].iloc[0]:.3f}{_half(own.iloc[0])}"
                    if len(own) and np.isfinite(own["value"].iloc[0])
                    else "–"
                )
            rows.append([dataset, method, *values])
    head = ["data set", "method", *labels]
    note = ""
    if "sensitivity" in names:
        note = "The table of data sets names the positive class."
    what = join((f"{labels[0][0].upper()}{labels[0][1:]}", *labels[1:]))
    return PrintedTable("other-scores", f"{what} at the chosen size.", head, rows, note=note)


def _by_method(
    key: str, caption: str, summary: Summary, values: pd.DataFrame, show: Any, note: str
) -> PrintedTable:
    """Rows are data sets and columns methods; the largest value of a row is bold."""
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for dataset in summary.datasets:
        own = values[values["dataset"] == dataset].set_index("method")
        cells = [show(own.loc[m]) if m in own.index else "–" for m in summary.methods]
        size = summary.chosen[dataset]
        if len(own):
            top = own["value"].max()
            best |= {
                (len(rows), 2 + k)
                for k, m in enumerate(summary.methods)
                if m in own.index and own.loc[m, "value"] == top
            }
        rows.append([dataset, str(size), *cells])
    return PrintedTable(key, caption, ["data set", "size", *summary.methods], rows, best, note)


def _half(row: Any) -> str:
    half = row["high"] - row["value"]
    return f" ± {half:.3f}" if np.isfinite(half) else ""


def _two_intervals(row: Any) -> str:
    corrected = f"\n(± {row['corrected']:.3f})" if np.isfinite(row["corrected"]) else ""
    return f"{row['value']:.3f}{_half(row)}{corrected}"


def _signed(value: float) -> str:
    size = f"{abs(value):.3f}"
    return size if size == "0.000" else f"{'−' if value < 0 else '+'}{size}"


def _seconds(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:#.2g}" if value < 9.95 else f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "–"
