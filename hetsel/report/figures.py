"""Figures; nothing here touches pyplot or a display."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from hetsel.methods.registry import key_of
from hetsel.selection.answer import Ranking
from hetsel.tables.table import Schema
from hetsel.writing import Writer, write_files

# Okabe and Ito: told apart by every kind of color vision; the marker tells them apart in gray
LOOK = {
    "continuous": ("#0072B2", "o"),
    "ordinal": ("#009E73", "D"),
    "nominal": ("#D55E00", "s"),
}
INK, FAINT, BAND = "#222222", "#8a8a8a", "#f1f1ee"
LONGEST = 34  # letters of a name


def plot_ranking(
    ranking: Any,
    top: int = 15,
    *,
    schema: Schema | None = None,
    ax: Axes | None = None,
    path: str | Path | None = None,
    data: str = "",
    title: str | None = None,
) -> Axes:
    """Draw the best features: one row each, best on top, importance to the right.

    In an elimination each importance comes from the step that dropped the feature, and importances
    of different steps do not compare: there, bands hold the features of one step together and the
    right margin says how many features that step started with.

    Parameters
    ----------
    ranking : BaseSelector or Ranking
        A fitted selector, or a ranking together with its `schema`.
    top : int
        Number of features to draw; all if there are fewer.
    schema : Schema, optional
        Names and kinds of the features of a Ranking.
    ax : Axes, optional
        Where to draw; None makes a figure of its own, ``ax.figure``.
    path : str or Path, optional
        File to write: .png (200 dots per inch), .svg or .pdf.
    data : str
        Name of the data, for the title.
    title : str, optional
        Replaces the title.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        A Ranking without a schema, `top` below 1.
    """
    result, schema, method = _parts(ranking, schema)
    if top < 1:
        raise ValueError(f"top must be at least 1. Got {top}")
    order = result.order[:top]
    steps = _steps(result, order)
    frame = pd.DataFrame(
        {
            "name": [_cut(schema.columns[j].name) for j in order],
            "kind": [schema.columns[j].kind for j in order],
            "importance": result.importance[order],
        }
    )
    if ax is None:
        figure = Figure(figsize=(7.2, 1.5 + 0.31 * len(order)), layout="constrained")
        FigureCanvasAgg(figure)
        ax = figure.add_subplot()
    _draw_rows(ax, frame, steps)
    _label(ax, frame, steps, result, title or _title(method, data))
    if path is not None:
        write_files({path: picture(ax, Path(path).suffix)})
    return ax


def picture(ax: Axes, suffix: str) -> Writer:
    """The content of a .png, .svg or .pdf file with the figure of `ax`."""

    def write(file: BinaryIO) -> None:
        figure = ax.get_figure(root=True)
        assert figure is not None
        with mpl.rc_context({"svg.hashsalt": "hetsel"}):
            file.write(drawn(figure, suffix))

    return write


def drawn(figure: Figure, suffix: str) -> bytes:
    """A figure as the bytes of a file; without the date, so that files compare."""
    kind = suffix.lower()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(kind)
    buffer = io.BytesIO()  # matplotlib and Pillow hide the reason why a file cannot be written
    figure.savefig(
        buffer, format=kind.lstrip(".") or None, dpi=200, facecolor="white", metadata=metadata
    )
    return buffer.getvalue()


def _parts(ranking: Any, schema: Schema | None) -> tuple[Ranking, Schema, str]:
    if isinstance(ranking, Ranking):
        if schema is None:
            raise ValueError("a Ranking has no names: give schema=, or a fitted selector")
        return ranking, schema, ""
    if not hasattr(ranking, "answer_"):
        raise ValueError(f"plot_ranking draws a Ranking or a fitted selector. Got {ranking!r}")
    return ranking.answer_, ranking.schema_, key_of(type(ranking))


def _steps(result: Ranking, order: np.ndarray) -> np.ndarray | None:
    """Features at the start of the step that dropped each drawn feature; None: no elimination."""
    trace = result.steps
    if not trace or trace[0].size != len(result.order):
        return None
    if any(a.size <= b.size for a, b in pairwise(trace)):
        return None
    size_of = {feature: step.size for step in trace for feature in step.features}
    return np.array([size_of[int(j)] for j in order])


def _cut(name: str) -> str:
    """A long name without its middle; a unit or a number often stands at its end."""
    if len(name) <= LONGEST:
        return name
    tail = LONGEST // 3
    return f"{name[: LONGEST - tail - 1].rstrip()}…{name[-tail:].lstrip()}"


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
    for kind, (color, marker) in LOOK.items():
        of_kind = (frame["kind"] == kind).to_numpy()
        if not of_kind.any():
            continue
        style = {"continuous": "-", "ordinal": (0, (4, 1.5)), "nominal": (0, (1.2, 1.2))}[kind]
        values = np.nan_to_num(shown[of_kind])
        ax.hlines(rows[of_kind], 0.0, values, color=color, lw=2.2, linestyle=style, zorder=2)
        ax.plot(
            values, rows[of_kind], marker, color=color, ms=8, mec="white", mew=0.8, zorder=3, ls=""
        )
    for row, value, text in zip(rows, np.nan_to_num(shown), importance, strict=True):
        ax.annotate(
            f"{text:.3g}" if np.isfinite(text) else "none",
            (max(value, 0.0), row),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
        )


def _draw_bands(ax: Axes, steps: np.ndarray) -> None:
    """A band behind the features of every second step, and its size in the right margin."""
    edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
    for k, (start, stop) in enumerate(pairwise(edges)):
        if k % 2 == 0:
            ax.axhspan(start - 0.5, stop - 0.5, color=BAND, lw=0, zorder=0)
        ax.annotate(
            f"{steps[start]}",
            (1.0, (start + stop - 1) / 2),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
            annotation_clip=False,
        )


def _label(
    ax: Axes, frame: pd.DataFrame, steps: np.ndarray | None, result: Ranking, title: str
) -> None:
    p = len(result.order)
    ax.set_yticks(
        np.arange(len(frame)),
        [
            f"{name}  {rank:\u2007>{len(str(len(frame)))}}"  # padded by blanks as wide as digits
            for rank, name in enumerate(frame["name"], 1)
        ],
    )
    ax.tick_params(axis="y", length=0, labelsize=9, labelcolor=INK)
    ax.tick_params(axis="x", labelsize=8, color=FAINT, labelcolor=INK)
    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.grid(axis="x", color="#dddddd", lw=0.6, zorder=1)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(FAINT)
    ax.axvline(0.0, color=FAINT, lw=0.8, zorder=1)
    what = "importance (larger is better)"
    if steps is not None:
        what = (
            "importance at the step that dropped the feature\n"
            "(it compares only within one band, the features dropped together)"
        )
        ax.annotate(
            "features left\nat that step",
            (1.0, 1.0),
            xycoords="axes fraction",
            xytext=(6, 4),
            textcoords="offset points",
            fontsize=7,
            color=FAINT,
            annotation_clip=False,
        )
    ax.set_xlabel(what, fontsize=8.5, color=INK)
    subject = "all" if len(frame) == p else f"the best {len(frame)} of"
    ax.set_title(
        f"{title}{' · ' if title else ''}{subject} {p} features",
        loc="left",
        fontsize=10.5,
        color=INK,
        pad=26,
    )
    kinds = [kind for kind in LOOK if (frame["kind"] == kind).any()]
    handles = [
        Line2D([], [], color=LOOK[kind][0], marker=LOOK[kind][1], ls="", ms=7, mec="white")
        for kind in kinds
    ]
    ax.legend(
        handles,
        kinds,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=len(kinds),
        frameon=False,
        fontsize=8.5,
        handletextpad=0.2,
        columnspacing=1.2,
        borderaxespad=0.2,
    )


def _title(method: str, data: str) -> str:
    return " on ".join(part for part in (method, data) if part)
