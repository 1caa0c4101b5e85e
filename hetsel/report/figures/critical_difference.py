"""Critical-difference diagrams; hetsel.statistics.comparisons computes what they show."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hetsel.report.figures import figure_style as style
from hetsel.report.figures.distinct_labels import distinct_labels
from hetsel.study.comparison.rank_tests import RankTest

RankedName = tuple[str, float]  # the label of a method and its mean rank
NAME, NUMBER = 9.0, 8.0  # points
ROW, GROUP = 0.235, 0.125  # inches: a label, a thick line
HEAD, FOOT = 0.88, 0.14  # inches above the axis and below the last label
TITLE = 0.26  # inches of a title, part of the head
CROWD = 6  # with more methods the axis shows only the ranks that occur
GAP = 0.12  # inches between an axis and the nearest label
AXIS = 2.6  # inches, minimum length of the axis
BAND = "#cfe3f1"


@style.draws_names
def plot_critical_difference(
    ranks: RankTest | Sequence[RankTest],
    *,
    titles: str | Sequence[str] = "",
    width: float = style.WIDTH,
    control: str = "",
) -> Figure:
    """Draw a critical-difference diagram of mean ranks.

    The best rank is on the left; Demšar draws the axis in the opposite direction. A thick line
    joins methods that do not differ significantly. The bar above the axis has the length of the
    critical difference. Long names are shortened in the middle.

    Parameters
    ----------
    ranks : RankTest or sequence of RankTest
        One result, or several that are drawn below each other on axes of equal length.
    titles : str or sequence of str
        Title above each axis. Default: none.
    width : float
        Width in inches; the figure is wider if the names need more space. Default: 7.2.
    control : str
        A method that all others are compared with. A band around its mean rank then reaches as far
        as the critical difference on both sides. Default: none.

    Returns
    -------
    Figure

    References
    ----------
    Demšar (2006) Journal of Machine Learning Research 7, 1-30, Figure 1; Paul, D'Ambrosio and
    Dupont (2015), Figures 1 and 6.

    Examples
    --------
    >>> import pandas as pd
    >>> from hetsel.study.comparison.rank_tests import compare_ranks
    >>> scores = pd.DataFrame({"rfe-mkl": [0.9, 0.8, 0.7], "rfe-svm": [0.8, 0.7, 0.6]})
    >>> figure = plot_critical_difference(compare_ranks(scores, "data set"))
    >>> len(figure.axes)
    1
    """
    several = list(ranks) if isinstance(ranks, Sequence) else [ranks]
    heads = [titles] * len(several) if isinstance(titles, str) else list(titles)
    left = max(_label_width(_halves(one)[0]) for one in several) + GAP
    right = max(_label_width(_halves(one)[1]) for one in several) + GAP
    axis = max(AXIS, width - left - right)
    heights = [_height(one) - TITLE * (not head) for one, head in zip(several, heads, strict=True)]
    width, total = left + axis + right, sum(heights)
    figure = style.new_figure(total, width, layout="none")
    top, ends = total, _ends(several)
    for one, head, height in zip(several, heads, heights, strict=True):
        top -= height
        ax = figure.add_axes((left / width, top / total, axis / width, height / total))
        _draw(ax, one, head, ends, height)
        if control:
            _draw_band(ax, one, control, ends, height - HEAD + TITLE * (not head))
    return figure


def _halves(ranks: RankTest) -> tuple[list[RankedName], list[RankedName]]:
    """Return labels of the better half, best first, and of the worse half, worst first."""
    pairs = zip(distinct_labels(ranks.names), ranks.mean_ranks, strict=True)
    ordered = sorted(((name, float(rank)) for name, rank in pairs), key=lambda pair: pair[1])
    middle = (len(ordered) + 1) // 2
    return ordered[:middle], ordered[middle:][::-1]


def _label_width(labels: list[RankedName]) -> float:
    """Measure the longest label in inches."""
    figure = style.new_figure(1.0, layout="none")
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    renderer = canvas.get_renderer()
    widths = [0.0]
    for name, rank in labels:
        for text, size in ((name, NAME), (f"  {rank:.2f}", NUMBER)):
            drawn = figure.text(0.0, 0.0, text, fontsize=size)
            widths.append(drawn.get_window_extent(renderer).width / figure.dpi)
    return sum(sorted(widths)[-1:]) + 0.42  # the number and its margin


def _levels(ranks: RankTest) -> list[tuple[float, float, int]]:
    """Return ends and level of the line of each group; lines of one level do not touch."""
    where = dict(zip(ranks.names, map(float, ranks.mean_ranks), strict=True))
    spans = sorted(
        (min(map(where.__getitem__, g)), max(map(where.__getitem__, g)))
        for g in ranks.groups
        if len(g) > 1
    )
    ends: list[float] = []
    placed = []
    for low, high in spans:
        level = next((k for k, end in enumerate(ends) if end + 0.15 < low), len(ends))
        ends[level : level + 1] = [high]
        placed.append((low, high, level))
    return placed


def _height(ranks: RankTest) -> float:
    levels = max((level for *_, level in _levels(ranks)), default=-1) + 1
    rows = len(_halves(ranks)[0])
    return HEAD + 0.2 + GROUP * levels + ROW * (rows - 1) + FOOT


def _ends(several: list[RankTest]) -> tuple[float, float]:
    number = max(len(one.names) for one in several)
    values = [float(rank) for one in several for rank in one.mean_ranks]
    low, high = float(np.floor(min(values))), float(np.ceil(max(values)))
    longest = float(np.nan_to_num([one.critical_difference for one in several]).max())
    if number <= CROWD or longest > high - low:
        return 1.0, float(number)
    return low, high


def _draw(ax: Axes, ranks: RankTest, title: str, ends: tuple[float, float], height: float) -> None:
    """Draw one diagram; y is in inches from the bottom, x in mean ranks."""
    ax.set_xlim(*ends)
    ax.set_ylim(0.0, height)
    ax.axis("off")
    line = height - HEAD + TITLE * (not title)
    figure = ax.get_figure(root=True)
    assert figure is not None
    inch = (ends[1] - ends[0]) / (ax.get_position().width * figure.get_figwidth())
    _draw_axis(ax, ends, line)
    _draw_bar(ax, float(ranks.critical_difference), ends, line + 0.4)
    ax.text(ends[0], height - 0.08, title, va="top", fontsize=10, color=style.INK)
    levels = _levels(ranks)
    for low, high, level in levels:
        y = line - 0.13 - GROUP * level
        pad = 0.035 * inch
        ax.plot([low - pad, high + pad], [y, y], color=style.INK, lw=3.4, solid_capstyle="butt")
    first = line - 0.2 - GROUP * (max((level for *_, level in levels), default=-1) + 1)
    for labels, end, side in zip(_halves(ranks), ends, (-1, 1), strict=True):
        for row, (name, rank) in enumerate(labels):
            y = first - ROW * row
            tip = end + side * GAP * 0.6 * inch
            ax.plot([rank, rank, tip], [line, y, y], color=style.INK, lw=0.9, clip_on=False)
            _draw_label(ax, name, rank, (end, y), side)


def _draw_axis(ax: Axes, ends: tuple[float, float], line: float) -> None:
    ax.plot(ends, [line, line], color=style.INK, lw=1.0, clip_on=False)
    for rank in np.arange(ends[0], ends[1] + 1):
        ax.plot([rank, rank], [line, line + 0.07], color=style.INK, lw=1.0, clip_on=False)
        text = f"{rank:.0f}"
        ax.text(rank, line + 0.1, text, ha="center", va="bottom", fontsize=NUMBER, color=style.INK)
    for half in np.arange(ends[0] + 0.5, ends[1]):
        ax.plot([half, half], [line, line + 0.04], color=style.FAINT, lw=0.8, clip_on=False)


def _draw_bar(ax: Axes, difference: float, ends: tuple[float, float], y: float) -> None:
    """Draw the critical difference as a bar, or in words if it is longer than the axis."""
    start = ends[0]
    text = "no common critical difference because some values are missing"
    if difference > ends[1] - start:
        text = f"CD = {difference:.2f}, longer than the axis: no difference is significant"
    if not difference <= ends[1] - start:
        ax.text(start, y, text, va="center", fontsize=NUMBER, color=style.INK)
        return
    stop = start + difference
    ax.plot([start, stop], [y, y], color=style.INK, lw=1.4, clip_on=False)
    for x in (start, stop):
        ax.plot([x, x], [y - 0.045, y + 0.045], color=style.INK, lw=1.4, clip_on=False)
    style.note(ax, f"CD = {difference:.2f}", (stop, y), (6, 0), va="center", fontsize=NUMBER)


def _draw_band(
    ax: Axes, ranks: RankTest, control: str, ends: tuple[float, float], line: float
) -> None:
    """Draw the band of mean ranks that do not differ from the control, and mark the control."""
    middle = float(ranks.mean_ranks[ranks.names.index(control)])
    reach = float(ranks.critical_difference)
    if np.isfinite(reach):
        low, high = max(middle - reach, ends[0]), min(middle + reach, ends[1])
        ax.fill_between([low, high], line - 0.1, line + 0.07, color=BAND, lw=0, zorder=0)
    ax.plot(middle, line, "D", color=style.LINES[0].color, ms=5.5, zorder=4, clip_on=False)


def _draw_label(ax: Axes, name: str, rank: float, end: tuple[float, float], side: int) -> None:
    """Write mean rank and name beyond the end of the axis."""
    away = 72 * GAP
    texts = (
        (f"{rank:.2f}", away, NUMBER, style.QUIET),
        (name, away + 28, NAME, style.INK),
    )
    for text, distance, size, color in texts:
        look = {"fontsize": size, "color": color, "va": "center", "annotation_clip": False}
        style.note(ax, text, end, (side * distance, 0), ha="right" if side < 0 else "left", **look)
