"""Predictive performance, stability and categorical features against the size of a signature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter, NullLocator

from hetsel.ground import counted
from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels

MARKS = 7  # markers of a line; the sizes between them are joined without one


@dataclass(frozen=True)
class Panel:
    """Values by size for every method."""

    label: str
    values: pd.DataFrame  # method, size, value, low, high: ends of the band, NaN without a band
    floor: float = -np.inf  # limits of the axis
    ceiling: float = np.inf
    counts: bool = False  # whether values are counts


@style.draws_names
def plot_size_curves(
    panels: Sequence[Panel],
    *,
    chosen: int | None = None,
    lines: Mapping[str, style.Line] | None = None,
    band: str = "naive 95% CI",
    size: tuple[float, float] = (style.WIDTH, 2.72),
    across: int = 3,
    axis: str = "signature size",
) -> Figure:
    """Draw panels on a logarithmic axis of sizes, one line per method.

    A dashed vertical line marks the `chosen` size. `band` is the legend of the bands. `size` is
    width and height of the figure in inches, without the legend.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Figures 2 to 5.
    """
    present = list(dict.fromkeys(panels[0].values["method"]))
    every = style.method_lines(present) if lines is None else lines
    drawn = {method: every[method] for method in present}
    figure = style.new_figure(size[1], size[0])
    down = -(-len(panels) // across)
    axes = figure.subplots(down, min(across, len(panels)), squeeze=False)
    sizes = np.concatenate([panel.values["size"].to_numpy(np.float64) for panel in panels])
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    for place, (ax, panel) in enumerate(zip(axes.flat, panels, strict=False)):
        _draw_panel(ax, panel, drawn)
        _size_axis(ax, sizes, axis)
        if place + axes.shape[1] < len(panels):
            ax.set_xlabel("")
        if chosen is not None:
            ax.axvline(chosen, color=style.INK, lw=1.0, ls=(0, (4, 3)), zorder=1)
    _draw_legend(figure, drawn, band, chosen)
    return figure


def _draw_panel(ax: Axes, panel: Panel, lines: dict[str, style.Line]) -> None:
    frame = panel.values.sort_values(["method", "size"], kind="stable")
    several = len(set(lines.values()))
    for place, (method, line) in enumerate(lines.items()):
        own = frame[(frame["method"] == method) & frame["value"].notna()]
        if own.empty:
            continue
        size = own["size"].to_numpy(np.float64)
        value = own["value"].to_numpy(np.float64)
        if line is style.OTHER:
            ax.plot(size, value, color=line.color, lw=0.8, zorder=1.8)
            continue
        order = 2.5 + 0.01 * (len(lines) - place)  # the first method lies on top
        ax.fill_between(size, own["low"], own["high"], color=line.color, alpha=0.13, lw=0, zorder=2)
        marked = _marked(size, place % several / several)
        ax.plot(size, value, markevery=marked, zorder=order, **_style(line))
    style.plain_axes(ax)
    ax.yaxis.set_major_locator(MaxNLocator(6, integer=panel.counts))
    low, high = ax.get_ylim()
    if panel.counts:
        high = max(high, 1.0)  # if all counts are 0
    room = 0.03 * (min(high, panel.ceiling) - max(low, panel.floor))  # for a marker on the limit
    ax.set_ylim(max(low, panel.floor - room), min(high, panel.ceiling + room))
    ax.set_title(panel.label, loc="left", fontsize=9, color=style.INK)


def _style(line: style.Line) -> dict[str, Any]:
    """Return the look of the line of a method."""
    shape = {"color": line.color, "ls": line.dashes, "marker": line.marker}
    return {**shape, "ms": 4.6, "mec": "white", "mew": 0.5, "lw": 1.35}


def _marked(size: np.ndarray, phase: float) -> list[int]:
    """Return the points with a marker, evenly spread and different for each method."""
    if len(size) <= MARKS:
        return list(range(len(size)))
    place = np.log(size / size[0]) / np.log(size[-1] / size[0])
    wanted = (np.arange(MARKS) + phase) / MARKS
    return sorted({int(np.abs(place - want).argmin()) for want in wanted})


def _size_axis(ax: Axes, size: np.ndarray, name: str) -> None:
    """Set a logarithmic axis with plain numbers at 1, 2, 5, 10, ..."""
    low, high = float(size.min()), float(size.max())
    ax.set_xscale("log")
    ax.set_xlim(low / 1.1, max(high, low * 1.5) * 1.1)
    digits = (1, 2, 5) if high < 150 * low else (1,)
    steps = [m * 10.0**e for e in range(7) for m in digits if low <= m * 10.0**e <= high]
    ax.xaxis.set_major_locator(FixedLocator(steps or [low]))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_minor_formatter(NullFormatter())
    style.name_axes(ax, name)


def _draw_legend(
    figure: Figure, lines: Mapping[str, style.Line], band: str, chosen: int | None
) -> None:
    told = {method: line for method, line in lines.items() if line is not style.OTHER}
    handles: list[Line2D | Patch] = [Line2D([], [], **_style(line)) for line in told.values()]
    names = distinct_labels(told)
    if len(told) < len(lines):
        handles.append(Line2D([], [], color=style.OTHER.color, lw=0.8))
        names.append(counted(len(lines) - len(told), "other"))
    if band:
        handles.append(Patch(color="#8a8a8a", alpha=0.3, lw=0))
        names.append(band)
    if chosen is not None:
        handles.append(Line2D([], [], color=style.INK, lw=1.0, ls=(0, (4, 3))))
        names.append(f"chosen size, {chosen}")
    columns = max(2, int(figure.get_figwidth() * 14.5) // (max(map(len, names)) + 8))
    rows = -(-len(names) // columns)
    figure.set_figheight(figure.get_figheight() + 0.19 * rows)
    look: dict[str, Any] = {"frameon": False, "fontsize": 8, "labelcolor": style.INK}
    look |= {"handlelength": 3.4, "columnspacing": 1.5, "borderaxespad": 0.1}
    across = -(-len(names) // rows)
    figure.legend(handles, names, loc="outside lower left", ncols=across, **look)
