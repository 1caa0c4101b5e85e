"""Performance by number of training rows: learning curves."""

from collections.abc import Iterator

import pandas as pd

from hetsel.report.elements.blocks import Part, Picture, PrintedTable, Section, Shown, part_of
from hetsel.study.comparison.study_summary import Summary
from hetsel.study.comparison.training_sizes import smaller_parts
from hetsel.words import phrases

PANELS = 6  # maximum number of panels of a figure
NESTED = (
    "In one resampling the held-out rows are the same for all numbers of training rows, and the "
    "training rows of a smaller number are among those of a larger one. Numbers of training rows "
    "are therefore not independent blocks, and all other parts of this report use the largest."
)
TITLE = "Performance by number of training rows"


def _own_sizes(summary: Summary) -> pd.DataFrame:
    """Return the means of each method at its own size."""
    table = summary.by_training_rows
    return table[table["rule"] == "own size"]


def _ends(summary: Summary) -> tuple[str, str]:
    key = summary.performance.key
    return f"{key}_low_corrected", f"{key}_high_corrected"


def _pictures(summary: Summary) -> Iterator[Picture]:
    from hetsel.report.figures.figure_style import method_lines
    from hetsel.report.figures.size_curves import Panel, plot_size_curves

    low, high = _ends(summary)
    score = summary.performance
    names = {"training_rows": "size", score.key: "value", low: "low", high: "high"}
    table = _own_sizes(summary).rename(columns=names)
    lines = method_lines(summary.methods, summary.told)
    datasets = list(dict.fromkeys(table["dataset"]))
    for start in range(0, len(datasets), PANELS):
        shown = datasets[start : start + PANELS]
        panels = [Panel(name, table[table["dataset"] == name], *score.limits) for name in shown]
        figure = plot_size_curves(
            panels, lines=lines, band="corrected 95% CI", axis="number of training rows"
        )
        yield Picture(
            f"training-rows-{start // PANELS + 1}",
            f"Mean {score.phrase} by number of training rows, each method at its own cross-fitted "
            "size. Held-out rows are the same for all numbers. Bands are corrected 95% CIs.",
            f"{score.label} by number of training rows for {phrases.join(shown)}",
            figure,
        )


def _table(summary: Summary) -> PrintedTable:
    """Tabulate means with corrected intervals by data set and number of training rows."""
    low, high = _ends(summary)
    score = summary.performance
    rows = []
    for (dataset, size), own in _own_sizes(summary).groupby(
        ["dataset", "training_rows"], sort=False
    ):
        cells = dict.fromkeys(summary.methods, "–")
        for _, row in own.iterrows():
            ends = f"{score.text(row[low])} to {score.text(row[high])}"
            cells[row["method"]] = f"{score.text(row[score.key])}\n{ends}"
        rows.append([str(dataset), f"{size:,}", *cells.values()])
    return PrintedTable(
        "training-rows",
        f"Mean {score.phrase} with corrected 95% CI by number of training rows.",
        ["data set", "training rows", *summary.methods],
        rows,
        "Each method at its own cross-fitted size. The intervals allow for overlapping training "
        "sets (Nadeau and Bengio 2003); they are wide where few rows train and many are held out.",
    )


def _parts(summary: Summary) -> list[Part]:
    blocks: list[Shown] = [
        NESTED,
        *(_pictures(summary) if len(_own_sizes(summary)) else ()),
        _table(summary),
    ]
    return [part_of("training-rows", TITLE, blocks)]


SECTION = Section(
    parts=_parts,
    applies=lambda summary: bool(smaller_parts(summary.study.datasets)),
    tables={"training_rows": lambda summary: summary.by_training_rows},
)
