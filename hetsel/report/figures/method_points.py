"""Methods as points: stability against performance, or one row per method."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from matplotlib.transforms import Bbox

from hetsel.ground import counted
from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels

BAND = "#eef2f5"
ROW, EDGE = 0.19, 0.62  # inches: a row, and the space above and below the rows
METHODS_WITH_ROWS, NAMED = 12, 9  # up to 12 methods have a row each; of more, 9 have one
SIDES = [(6, 0), (-6, 0), (0, 7), (0, -7), (6, 6), (6, -6), (-6, 6), (-6, -6), (13, 13), (-13, -13)]


@style.draws_names
def plot_stability_against_performance(
    points: pd.DataFrame,
    lines: Mapping[str, style.Line],
    labels: tuple[str, str],
    size: tuple[float, float],
) -> Figure:
    """Draw stability against performance with one point per method.

    `points` has stability, performance, half the interval of the performance, and front by method.
    A dotted line joins the methods of the front. Highlighted methods have an interval and always a
    label; other methods have a label if there is room. `labels` are those of the axes, `size` is
    width and height in inches.
    """
    figure = style.new_figure(size[1], size[0])
    ax = figure.subplots()
    style.plain_axes(ax, grid="both")
    told = [method for method in points.index if lines[method] is not style.OTHER]
    others = points.drop(index=told)
    ax.plot(
        others["stability"], others["performance"], "o", color=style.OTHER.color, ms=4, mec="white"
    )
    for method in told:
        x, y, half = points.loc[method, ["stability", "performance", "half"]]
        line = lines[method]
        ax.errorbar(x, y, half if np.isfinite(half) else None, color=line.color, lw=1.1, zorder=3)
        ax.plot(x, y, line.marker, color=line.color, ms=8, mec="white", mew=0.8, zorder=4)
    front = points[points["front"]].sort_values("stability", kind="stable")
    if len(front) > 1:
        ax.plot(front["stability"], front["performance"], ":", color=style.QUIET, lw=1.0, zorder=1)
    ax.margins(0.2, 0.08)
    style.name_axes(ax, *labels)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    low, high = ax.get_xlim()
    ax.set_xticks([tick for tick in ax.get_xticks() if low <= tick <= 1])  # no stability above 1
    ax.set_xlim(low, high)
    _name_points(ax, points.loc[[*told, *others.index]], len(told))
    return figure


def _name_points(ax: Axes, points: pd.DataFrame, told: int) -> None:
    """Place a label beside each point; after the first `told` ones only where there is room."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    figure.draw_without_rendering()
    renderer, frame = canvas.get_renderer(), ax.get_window_extent()
    room = figure.dpi / 72
    xy = points[["stability", "performance"]].to_numpy(np.float64)
    centers = ax.transData.transform(xy)
    taken = [Bbox.from_extents(*(c - 3 * room), *(c + 3 * room)) for c in centers]
    half = points["half"].fillna(0.0).to_numpy()[:told]
    for (x, y), up in zip(xy[:told], half, strict=True):
        low, high = ax.transData.transform([(x, y - up), (x, y + up)])
        taken.append(Bbox.from_extents(low[0] - 1, low[1], high[0] + 1, high[1]))
    for name, place in _together(xy, distinct_labels(points.index), told):
        size, color = (8.5, style.INK) if place < told else (7, style.QUIET)
        text = ax.annotate(
            name, xy[place], (0, 0), textcoords="offset points", fontsize=size, color=color
        )

        def cost(side: tuple[int, int], text: Text = text) -> float:
            x, y = side
            text.set_position(side)
            text.set_horizontalalignment("left" if x > 0 else "right" if x < 0 else "center")
            text.set_verticalalignment("bottom" if y > 0 else "top" if y < 0 else "center")
            box = text.get_window_extent(renderer)
            outside = box.width * box.height - _shared(box, frame)
            return 3 * outside + sum(_shared(box, other) for other in taken)

        if cost(min(SIDES, key=cost)) == 0 or place < told:
            taken.append(text.get_window_extent(renderer))
        else:
            text.remove()


def _together(xy: np.ndarray, names: list[str], told: int) -> list[tuple[str, int]]:
    """Return labels with the numbers of their points; points at one place share a label."""
    first: dict[tuple[float, ...], int] = {}
    for place, point in enumerate(xy[:told].round(9)):
        home = first.setdefault(tuple(point), place)
        if home != place:
            names[home] += f"\n{names[place]}"
    return [(names[k], k) for k in (*first.values(), *range(told, len(names)))]


def _shared(one: Bbox, other: Bbox) -> float:
    both = Bbox.intersection(one, other)
    return 0.0 if both is None else float(both.width * both.height)


@style.draws_names
def plot_rows(
    values: pd.DataFrame,
    lines: Mapping[str, style.Line],
    label: str,
    *,
    width: float,
    log: bool = False,
    difference: float = np.nan,
    ticks: pd.Series | None = None,
) -> Figure:
    """Draw one row per method, the smallest value on top; of many methods some share a row.

    `values` has value, low and high (the ends of a thin line) by method. If there is a
    `difference`, a band of this width begins at the best value. `ticks` are further values of the
    methods with a row.
    """
    ordered = values.sort_values("value", kind="stable")
    named = rows_with_names(list(ordered.index), lines)
    rows, shared = len(named) + (len(named) < len(ordered)), ordered.drop(index=named)
    figure = style.new_figure(EDGE + ROW * rows, width)
    ax = figure.subplots()
    style.plain_axes(ax, grid="x")
    if np.isfinite(difference):
        best = float(ordered["value"].iloc[0])
        ax.axvspan(best, best + difference, color=BAND, lw=0, zorder=0)
    for y, method in enumerate(named):
        value, low, high = map(float, ordered.loc[method, ["value", "low", "high"]])
        line = lines[method]
        color, marker, ms = (
            (line.color, line.marker, 7.5) if line is not style.OTHER else (style.QUIET, "o", 5)
        )
        ax.plot([low, high], [y, y], color=color, lw=1.1, alpha=0.6, zorder=2)
        ax.plot(value, y, marker, color=color, ms=ms, mec="white", zorder=3)
        if ticks is not None:
            ax.plot(ticks[method], y, "|", color=style.INK, ms=11, mew=1.1, zorder=4)
    names = distinct_labels(named)
    if len(shared):
        y = len(named)
        ax.plot(shared["value"], [y] * len(shared), "|", color=style.QUIET, ms=7, mew=0.8)
        names.append(counted(len(shared), "other"))
    ax.set_ylim(rows - 0.4, -0.6)
    ax.set_yticks(np.arange(rows), names)
    ax.tick_params(axis="y", length=0, labelsize=8.5)
    if log:
        _log_axis(ax, ordered if ticks is None else ordered.assign(tick=ticks))
    style.name_axes(ax, label)
    return figure


def rows_with_names(ordered: list[str], lines: Mapping[str, style.Line]) -> list[str]:
    """Return the methods with a separate row: highlighted ones, the first and the last two.

    Examples
    --------
    >>> rows_with_names(["a", "b"], {})
    ['a', 'b']
    """
    if len(ordered) <= METHODS_WITH_ROWS:
        return ordered
    kept = {method for method in ordered if lines[method] is not style.OTHER} | set(ordered[-2:])
    for method in ordered:
        if len(kept) < NAMED:
            kept.add(method)
    return [method for method in ordered if method in kept]


def _log_axis(ax: Axes, values: pd.DataFrame) -> None:
    """Set a logarithmic axis with plain numbers that covers at least a factor of ten."""
    ax.set_xscale("log")
    low, high = float(values.to_numpy().min()), float(values.to_numpy().max())
    middle = np.sqrt(low * high)
    ax.set_xlim(min(low / 1.3, middle / 3.2), max(high * 1.3, middle * 3.2))
    decades = np.log10(ax.get_xlim()[1] / ax.get_xlim()[0])
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,) if decades > 2 else (1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
