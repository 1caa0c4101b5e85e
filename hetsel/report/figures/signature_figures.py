"""The figures of one signature and of its probabilities, drawn from its facts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from msgspec.structs import asdict

from hetsel.report.figures import figure_style
from hetsel.report.figures.distinct_labels import distinct_labels, shorten_name
from hetsel.signature import performance, signature_facts
from hetsel.signature.probabilities.probability_facts import (
    ClassWorth,
    PredictionInstability,
    ProbabilityFacts,
)
from hetsel.words.phrases import bracketed
from hetsel.words.target_words import Facts, TargetWords, inner_score, measure_name, words_of

BLUE, RED, GRAY = figure_style.LINES[0].color, figure_style.LINES[1].color, "#b9bcc0"
MOST = 15  # features whose frequencies are drawn
ACROSS, PANELS = 3, 12  # effects in a row, and of a figure
LEVELS = 8  # levels that are named
BINS = 24  # of the rows behind an effect
LETTERS = 26  # of a name above a panel
SHARES = ("bcr", "recall", "auc", "r2", "rank", "harrell", "uno")  # measures up to 1
LOWEST = -1.0  # of that axis


@figure_style.draws_names
def plot_measures(facts: Facts) -> Figure | None:
    """Draw the performance with its intervals, the numbers beside them."""
    one = facts.performance
    assert one is not None
    rows = [(_named(measure, facts), measure) for measure in one.measures if is_drawn(measure)]
    if not rows:
        return None
    figure = figure_style.new_figure(0.75 + 0.3 * len(rows))
    _draw_rates(figure.subplots(), rows, one.chance_level, words_of(facts).scale)
    return figure


def is_drawn(measure: performance.Measure) -> bool:
    """Whether a measure has the axis of the others: errors have units of their own."""
    return measure.key in SHARES and measure.low is not None


@figure_style.draws_names
def plot_permutations(facts: Facts) -> Figure:
    """Draw the permutation test: the score with the original target beside permuted ones."""
    assert facts.permutation_test is not None
    figure = figure_style.new_figure(2.3, 0.62 * figure_style.WIDTH)
    _draw_permuted(figure.subplots(), facts.permutation_test, words_of(facts))
    return figure


def _named(measure: performance.Measure, facts: Facts) -> str:
    """Name a measure on an axis."""
    if measure.of_class is None or len(facts.classes) != 2:
        return measure_name(facts, measure)
    return measure_name(facts, measure).partition(" (")[0]


def _draw_rates(
    ax: Axes, rows: Sequence[tuple[str, performance.Measure]], chance: float, scale: str
) -> None:
    figure_style.plain_axes(ax, grid="x")
    quiet = {"color": figure_style.QUIET, "fontsize": 7.5}
    figure_style.note(
        ax, "chance level", (chance, 1.0), (2, 2), xycoords=figure_style.ABOVE, **quiet
    )
    for place, (_, rate) in enumerate(rows):
        color = BLUE if place == 0 else figure_style.INK
        level = 0.5 if rate.key == "auc" else chance  # of more than two classes chance is less
        ax.plot([level] * 2, [place - 0.5, place + 0.5], color=figure_style.QUIET, lw=1.0, ls=":")
        ends = [rate.low or 0.0, rate.high or 0.0]
        ax.plot(ends, [place] * 2, color=color, lw=2.2, solid_capstyle="butt")
        ax.plot(rate.value, place, "o", color=color, ms=6, mec="white", mew=0.8)
        beside = {"va": "center", "xycoords": ("axes fraction", "data"), "fontsize": 9}
        figure_style.note(ax, bracketed(rate), (1.0, place), (8, 0), color=color, **beside)
    ax.set_yticks(range(len(rows)), distinct_labels((name for name, _ in rows), 24))
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    lowest = min(rate.low or 0.0 for _, rate in rows) if chance == 0.0 else 0.0
    ax.set_xlim(max(LOWEST, min(0.0, chance - 0.05, lowest)), 1.0)
    figure_style.name_axes(ax, scale)


def _draw_permuted(ax: Axes, test: signature_facts.PermutationTest, words: TargetWords) -> None:
    figure_style.plain_axes(ax)
    permuted, rate = np.array(test.permuted), test.statistic
    ends = min(permuted.min(), rate), max(permuted.max(), rate)
    room = max(0.02, 0.04 * (ends[1] - ends[0]))
    edges = np.linspace(ends[0] - room, ends[1] + room, 26)
    ax.hist(permuted, bins=edges.tolist(), color=GRAY)
    ax.axvline(rate, color=RED, lw=1.8)
    right = rate > edges[13]
    move, look = (
        (-4 if right else 4, 0),
        {"color": RED, "va": "top", "xycoords": figure_style.ABOVE},
    )
    figure_style.note(
        ax,
        f"original {words.permuted}",
        (rate, 0.97),
        move,
        ha="right" if right else "left",
        **look,
    )
    title = f"{len(permuted)} permutations of the {words.permuted}"
    ax.set_title(title, loc="left", fontsize=9, color=figure_style.INK)
    figure_style.name_axes(ax, f"{words.tested} of held-out rows", "permutations")
    ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))


@figure_style.draws_names
def plot_choice(facts: Facts) -> Figure:
    """Draw the inner estimates by size, and the selection frequency of each feature."""
    sizes, shares = facts.sizes, _shares(facts)
    panels = [panel for panel in (sizes, shares) if panel]
    figure = figure_style.new_figure(0.8 + 0.19 * max(9, len(shares)))
    axes = list(figure.subplots(1, len(panels), squeeze=False)[0])
    if sizes:
        _draw_sizes(axes.pop(0), facts)
    if shares:
        _draw_frequencies(axes.pop(0), shares, facts)
    return figure


def _draw_sizes(ax: Axes, facts: Facts) -> None:
    figure_style.plain_axes(ax)
    sizes = facts.sizes
    assert sizes is not None
    pairs = zip(sizes.sizes, sizes.means, strict=True)
    size, means = np.array([pair for pair in pairs if pair[1] is not None]).T
    ax.plot(size, means, color=BLUE, lw=1.5, marker="o", ms=3.5)
    ax.axvline(facts.size, color=figure_style.INK, lw=1.0, ls=(0, (4, 3)))
    if size[-1] > 12:
        ax.set_xscale("log")
        ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if t <= size[-1]]
        ax.set_xticks(ticks, [str(t) for t in ticks])
        ax.minorticks_off()
    else:
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.set_title(
        "cross-validation that chose the size", loc="left", fontsize=9, color=figure_style.INK
    )
    name = inner_score(facts)
    figure_style.name_axes(ax, f"number of features (dashed: chosen, {facts.size})", name)


def _shares(facts: Facts) -> list[tuple[str, float]]:
    """List the most frequently selected features and those of the signature."""
    ordered = sorted(facts.frequency.items(), key=lambda one: -one[1])
    own = {one.feature for one in facts.features}
    kept = [(name, share) for name, share in ordered if share > 0 or name in own]
    return kept[:MOST]


def _draw_frequencies(ax: Axes, shares: Sequence[tuple[str, float]], facts: Facts) -> None:
    figure_style.plain_axes(ax, grid="x")
    own = {one.feature for one in facts.features}
    names = [name for name, _ in shares]
    colors = [BLUE if name in own else GRAY for name in names]
    ax.barh(range(len(names)), [100 * share for _, share in shares], color=colors, height=0.7)
    stable = facts.stable
    if stable:
        ax.axvline(100 * stable.threshold, color=RED, lw=1.2, ls=(0, (4, 3)))
    ax.set_yticks(range(len(names)), distinct_labels(names, 24))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_title(
        "selection frequency, % (blue: signature)",
        loc="left",
        fontsize=9,
        color=figure_style.INK,
    )


@figure_style.draws_names
def plot_pieces(facts: Facts) -> Figure:
    """Draw the effect of each feature, and the number of rows behind each piece."""
    effects = pd.DataFrame([*map(asdict, facts.effects)])
    names = [one.feature for one in facts.features][:PANELS]
    across = min(ACROSS, max(2, len(names)))
    down = -(-len(names) // across)
    figure = figure_style.new_figure(0.4 + 2.15 * down)
    axes = figure.subplots(down, across, sharey=True, squeeze=False)
    for ax in axes.flat[len(names) :]:
        ax.set_axis_off()
    kinds = {one.feature: one.kind for one in facts.features}
    several = effects["of_class"].nunique() > 1
    reach = _reach(effects[effects["feature"].isin(names)])
    titles = distinct_labels(names, LETTERS)
    for ax, name, title in zip(axes.flat, names, titles, strict=False):
        own = effects[effects["feature"] == name]
        levels = facts.ordered.get(name)
        if levels and (own["low"] == own["high"]).all():
            named = [one if one == "missing" else levels[int(one)] for one in own["low"]]
            own = own.assign(low=named, high=named)
        _draw_effect(ax, own, kinds[name], reach, several)
        ax.set_title(title, loc="left", fontsize=8.5, color=figure_style.INK)
    toward = "its class"
    if facts.classes and not several:
        toward = f"class {shorten_name(str(facts.classes[-1]), 16)}"
    axis = words_of(facts).effect_axis.replace("{class}", toward)
    figure.supylabel(axis, fontsize=8.5, color=figure_style.INK)
    return figure


def _reach(effects: pd.DataFrame) -> tuple[float, float]:
    """Return limits for all panels, with room below for the rows."""
    values = effects[["effect_low", "effect_high"]].to_numpy(np.float64)
    low, high = float(values.min()), float(values.max())
    room = max(high - low, 1e-9)
    return low - 0.42 * room, high + 0.06 * room


def _draw_effect(
    ax: Axes, own: pd.DataFrame, kind: str, reach: tuple[float, float], several: bool
) -> None:
    figure_style.plain_axes(ax)
    ax.axhline(0.0, color=figure_style.QUIET, lw=0.7, zorder=1)
    ax.set_ylim(*reach)
    present = own[own["low"] != "missing"]
    lines = list(dict.fromkeys(own["of_class"]))[: len(figure_style.LINES)]
    for label, line in zip(lines, figure_style.LINES, strict=False):
        look = line if several else figure_style.LOOK[kind]
        part = present[present["of_class"] == label]
        if _has_levels(part):
            mark: dict[str, Any] = {"color": look.color, "ms": 6, "mec": "white", "mew": 0.6}
            ax.plot(range(len(part)), part["effect_low"], look.marker, **mark)
            continue
        knots = np.append(part["low"], part["high"].iloc[-1]).astype(np.float64)
        values = [*part["effect_low"], part["effect_high"].iloc[-1]]
        ax.plot(figure_style.placeable(ax, knots), values, color=look.color, lw=1.6)
    _draw_rows(ax, present[present["of_class"] == lines[0]], reach)


def _has_levels(part: pd.DataFrame) -> bool:
    """Check whether the pieces are named levels."""
    return bool(part["low"].map(lambda one: isinstance(one, str)).all())


def _draw_rows(ax: Axes, part: pd.DataFrame, reach: tuple[float, float]) -> None:
    """Draw bars at the foot of a panel: rows per level or per bin of values."""
    height = 0.26 * (reach[1] - reach[0])
    rows = part["rows"].to_numpy(np.float64)
    if _has_levels(part):
        places, widths, density = np.arange(len(part)), np.full(len(part), 0.7), rows
        names = distinct_labels(part["low"], 20)
        if len(names) <= LEVELS:
            counts = [f"{name} ({int(n)})" for name, n in zip(names, rows, strict=True)]
            long = sum(map(len, counts)) > 34
            ax.set_xticks(
                places, counts, rotation=35 if long else 0, ha="right" if long else "center"
            )
            ax.tick_params(axis="x", labelsize=7, length=0)
        else:
            ax.set_xticks([], [])
            ax.set_xlabel(f"{len(names)} levels", fontsize=8, color=figure_style.INK)
        ax.set_xlim(-0.6, len(part) - 0.4)
        ax.bar(places, height * density / density.max(), widths, bottom=reach[0], color="#dcdcd8")
        return
    ends = figure_style.placeable(
        ax, np.append(part["low"].iloc[:1], part["high"]).astype(np.float64)
    )
    edges = np.linspace(ends[0], max(ends[-1], ends[0] + 1e-12), BINS + 1)
    counts = np.diff(np.interp(edges, ends, np.append(0.0, np.cumsum(rows))))
    bars = height * counts / max(counts.max(), 1e-12)
    width = edges[1] - edges[0]
    ax.bar(edges[:-1], bars, width, bottom=reach[0], align="edge", color="#dcdcd8")
    ax.xaxis.set_major_locator(MaxNLocator(4, min_n_ticks=2))
    ax.spines["bottom"].set_color(figure_style.FAINT)


# probabilities: calibration, classes, decision curve

DRAWN = 4  # classes of a figure
MARGIN = 0.1  # of the height of a decision curve


@figure_style.draws_names
def plot_calibration(facts: ProbabilityFacts) -> Figure:
    """Draw the calibration curve with its band, and a histogram by class."""
    classes = facts.classes[:DRAWN]
    figure = figure_style.new_figure(3.0 * len(classes))
    axes = figure.subplots(len(classes), 2, squeeze=False)
    for (left, right), one in zip(axes, classes, strict=True):
        _draw_curve(left, one)
        _draw_histogram(right, one)
    return figure


def _draw_curve(ax: Axes, one: ClassWorth) -> None:
    figure_style.plain_axes(ax)
    curve, name = one.curve, shorten_name(one.of_class, 24)
    p = np.array(curve.probability)
    low, high, observed = (
        np.array(getattr(curve, key), dtype=np.float64) for key in ("low", "high", "observed")
    )  # None where there is no interval
    ax.plot([0, 1], [0, 1], color=figure_style.QUIET, lw=1.0, ls=(0, (4, 3)))
    ax.fill_between(p, low, high, color=BLUE, alpha=0.18, lw=0)
    ax.plot(p, observed, color=BLUE, lw=1.8)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal", adjustable="box")
    figure_style.name_axes(
        ax, f"predicted probability of class {name}", f"observed proportion of class {name}"
    )


def _draw_histogram(ax: Axes, one: ClassWorth) -> None:
    """Draw the rows of the class above the line, others below."""
    figure_style.plain_axes(ax)
    shape, name = one.histogram, shorten_name(one.of_class, 24)
    edges = np.array(shape.edges)
    own, others = np.array(shape.own), np.array(shape.others)
    width = np.diff(edges)
    ax.bar(edges[:-1], own, width, align="edge", color=RED, alpha=0.85, ec="white", lw=0.5)
    ax.bar(edges[:-1], -others, width, align="edge", color=GRAY, ec="white", lw=0.5)
    ax.axhline(0, color=figure_style.INK, lw=0.8)
    ax.set_xlim(0, 1)
    top = 1.15 * max(own.max(), 1e-12)
    ax.set_ylim(-1.15 * max(others.max(), 1e-12), top)
    place = 0.02 if own[:10].max() < own.max() else 0.98
    side = "left" if place < 0.5 else "right"
    text: dict[str, Any] = {"transform": ax.transAxes, "fontsize": 8, "ha": side}
    ax.text(place, 0.97, f"rows of class {name}", va="top", color=RED, **text)
    ax.text(place, 0.03, "other rows", va="bottom", color=figure_style.QUIET, **text)
    ticks = ax.get_yticks()
    ax.set_yticks(ticks, [f"{abs(tick):g}" for tick in ticks])
    ax.set_ylim(-1.15 * max(others.max(), 1e-12), top)
    figure_style.name_axes(ax, f"predicted probability of class {name}", "rows")


@figure_style.draws_names
def plot_decision(facts: ProbabilityFacts) -> Figure:
    """Draw the decision curve, and the instability of predicted probabilities."""
    moved = (
        facts.prediction_instability
        if isinstance(facts.prediction_instability, PredictionInstability)
        else None
    )
    classes = facts.classes[:DRAWN]
    figure = figure_style.new_figure(2.9 * len(classes))
    axes = figure.subplots(len(classes), 2, squeeze=False)
    for k, one in enumerate(classes):
        _draw_benefit(axes[k][0], one, facts.threshold)
        if moved and not k:
            _draw_persons(axes[k][1], moved, one)
        else:
            axes[k][1].set_axis_off()
    return figure


def _draw_benefit(ax: Axes, one: ClassWorth, threshold: float | None) -> None:
    figure_style.plain_axes(ax)
    curve = one.decision
    t = np.array(curve.threshold)
    model, low, high, every = (
        np.array(getattr(curve, key)) for key in ("model", "low", "high", "all")
    )
    if len(t) == 1:
        ax.plot(t, model, "o", color=BLUE)
    ax.fill_between(t, low, high, color=BLUE, alpha=0.18, lw=0)
    ax.plot(t, every, color=GRAY, lw=1.4)
    ax.axhline(0, color=figure_style.QUIET, lw=1.0, ls=(0, (4, 3)))
    ax.plot(t, model, color=BLUE, lw=1.8)
    top = max(float(np.max(high)), 1e-3)
    ax.set_ylim(-MARGIN * top, top * (1 + MARGIN))
    ax.set_xlim(t[0], t[-1]) if len(t) > 1 else None
    if threshold is not None:
        ax.axvline(threshold, color=RED, lw=1.0)
        look = {"fontsize": 7.5, "color": RED, "va": "top", "xycoords": figure_style.ABOVE}
        figure_style.note(ax, "threshold from costs", (threshold, 0.98), (3, 0), **look)
    name = shorten_name(one.of_class, 24)
    ax.set_title(
        "model (blue), treat all (gray), treat none (dashed)",
        loc="left",
        fontsize=8.5,
        color=figure_style.INK,
    )
    across = f"threshold (predicted probability of class {name})"
    figure_style.name_axes(ax, across, "net benefit per row")


def _draw_persons(ax: Axes, moved: PredictionInstability, one: ClassWorth) -> None:
    figure_style.plain_axes(ax)
    mean, low, high = np.array(moved.example_rows).T
    ax.vlines(mean, low, high, color=BLUE, alpha=0.45, lw=1.4)
    ax.plot(mean, mean, "o", color=figure_style.INK, ms=2.2)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal", adjustable="box")
    name = shorten_name(one.of_class, 24)
    ax.set_title(f"models of {2 * moved.pairs} half-samples", loc="left", fontsize=8.5)
    figure_style.name_axes(ax, f"mean probability of class {name}", f"probability of class {name}")
