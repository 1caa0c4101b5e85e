"""Performance, stability and time of every method on every data set, as a paper tabulates them."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from hetsel.ground.rounding import reaches
from hetsel.statistics.comparisons import corrections, resampled_means
from hetsel.statistics.stability.measures_of_stability import nogueira_interval
from hetsel.study.comparison import baselines, rank_tests, reference_size
from hetsel.study.comparison.study_summary import Summary

PLACE = ["dataset", "method"]


@dataclass(frozen=True, eq=False)
class MeasuredMethods:
    """A measure by data set (rows) and method (columns)."""

    means: pd.DataFrame
    errors: pd.DataFrame  # standard errors of the means; NaN without one
    best: pd.DataFrame  # whether a mean is the best of its data set
    # whether a method is not shown to be worse than the best; False without a test
    not_worse: pd.DataFrame
    ranks: rank_tests.RankTest  # of the means, without treatments
    tested: bool  # whether any data set has tests of pairs


def has_own_sizes(summary: Summary) -> bool:
    """Return whether methods are measured at cross-fitted sizes, or at the chosen ones."""
    return not summary.own_size.frame.empty


def measured_performance(summary: Summary) -> MeasuredMethods:
    """Measure the mean score, each method at its own size, or at the chosen one."""
    if has_own_sizes(summary):
        rows = summary.own_size.frame
    else:
        score = {summary.performance.key: "value"}
        rows = summary.small(summary.shared).rename(columns=score).dropna(subset=["value"])
    return _over_resamplings(summary, rows, larger_is_better=True)


def measured_seconds(summary: Summary, clock: rank_tests.RankedMeasure) -> MeasuredMethods:
    """Measure the mean seconds of one selection; less is better."""
    rows = summary.shared.drop_duplicates([*PLACE, "resampling"])
    rows = rows.rename(columns={clock.key: "value"}).dropna(subset=["value"])
    return _over_resamplings(summary, rows, larger_is_better=False)


def measured_stability(summary: Summary) -> MeasuredMethods:
    """Measure Kuncheva's index at the same sizes as the performance; its pairs have no test.

    The variance of the index is that of Nogueira's measure, which equals it. At cross-fitted sizes
    it is the variance of the mean over both halves of the resamplings.
    """
    rows: list[tuple[Any, ...]]
    if has_own_sizes(summary):
        frame = summary.own_size.frame
        groups = frame.groupby(PLACE, sort=False)
        errors = {place: _error_of_halves(summary, place, own) for place, own in groups}
        table = summary.own_size.stability
        rows = [(*row, errors[row[:2]]) for row in table.itertuples(index=False, name=None)]
    else:
        table = summary.small(summary.shared_stability)
        error = (table["high"] - table["low"]) / (2 * _normal())
        rows = list(zip(table["dataset"], table["method"], table["value"], error, strict=True))
    frame = pd.DataFrame(rows, columns=[*PLACE, "value", "error"])
    means, errors_of = (_wide(summary, frame, name) for name in ("value", "error"))
    return _measured(summary, means, errors_of, {}, larger_is_better=True)


def _error_of_halves(summary: Summary, place: Any, own: pd.DataFrame) -> float:
    """Return the standard error of the mean stability of both halves of the resamplings."""
    variances = []
    for _, half in own.groupby(own["resampling"] % 2):
        numbers, chosen = summary.results.signatures(*place, int(half["size"].iloc[0]))
        kept = chosen[np.isin(numbers, half["resampling"])]
        if len(kept) < 2:
            return np.nan
        found = nogueira_interval(kept, level=reference_size.LEVEL)
        variances.append(((found.high - found.low) / (2 * _normal())) ** 2)
    return float(np.sqrt(sum(variances)) / len(variances))


def _normal() -> float:
    return float(stats.norm.isf((1 - reference_size.LEVEL) / 2))


def _over_resamplings(
    summary: Summary, rows: pd.DataFrame, *, larger_is_better: bool
) -> MeasuredMethods:
    """Measure means with corrected standard errors, and test pairs within each data set."""
    means, errors, pvalues = {}, {}, {}
    for dataset, own in rows.groupby("dataset", sort=False):
        name, share = str(dataset), summary.results.test_shares[str(dataset)]
        table = own.pivot(index="resampling", columns="method", values="value").dropna()
        means[name] = table.mean()
        errors[name] = table.apply(_corrected_error, args=(share,))
        if len(table) >= baselines.FEWEST:
            pvalues[name] = _pairs_of_a_row(table, share)
    wide, errors_of = (
        pd.DataFrame(part).T.reindex(index=summary.datasets, columns=summary.methods)
        for part in (means, errors)
    )
    return _measured(summary, wide, errors_of, pvalues, larger_is_better=larger_is_better)


def _corrected_error(values: pd.Series, share: float) -> float:
    """Return the standard error of the mean with the correction of Nadeau and Bengio."""
    if len(values) < 2:
        return np.nan
    test = resampled_means.resampled_t_test(values, test_share=share, correction="nadeau-bengio")
    return test.standard_error


def _pairs_of_a_row(table: pd.DataFrame, share: float) -> dict[frozenset[str], float]:
    """Return p-values of all pairs of methods after Holm's adjustment within the data set."""
    pairs = list(combinations(table.columns, 2))
    pvalues = [
        resampled_means.resampled_t_test(
            (table[one] - table[other]).to_numpy(np.float64),
            test_share=share,
            correction="parted-pairs",
        ).pvalue
        for one, other in pairs
    ]
    adjusted = corrections.holm(pd.Series(pvalues, dtype=np.float64))
    return dict(zip(map(frozenset, pairs), adjusted, strict=True))


def _measured(
    summary: Summary,
    means: pd.DataFrame,
    errors: pd.DataFrame,
    pvalues: dict[str, dict[frozenset[str], float]],
    *,
    larger_is_better: bool,
) -> MeasuredMethods:
    sign = 1.0 if larger_is_better else -1.0
    best, not_worse = (
        pd.DataFrame(False, index=means.index, columns=means.columns) for _ in range(2)
    )
    for dataset, row in means.iterrows():
        values = sign * row.dropna()
        if values.empty:
            continue
        top = values.index[reaches(values.to_numpy(np.float64), float(values.max()))]
        best.loc[dataset, top] = True
        tests = pvalues.get(str(dataset), {})
        for method in values.index.difference(top):
            adjusted = [tests.get(frozenset((method, first)), 0.0) for first in top]
            not_worse.loc[dataset, method] = min(adjusted) > rank_tests.LEVEL
    independent = [name for name in means.index if name not in summary.treatments]
    ranks = rank_tests.compare_ranks(
        means.loc[independent], "data set", larger_is_better=larger_is_better, permute=True
    )
    return MeasuredMethods(means, errors, best, not_worse, ranks, bool(pvalues))


def _wide(summary: Summary, frame: pd.DataFrame, name: str) -> pd.DataFrame:
    table = frame.pivot(index="dataset", columns="method", values=name)
    return table.reindex(index=summary.datasets, columns=summary.methods).astype(np.float64)
