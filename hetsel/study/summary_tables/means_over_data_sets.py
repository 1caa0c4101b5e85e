"""Means of performance, stability and time over the data sets of a study."""

import numpy as np
import pandas as pd

from hetsel.study.comparison.ranked_summary import RankedSummary
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

    Columns are stability, performance and half (of the corrected 95% CI of the performance). Each
    method has its own size, or the chosen one without cross-fitted sizes. Without a common unit
    there are no means.
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
    return where, points, len(tables), len(every)


def seconds_over_data_sets(summary: RankedSummary) -> pd.DataFrame:
    """Return the median, the least and the largest CPU seconds of one ranking by method."""
    table = summary.seconds.dropna(axis=1, how="all")
    return pd.DataFrame({"value": table.median(), "low": table.min(), "high": table.max()})


def mean_curves_frame(summary: Summary) -> pd.DataFrame:
    """Return `mean_curves`; empty for errors in different units, which have no mean."""
    columns = ["method", "size", "value", "corrected"]
    found = mean_curves(summary)
    several = summary.performance.unit and len(independent(summary)) > 1
    return (found[:0] if several else found).reindex(columns=columns)


def means_frame(summary: Summary) -> pd.DataFrame:
    """Return performance, stability and seconds of each method over the data sets."""
    times = seconds_over_data_sets(summary).rename(
        columns={"value": "seconds_median", "low": "seconds_least", "high": "seconds_largest"}
    )
    names = ["performance", "half", "stability"]
    found = stability_and_performance(summary)
    points = pd.DataFrame(columns=names, dtype=np.float64) if found is None else found[1]
    table = points[names].join(times, how="outer").reindex(summary.methods)
    table = table.rename(columns={"half": "performance_corrected"})
    return table.rename_axis("method").reset_index().assign(data_sets=found[2] if found else 0)
