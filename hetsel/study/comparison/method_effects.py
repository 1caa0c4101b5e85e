"""Effects: how far two methods differ over the data sets, and on each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hetsel.ground.array_types import Floats
from hetsel.statistics.comparisons import paired_effects, pairwise_ranks, resampled_means
from hetsel.study.comparison.baselines import FEWEST
from hetsel.study.comparison.rank_tests import LEVEL, RankTest

FEWEST_BLOCKS = 2  # data sets of a pair
KEYS = ["measure", "analysis"]
PAIR = ["better", "worse"]
EFFECTS = ["estimate", "low", "high", "attained_level", "standardized", "standardized_robust"]
EFFECTS += ["cliffs_delta", "magnitude", "blocks"]
LIMITS = [*KEYS, "comparisons", "tests", "blocks", "least", "needed"]


@dataclass(frozen=True, eq=False)
class ComparedBlocks:
    """What one analysis compares by one measure."""

    measure: str
    analysis: str
    values: pd.DataFrame  # data sets (rows) by methods; NaN is missing
    test: RankTest
    # scores of each resampling: dataset, method, resampling, value; None if the analysis has none
    resampled: pd.DataFrame | None = None

    def pairs(self) -> tuple[NDArray[np.object_], Floats, Floats]:
        """Return names (pairs, 2) and values (pairs, data sets) of both methods.

        The first method has the better mean rank; for equal ranks the order is that of the study.
        The values of both are NaN for a data set that lacks one. Pairs with fewer than 2 data sets
        are left out.
        """
        ranks = np.nan_to_num(self.test.mean_ranks, nan=np.inf)
        order = np.argsort(ranks, kind="stable")
        first, second = (order[side] for side in np.triu_indices(len(order), 1))
        names = np.array(self.test.names, dtype=object)
        table = self.values[[*self.test.names]].to_numpy(np.float64).T
        lacking = np.isnan(table[first]) | np.isnan(table[second])
        kept = (~lacking).sum(axis=1) >= FEWEST_BLOCKS
        values = (np.where(lacking, np.nan, table[side])[kept] for side in (first, second))
        return np.stack([names[first], names[second]], axis=1)[kept], *values


def effects_frame(several: Sequence[ComparedBlocks], level: float = 1 - LEVEL) -> pd.DataFrame:
    """Return one row per measure, analysis and pair of methods.

    Columns are measure, analysis, better, worse (by mean rank), estimate, low, high (Hodges-Lehmann
    estimate of the difference, better minus worse, with its exact interval), attained_level (of the
    interval; below 0.95 with fewer than 6 data sets), standardized and standardized_robust (Cohen's
    d, and its variant with medians), cliffs_delta, magnitude (of Cliff's delta) and blocks (number
    of data sets). See :func:`hetsel.stats.hodges_lehmann` and :func:`hetsel.stats.effect_sizes`.
    """
    parts = []
    for one in several:
        names, first, second = one.pairs()
        table = pd.DataFrame(names, columns=PAIR).reindex(columns=[*PAIR, *EFFECTS])
        table["blocks"] = (~np.isnan(first)).sum(axis=1)
        for own in table.groupby("blocks").indices.values():
            both = (side[own] for side in (first, second))
            x, y = (side[~np.isnan(side)].reshape(len(own), -1) for side in both)
            apart = pairwise_ranks.score_differences(x, y)
            *middle, attained = paired_effects.hodges_lehmann_rows(apart, level)
            relative = paired_effects.effect_size_rows(x, y)
            columns = (*middle, np.full(len(x), attained), *relative)
            table.loc[own, EFFECTS[: len(columns)]] = np.stack(columns, axis=1)
        table["magnitude"] = [paired_effects.magnitude(delta) for delta in table["cliffs_delta"]]
        parts.append(table.assign(measure=one.measure, analysis=one.analysis))
    return stacked_tables(parts, [*KEYS, *PAIR, *EFFECTS])


def stacked_tables(parts: Sequence[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    """Return the rows of all tables that have some, with these columns."""
    kept = [part for part in parts if len(part)]
    table = pd.concat(kept, ignore_index=True) if kept else pd.DataFrame()
    return table.reindex(columns=columns)


def differences_frame(
    several: Sequence[ComparedBlocks], test_shares: dict[str, float], level: float = 1 - LEVEL
) -> pd.DataFrame:
    """Return one row per measure, analysis, pair of methods and data set.

    Columns are measure, analysis, dataset, better, worse, difference (better minus worse), low and
    high: the interval over resamplings with the parted-pairs correction (see
    :func:`hetsel.stats.resampled_interval`). It needs 10 resamplings and scores of single
    resamplings at one size, and is NaN otherwise.
    """
    parts = []
    for one in several:
        names, first, second = one.pairs()
        half = _half_widths(one, names, test_shares, level)
        apart = pairwise_ranks.score_differences(first, second)
        pair, block = np.nonzero(~np.isnan(apart))
        columns = {
            "measure": one.measure,
            "analysis": one.analysis,
            "dataset": one.values.index.astype(str).to_numpy()[block],
            "better": names[pair, 0],
            "worse": names[pair, 1],
            "difference": apart[pair, block],
            "low": (apart - half)[pair, block],
            "high": (apart + half)[pair, block],
        }
        parts.append(pd.DataFrame(columns))
    return stacked_tables(parts, [*KEYS, "dataset", *PAIR, "difference", "low", "high"])


def _half_widths(
    one: ComparedBlocks, names: NDArray[np.object_], test_shares: dict[str, float], level: float
) -> Floats:
    """Return half of the interval over resamplings of each pair and data set, NaN without one."""
    half = np.full((len(names), len(one.values)), np.nan)
    if one.resampled is None:
        return half
    for dataset, own in one.resampled.groupby("dataset", sort=False):
        table = own.pivot(index="resampling", columns="method", values="value")
        table = table.reindex(columns=[*one.test.names])
        if len(table) >= FEWEST and dataset in one.values.index:
            apart = table[names[:, 0]].to_numpy() - table[names[:, 1]].to_numpy()
            half[:, one.values.index.get_loc(dataset)] = resampled_means.half_widths(
                apart.std(axis=0, ddof=1),
                len(apart),
                test_shares[str(dataset)],
                level,
                "parted-pairs",
            )
    return half


def profiles_frame(several: Sequence[ComparedBlocks]) -> pd.DataFrame:
    """Return how often each method is how close to the best method of a data set.

    Columns are measure, analysis, method, distance and share: the proportion of the data sets on
    which the value of the method is at most this distance below the best value. There is one row
    for distance 0 and for every distance at which the share grows. A data set that lacks a method
    counts as never close for it: Dolan & Moré (2002) Mathematical Programming 91, 201-213, with
    differences in place of ratios.
    """
    parts = []
    for one in several:
        values = one.values[[*one.test.names]].dropna(how="all").to_numpy(np.float64)
        if len(values) < FEWEST_BLOCKS:
            continue
        best = np.nanmax(values, axis=1, keepdims=True)
        gaps = pairwise_ranks.score_differences(np.broadcast_to(best, values.shape), values)
        for name, own in zip(one.test.names, gaps.T, strict=True):
            distances = np.unique(np.append(0.0, own[~np.isnan(own)]))
            columns = {
                "measure": one.measure,
                "analysis": one.analysis,
                "method": name,
                "distance": distances,
                "share": (own[:, None] <= distances).mean(axis=0),
            }
            parts.append(pd.DataFrame(columns))
    return stacked_tables(parts, [*KEYS, "method", "distance", "share"])


def limits_frame(several: Sequence[ComparedBlocks], control: str | None) -> pd.DataFrame:
    """Return what so few data sets cannot show by Wilcoxon's test with Holm's adjustment.

    Columns are measure, analysis, comparisons ("all pairs", or "with" the control method), tests
    (their number), blocks (data sets of the pair with the most), least (the smallest possible
    adjusted p-value) and needed (the least number of data sets whose smallest p-value is at most
    0.05). Analyses whose ranks alone are compared are omitted.
    """
    rows: list[tuple[Any, ...]] = []
    for one in several:
        if one.test.pairs is None or "wilcoxon" not in one.test.pairs:
            continue
        names, first, _ = one.pairs()
        numbers = (~np.isnan(first)).sum(axis=1)
        kept = {"all pairs": numbers}
        if control is not None:
            kept[f"with {control}"] = numbers[(names == control).any(axis=1)]
        for name, blocks in kept.items():
            if m := len(blocks):
                least = paired_effects.least_wilcoxon_holm(blocks.max(), m)
                needed = paired_effects.fewest_blocks(m, level=LEVEL)
                rows.append((one.measure, one.analysis, name, m, blocks.max(), least, needed))
    return pd.DataFrame(rows, columns=LIMITS)
