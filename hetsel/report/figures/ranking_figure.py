"""The figure of one ranking; it needs neither pyplot nor a display."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from hetsel.ground import TableError, plain_number
from hetsel.methods.registry import key_of
from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels, shorten_name
from hetsel.selection import Ranking, SearchPath
from hetsel.tables import Schema

BAND = "#f1f1ee"
BANDED = (
    "importance at the step that eliminated the feature\n"
    "(compare bars only within a band: one band is one step)"
)


@style.draws_names
def plot_ranking(
    ranking: Any,
    top: int = 15,
    *,
    schema: Schema | None = None,
    ax: Axes | None = None,
    file: str | Path | None = None,
    data: str = "",
    title: str | None = None,
) -> Axes:
    """Draw the importances of the best features of a ranking.

    Each feature has one row, the best on top. In an elimination the importance of a feature is that
    of the step that eliminated it, and importances of different steps are not comparable. A band
    therefore groups the features of one step, and the right margin shows the number of features at
    the start of this step. Long names are shortened in the middle.

    Parameters
    ----------
    ranking : BaseSelector or Ranking
        A fitted selector, or a ranking together with its `schema`.
    top : int
        Number of features to draw, at most all ranked features. Default: 15.
    schema : Schema, optional
        Names and kinds of the features; required for a Ranking.
    ax : Axes, optional
        Axes to draw on. Default: the axes of a new figure, ``ax.figure``.
    file : str or Path, optional
        File to write: .png (200 dots per inch), .svg or .pdf. Default: no file.
    data : str
        Name of the data in the title. Default: no name.
    title : str, optional
        Title instead of the default one.

    Returns
    -------
    Axes

    Raises
    ------
    TableError
        If a Ranking has no schema, if `ranking` is a :class:`hetsel.SearchPath` (it has no order),
        if `top` is below 1 or if the suffix of the file is not legal.

    See Also
    --------
    hetsel.plots.plot_path : Draw the path of a search over subsets.

    Examples
    --------
    >>> from hetsel import RFEMKL, datasets
    >>> heart = datasets.load("heart")
    >>> ax = plot_ranking(RFEMKL().fit(heart.X, heart.y), top=3)
    >>> [label.get_text().split()[0] for label in ax.get_yticklabels()]
    ['thal', 'chest', 'major']
    """
    result, schema, method = _parts(ranking, schema)
    if top < 1:
        raise TableError(f"top must be at least 1. Got {top}")
    order = result.order[:top]
    steps = _steps(result, order)
    frame = pd.DataFrame(
        {
            "name": distinct_labels(schema.columns[j].name for j in order),
            "kind": [schema.columns[j].kind for j in order],
            "importance": result.importance[order],
        }
    )
    if ax is None:
        ax = style.new_figure(1.5 + 0.31 * len(order)).add_subplot()
    _draw_rows(ax, frame, steps)
    _name_rows(ax, frame)
    _draw_axis(ax, eliminated=steps is not None)
    subject = "all" if len(order) == result.p else f"the best {len(order)} of"
    heading = title or " on ".join(filter(None, (method, data)))
    heading = " · ".join(filter(None, (heading, f"{subject} {result.p} features")))
    heading = shorten_name(heading, style.TITLE)
    text = ax.set_title(heading, loc="left", fontsize=10.5, color=style.INK, pad=26)
    for label in (text, *ax.get_yticklabels()):  # axes of others may have made them before
        label.set(parse_math=False, usetex=False)
    marks = []
    for kind in _kinds(frame):
        look: Any = {"color": style.LOOK[kind].color, "marker": style.LOOK[kind].marker, "ls": ""}
        marks.append(Line2D([], [], ms=7, mec="white", label=kind, **look))
    style.legend_above(ax, len(marks), marks, fontsize=8.5, handletextpad=0.2, columnspacing=1.2)
    if file is not None:
        style.save_figure(ax, file)
    return ax


def _parts(ranking: Any, schema: Schema | None) -> tuple[Ranking, Schema, str]:
    """The ranking, names and kinds of its features and the key of the method."""
    answer, method = ranking, ""
    if hasattr(ranking, "answer_"):
        answer, schema, method = ranking.answer_, ranking.schema_, key_of(type(ranking))
    if isinstance(answer, SearchPath):
        sizes = ", ".join(map(str, answer.sizes))
        raise TableError(
            "ranking must be a Ranking, which has one order of features. Got a SearchPath with a "
            f"subset for each of the sizes {sizes}. Use plot_path, or draw its signature(size)"
        )
    if not isinstance(answer, Ranking):
        raise TableError(f"ranking must be a Ranking or a fitted selector. Got {ranking!r}")
    if schema is None:
        raise TableError("a Ranking has no names. Specify schema=, or pass the fitted selector")
    return answer, schema, method


def _steps(result: Ranking, order: np.ndarray) -> np.ndarray | None:
    """Return the number of features at the step that eliminated each feature, or None."""
    trace = result.steps
    if not trace or trace[0].size != result.p:
        return None
    if any(a.size <= b.size for a, b in pairwise(trace)):
        return None
    size_of = {feature: step.size for step in trace for feature in step.features}
    if not size_of.keys() >= set(order.tolist()):  # it stopped before it dropped the best
        return None
    return np.array([size_of[j] for j in order.tolist()])


def _draw_rows(ax: Axes, frame: pd.DataFrame, steps: np.ndarray | None) -> None:
    rows = np.arange(len(frame))
    importance = frame["importance"].to_numpy(dtype=np.float64)
    shown = np.where(np.isfinite(importance), importance, np.nan)
    low = min(0.0, float(np.nanmin(shown, initial=0.0)))
    high = float(np.nanmax(shown, initial=0.0))
    span = (high - low) or 1.0
    ax.set_xlim(low - (0.02 * span if low < 0 else 0.0), high + 0.13 * span)
    ax.set_ylim(len(frame) - 0.5, -0.5)
    if steps is not None:
        _draw_bands(ax, steps)
    for kind in _kinds(frame):
        look, of_kind = style.LOOK[kind], (frame["kind"] == kind).to_numpy()
        at, values = rows[of_kind], np.nan_to_num(shown[of_kind])
        ax.hlines(at, 0.0, values, color=look.color, lw=2.2, linestyle=look.dashes, zorder=2)
        mark: dict[str, Any] = {"color": look.color, "ms": 8, "mec": "white", "mew": 0.8}
        ax.plot(values, at, look.marker, zorder=3, ls="", **mark)
    for row, value, text in zip(rows, np.nan_to_num(shown), importance, strict=True):
        digits = plain_number(text, 3) if np.isfinite(text) else "none"
        style.note(ax, digits, (max(value, 0.0), row), (8, 0), va="center")


def _draw_bands(ax: Axes, steps: np.ndarray) -> None:
    """Draw a band behind every second step, and the number of features of each step."""
    look: dict[str, Any] = {"annotation_clip": False, "xycoords": "axes fraction"}
    text = "features remaining\nbefore this step"
    style.note(ax, text, (1.0, 1.0), (6, 4), fontsize=7, color=style.FAINT, **look)
    edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
    for k, (start, stop) in enumerate(pairwise(edges)):
        if k % 2 == 0:
            ax.axhspan(start - 0.5, stop - 0.5, color=BAND, lw=0, zorder=0)
        look["xycoords"] = style.BESIDE
        style.note(
            ax, f"{steps[start]}", (1.0, (start + stop - 1) / 2), (6, 0), va="center", **look
        )


def _name_rows(ax: Axes, frame: pd.DataFrame) -> None:
    """Write name and rank of each feature on the left."""
    digits = len(str(len(frame)))
    names = [  # padded with figure spaces; an SVG keeps only spaces that do not break
        f"{name}\u00a0\u00a0{rank:\u2007>{digits}}" for rank, name in enumerate(frame["name"], 1)
    ]
    ax.set_yticks(np.arange(len(frame)), names)
    ax.tick_params(axis="y", length=0, labelsize=9, labelcolor=style.INK)


def _draw_axis(ax: Axes, *, eliminated: bool) -> None:
    ax.tick_params(axis="x", labelsize=8, color=style.FAINT, labelcolor=style.INK)
    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.grid(axis="x", color="#dddddd", lw=0.6, zorder=1)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(style.FAINT)
    ax.axvline(0.0, color=style.FAINT, lw=0.8, zorder=1)
    what = BANDED if eliminated else "importance (larger is better)"
    style.name_axes(ax, what)


def _kinds(frame: pd.DataFrame) -> list[str]:
    return [kind for kind in style.LOOK if (frame["kind"] == kind).any()]
