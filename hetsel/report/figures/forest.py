"""Forest plots: a method minus each other one, on each data set and over all of them."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels

ACROSS = 4  # panels beside each other
ROW, EDGE = 0.17, 0.75  # inches: a data set, and the space above and below the rows of a panel
PANEL, NAMES = 1.75, 0.062  # inches: a panel, and a letter of a data set
LONGEST, TITLE = 30, 16  # letters of a data set, and of a method above its panel
HALF = 0.34  # of the height of a diamond, in rows


@style.draws_names
def plot_forest(differences: pd.DataFrame, totals: pd.DataFrame, label: str) -> Figure:
    """Draw one panel per other method, one row per data set and a diamond below.

    `differences` has other, dataset, difference, low and high (NaN: no interval). `totals` has
    estimate, low and high over the data sets by other method, in the order of the panels. `label`
    is that of the horizontal axis, which all panels share.
    """
    datasets = list(dict.fromkeys(differences["dataset"]))
    names = distinct_labels(datasets, LONGEST)
    others = list(totals.index)
    across = min(ACROSS, len(others))
    down = -(-len(others) // across)
    height = EDGE + ROW * (len(datasets) + 1)
    width = max(style.WIDTH / 2, PANEL * across + NAMES * max(map(len, [*names, "all data sets"])))
    figure = style.new_figure(height * down + 0.2, width)
    axes = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for ax in axes.flat[len(others) :]:
        ax.set_axis_off()
    titles = distinct_labels(others, TITLE)
    for place, (ax, other) in enumerate(zip(axes.flat, others, strict=False)):
        own = differences[differences["other"] == other].set_index("dataset")
        _draw_panel(ax, own.reindex(datasets), totals.loc[other])
        ax.set_title(f"minus {titles[place]}", loc="left", fontsize=8.5, color=style.INK)
        below = place + across >= len(others)
        ax.tick_params(axis="x", labelbottom=below)
        if below:
            style.name_axes(ax, label)
    axes[0, 0].set_yticks(range(len(datasets) + 1), [*names, "all data sets"])
    axes[0, 0].set_ylim(len(datasets) + 0.6, -0.6)
    low, high = axes[0, 0].get_xlim()
    ticks = MaxNLocator(4).tick_values(low, high)
    axes[0, 0].set_xticks(ticks[(ticks >= low) & (ticks <= high)])
    return figure


def _draw_panel(ax: Axes, rows: pd.DataFrame, total: pd.Series) -> None:
    style.plain_axes(ax, grid="x")
    ax.tick_params(axis="y", length=0, labelsize=8)
    ax.axvline(0.0, color=style.QUIET, lw=0.9, zorder=1)
    places = np.arange(len(rows))
    for y, low, high in zip(places, rows["low"], rows["high"], strict=True):
        ax.plot([low, high], [y, y], color=style.QUIET, lw=1.1, zorder=2)
    ax.plot(rows["difference"], places, "s", color=style.INK, ms=3.6, mew=0, zorder=3)
    estimate, low, high = map(float, total[["estimate", "low", "high"]])
    last = len(rows)
    corners = [(low, last), (estimate, last - HALF), (high, last), (estimate, last + HALF)]
    ax.add_patch(
        Polygon(np.array(corners), closed=True, color=style.LINES[0].color, lw=0.8, zorder=3)
    )
    ax.plot([low, high], [last, last], alpha=0.0)  # the limits of the axis include the diamond
    ax.axhline(last - 0.5, color=style.FAINT, lw=0.6)
