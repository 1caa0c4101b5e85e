"""Comparison of methods at sizes that the other half of the resamplings chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons import corrections, resampled_means
from hetsel.statistics.stability.measures_of_stability import kuncheva
from hetsel.study.comparison.baselines import FEWEST as FEWEST_TESTED

ENDS = ("low", "high", "half")


@dataclass(frozen=True, eq=False)
class CrossfittedScores:
    """Scores of every method and data set at cross-fitted sizes."""

    frame: pd.DataFrame  # dataset, method, resampling, size, value: the score there
    # dataset, method, value (mean over the resamplings), number, std; naive and corrected: half the
    # 95% t interval and half the interval of Nadeau and Bengio
    scores: pd.DataFrame
    # dataset, method, value: mean of Kuncheva's index of both halves at their sizes; no row if a
    # half selects all features, since the index is then not defined
    stability: pd.DataFrame
    sizes: pd.DataFrame  # dataset, method, even, odd: sizes at which these resamplings are scored
    absent: tuple[str, ...]  # data sets with too few resamplings, or no size that all methods have


def score_crossfitted(
    results: Any, frame: pd.DataFrame, score: str, datasets: Sequence[str], *, own: bool
) -> CrossfittedScores:
    """Score methods at cross-fitted sizes; see :func:`hetsel.stats.crossfitted_sizes`.

    With `own`, each method has a size that its own curve chooses. Otherwise all methods have one
    size that the mean of their curves chooses. Both rules treat methods alike: exchangeable methods
    have exchangeable means. `frame` has the rows of one judge for the resamplings that all methods
    of a data set share.
    """
    parts, absent = [], []
    for dataset in datasets:
        part = frame[frame["dataset"] == dataset].dropna(subset=[score])
        found = _judged_rows(part, score, results.test_shares[dataset], own)
        if found.empty:
            absent.append(dataset)
        else:
            parts.append(found.assign(dataset=dataset))
    columns = ["dataset", "method", "resampling", "size", "value"]
    rows = pd.concat(parts)[columns] if parts else pd.DataFrame(columns=columns)
    scores = _means(rows, results.test_shares)
    return CrossfittedScores(rows, scores, _stability(results, rows), _sizes(rows), tuple(absent))


def crossfitted_frame(
    own: CrossfittedScores,
    one: CrossfittedScores,
    score: str,
    limits: tuple[float, float] = (-np.inf, np.inf),
) -> pd.DataFrame:
    """Return means at sizes that the other half of the resamplings chose.

    Columns are `dataset`, `method`, `rule` ("own size": chosen by the curve of each method; "one
    size": chosen by the mean of all curves), `size_even` and `size_odd` (sizes of the even-numbered
    and odd-numbered resamplings), `resamplings`, the score, its two 95% CIs as in the summary
    (clipped to the limits of the score) with half of their widths before clipping, and `kuncheva`,
    missing if a size is that of all features.
    """
    parts = []
    for rule, found in (("own size", own), ("one size", one)):
        table = found.scores.merge(found.sizes, on=["dataset", "method"], how="left")
        index = found.stability.rename(columns={"value": "kuncheva"})
        table = table.merge(index, on=["dataset", "method"], how="left").assign(rule=rule)
        for name in ("corrected", "naive"):
            table[f"{score}_low_{name}"] = (table["value"] - table[name]).clip(lower=limits[0])
            table[f"{score}_high_{name}"] = (table["value"] + table[name]).clip(upper=limits[1])
            table[f"{score}_half_{name}"] = table[name]
        parts.append(table)
    names = {"value": score, "number": "resamplings", "even": "size_even", "odd": "size_odd"}
    bounds = [f"{score}_{end}_{name}" for name in ("corrected", "naive") for end in ENDS]
    columns = ["dataset", "method", "rule", "size_even", "size_odd", "resamplings", score, *bounds]
    return pd.concat(parts, ignore_index=True).rename(columns=names)[[*columns, "kuncheva"]]


def _judged_rows(part: pd.DataFrame, score: str, test_share: float, own: bool) -> pd.DataFrame:
    """Return the rows of a data set at their cross-fitted sizes."""
    table = part.pivot(index="resampling", columns=["method", "size"], values=score)
    table = table.dropna(axis=1)
    methods = list(dict.fromkeys(table.columns.get_level_values("method")))
    curves = {method: table[method] for method in methods}
    shared = [s for s in part["size"].unique() if all(s in c.columns for c in curves.values())]
    numbers = table.index.to_numpy()
    even = int((numbers % 2 == 0).sum())
    few = (
        len(methods) < part["method"].nunique()
        or min(even, len(numbers) - even) < resampled_means.FEWEST
    )
    if few or not shared:
        return pd.DataFrame()
    common = sum(curve[shared] for curve in curves.values()) / len(curves)
    rows = []
    for method, curve in curves.items():
        chooser = curve if own else common
        at = resampled_means.crossfitted_sizes(
            chooser.to_numpy(), [int(s) for s in chooser.columns], numbers, test_share=test_share
        )
        values = curve.to_numpy()[np.arange(len(curve)), curve.columns.get_indexer(at)]
        rows.append(
            pd.DataFrame({"method": method, "resampling": numbers, "size": at, "value": values})
        )
    return pd.concat(rows)


def _means(rows: pd.DataFrame, test_shares: dict[str, float]) -> pd.DataFrame:
    groups = rows.groupby(["dataset", "method"], sort=False, observed=True)["value"]
    table = groups.agg(["mean", "std", "count"]).reset_index()
    table = table.rename(columns={"mean": "value", "count": "number"})
    shares = table["dataset"].map(test_shares).to_numpy(np.float64)
    return table.assign(
        naive=resampled_means.half_widths(table["std"], table["number"]),
        corrected=resampled_means.half_widths(table["std"], table["number"], shares),
    )


def _sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the sizes of both halves: dataset, method, even, odd."""
    half = np.where(rows["resampling"].to_numpy(np.int64) % 2 == 0, "even", "odd")
    groups = rows.assign(half=half).groupby(["dataset", "method", "half"], sort=False)["size"]
    table = groups.first().unstack("half").reset_index()
    return table.reindex(columns=["dataset", "method", "even", "odd"])


def _stability(results: Any, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of Kuncheva's index of both halves at their sizes."""
    found = []
    for (dataset, method), own in rows.groupby(["dataset", "method"], sort=False):
        indices = []
        for _, half in own.groupby(own["resampling"] % 2, sort=True):
            size = int(half["size"].iloc[0])
            numbers, chosen = results.signatures(dataset, method, size)
            kept = chosen[np.isin(numbers, half["resampling"])]
            if len(kept) > 1 and size < kept.shape[1]:
                indices.append(kuncheva(kept))
        if len(indices) == 2:
            found.append((dataset, method, float(np.mean(indices))))
    return pd.DataFrame(found, columns=["dataset", "method", "value"])


def pair_tests(found: CrossfittedScores, test_shares: dict[str, float]) -> pd.DataFrame:
    """Test pairs of methods on each data set by t-tests with the parted-pairs correction.

    Columns are dataset, better, worse, difference (of the means), pvalue (two-sided; see
    :mod:`hetsel.statistics.comparisons.resampled_means`) and holm (adjusted for all pairs of all
    data sets). Data sets with fewer than 10 resamplings are omitted.
    """
    rows = []
    for dataset, own in found.frame.groupby("dataset", sort=False):
        table = own.pivot(index="resampling", columns="method", values="value")
        if len(table) < FEWEST_TESTED:
            continue
        for one, other in combinations(dict.fromkeys(own["method"]), 2):
            apart = (table[one] - table[other]).to_numpy(np.float64)
            share = test_shares[str(dataset)]
            test = resampled_means.resampled_t_test(
                apart, test_share=share, correction="parted-pairs"
            )
            better, worse = (one, other) if test.mean >= 0 else (other, one)
            rows.append((dataset, better, worse, abs(test.mean), test.pvalue))
    columns = ["dataset", "better", "worse", "difference", "pvalue"]
    pairs = pd.DataFrame(rows, columns=columns)
    return pairs.assign(holm=corrections.holm(pairs["pvalue"]))
