"""One data set: curves by size, selected features and effects of the final model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from hetsel.ground.rounding import reaches
from hetsel.report.elements.blocks import Part, Picture, Section, Shown, part_of
from hetsel.study.comparison import rank_tests, study_summary
from hetsel.study.model_on_all_rows import ModelOnAllRows, final_model
from hetsel.study.summary_tables import by_data_set
from hetsel.words import phrases, study_sentences

if TYPE_CHECKING:  # figures are loaded where they are drawn: exported tables have none
    from hetsel.report.figures.figure_style import Line

# by kind of target: output of the final model, and meaning of effects above 0 without classes
EFFECTS = {
    "classes": ("decision value", ""),
    "numbers": ("prediction", "a larger prediction"),
    "survival": ("risk score", "an earlier event"),
}


def _curves(summary: study_summary.Summary, dataset: str, lines: Mapping[str, Line]) -> Picture:
    from hetsel.report.figures.size_curves import Panel, plot_size_curves

    tables = (summary.scores, summary.stability, summary.categorical)
    scores, stability, categorical = (t[t["dataset"] == dataset] for t in tables)
    score = summary.performance
    panels = [Panel(score.name, scores, *score.limits)]
    if len(stability):
        panels.append(Panel(rank_tests.KI.name, stability, *rank_tests.KI.limits))
    panels.append(Panel("number of categorical features", categorical, 0.0, counts=True))
    size = summary.chosen[dataset]
    figure = plot_size_curves(panels, chosen=size, lines=lines)
    caption = (
        f"{dataset}: mean {score.phrase}, stability of the selection and mean number of selected "
        "categorical features by signature size. Bands are naive 95% CIs, which treat resamplings "
        "as independent; a nearly constant selection has no band. The dashed line marks size "
        f"{size}, which {summary.reference} chooses."
    )
    if not len(stability):
        caption += (
            " Stability needs at least two resamplings and a size below the number of features."
        )
    at = scores[scores["size"] == size]
    spoken = f"Curves for {dataset}. {score.phrase} at size {size}: " + ", ".join(
        f"{row['method']} {score.text(row['value'])}" for _, row in at.iterrows()
    )
    return Picture(f"curves-{dataset}", caption, spoken, figure)


def _selection(summary: study_summary.Summary, dataset: str) -> Picture:
    from hetsel.report.figures.effects_and_selections import plot_selection

    shares = summary.shares(dataset)
    size = summary.chosen[dataset]
    figure = plot_selection(shares)
    ever = int((shares.max(axis=1) > 0).sum())
    which = f"The {ever} features that are selected at least once"
    if ever > 15:
        which = "The 15 features with the largest percentage of any method"
    order = f"{which} are in the order of their mean percentage, ties in column order."
    if ever == 1:
        order = "No other feature is ever selected."
    caption = (
        f"{dataset}: percentage of the resamplings that select a feature into the signature of "
        f"size {size}. {order} A dot is 0."
    )
    firsts = (f"{method} {_largest(shares[method])}" for method in shares.columns)
    spoken = f"Selection frequencies for {dataset}. Most often: {', '.join(firsts)}"
    return Picture(f"selection-{dataset}", caption, spoken, figure)


def _largest(shares: pd.Series) -> str:
    """Name the features with the largest proportion; of many ties the first three."""
    names = [str(name) for name in shares.index[reaches(shares.to_numpy(), shares.max())]]
    more = len(names) - 3
    return phrases.join(names) if more <= 0 else f"{', '.join(names[:3])} and {more} more"


def _effects(summary: study_summary.Summary, dataset: str) -> Picture:
    from hetsel.report.figures.effects_and_selections import plot_effects

    size, method = summary.chosen[dataset], summary.reference
    model = final_model(summary.results, dataset, method, size)
    key = f"effects-{dataset}"
    if not isinstance(model, ModelOnAllRows):
        return Picture(key, f"{dataset}: {model}.", "", None)
    value, above = EFFECTS[model.kind]
    figure = plot_effects(model.curves, model.classes, above)
    if above:
        toward = f"mean {above}"
    elif len(model.classes) == 2:
        toward = f"favor class {model.classes[1]}"
    else:
        toward = "favor the class of the line over the other classes"
    caption = (
        f"{dataset}: exact effect of each feature on the {value} of the final model, centered at "
        f"0; effects above 0 {toward}. The model is a {phrases.inside(model.machine)} on all rows "
        f"with the signature of size {size} that {method} selects from all rows: "
        f"{phrases.join(model.names)}."
    )
    if len(model.curves) > 12:
        caption += " The figure shows the 12 widest effects."
    spoken = f"Effect curves for {dataset}: {', '.join(model.names)}"
    return Picture(key, caption, spoken, figure)


def _parts(summary: study_summary.Summary) -> Iterator[Part]:
    from hetsel.report.figures.figure_style import method_lines

    lines = method_lines(summary.methods, summary.told)
    for k, name in enumerate(summary.datasets, 1):
        shown = (_curves(summary, name, lines), _selection(summary, name), _effects(summary, name))
        blocks: list[Shown] = [study_sentences.lead(summary, name), *shown]
        alone = len(summary.datasets) == 1
        yield part_of(f"data-{k}", f"Data set {name}", blocks, unfolded=alone)


SECTION = Section(
    parts=_parts,
    found=lambda summary: [study_sentences.absent_classes(summary)],
    tables={
        "curves": by_data_set.curves_frame,
        "selection_frequencies": by_data_set.frequencies_frame,
        "effect_curves": by_data_set.effect_curves_frame,
    },
)
