"""The figure of a search over subsets: scores by size, and features that entered and left."""

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
from hetsel.report.figures.distinct_labels import distinct_labels, shorten_name
from hetsel.selection import SearchPath
from hetsel.tables import Schema

DRAWN = 3000  # maximum number of evaluated subsets that are drawn
BEST = style.Line("#0072B2", "o", "-")
CHOSEN = style.Line("#D55E00", "s", (0, (4, 2)))
EQUAL = style.Line("#009E73", "D", "-")
STAYED = style.Line("#bcd3e6", "s", "-")
ENTERED = style.Line("#0072B2", "^", "-")
LEFT = style.Line("#222222", "x", "-")
SCORE = "inner score\n(maximized by the search)"


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
    """Draw the path of a search: scores by size and the features of each size.

    The score is an inner one. Since the search maximizes it, scores on new rows are lower. A
    feature *entered* at a size if the best subset of the next smaller visited size lacks it, and it
    *left* if only that smaller subset has it. Features are sorted by the number of sizes that
    contain them, the largest on top, then by the first of these sizes. Long names are shortened
    in the middle.

    Parameters
    ----------
    search : BaseSelector or SearchPath
        A fitted selector that searches over subsets, or a path together with its `schema`.
    top : int
        Number of features to draw; features of the chosen size have precedence. Default: 30.
    schema : Schema, optional
        Names of the features; required for a SearchPath.
    file : str or Path, optional
        File to write: .png (200 dots per inch), .svg or .pdf. Default: no file.
    data : str
        Name of the data in the title. Default: no name.
    title : str, optional
        Title instead of the default one.

    Returns
    -------
    Figure
        With two axes, scores and features; with the axes of features only if there are no scores.

    Raises
    ------
    TableError
        If a SearchPath has no schema, if `search` is not a path, if `top` is below 1 or if the
        suffix of the file is not legal.

    See Also
    --------
    hetsel.plots.plot_ranking : Draw the importances of the best features of a ranking.

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
    names = distinct_labels((schema.columns[j].name for j in rows), 26)
    _draw_features(below, answer, rows, names)
    heading = " on ".join(filter(None, (method, data)))
    what = f"best subset of each of {len(answer.sizes)} sizes"
    above_all = shorten_name(title or " · ".join(filter(None, (heading, what))), style.TITLE)
    figure.suptitle(above_all, x=0.008, ha="left", fontsize=10.5, color=style.INK)
    if file is not None:
        style.save_figure(figure, file)
    return figure


def _parts(search: Any, schema: Schema | None) -> tuple[SearchPath, Schema, str]:
    """Return the path, the names of its features and the name of the method."""
    answer, method = search, ""
    if hasattr(search, "answer_"):
        answer, schema = search.answer_, search.schema_
        key = key_of(type(search))
        method = key if key in method_keys() else type(search).__name__
        if isinstance(answer, SearchPath):
            answer = replace(answer, chosen=search.size_)
    if not isinstance(answer, SearchPath):
        raise TableError(
            "search must be a SearchPath or a fitted selector that searches over subsets. "
            f"Got {answer!r:.80}. Use plot_ranking for a Ranking"
        )
    if schema is None:
        raise TableError("a SearchPath has no names. Specify schema=, or pass the fitted selector")
    return answer, schema, method


def _membership(answer: SearchPath) -> np.ndarray:
    """Return whether each feature is in the best subset of each visited size, (p, sizes)."""
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
    """Draw all evaluated subsets, the best of each size, the chosen one and its equals."""
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
    """Draw a light dot for each evaluated subset, or for every k-th of many."""
    values = np.array([(len(s), v) for s, v in answer.evaluated.items() if len(s)])
    if not len(values):
        return []
    shown = values
    if len(values) > DRAWN:
        shown = values[np.linspace(0, len(values) - 1, DRAWN).round().astype(np.intp)]
    label = f"{len(values):,} evaluated {'subset' if len(values) == 1 else 'subsets'}"
    if len(shown) < len(values):
        label = f"{len(shown):,} of {len(values):,} evaluated subsets"
    if below := int((shown[:, 1] < low).sum()):
        label += f" ({below:,} below the axis)"
    (dots,) = ax.plot(
        *shown.T, "o", color="#b4b4b0", ms=2.2, mew=0, alpha=0.6, zorder=2, label=label
    )
    return [dots]


def _draw_equal(ax: Axes, answer: SearchPath) -> list[Line2D]:
    """Draw the subsets that count as equal to the best, if there are several."""
    if len(answer.equal) < 2:
        return []
    shares: dict[tuple[int, float], list[float]] = {}
    for tau, subset in sorted(answer.equal.items()):
        key = tuple(sorted(subset.tolist()))
        score = answer.evaluated.get(key, answer.score(len(key)))
        shares.setdefault((len(key), float(score)), []).append(tau)
    for k, ((size, score), taus) in enumerate(shares.items()):
        text = f"{taus[0]:g}" + (f" to {taus[-1]:g}" if len(taus) > 1 else "")
        below = (0, -9 - 9 * (k % 2))  # so that neighbors do not overlap
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6}
        look = {"ha": "center", "va": "top", "fontsize": 7.5, "bbox": box, "zorder": 6}
        style.note(ax, text, (size, score), below, **look)
    mark: Any = {"color": EQUAL.color, "ms": 4.5, "mec": "white", "mew": 0.6, "zorder": 5}
    label = "counts as equal to the best, with its τ"
    return ax.plot(*np.array(list(shares)).T, EQUAL.marker, ls="", label=label, **mark)


def _draw_features(ax: Axes, answer: SearchPath, rows: np.ndarray, names: list[str]) -> None:
    """Draw a row for each feature and a column for each size."""
    style.plain_axes(ax, grid="both")
    within, sizes = _membership(answer), np.array(answer.sizes)
    before = np.zeros_like(within)
    before[:, 1:] = within[:, :-1]
    room = min(_column_points(answer), 12.0)
    kinds = (
        ("in the subset", STAYED, within & before, 0.85),
        ("entered (not in the next smaller size)", ENTERED, within & ~before, 0.72),
        ("left (in the next smaller size)", LEFT, ~within & before, 0.5),
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
    ax.set_yticks(np.arange(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(14, integer=True, min_n_ticks=1))
    low, high = _span(answer)
    ax.set_xlim(low - 0.6, high + 0.6)
    style.name_axes(ax, "number of features")
    if (count := int(within.any(axis=1).sum()) - len(rows)) > 0:
        text = f"… and {count} more {'feature' if count == 1 else 'features'}"
        drawn = {"ha": "right", "va": "top", "color": style.QUIET, "annotation_clip": False}
        style.note(ax, text, (1.0, 0.0), (0, -24), xycoords="axes fraction", **drawn)
    style.legend_above(ax, 3, legend, columnspacing=1.2, handletextpad=0.1)


def _span(answer: SearchPath) -> tuple[int, int]:
    sizes = [*answer.sizes, *(len(subset) for subset in answer.evaluated if subset)]
    return min(sizes), max(sizes)


def _column_points(answer: SearchPath) -> float:
    low, high = _span(answer)
    return 380.0 / (high - low + 1.2)
