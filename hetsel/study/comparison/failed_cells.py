"""A fallback for failed cells: the scores of the baseline, which uses no features."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.statistics.performance.scores import Scores

Fallback = Literal["baseline"]


def check_fallback(fallback: Any, scores: Scores, score: str) -> None:
    """Raise an error if failed cells cannot be scored so."""
    if fallback is None:
        return
    if fallback not in get_args(Fallback):
        raise TableError(
            f"fallback must be {' or '.join(get_args(Fallback))}. Got {fallback!r:.60}"
        )
    if score not in scores.baselines:
        raise TableError(
            f"fallback needs a score that has a baseline: {', '.join(scores.baselines)}. Got "
            f"{score}. Leave fallback out"
        )


def baseline_rows(
    frame: pd.DataFrame, failures: pd.DataFrame, scores: Scores, judges: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """Return rows of the failed cells in the form of `frame`, scored as the baseline.

    The baseline of a split is that of another method with the same judge, at its sizes. Scores
    without a baseline, times and numbers of features are missing. A split on which all methods
    failed has no rows. `judges` are the labels by data set.
    """
    named = failures[["dataset", "method", "resampling"]].copy()
    named["classifier"] = pd.Series(
        [
            [label] if label else list(judges[name])
            for name, label in zip(failures["dataset"], failures["judge"], strict=True)
        ],
        index=failures.index,
        dtype=object,
    )
    place = ["dataset", "resampling", "classifier"]
    known = frame.drop_duplicates([*place, "size"]).drop(columns="method")
    rows = named.explode("classifier").merge(known, on=place)
    absent = [name for name in (*scores.names, "n_categorical") if name not in scores.baselines]
    absent += [name for name in frame.columns if name.startswith("rank_")]
    baselines = {score: rows[column] for score, column in scores.baselines.items()}
    return rows.assign(**baselines, **dict.fromkeys(absent, np.nan), cut="")[list(frame.columns)]
