"""Means of performance, stability and time over the data sets of a study."""

import numpy as np
import pandas as pd

from hetsel.study.comparison.rank_tests import RankedMeasure
from hetsel.study.comparison.ranked_summary import CLOCKS, RankedSummary
from hetsel.study.comparison.study_summary import Summary


def data_set_means(values: pd.DataFrame, keys: list[str], datasets: list[str]) -> pd.DataFrame:
    """Return means over data sets, with half of their interval, where no data set is missing."""
    kept = values[values["dataset"].isin(datasets) & values["value"].notna()]
    if kept.empty:
        return kept
    squares = kept.assign(corrected=kept["corrected"] ** 2) if "corrected" in kept else kept
    groups = squares.groupby(keys, sort=False)
    found = groups.mean(numeric_only=True)[groups.size() == len(datasets)]
    if "corrected" in found:
        found["corrected"] = np.sqrt(found["corrected"] / len(datasets))
    return found.reset_index()


def independent(summary: Summary) -> list[str]:
    """Return the data sets without treatments, which are not independent blocks."""
    return [name for name in summary.datasets if name not in summary.treatments]


def mean_curves(summary: Summary) -> pd.DataFrame:
    """Return the mean performance by size, where all data sets have the size."""
    return data_set_means(summary.shared_scores, ["method", "size"], independent(summary))


def stability_and_performance(summary: Summary) -> tuple[str, pd.DataFrame, int, int] | None:
    """Return where both are measured, both by method, and the numbers of data sets used and known.

    Columns are stability, performance, half (of the corrected 95% CI of the performance) and front
    (whether no other method exceeds it in one without being below it in the other). Each method has
    its own size, or the chosen one without cross-fitted sizes. Without a common unit there are no
    means.
    """
    score, own, tables = summary.performance, summary.own_size, independent(summary)
    if score.unit and len(tables) > 1:
        return None
    where, scores, stability = "each method at its own cross-fitted size", own.scores, own.stability
    if scores.empty:
        where = f"at the size that {summary.reference} chooses"
        scores, stability = map(summary.small, (summary.shared_scores, summary.shared_stability))
    tables = [name for name in tables if (scores["dataset"] == name).any()]
    steady = stability.pivot_table("value", "dataset", "method").reindex(columns=summary.methods)
    every, tables = tables, [name for name in tables if name in steady.dropna().index] or tables
    parts = (data_set_means(part, ["method"], tables) for part in (scores, stability))
    performance, steady = (part.reindex(columns=["method", "value", "corrected"]) for part in parts)
    both = performance.merge(steady[["method", "value"]], on="method", suffixes=("", "_steady"))
    if both.empty:
        return None
    names = {"value_steady": "stability", "value": "performance", "corrected": "half"}
    points = both.set_index("method").rename(columns=names)
    points = points.reindex([method for method in summary.methods if method in points.index])
    points["front"] = on_front(points[["stability", "performance"]].to_numpy(np.float64))
    return where, points, len(tables), len(every)


def on_front(values: np.ndarray) -> np.ndarray:
    """Return which rows no other row exceeds in a column without being below it in another.

    Examples
    --------
    >>> on_front(np.array([[1, 2], [2, 1], [1, 1], [2, 1]])).tolist()
    [True, True, False, True]
    """
    at_least = (values[:, None] >= values[None]).all(axis=2)
    above = (values[:, None] > values[None]).any(axis=2)
    return np.asarray(~(at_least & above).any(axis=0))


def seconds_over_data_sets(summary: RankedSummary, clock: RankedMeasure) -> pd.DataFrame:
    """Return the median, the least and the largest seconds of one selection by method."""
    table = summary.seconds[clock.key].dropna(axis=1, how="all")
    return pd.DataFrame({"value": table.median(), "low": table.min(), "high": table.max()})


def mean_curves_frame(summary: Summary) -> pd.DataFrame:
    """Return `mean_curves`; empty for errors in different units, which have no mean."""
    columns = ["method", "size", "value", "corrected"]
    found = mean_curves(summary)
    several = summary.performance.unit and len(independent(summary)) > 1
    return (found[:0] if several else found).reindex(columns=columns)


def means_frame(summary: Summary) -> pd.DataFrame:
    """Return performance and stability of each method over the data sets."""
    names = ["performance", "half", "stability", "front"]
    found = stability_and_performance(summary)
    points = pd.DataFrame(columns=names, dtype=np.float64) if found is None else found[1]
    table = points[names].reindex(summary.methods)
    table = table.rename(columns={"half": "performance_corrected", "front": "on_front"})
    return table.rename_axis("method").reset_index().assign(data_sets=found[2] if found else 0)


def seconds_over_data_sets_frame(summary: RankedSummary) -> pd.DataFrame:
    """Return `seconds_over_data_sets` of both clocks."""
    parts = [
        seconds_over_data_sets(summary, clock)
        .rename_axis("method")
        .reset_index()
        .assign(measure=clock.label)
        for clock in CLOCKS
    ]
    names = {"value": "median", "low": "least", "high": "largest"}
    return pd.concat(parts, ignore_index=True).rename(columns=names)
