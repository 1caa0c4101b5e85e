"""How long rankings take."""

import numpy as np

from hetsel.report.elements.document import Fold, PrintedTable, Section
from hetsel.report.numbers.study_summary import Summary


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
        f"{summary.judge}s.",
        ["data set", *summary.methods],
        rows,
    )


def seconds_text(value: float) -> str:
    """Seconds with two digits or more.

    Examples
    --------
    >>> seconds_text(0.01234), seconds_text(1234.5)
    ('0.012', '1,234')
    """
    return "–" if np.isnan(value) else f"{value:#.2g}" if value < 9.95 else f"{value:,.0f}"


def _headline(summary: Summary) -> str:
    """How long a ranking takes."""
    means = summary.seconds.mean().dropna().sort_values()
    if len(means) < 2:
        return ""
    ends = [f"{seconds_text(means.iloc[k])} s ({means.index[k]})" for k in (0, -1)]
    over = ", mean over the data sets" if len(summary.datasets) > 1 else ""
    return f"A ranking takes from {' to '.join(ends)} of processor time{over}."


SECTION = Section(
    folds=lambda summary: [Fold("seconds", "CPU time", [seconds(summary)])],
    headlines=lambda summary: [_headline(summary)],
)
