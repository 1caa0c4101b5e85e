"""The tables of a report, as text ready to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.report.numbers.compared_measures import DECIMALS, DIGITS, Measure
from hetsel.report.numbers.study_summary import Summary, mean_intervals
from hetsel.report.pages.findings import absent_classes
from hetsel.report.pages.wording import join, p_number


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
    """Shapes, and class counts or the range of the target."""
    rows = []
    scaled = any("scale" in summary.results.datasets[name] for name in summary.datasets)
    for name in summary.datasets:
        about = summary.results.datasets[name]
        kinds = about["kinds"]
        continuous = sum(kind == "continuous" for kind in kinds)
        rows.append(
            [
                name,
                f"{about['rows']:,}"
                + (f" in {about['row_groups']:,} groups" if "row_groups" in about else "")
                + (", weighted" if "row_weights" in about else ""),
                f"{continuous:,}",
                f"{len(kinds) - continuous:,}",
                _target(about),
                f"{about['missing_cells']:,}",
                *([about.get("scale", "range")] if scaled else []),
            ]
        )
    numbers = summary.judge == "regressor"
    head = ["data set", "rows", "continuous", "categorical", "classes", "missing"]
    head[4] = "target" if numbers else "classes"
    what = "numbers that are predicted" if numbers else "class counts"
    caption = f"Data sets: rows, features of either kind, {what}, missing cells."
    if scaled:
        head.append("scale")
        caption = caption[:-1] + ", what continuous columns are measured by."
    return PrintedTable("data", caption, head, rows, note=absent_classes(summary))


def _target(about: Mapping[str, Any]) -> str:
    """The classes with their rows, or the range, mean and deviation of the numbers."""
    if not about["classes"]:
        return (
            f"{about['least']:.4g} to {about['largest']:.4g}; mean {about['mean']:.4g}, standard "
            f"deviation {about['deviation']:.4g}"
        )
    classes = zip(about["classes"], about["class_counts"], strict=True)
    text = ", ".join(f"{label}: {number}" for label, number in classes)
    return f"{text}; positive: {about['classes'][1]}" if len(about["classes"]) == 2 else text


def performance_at_chosen(summary: Summary) -> PrintedTable:
    """Mean score with its interval at the chosen size."""
    note = (
        "Best mean of each data set in bold. Naive: half the 95 % t interval of the mean with the "
        "resamplings taken as independent: how well the mean over all splits of this table is "
        "known. Corrected: half the 95 % interval of Nadeau and Bengio (2003): the training sets "
        "overlap, so that it is wider."
    )
    return _by_method(
        "performance",
        f"Mean {summary.performance.phrase} at the size that {summary.reference} chooses, with "
        "naive and corrected intervals.",
        summary,
        summary.small(summary.scores),
        lambda row: _two_intervals(row, summary.performance),
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
            rows.append([dataset, method, summary.performance.signed(tests[0].mean), *shown])
    if not rows:
        return None
    note = (
        f"{summary.performance.phrase} of {summary.reference} minus that of the method, at the "
        "size that it chose, on the same splits; two-sided p-values of each pair alone, at most "
        "0.05 in bold. Naive takes the resamplings as independent and its p-values are too small; "
        "Nadeau and Bengio (2003) correct for the overlap of the training sets, not for the choice."
    )
    return PrintedTable(
        "against",
        f"{summary.reference} against each method at the size that it chose: paired resampled "
        "t-tests.",
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
                "none"
                if np.isnan(row["low"])
                else f"{_number(row['low'])} to {_number(row['high'])}",
            ]
        )
    head = ["data set", "method", "Kuncheva", "CWrel", "ATI", "Nogueira", "naive 95 % interval"]
    note = (
        "All signatures of a row have one size; there Nogueira's measure equals the Kuncheva index "
        "and its interval serves both. 1 is the same features every time; 0 is chance for Kuncheva "
        "and Nogueira, the least possible for CWrel and ATI (average Tanimoto index), which are "
        "not, or not fully, corrected for chance. The interval is asymptotic: it may pass 1. It is "
        "naive, the resamplings taken as independent: it speaks of more resamplings of this table, "
        "not of other samples. None where fewer than 3 signatures differ from the commonest one: "
        "the asymptotic interval then covers far less than 95 %."
    )
    caption = f"Stability at the size that {summary.reference} chooses."
    return PrintedTable("stability", caption, head, rows, note=note)


def seconds(summary: Summary) -> PrintedTable:
    """CPU seconds of the rankings."""
    table = summary.seconds
    rows = [
        [str(name), *map(seconds_text, values)]
        for name, values in zip(table.index, table.to_numpy(np.float64), strict=True)
    ]
    return PrintedTable(
        "seconds",
        "CPU seconds of one ranking, mean over the resamplings, without the final "
        + f"{summary.judge}s.",
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
            shown = ["–" if value is None else score.text(value) for value in values]
            rows.append([dataset, classifier, *shown])
    return PrintedTable(
        "classifiers",
        f"Mean {score.phrase} at the size that {summary.reference} chooses, by final "
        f"{summary.judge}.",
        ["data set", summary.judge, *summary.methods],
        rows,
    )


def other_scores(summary: Summary) -> PrintedTable | None:
    """The scores beside the first at the chosen size, if there are others."""
    scores = summary.results.scores
    every = zip(scores.names, scores.labels, strict=True)
    others = {name: label for name, label in every if name != summary.score}
    if not others:
        return None
    names, labels = tuple(others), tuple(others.values())
    small = summary.frame[summary.frame["size"] == summary.frame["dataset"].map(summary.chosen)]
    parts = {c: mean_intervals(small, c) for c in names}
    rows: list[list[str]] = []
    for dataset in summary.datasets:
        for method in summary.methods:
            values = []
            for name, part in parts.items():
                form = DIGITS if name in scores.losses else DECIMALS
                own = part[(part["dataset"] == dataset) & (part["method"] == method)]
                values.append(
                    f"{own['value'].iloc[0]:{form}}{_half(own.iloc[0], form)}"
                    if len(own) and np.isfinite(own["value"].iloc[0])
                    else "–"
                )
            rows.append([dataset, method, *values])
    head = ["data set", "method", *labels]
    note = "± is half the naive 95 % interval."
    if "sensitivity" in names:
        note += " The table of data sets names the positive class."
    what = join((f"{labels[0][0].upper()}{labels[0][1:]}", *labels[1:]))
    caption = f"{what} at the size that {summary.reference} chooses, with naive intervals."
    return PrintedTable("other-scores", caption, head, rows, note=note)


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
            top = own.index[reaches(own["value"].to_numpy(), own["value"].max())]
            best |= {(len(rows), 2 + k) for k, m in enumerate(summary.methods) if m in top}
        rows.append([dataset, str(size), *cells])
    return PrintedTable(key, caption, ["data set", "size", *summary.methods], rows, best, note)


def _half(row: Any, form: str) -> str:
    half = row["high"] - row["value"]
    return f" ± {half:{form}}" if np.isfinite(half) else ""


def _two_intervals(row: Any, measure: Measure) -> str:
    lines = [measure.text(row["value"])]
    if np.isfinite(row["corrected"]):
        naive = row["high"] - row["value"]
        lines += [f"naive ± {measure.text(naive)}"]
        lines += [f"corrected ± {measure.text(row['corrected'])}"]
    return "\n".join(lines)


def seconds_text(value: float) -> str:
    """Seconds with two digits or more.

    Examples
    --------
    >>> seconds_text(0.01234), seconds_text(1234.5)
    ('0.012', '1,234')
    """
    return "–" if np.isnan(value) else f"{value:#.2g}" if value < 9.95 else f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "–"
