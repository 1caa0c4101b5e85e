"""The numbers of the figures of each data set: curves by size, selected features and effects."""

import numpy as np
import pandas as pd

from hetsel.study.comparison.study_summary import Summary
from hetsel.study.model_on_all_rows import ModelOnAllRows, final_model

PLACE = ["dataset", "method", "size"]


def curves_frame(summary: Summary) -> pd.DataFrame:
    """Return performance, stability and number of categorical features by size.

    `low` and `high` are the ends of the naive 95% CI and `corrected` is half the corrected one.
    `resamplings` is "all", or "common" for those that all methods of the data set have.
    """
    score = summary.performance.key
    parts = [
        summary.scores.assign(measure=score, resamplings="all"),
        summary.stability.assign(measure="ki", resamplings="all"),
        summary.categorical.assign(measure="n_categorical", resamplings="all"),
        summary.shared_scores.assign(measure=score, resamplings="common"),
        summary.shared_stability.assign(measure="ki", resamplings="common"),
    ]
    columns = ["measure", "resamplings", *PLACE, "value", "low", "high", "corrected"]
    return pd.concat([part.reindex(columns=columns) for part in parts if len(part)])


def frequencies_frame(summary: Summary) -> pd.DataFrame:
    """Return the proportion of resamplings that select each feature at the chosen size."""
    parts = []
    for dataset in summary.datasets:
        table = summary.shares(dataset).rename_axis(index="feature").reset_index()
        long = table.melt("feature", var_name="method", value_name="frequency")
        parts.append(long.assign(dataset=dataset, size=summary.chosen[dataset]))
    columns = [*PLACE, "feature", "frequency"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def effect_curves_frame(summary: Summary) -> pd.DataFrame:
    """Return the centered effects of the features in the final model of each data set.

    `at` is a value of the feature or a level; continuous and ordinal effects are linear in between.
    A row has a class if there are more than two.
    """
    parts = []
    for dataset in summary.datasets:
        size, method = summary.chosen[dataset], summary.reference
        model = final_model(summary.results, dataset, method, size)
        if not isinstance(model, ModelOnAllRows):
            continue
        for curve in model.curves:
            several = len(curve.values) > 1
            for number, values in enumerate(curve.values):
                place = {"dataset": dataset, "method": method, "size": size}
                place |= {"feature": curve.name, "kind": curve.kind}
                place |= {"class": model.classes[number] if several else ""}
                centered = values - values.mean() if values.size else values
                effects = {"at": np.asarray(curve.knots, dtype=object), "effect": centered}
                parts.append(pd.DataFrame(place | effects))
    columns = [*PLACE, "feature", "kind", "class", "at", "effect"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
