"""Effects of the features of a final model, and selection frequencies."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from hetsel.ground import shown
from hetsel.models.additive_model import EffectCurve
from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels, shorten_name

ACROSS = 4  # panels in a row
MOST = 12  # panels of a figure
PANEL = 23  # characters of a name above a panel
LEVELS = 8  # up to this many levels have names in a panel
SHADES = LinearSegmentedColormap.from_list("shares", ["#ffffff", "#cfe2f0", "#0072B2", "#003d61"])


@style.draws_names
def plot_effects(
    curves: Sequence[EffectCurve], classes: Sequence[object], above: str = ""
) -> Figure:
    """Draw the effect curve of each feature, centered, the widest 12 first; all on one scale.

    With two classes a positive effect favors the second. With more classes each has a line, up to
    the eight with the widest effects. Without classes `above` states what a positive effect means.
    """
    spans = [np.ptp(c.values, axis=1) if c.values.size else np.zeros(1) for c in curves]
    drawn = [curves[k] for k in np.argsort([-span.max() for span in spans], kind="stable")[:MOST]]
    across = min(ACROSS, max(len(drawn), 3))
    down = -(-len(drawn) // across)
    several = len(drawn[0].values) > 1
    widths = np.asarray(sum(np.ptp(c.values, axis=1) for c in drawn if c.values.size), np.float64)
    # the classes of the widest effects, at most as many as there are lines
    rows = sorted(np.argsort(-widths, kind="stable")[: len(style.LINES)].tolist())
    figure = style.new_figure(0.5 + 1.85 * down + 0.2 * several)
    axes = figure.subplots(down, across, sharey=True, squeeze=False)
    for ax in axes.flat[len(drawn) :]:
        ax.set_axis_off()
    titles = distinct_labels([curve.name for curve in drawn], PANEL)
    for ax, curve, title in zip(axes.flat, drawn, titles, strict=False):
        _draw_effect(ax, curve, rows, 88 // across)
        ax.set_title(title, loc="left", fontsize=8.5, color=style.INK)
    toward = above or ("its class" if several else f"class {shorten_name(classes[-1], 16)}")
    if down == 1:  # beside the panel, where a legend below does not shift it
        axes[0, 0].set_ylabel(f"effect\n(above 0: {toward})", fontsize=8.5, color=style.INK)
    else:
        figure.supylabel(f"effect (above 0: {toward})", fontsize=8.5, color=style.INK)
    if several:
        handles = [
            Line2D([], [], color=line.color, ls=line.dashes, lw=1.5)
            for line, _ in zip(style.LINES, rows, strict=False)
        ]
        names = distinct_labels(classes[row] for row in rows)
        if len(rows) < len(classes):
            handles.append(Line2D([], [], ls=""))
            names.append(f"{len(classes) - len(rows)} classes with smaller effects not shown")
        figure.legend(handles, names, loc="outside lower left", ncols=4, frameon=False, fontsize=8)
    return figure


def _draw_effect(ax: Axes, curve: EffectCurve, rows: Sequence[int], letters: int) -> None:
    style.plain_axes(ax)
    ax.axhline(0.0, color=style.QUIET, lw=0.7, zorder=1)
    nominal = curve.kind == "nominal"
    knots = (
        np.arange(len(curve.knots))
        if nominal
        else style.placeable(ax, curve.knots.astype(np.float64))
    )
    several = len(curve.values) > 1
    drawn = curve.values[list(rows)]
    crowded = nominal and len(knots) > LEVELS
    if crowded:  # levels without names are sorted by effect
        drawn = drawn[:, np.argsort(drawn[0], kind="stable")]
    for row, line in zip(drawn, style.LINES, strict=False):
        centered = row - row.mean() if row.size else row
        look = line if several else style.LOOK[curve.kind]
        color, marker = look.color, look.marker
        if crowded:
            ax.plot(knots, centered, marker, color=color, ms=3, mew=0, ls="")
        elif nominal:
            ax.vlines(knots, 0.0, centered, color=color, lw=1.6, linestyle=(0, (1.2, 1.2)))
            ax.plot(knots, centered, marker, color=color, ms=5.5, mec="white", mew=0.6, ls="")
        else:
            ax.plot(knots, centered, color=color, lw=1.5, ls=line.dashes if several else "-")
    if nominal:
        _name_levels(ax, [shown(level) for level in curve.knots], letters)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(3, min_n_ticks=2))
        ax.xaxis.get_offset_text().set_fontsize(7.5)


def _name_levels(ax: Axes, levels: list[str], letters: int) -> None:
    """Write level names below the axis, or their number if there are many."""
    number = len(levels)
    ax.set_xlim(-0.6, number - 0.4)
    if number > LEVELS:
        ax.set_xticks([], [])
        ax.set_xlabel(f"{number} levels, sorted by effect", fontsize=8, color=style.INK)
        return
    names = distinct_labels(levels, 18)
    long = number * (max(map(len, names), default=0) + 2) > letters
    ax.set_xticks(np.arange(number), names, rotation=90 if long else 0)
    ax.tick_params(axis="x", labelsize=7.5, length=0)


@style.draws_names
def plot_selection(shares: pd.DataFrame, *, top: int = 15) -> Figure:
    """Draw the proportion of resamplings (features, methods) that select a feature."""
    best = best_features(shares, top)
    names = distinct_labels(best.index)
    left = 0.3 + 0.068 * max(map(len, names))
    cell = min(0.95, (style.WIDTH - left) / len(best.columns))
    methods, upright = _heads(distinct_labels(best.columns), cell)
    lines = max(head.count("\n") + 1 for head in methods)
    head = 0.07 * max(map(len, methods)) if upright else 0.15 * lines
    figure = style.new_figure(0.2 + head + 0.225 * len(names))
    ax = figure.subplots()
    _draw_shares(ax, best.to_numpy(np.float64))
    ax.set_xlim(0, max(len(methods), (style.WIDTH - left) / 0.95))
    ax.set_ylim(len(names), 0)
    ax.set_yticks(np.arange(len(names)) + 0.5, names)
    ax.set_xticks(np.arange(len(methods)) + 0.5, methods, rotation=90 if upright else 0)
    ax.tick_params(labelsize=8, length=0, labelcolor=style.INK, top=True, bottom=False)
    ax.tick_params(labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return figure


def _draw_shares(ax: Axes, values: np.ndarray) -> None:
    """Draw shaded cells with their percentage; a dot is 0."""
    ax.pcolormesh(values, cmap=SHADES, vmin=0.0, vmax=1.0, edgecolors="white", linewidth=1.2)
    for row, column in np.ndindex(values.shape):
        share = values[row, column]
        text = f"{100 * share:.0f}" if share > 0 else "·"
        color, x, y = "white" if share > 0.55 else style.INK, column + 0.5, row + 0.5
        ax.text(x, y, text, ha="center", va="center", fontsize=7.5, color=color)


def _heads(names: list[str], cell: float) -> tuple[list[str], bool]:
    """Break names to the width of a cell (inches), or leave them unbroken and upright."""
    letters = int((cell - 0.06) / 0.068)
    broken = []
    for name in names:
        parts = [""]
        for piece in re.split(r"(?<=[-_ .])", name):
            if parts[-1] and len(parts[-1]) + len(piece) > letters:
                parts.append("")
            parts[-1] += piece
        if max(map(len, parts)) > letters:
            return names, True
        broken.append("\n".join(parts))
    return broken, False


def best_features(shares: pd.DataFrame, top: int = 15) -> pd.DataFrame:
    """Return the `top` features by largest proportion, sorted by mean proportion.

    Examples
    --------
    >>> shares = pd.DataFrame({"a": [0.1, 0.9, 0.5], "b": [0.8, 0.0, 0.5]}, index=list("xyz"))
    >>> best_features(shares, 2).index.tolist()
    ['x', 'y']
    """
    kept = shares.max(axis=1).sort_values(ascending=False, kind="stable").index[:top]
    chosen = shares.loc[shares.index.isin(kept) & (shares.max(axis=1) > 0)]
    order = np.argsort(-chosen.mean(axis=1).to_numpy(), kind="stable")
    return chosen.iloc[order]
