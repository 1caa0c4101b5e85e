"""What held-out rows show of a signature, drawn from its facts: predicted and observed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from hetsel.report.figures.figure_style import (
    INK,
    LINES,
    QUIET,
    draws_names,
    new_figure,
    plain_axes,
)


@dataclass(frozen=True)
class HeldOutFigure:
    """A figure of held-out rows.

    Parameters
    ----------
    figure : callable
        Called with the facts of a signature.
    caption, spoken : str
    """

    figure: Callable[[Mapping[str, Any]], Figure]
    caption: str
    spoken: str


@draws_names
def plot_scatter(facts: Mapping[str, Any]) -> Figure:
    """Draw what is predicted of held-out rows, and what was observed."""
    predicted, observed = np.array(facts["performance"]["shown"]["scatter"]).T
    figure = new_figure(3.1)
    ax = figure.subplots(1, 2, width_ratios=[3, 2])
    ax[1].set_axis_off()
    plain_axes(ax[0])
    ends = [min(predicted.min(), observed.min()), max(predicted.max(), observed.max())]
    ax[0].plot(ends, ends, color=QUIET, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax[0].plot(predicted, observed, "o", color=LINES[0].color, ms=3.2, alpha=0.55, mew=0, zorder=2)
    ax[0].set_xlabel("predicted, without the row's fold", fontsize=8.5, color=INK)
    ax[0].set_ylabel("observed", fontsize=8.5, color=INK)
    for axis in (ax[0].xaxis, ax[0].yaxis):
        axis.set_major_locator(MaxNLocator(5))
    return figure


HELD_OUT = {
    "scatter": HeldOutFigure(
        plot_scatter,
        "Held-out rows, 400 of them at the most: the number that was predicted without the row, "
        "the mean of the cross-validations, and the one observed. Dashed: equal.",
        "Predicted and observed numbers of held-out rows",
    )
}
