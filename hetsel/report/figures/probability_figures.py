"""Probabilities of a signature, drawn from its facts: calibration, classes, decision curve."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hetsel.ground import shown
from hetsel.report.figures.figure_style import (
    ABOVE,
    INK,
    LINES,
    QUIET,
    draws_names,
    name_axes,
    new_figure,
    note,
    plain_axes,
    shortened,
)
from hetsel.signature.probabilities.probability_facts import ClassWorth, Movement, ProbabilityFacts

BLUE, RED, GRAY = LINES[0].color, LINES[1].color, "#b9bcc0"
DRAWN = 4  # classes of a figure
MARGIN = 0.1  # of the height of a decision curve


@draws_names
def plot_calibration(facts: ProbabilityFacts) -> Figure:
    """Draw what is observed by probability with its band, and the probabilities by class."""
    classes = facts.classes[:DRAWN]
    figure = new_figure(3.0 * len(classes))
    axes = figure.subplots(len(classes), 2, squeeze=False)
    for (left, right), one in zip(axes, classes, strict=True):
        _draw_curve(left, one)
        _draw_histogram(right, one)
    return figure


def _draw_curve(ax: Axes, one: ClassWorth) -> None:
    plain_axes(ax)
    curve, name = one.curve, shortened(shown(str(one.of_class)), 24)
    p = np.array(curve.probability)
    low, high, observed = (
        np.array(getattr(curve, key), dtype=np.float64) for key in ("low", "high", "observed")
    )  # None where there is no interval
    ax.plot([0, 1], [0, 1], color=QUIET, lw=1.0, ls=(0, (4, 3)))
    ax.fill_between(p, low, high, color=BLUE, alpha=0.18, lw=0)
    ax.plot(p, observed, color=BLUE, lw=1.8)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal", adjustable="box")
    name_axes(ax, f"probability of {name}", f"observed share of {name}")


def _draw_histogram(ax: Axes, one: ClassWorth) -> None:
    """The class above the line, the others below."""
    plain_axes(ax)
    shape, name = one.histogram, shortened(shown(str(one.of_class)), 24)
    edges = np.array(shape.edges)
    own, others = np.array(shape.own), np.array(shape.others)
    width = np.diff(edges)
    ax.bar(edges[:-1], own, width, align="edge", color=RED, alpha=0.85, ec="white", lw=0.5)
    ax.bar(edges[:-1], -others, width, align="edge", color=GRAY, ec="white", lw=0.5)
    ax.axhline(0, color=INK, lw=0.8)
    ax.set_xlim(0, 1)
    top = 1.15 * max(own.max(), 1e-12)
    ax.set_ylim(-1.15 * max(others.max(), 1e-12), top)
    place = 0.02 if own[:10].max() < own.max() else 0.98
    side = "left" if place < 0.5 else "right"
    text: dict[str, Any] = {"transform": ax.transAxes, "fontsize": 8, "ha": side}
    ax.text(place, 0.97, f"rows of {name}", va="top", color=RED, **text)
    ax.text(place, 0.03, "other rows", va="bottom", color=QUIET, **text)
    ticks = ax.get_yticks()
    ax.set_yticks(ticks, [f"{abs(tick):g}" for tick in ticks])
    ax.set_ylim(-1.15 * max(others.max(), 1e-12), top)
    name_axes(ax, f"probability of {name}", "rows")


@draws_names
def plot_decision(facts: ProbabilityFacts) -> Figure:
    """Draw the net benefit by threshold, and how far the probabilities of a person lie apart."""
    moved = facts.movement if isinstance(facts.movement, Movement) else None
    classes = facts.classes[:DRAWN]
    figure = new_figure(2.9 * len(classes))
    axes = figure.subplots(len(classes), 2, squeeze=False)
    for k, one in enumerate(classes):
        _draw_benefit(axes[k][0], one, facts.threshold)
        if moved and not k:
            _draw_persons(axes[k][1], moved, one)
        else:
            axes[k][1].set_axis_off()
    return figure


def _draw_benefit(ax: Axes, one: ClassWorth, threshold: float | None) -> None:
    plain_axes(ax)
    curve = one.decision
    t = np.array(curve.threshold)
    model, low, high, every = (
        np.array(getattr(curve, key)) for key in ("model", "low", "high", "all")
    )
    if len(t) == 1:
        ax.plot(t, model, "o", color=BLUE)
    ax.fill_between(t, low, high, color=BLUE, alpha=0.18, lw=0)
    ax.plot(t, every, color=GRAY, lw=1.4)
    ax.axhline(0, color=QUIET, lw=1.0, ls=(0, (4, 3)))
    ax.plot(t, model, color=BLUE, lw=1.8)
    top = max(float(np.max(high)), 1e-3)
    ax.set_ylim(-MARGIN * top, top * (1 + MARGIN))
    ax.set_xlim(t[0], t[-1]) if len(t) > 1 else None
    if threshold is not None:
        ax.axvline(threshold, color=RED, lw=1.0)
        look = {"fontsize": 7.5, "color": RED, "va": "top", "xycoords": ABOVE}
        note(ax, "threshold of the costs", (threshold, 0.98), (3, 0), **look)
    name = shortened(shown(str(one.of_class)), 24)
    ax.set_title("model (blue), all (gray), none (dashed)", loc="left", fontsize=8.5, color=INK)
    across = f"threshold: treat from this probability of {name} on"
    name_axes(ax, across, "net benefit, cases a row")


def _draw_persons(ax: Axes, moved: Movement, one: ClassWorth) -> None:
    plain_axes(ax)
    mean, low, high = np.array(moved.persons).T
    ax.vlines(mean, low, high, color=BLUE, alpha=0.45, lw=1.4)
    ax.plot(mean, mean, "o", color=INK, ms=2.2)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal", adjustable="box")
    name = shortened(shown(str(one.of_class)), 24)
    ax.set_title(f"a row, models of {2 * moved.pairs} halves", loc="left", fontsize=8.5)
    name_axes(ax, f"mean probability of {name}", "middle 95 % of the models")
