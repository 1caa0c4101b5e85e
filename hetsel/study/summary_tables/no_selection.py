"""Each method at its own size against no selection: the judge on all features."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from hetsel.ground.rounding import tie_rows
from hetsel.statistics.comparisons import corrections, resampled_means
from hetsel.study.comparison.baselines import FEWEST
from hetsel.study.comparison.study_summary import Summary

COLUMNS = ["dataset", "method", "resamplings", "mean", "all_features", "difference"]
COLUMNS += ["low", "high", "pvalue", "holm"]


def against_no_selection(summary: Summary) -> pd.DataFrame:
    """Compare each method at its own cross-fitted size with all features, on the same splits.

    At the size of all features every method has the same signature, so its score there is that of
    no selection.

    Returns
    -------
    DataFrame
        One row per data set and method, and one per method over the data sets (`dataset` is
        missing): number of `resamplings` (or data sets), `mean` score at the own size, score of
        `all_features`, `difference`, its 95% CI (`low`, `high`), two-sided `pvalue`, and `holm`,
        adjusted for all rows of data sets, or for all methods over the data sets. Tests on a data
        set are t-tests with the parted-pairs correction and need 10 resamplings. Over data sets it
        is a t-test of their mean differences, without treatments. A score with a unit has no test
        over data sets. Data sets without scores of all features have no row.
    """
    score = summary.performance.key
    rows = []
    for (dataset, method), own in summary.own_size.frame.groupby(["dataset", "method"], sort=False):
        p = len(summary.names(str(dataset)))
        frame = summary.frame
        here = (frame["dataset"] == dataset) & (frame["method"] == method) & (frame["size"] == p)
        whole = frame[here].set_index("resampling")[score].dropna()
        values = own.set_index("resampling")["value"]
        common = values.index.intersection(whole.index)
        if not len(common):
            continue
        apart = (values[common] - whole[common]).to_numpy(np.float64)
        row: dict[str, Any] = {"dataset": dataset, "method": method, "resamplings": len(common)}
        row |= {"mean": values[common].mean(), "all_features": whole[common].mean()}
        rows.append(row | _tested(apart, summary.results.test_shares[str(dataset)]))
    table = pd.DataFrame(rows, columns=COLUMNS)
    table["holm"] = corrections.holm(table["pvalue"].astype(np.float64))
    overall = _overall(summary, table)
    return pd.concat([table, overall], ignore_index=True) if len(overall) else table


def _tested(apart: np.ndarray, test_share: float) -> dict[str, float]:
    """Return the mean difference on a data set, with interval and p-value where they exist."""
    if len(apart) < FEWEST:
        return {"difference": float(apart.mean())}
    option: Any = {"test_share": test_share, "correction": "parted-pairs"}
    interval = resampled_means.resampled_interval(apart, **option)
    test = resampled_means.resampled_t_test(apart, **option)
    ends = {"low": interval.low, "high": interval.high}
    return {"difference": interval.mean, **ends, "pvalue": test.pvalue}


def _overall(summary: Summary, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over the data sets."""
    if summary.performance.unit:
        return table[:0]
    blocks = table[~table["dataset"].isin(summary.treatments)]
    rows = []
    for method in summary.methods:
        own = blocks[blocks["method"] == method]
        if len(own) < 2:
            continue
        apart = own["difference"].to_numpy(np.float64)
        row: dict[str, Any] = {"dataset": None, "method": method, "resamplings": len(own)}
        row |= {"mean": own["mean"].mean(), "all_features": own["all_features"].mean()}
        row["difference"] = float(apart.mean())
        if np.ptp(tie_rows(apart)) > 0:
            test = stats.ttest_1samp(apart, 0.0)
            interval = test.confidence_interval(0.95)
            row |= {"low": interval.low, "high": interval.high, "pvalue": test.pvalue}
        rows.append(row)
    found = pd.DataFrame(rows, columns=COLUMNS)
    found["holm"] = corrections.holm(found["pvalue"].astype(np.float64))
    return found
