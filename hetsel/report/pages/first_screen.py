"""The first screen of a study report: one figure for each question that the study answers."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from hetsel.ground import plain_number
from hetsel.report.elements.blocks import Picture
from hetsel.report.figures import critical_difference, method_points, size_curves
from hetsel.report.figures.distinct_labels import distinct_labels
from hetsel.report.figures.figure_style import OTHER, Line, method_lines
from hetsel.study.comparison import rank_tests, study_summary
from hetsel.study.comparison.ranked_summary import CLOCKS, RankedSummary
from hetsel.study.summary_tables import means_over_data_sets
from hetsel.words.phrases import count, inside, join, p_number, p_value

BANDS = 3  # up to this many methods all have a band
PANELS = 6  # up to this many data sets have a panel each; above, the mean is drawn
DIAGRAM = 6  # from this many data sets on, mean ranks are drawn
NARROW, HALF, WIDE, FULL = 4.0, 6.1, 8.3, 12.4  # inches: a third of the page, a half, ...
HEIGHT = 2.8
CORRECTED = "95% CIs, corrected for overlapping training sets"


def overview(summary: study_summary.Summary) -> Iterator[Picture]:
    """Yield the figures that apply to the study."""
    lines = method_lines(summary.methods, summary.told)
    tables = [name for name in summary.datasets if name not in summary.treatments]
    diagram = mean_ranks_picture(summary, lines) if len(tables) >= DIAGRAM else None
    if len(summary.datasets) == 1:
        wide, narrow = NARROW, NARROW
    else:
        wide, narrow = (WIDE, NARROW) if diagram else (FULL, HALF)
    for picture in (
        _by_size(summary, lines, tables, wide),
        _against(summary, lines, narrow),
        diagram,
        seconds_picture(summary, lines, narrow),
    ):
        if picture is not None:
            yield picture


def _by_size(
    summary: study_summary.Summary, lines: Mapping[str, Line], tables: list[str], width: float
) -> Picture | None:
    """Draw performance by size: a panel for each data set, or the mean of many."""
    score, scores, datasets = summary.performance, summary.shared_scores, summary.datasets
    bands = f"Bands are {CORRECTED}."
    if len(summary.methods) > BANDS:
        bands = f"The band shows {CORRECTED}, for {summary.leaders[0]}."
    caption = f"Mean {score.name} over the resamplings, by signature size. {bands}"
    if len(datasets) > PANELS and score.unit:
        return None  # errors in different units have no mean
    label: Callable[..., list[str]] = distinct_labels
    if len(datasets) > PANELS:
        label = list  # not a name of the user
        datasets = [f"{score.name}, mean over {count(len(tables), 'data set')}"]
        scores = means_over_data_sets.mean_curves(summary).assign(dataset=datasets[0])
        caption = f"Mean {score.name} over the data sets, at sizes that all of them have. {bands}"
    elif len(datasets) == 1:
        datasets = [score.name]
        scores = scores.assign(dataset=score.name)
        caption = f"Mean {score.name} over the resamplings, by signature size. {bands}"
    scores = scores.dropna(subset=["value"])
    if scores.empty:
        return None
    few = len(summary.methods) <= BANDS  # many bands would hide each other: only the best method
    banded = scores["method"].isin(summary.methods if few else summary.leaders[:1])
    scores = scores.assign(corrected=scores["corrected"].where(banded))
    scores = scores.assign(
        low=(scores["value"] - scores["corrected"]).clip(lower=score.limits[0]),
        high=(scores["value"] + scores["corrected"]).clip(upper=score.limits[1]),
    )
    panels = [
        size_curves.Panel(title, scores[scores["dataset"] == name], *score.limits)
        for name, title in zip(datasets, label(datasets), strict=True)
    ]
    rows = 2 if len(panels) == PANELS else 1
    drawn = [panel for panel in panels if len(panel.values)]
    size, across = (width, HEIGHT + 0.2 * (rows - 1)), -(-len(panels) // rows)
    figure = size_curves.plot_size_curves(drawn, lines=lines, band="", size=size, across=across)
    largest = scores[scores["size"] == scores["size"].max()].groupby("method")["value"].mean()
    listed = _listed(largest, lines, "at the largest size")
    spoken = f"{score.name} by size of the signature. {listed}"
    gray = sum(line is OTHER for line in lines.values())
    if gray:
        caption += (
            f" The {len(lines) - gray} methods with the best mean ranks are in color, the other "
            f"{gray} in gray."
        )
    return Picture("performance-by-size", caption, spoken, figure, f"{score.quality} by size")


def _against(
    summary: study_summary.Summary, lines: Mapping[str, Line], width: float
) -> Picture | None:
    """Draw stability against performance, each method at its own size or at the chosen one."""
    score = summary.performance
    found = means_over_data_sets.stability_and_performance(summary)
    if found is None:
        return None
    where, points, used, every = found
    labels = (f"{rank_tests.KI.name} (1: identical selections)", score.name)
    figure = method_points.plot_stability_against_performance(
        points, lines, labels, (width, HEIGHT)
    )
    mean = "" if every == 1 else f", mean over {count(used, 'data set')}"
    if used < every:
        mean += f" of {every} (on the others, a method selects all features)"
    caption = (
        f"Performance and stability, {where}{mean}. The upper right corner is best; lines are "
        f"{CORRECTED}."
    )
    if points["front"].sum() > 1:
        caption += " The dotted line joins the methods that no other method exceeds in both."
    absent = [method for method in summary.methods if method not in points.index]
    if absent:
        verb = "is" if len(absent) == 1 else "are"
        caption += f" {join(absent)} {verb} omitted for lack of one of the two."
    spoken = "Stability against performance. " + ", ".join(
        f"{method}: {row['stability']:.2f} and {score.text(row['performance'])}"
        for method, row in points.iterrows()
        if lines[str(method)] is not OTHER
    )
    title = "Stability against performance"
    return Picture("stability-against-performance", caption, spoken, figure, title)


def mean_ranks_picture(summary: RankedSummary, lines: Mapping[str, Line]) -> Picture | None:
    measure = summary.performance
    named = summary.named(measure)
    if named is None:
        return None
    test, level = named.test, p_number(summary.levels[0])
    ranks = pd.Series(test.mean_ranks, index=list(test.names))
    caption = (
        f"Mean ranks (1 is best) by {measure.phrase}, {inside(named.where)}, with "
        f"{count(test.blocks, 'data set')} as blocks (permutation test: "
        f"{p_value(test.permutation)}). "
    )
    if len(test.names) <= method_points.METHODS_WITH_ROWS:
        figure = critical_difference.plot_critical_difference(test, width=WIDE)
        caption += (
            "Thick lines join methods that do not differ significantly (Nemenyi's test, level "
            f"{level})."
        )
    else:
        values = pd.DataFrame({"value": ranks, "low": ranks, "high": ranks})
        differ = test.critical_difference if test.permutation <= summary.levels[0] else np.nan
        figure = method_points.plot_rows(values, lines, "mean rank", width=WIDE, difference=differ)
        if np.isfinite(differ):
            caption += (
                "Methods in the band are not significantly worse than the best (Nemenyi's test, "
                f"level {level}; critical difference {differ:.2f})."
            )
    spoken = f"Mean ranks. {_listed(ranks, lines)}"
    return Picture("mean-ranks", caption, spoken, figure, "Mean ranks")


def seconds_picture(
    summary: RankedSummary, lines: Mapping[str, Line], width: float
) -> Picture | None:
    values, cpu = (
        means_over_data_sets.seconds_over_data_sets(summary, clock).clip(lower=1e-4)
        for clock in CLOCKS
    )
    if values.empty:
        return None
    figure = method_points.plot_rows(
        values, lines, "seconds of one selection", width=width, log=True, ticks=cpu["value"]
    )
    caption = (
        "Elapsed seconds of one selection, without the judge; ticks are seconds of the CPU, with "
        "the processes that a method started"
    )
    if len(summary.datasets) > 1:
        caption += ". Points and ticks are medians, and lines are ranges, over the data sets"
    spoken = f"Elapsed seconds of one selection. {_listed(values['value'], lines)}"
    return Picture("time", f"{caption}.", spoken, figure, "Time of one selection")


def _listed(values: pd.Series, lines: Mapping[str, Line], where: str = "") -> str:
    """List values of the highlighted methods, for screen readers."""
    told = (str(method) for method in values.index if lines[str(method)] is not OTHER)
    shown = (f"{method} {plain_number(values[method], 3)}" for method in told)
    return f"{join(shown)} {where}".strip() + "."
