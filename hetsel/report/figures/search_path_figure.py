"""The figure of a search over subsets: its score by size, and which features came and left."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from hetsel.ground import TableError, counted
from hetsel.methods.registry import key_of, method_keys
from hetsel.report.figures import figure_style as style
from hetsel.selection import SearchPath
from hetsel.tables import Schema

DRAWN = 3000  # evaluated subsets that are drawn
BEST = style.Line("#0072B2", "o", "-")
CHOSEN = style.Line("#D55E00", "s", (0, (4, 2)))
EQUAL = style.Line("#009E73", "D", "-")
STAYED = style.Line("#bcd3e6", "s", "-")
ENTERED = style.Line("#0072B2", "^", "-")
LEFT = style.Line("#222222", "x", "-")
SCORE = "inner score\n(the search looked for\nits largest value)"


@style.draws_names
def plot_path(
    search: Any,
    top: int = 30,
    *,
    schema: Schema | None = None,
    file: str | Path | None = None,
    data: str = "",
    title: str | None = None,
) -> Figure:
    """Draw the path of a search: its score by size, and below it the features of each size.

    The score is an inner one: the search looked for its largest value, and rows that it has not
    seen do worse. A feature has entered where the best subset of the next smaller size that was
    visited lacks it, and it has left where that one had it. The features come in the order of how
    early they enter and stay: by the number of sizes that they are in, the most on top, then by
    the first of these.

    Parameters
    ----------
    search : BaseSelector or SearchPath
        A fitted selector that searches over subsets, or a path together with its `schema`.
    top : int
        Number of features to draw; those of the chosen size come before others.
    schema : Schema, optional
        Names of the features of a SearchPath.
    file : str or Path, optional
        File to write: .png (200 dots per inch), .svg or .pdf.
    data : str
        Name of the data, for the title.
    title : str, optional
        Replaces the title.

    Returns
    -------
    Figure
        Its axes are the score and the features; the features alone where the path has no scores.

    Raises
    ------
    TableError
        A SearchPath without a schema, what is no path, `top` below 1, a file of another suffix.

    Examples
    --------
    >>> x = np.random.default_rng(0).integers(0, 2, (60, 4)).astype(float)
    >>> from hetsel import SubsetSearch
    >>> figure = plot_path(SubsetSearch(criterion="1nn").fit(x, x[:, 1]))
    >>> [ax.get_xlabel() for ax in figure.axes]
    ['', 'number of features']
    """
    answer, schema, method = _parts(search, schema)
    if top < 1:
        raise TableError(f"top must be at least 1. Got {top}")
    rows = _rows(answer, top)
    scored = any(np.isfinite(answer.score(size)) for size in answer.sizes)
    lower = 0.75 + 0.19 * max(len(rows), 3)
    figure = style.new_figure(lower + (3.1 if scored else 0.3))
    if scored:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2.6, lower])
        _draw_scores(above, answer)
    else:
        below = figure.subplots()
    names = [style.shorten_name(column.name, 26) for column in schema.columns]
    _draw_features(below, answer, rows, names)
    heading = " on ".join(filter(None, (method, data)))
    what = f"best subset of each of {len(answer.sizes)} sizes"
    above_all = style.shorten_name(title or " · ".join(filter(None, (heading, what))), style.TITLE)
    figure.suptitle(above_all, x=0.008, ha="left", fontsize=10.5, color=style.INK)
    if file is not None:
        style.save_figure(figure, file)
    return figure


def _parts(search: Any, schema: Schema | None) -> tuple[SearchPath, Schema, str]:
    """The path, the names of its features and what searched."""
    answer, method = search, ""
    if hasattr(search, "answer_"):
        answer, schema = search.answer_, search.schema_
        key = key_of(type(search))
        method = key if key in method_keys() else type(search).__name__
        if isinstance(answer, SearchPath):
            answer = replace(answer, chosen=search.size_)
    if not isinstance(answer, SearchPath):
        raise TableError(
            "plot_path draws a SearchPath, or a fitted selector that searches over subsets; "
            f"plot_ranking draws a Ranking. Got {answer!r:.80}"
        )
    if schema is None:
        raise TableError("a SearchPath has no names: give schema=, or a fitted selector")
    return answer, schema, method


def _membership(answer: SearchPath) -> np.ndarray:
    """Whether each feature is in the best subset of each visited size, (p, sizes)."""
    within = np.zeros((answer.p, len(answer.sizes)), dtype=bool)
    for k, size in enumerate(answer.sizes):
        within[answer.signature(size), k] = True
    return within


def _rows(answer: SearchPath, top: int) -> np.ndarray:
    within = _membership(answer)
    count, first = within.sum(axis=1), within.argmax(axis=1)
    order = np.lexsort([first, -count])
    order = order[count[order] > 0]
    chosen = np.isin(order, answer.signature(answer.best_size))
    kept = np.argsort(~chosen, kind="stable")[:top]
    return np.asarray(order[np.sort(kept)])


def _draw_scores(ax: Axes, answer: SearchPath) -> None:
    """The best subset of each size, all that were evaluated, the chosen one and its equals."""
    style.plain_axes(ax)
    style.name_axes(ax, up=SCORE)
    ax.tick_params(labelbottom=False)
    sizes = [size for size in answer.sizes if np.isfinite(answer.score(size))]
    best = np.array([answer.score(size) for size in sizes])
    spread = float(np.ptp(best)) or abs(float(best[0])) * 0.1 or 1.0
    low = float(best.min()) - 0.5 * spread
    legend = _draw_evaluated(ax, answer, low)
    ax.set_ylim(low, float(best.max()) + 0.12 * spread)
    look: Any = {"color": BEST.color, "lw": 1.4, "mec": "white", "mew": 0.5, "zorder": 3}
    look |= {"ms": min(5.0, _column_points(answer) * 0.7), "label": "best subset of its size"}
    (line,) = ax.plot(sizes, best, marker=BEST.marker, **look)
    chosen = answer.best_size
    ax.axvline(chosen, color=CHOSEN.color, lw=0.9, ls=CHOSEN.dashes, zorder=1)
    label = f"chosen: {counted(chosen, 'feature')}"
    look = {"ms": 10, "mfc": "none", "mec": CHOSEN.color, "mew": 1.6, "zorder": 5, "label": label}
    (mark,) = ax.plot([chosen], [answer.score(chosen)], CHOSEN.marker, **look)
    handles = [line, mark, *legend, *_draw_equal(ax, answer)]
    style.legend_above(ax, 2, handles, columnspacing=1.4, handletextpad=0.5, numpoints=1)


def _draw_evaluated(ax: Axes, answer: SearchPath, low: float) -> list[Line2D]:
    """A light dot for each subset that was evaluated; of many, every k-th of them."""
    values = np.array([(len(s), v) for s, v in answer.evaluated.items() if len(s)])
    if not len(values):
        return []
    shown = values
    if len(values) > DRAWN:
        shown = values[np.linspace(0, len(values) - 1, DRAWN).round().astype(np.intp)]
    label = f"{len(values):,} subsets evaluated"
    if len(shown) < len(values):
        label = f"{len(shown):,} of the {len(values):,} subsets evaluated"
    if below := int((shown[:, 1] < low).sum()):
        label += f" ({below:,} below the axis)"
    (dots,) = ax.plot(
        *shown.T, "o", color="#b4b4b0", ms=2.2, mew=0, alpha=0.6, zorder=2, label=label
    )
    return [dots]


def _draw_equal(ax: Axes, answer: SearchPath) -> list[Line2D]:
    """The subsets treated as equal, with their shares; nothing where there is one only."""
    if len(answer.equal) < 2:
        return []
    shares: dict[tuple[int, float], list[float]] = {}
    for tau, subset in sorted(answer.equal.items()):
        key = tuple(sorted(subset.tolist()))
        score = answer.evaluated.get(key, answer.score(len(key)))
        shares.setdefault((len(key), float(score)), []).append(tau)
    for k, ((size, score), taus) in enumerate(shares.items()):
        text = f"{taus[0]:g}" + (f" to {taus[-1]:g}" if len(taus) > 1 else "")
        below = (0, -9 - 9 * (k % 2))  # neighbors do not cover each other
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6}
        look = {"ha": "center", "va": "top", "fontsize": 7.5, "bbox": box, "zorder": 6}
        style.note(ax, text, (size, score), below, **look)
    mark: Any = {"color": EQUAL.color, "ms": 4.5, "mec": "white", "mew": 0.6, "zorder": 5}
    label = "treated as equal to the best: its share τ"
    return ax.plot(*np.array(list(shares)).T, EQUAL.marker, ls="", label=label, **mark)


def _draw_features(ax: Axes, answer: SearchPath, rows: np.ndarray, names: list[str]) -> None:
    """One row for each feature, one column for each size; what is in, has come or has left."""
    style.plain_axes(ax, grid="both")
    within, sizes = _membership(answer), np.array(answer.sizes)
    before = np.zeros_like(within)
    before[:, 1:] = within[:, :-1]
    room = min(_column_points(answer), 12.0)
    kinds = (
        ("in the subset", STAYED, within & before, 0.85),
        ("entered: not in the next smaller one", ENTERED, within & ~before, 0.72),
        ("left: was in the next smaller one", LEFT, ~within & before, 0.5),
    )
    legend = []
    for label, look, cells, share in kinds:
        row, column = np.nonzero(cells[rows])
        mark: Any = {"color": look.color, "ms": room * share, "mew": 1.1 if look is LEFT else 0}
        ax.plot(sizes[column], row, look.marker, zorder=3, **mark)
        legend.append(
            Line2D([], [], color=look.color, marker=look.marker, ls="", ms=6, label=label)
        )
    chosen = answer.best_size
    ax.axvline(chosen, color=CHOSEN.color, lw=0.9, ls=CHOSEN.dashes, zorder=1)
    ax.set_yticks(np.arange(len(rows)), [names[j] for j in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(14, integer=True, min_n_ticks=1))
    low, high = _span(answer)
    ax.set_xlim(low - 0.6, high + 0.6)
    style.name_axes(ax, "number of features")
    if (count := int(within.any(axis=1).sum()) - len(rows)) > 0:
        text = f"… and {counted(count, 'feature')} more"
        drawn = {"ha": "right", "va": "top", "color": style.QUIET, "annotation_clip": False}
        style.note(ax, text, (1.0, 0.0), (0, -24), xycoords="axes fraction", **drawn)
    style.legend_above(ax, 3, legend, columnspacing=1.2, handletextpad=0.1)


def _span(answer: SearchPath) -> tuple[int, int]:
    sizes = [*answer.sizes, *(len(subset) for subset in answer.evaluated if subset)]
    return min(sizes), max(sizes)


def _column_points(answer: SearchPath) -> float:
    low, high = _span(answer)
    return 380.0 / (high - low + 1.2)
