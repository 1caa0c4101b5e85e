"""Figures of held-out rows.

Numbers: predicted against observed. Survival times: curves of groups by their risk score.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from hetsel.ground import plain_number
from hetsel.report.figures import figure_style as style
from hetsel.signature.performance import HeldOutRows
from hetsel.words import phrases


@dataclass(frozen=True)
class HeldOutFigure:
    """A figure of held-out rows."""

    figure: Callable[[HeldOutRows], Figure]
    caption: str
    spoken: str


@style.draws_names
def plot_scatter(rows: HeldOutRows) -> Figure:
    """Draw predicted against observed values of held-out rows."""
    predicted, observed = np.array(rows.scatter).T
    figure = style.new_figure(3.1)
    ax = figure.subplots(1, 2, width_ratios=[3, 2])
    ax[1].set_axis_off()
    style.plain_axes(ax[0])
    ends = [min(predicted.min(), observed.min()), max(predicted.max(), observed.max())]
    ax[0].plot(ends, ends, color=style.QUIET, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax[0].plot(
        predicted, observed, "o", color=style.LINES[0].color, ms=3.2, alpha=0.55, mew=0, zorder=2
    )
    style.name_axes(ax[0], "predicted (held-out row)", "observed")
    for axis in (ax[0].xaxis, ax[0].yaxis):
        axis.set_major_locator(MaxNLocator(5))
    return figure


@style.draws_names
def plot_risk_groups(rows: HeldOutRows) -> Figure:
    """Draw Kaplan-Meier curves of thirds by held-out risk score, with rows at risk."""
    assert rows.risk_groups is not None
    groups, at = rows.risk_groups.groups, rows.risk_groups.at
    figure = style.new_figure(2.9 + 0.17 * len(groups))
    ax, below = figure.subplots(2, 1, height_ratios=[2.6, 0.2 + 0.17 * len(groups)], sharex=True)
    style.plain_axes(ax)
    colors = [COLORS[group.name] for group in groups]
    for group, color in zip(groups, colors, strict=True):
        times = [0.0, *group.times, group.last]
        values = [1.0, *group.survival]
        rows_of, events = phrases.count(group.rows, "row"), phrases.count(group.events, "event")
        label = f"{group.name}: {rows_of}, {events}"
        ax.step(times, [*values, values[-1]], where="post", color=color, lw=1.8, label=label)
    ax.set_ylim(0, 1.02)
    style.name_axes(ax, "time", "proportion without an event")
    ax.legend(frameon=False, fontsize=8, loc="best")
    below.set_axis_off()
    below.set_ylim(len(groups) - 0.4, -1.2)
    for x, mark in enumerate(at):
        for y, (group, color) in enumerate(zip(groups, colors, strict=True)):
            below.text(mark, y, str(group.at_risk[x]), color=color, fontsize=8, ha="center")
    below.text(at[0], -0.9, "rows at risk", fontsize=8, color=style.QUIET, ha="left")
    ax.set_xticks(at, [plain_number(mark, 3) for mark in at])
    ax.tick_params(axis="x", labelbottom=True)
    return figure


COLORS = {
    name: line.color
    for name, line in zip(("low risk", "high risk", "middle"), style.LINES, strict=False)
}
HELD_OUT = {
    "scatter": HeldOutFigure(
        plot_scatter,
        "Predicted against observed values of held-out rows (at most 400 rows; mean prediction of "
        "the cross-validations). On the dashed line, both are equal.",
        "Predicted against observed values of held-out rows",
    ),
    "risk_groups": HeldOutFigure(
        plot_risk_groups,
        "Kaplan-Meier curves of held-out rows in thirds of the risk score (ranked within the fold "
        "of the row, mean of the cross-validations). No test compares the curves, because it "
        "would reject too often with cross-validated rows (Simon et al. 2011); use the "
        "permutation test.",
        "Kaplan-Meier curves of held-out rows in thirds of the risk score",
    ),
}
