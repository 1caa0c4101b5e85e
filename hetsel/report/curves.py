"""Predictive performance, stability and categorical features against the size of a signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter, NullLocator

from hetsel.report.look import (
    INK,
    Line,
    draws_names,
    method_lines,
    new_figure,
    plain_axes,
    save_figure,
    set_title,
    shortened,
)

MARKS = 7  # markers of a line; the sizes between them are joined without one


@dataclass(frozen=True)
class Panel:
    """One quantity against the size, for every method.

    Parameters
    ----------
    label : str
        Name of the quantity.
    values : DataFrame
        Columns method, size, value, low, high; the last two bound the band, NaN where there is
        none.
    floor, ceiling : float
        Limits that the axis never leaves.
    """

    label: str
    values: pd.DataFrame
    floor: float = -np.inf
    ceiling: float = np.inf


@draws_names
def plot_size_curves(
    panels: Sequence[Panel],
    *,
    chosen: int | None = None,
    methods: Sequence[str] | None = None,
    title: str = "",
    path: str | Path | None = None,
) -> Figure:
    """Draw panels side by side on a logarithmic axis of sizes, one line per method.

    Parameters
    ----------
    panels : sequence of Panel
    chosen : int, optional
        The size that was chosen, a dashed vertical line.
    methods : sequence of str, optional
        All methods of the study, so that each looks the same in every figure; default those of
        the first panel.
    title : str
    path : str or Path, optional
        File to write: .svg, .pdf or .png.

    References
    ----------
    Paul, D'Ambrosio and Dupont 2015, Figures 2 to 5.
    """
    present = list(dict.fromkeys(panels[0].values["method"]))
    lines = method_lines(methods if methods is not None else present)
    entries = len(present) + 1 + (chosen is not None)
    rows = -(-entries // _columns(present, entries))
    figure = new_figure(2.72 + 0.19 * rows)
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    sizes = np.concatenate([panel.values["size"].to_numpy(np.float64) for panel in panels])
    for ax, panel in zip(axes, panels, strict=True):
        _draw_panel(ax, panel, {method: lines[method] for method in present})
        _size_axis(ax, sizes)
        if chosen is not None:
            ax.axvline(chosen, color=INK, lw=1.0, ls=(0, (4, 3)), zorder=1)
    _draw_legend(figure, present, lines, chosen)
    set_title(figure, title)
    if path is not None:
        save_figure(figure, path)
    return figure


def _columns(present: Sequence[str], entries: int) -> int:
    """Entries in a row of the legend, by the length of the names; rows are filled evenly."""
    letters = [len(shortened(method)) + 8 for method in present] + [21] * (entries - len(present))
    if sum(letters) <= 104:
        return entries
    most = max(2, 104 // max(letters))
    return -(-entries // -(-entries // most))


def _draw_panel(ax: Axes, panel: Panel, lines: dict[str, Line]) -> None:
    frame = panel.values.sort_values(["method", "size"], kind="stable")
    for place, (method, line) in enumerate(lines.items()):
        own = frame[(frame["method"] == method) & frame["value"].notna()]
        if own.empty:
            continue
        size = own["size"].to_numpy(np.float64)
        value = own["value"].to_numpy(np.float64)
        order = 2.5 + 0.01 * (len(lines) - place)  # the first method lies on top
        ax.fill_between(size, own["low"], own["high"], color=line.color, alpha=0.13, lw=0, zorder=2)
        ax.plot(
            size,
            value,
            markevery=_marked(size, place / len(lines)),
            zorder=order,
            **_style(line),
        )
    plain_axes(ax)
    counts = "number" in panel.label
    ax.yaxis.set_major_locator(MaxNLocator(6, integer=counts))
    low, high = ax.get_ylim()
    if counts:
        high = max(high, 1.0)  # where there is nothing to count
    room = 0.03 * (min(high, panel.ceiling) - max(low, panel.floor))  # for a marker on the limit
    ax.set_ylim(max(low, panel.floor - room), min(high, panel.ceiling + room))
    ax.set_title(panel.label, loc="left", fontsize=9, color=INK)


def _style(line: Line) -> dict[str, Any]:
    """A method's line, in a panel and in the legend."""
    shape = {"color": line.color, "ls": line.dashes, "marker": line.marker}
    return {**shape, "ms": 4.6, "mec": "white", "mew": 0.5, "lw": 1.35}


def _marked(size: np.ndarray, phase: float) -> list[int]:
    """Points that carry a marker: evenly spread on the axis, at other places for other methods."""
    if len(size) <= MARKS:
        return list(range(len(size)))
    place = np.log(size / size[0]) / np.log(size[-1] / size[0])
    wanted = (np.arange(MARKS) + phase) / MARKS
    return sorted({int(np.abs(place - want).argmin()) for want in wanted})


def _size_axis(ax: Axes, size: np.ndarray) -> None:
    """A logarithmic axis with plain numbers at 1, 2, 5, 10, ... and at the largest size."""
    low, high = float(size.min()), float(size.max())
    ax.set_xscale("log")
    ax.set_xlim(low / 1.1, max(high, low * 1.5) * 1.1)
    digits = (1, 2, 5) if high < 150 * low else (1,)
    steps = [m * 10.0**e for e in range(7) for m in digits if low <= m * 10.0**e <= high]
    ax.xaxis.set_major_locator(FixedLocator(steps or [low]))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("signature size", fontsize=8.5, color=INK)


def _draw_legend(
    figure: Figure, present: Sequence[str], lines: dict[str, Line], chosen: int | None
) -> None:
    handles: list[Line2D | Patch] = [Line2D([], [], **_style(lines[m])) for m in present]
    names = [shortened(method) for method in present]
    handles.append(Patch(color="#8a8a8a", alpha=0.3, lw=0))
    names.append("naive 95 % interval")
    if chosen is not None:
        handles.append(Line2D([], [], color=INK, lw=1.0, ls=(0, (4, 3))))
        names.append(f"chosen size, {chosen}")
    figure.legend(
        handles,
        names,
        loc="outside lower left",
        ncols=_columns(present, len(names)),
        frameon=False,
        fontsize=8,
        handlelength=3.4,
        columnspacing=1.5,
        labelcolor=INK,
        borderaxespad=0.1,
    )
