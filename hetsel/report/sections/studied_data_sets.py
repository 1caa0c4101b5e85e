"""The data sets and the design of a study."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hetsel.ground import plain_number
from hetsel.report.elements.blocks import COMPARISON, PrintedTable, Section, part_of
from hetsel.study.comparison.study_summary import Summary
from hetsel.words.phrases import count
from hetsel.words.study_sentences import absent_classes, completeness, repeated_rows, setting

TARGETS = {
    "classifier": ("classes", "class counts"),
    "regressor": ("target", "numeric target"),
    "survival model": ("target", "events and survival times"),
}


def data_sets(summary: Summary) -> PrintedTable:
    """Tabulate the data sets: shapes, kinds of features and targets."""
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
    column, what = TARGETS[summary.judge]
    head = ["data set", "rows", "continuous", "categorical", column, "missing"]
    caption = f"Data sets: rows, continuous and categorical features, {what}, missing values."
    if scaled:
        head.append("scale")
        caption = caption[:-1] + ", scale of continuous columns."
    return PrintedTable("data", caption, head, rows, note=absent_classes(summary))


def _target(about: Mapping[str, Any]) -> str:
    """Describe a target: class counts, summary of a numeric target, or events and times."""
    if "events" in about:
        return (
            f"{count(about['events'], 'event')}; longest time {plain_number(about['longest'])}, "
            f"median {plain_number(about['median_time'])}"
        )
    if not about["classes"]:
        names = ("least", "largest", "mean", "deviation")
        least, largest, mean, deviation = (plain_number(about[name]) for name in names)
        return f"{least} to {largest}; mean {mean}, standard deviation {deviation}"
    classes = zip(about["classes"], about["class_counts"], strict=True)
    text = ", ".join(f"{label}: {number}" for label, number in classes)
    return f"{text}; positive class: {about['classes'][1]}" if len(about["classes"]) == 2 else text


def data_sets_frame(summary: Summary) -> pd.DataFrame:
    """Return the facts of each data set that a store keeps, a column each."""
    rows = []
    for name in summary.datasets:
        about = summary.results.datasets[name]
        continuous = sum(kind == "continuous" for kind in about["kinds"])
        kinds = {"continuous": continuous, "categorical": len(about["kinds"]) - continuous}
        facts = {k: v for k, v in about.items() if isinstance(v, str | int | float) and k != "name"}
        share = {"test_share": summary.results.test_shares[name]}
        rows.append({"dataset": name, **facts, **kinds, **share})
    return pd.DataFrame(rows)


def classes_frame(summary: Summary) -> pd.DataFrame:
    """Return the number of rows of each class; the second of two classes is the positive one."""
    rows = [
        (name, label, number, len(about["classes"]) == 2 and place == 1)
        for name, about in summary.results.datasets.items()
        if name in summary.datasets
        for place, (label, number) in enumerate(
            zip(about["classes"], about["class_counts"], strict=True)
        )
    ]
    return pd.DataFrame(rows, columns=["dataset", "class", "rows", "positive"])


SECTION = Section(
    parts=lambda summary: [part_of(*COMPARISON, [data_sets(summary)])],
    headlines=lambda summary: [repeated_rows(summary.results.datasets)],
    found=lambda summary: [repeated_rows(summary.results.datasets)],
    paragraphs=lambda summary: [("Design", [f"{setting(summary)} {completeness(summary)}"])],
    tables={"data_sets": data_sets_frame, "classes": classes_frame},
)
