"""The figures of a study, each with its caption and what a screen reader says instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from hetsel.ground.rounding import reaches
from hetsel.report.figures.critical_difference import plot_critical_difference
from hetsel.report.figures.curves import Panel, plot_size_curves
from hetsel.report.figures.effect_curves import plot_effects, plot_selection
from hetsel.report.figures.figure_style import Line, method_lines
from hetsel.report.numbers.compared_measures import KI, Measure
from hetsel.report.numbers.final_model import FinalModel, final_model
from hetsel.report.numbers.rank_tests import RankTest
from hetsel.report.numbers.study_summary import Summary
from hetsel.report.pages.wording import join


@dataclass(frozen=True)
class Picture:
    """A figure of a report, or in words why it is missing.

    Parameters
    ----------
    key : str
        Name of its file and of its place in the page.
    section : str
        The key of an analysis, such as "own-size" or "printed-one-size", or the name of a data set.
    caption : str
    spoken : str
        What the figure shows, for those who cannot see it.
    figure : Figure or None
    title : str
        Above the figure, if it has one.
    """

    key: str
    section: str
    caption: str
    spoken: str
    figure: Figure | None
    title: str = ""


def pictures(summary: Summary) -> Iterator[Picture]:
    """All figures of a study, in the order of the report."""
    several = [
        (summary.analyses(measure) + summary.printed(measure)) for measure in summary.measures
    ]
    for same in zip(*several, strict=True):
        tests = [(measure, a.test) for measure, a in zip(summary.measures, same, strict=True)]
        where = f"{same[0].where[0].lower()}{same[0].where[1:]}"
        yield _diagrams(same[0].key, tests, where)
    lines = method_lines(summary.methods, summary.told)
    for dataset in summary.datasets:
        yield _curves(summary, dataset, lines)
        yield _selection(summary, dataset)
        if summary.judge == "classifier":  # a final model of numbers has no effect curves
            yield _effects(summary, dataset)


def _diagrams(section: str, tests: Sequence[tuple[Measure, RankTest]], where: str) -> Picture:
    able = [(test, _phrase(measure)) for measure, test in tests if not test.reason]
    missing = [(test, _phrase(measure)) for measure, test in tests if test.reason]
    if not able:
        reason = f"No critical-difference diagram, {where}: {missing[0][0].reason}."
        return Picture(f"diagram-{section}", section, reason, "", None)
    titles = [f"{m.quality} ({m.name})" for m, test in tests if not test.reason]
    figure = plot_critical_difference([test for test, _ in able], titles=titles)
    held = any(np.isfinite(test.permutation) for test, _ in able)
    rule = "Nemenyi, 0.05; all are joined where the test by permutations rejects nothing"
    caption = (
        f"Mean ranks (1 is best), {where}: {join(name for _, name in able)}; a block is a "
        f"{able[0][0].what}. Thick lines join methods whose mean ranks do not differ significantly "
        f"({rule if held else 'Nemenyi, 0.05'}); CD is Nemenyi's critical difference."
    )
    caption += "".join(f" No diagram of {name}: {test.reason}." for test, name in missing)
    spoken = "Critical-difference diagram. " + " ".join(
        f"{name}: " + ", ".join(f"{method} {rank:.2f}" for method, rank in test.ordered) + "."
        for test, name in able
    )
    return Picture(f"diagram-{section}", section, caption, spoken, figure)


def _phrase(measure: Measure) -> str:
    """A measure inside a sentence."""
    return f"{measure.quality.lower()} ({measure.name})"


def _curves(summary: Summary, dataset: str, lines: Mapping[str, Line]) -> Picture:
    tables = (summary.scores, summary.stability, summary.categorical)
    scores, stability, categorical = (t[t["dataset"] == dataset] for t in tables)
    score = summary.performance
    panels = [Panel(score.name, scores, *score.limits)]
    if len(stability):
        panels.append(Panel(KI.name, stability, *KI.limits))
    panels.append(Panel("number of categorical features", categorical, 0.0))
    size = summary.chosen[dataset]
    figure = plot_size_curves(panels, chosen=size, lines=lines)
    caption = (
        f"{dataset}: {score.phrase}, stability of the selection and number of selected "
        "categorical features for each signature size, means over the resamplings. Bands: naive "
        "95 % intervals of the means (t) and of the stability (Nogueira), the resamplings taken as "
        "independent; where the selection is nearly constant its stability has none. "
        f"Dashed line: the size that {summary.reference} chooses, {size}."
    )
    if not len(stability):
        caption += " Stability needs at least two resamplings and a size below that of the table."
    at = scores[scores["size"] == size]
    spoken = f"Curves for {dataset}. {score.phrase} at size {size}: " + ", ".join(
        f"{row['method']} {score.text(row['value'])}" for _, row in at.iterrows()
    )
    return Picture(f"curves-{dataset}", dataset, caption, spoken, figure)


def _selection(summary: Summary, dataset: str) -> Picture:
    shares = summary.shares(dataset)
    size = summary.chosen[dataset]
    figure = plot_selection(shares)
    ever = int((shares.max(axis=1) > 0).sum())
    which = f"the {ever} features that are in one at all, by their mean percentage"
    if ever > 15:
        which = "the 15 with the largest percentage of any method, by their mean percentage"
    elif ever == 1:
        which = "no other feature is ever in one"
    caption = (
        f"{dataset}: percentage of the resamplings in which a feature is in the signature of "
        f"size {size}; {which}, ties in column order. A dot is 0."
    )
    firsts = (f"{method} {_largest(shares[method])}" for method in shares.columns)
    spoken = f"Selection frequencies for {dataset}. Most often: {', '.join(firsts)}"
    return Picture(f"selection-{dataset}", dataset, caption, spoken, figure)


def _largest(shares: pd.Series) -> str:
    """The features of the largest share: some of them, and how many more, where many tie."""
    names = [str(name) for name in shares.index[reaches(shares.to_numpy(), shares.max())]]
    more = len(names) - 3
    return join(names) if more <= 0 else f"{', '.join(names[:3])} and {more} more"


def _effects(summary: Summary, dataset: str) -> Picture:
    size, method = summary.chosen[dataset], summary.reference
    model = final_model(summary.results, dataset, method, size)
    key = f"effects-{dataset}"
    if not isinstance(model, FinalModel):
        return Picture(key, dataset, f"{dataset}: {model}.", "", None)
    figure = plot_effects(model.curves, model.classes)
    toward = (
        f"speaks for class {model.classes[1]}"
        if len(model.classes) == 2
        else "speaks for the class of the line, against the rest"
    )
    caption = (
        f"{dataset}: effect of each feature on the decision value of the final model, exact and "
        f"centered at 0; above 0 {toward}. Clinical-kernel SVM (C = 10) on all rows and the "
        f"signature of size {size} that {method} selects from them: {join(model.names)}."
    )
    if len(model.curves) > 12:
        caption += " The 12 widest effects are drawn."
    spoken = f"Effect curves for {dataset}: {', '.join(model.names)}"
    return Picture(key, dataset, caption, spoken, figure)
