"""Tests of scores against baselines that use no features."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from hetsel.ground.rounding import tie_rows
from hetsel.statistics.comparisons import corrections, resampled_means

LEVEL = 0.05
FEWEST = 10  # minimum number of resamplings for a test on one data set
WHAT = {
    "bcr_by_chance": "chance",
    "accuracy_of_majority": "the majority class",
    "concordance_by_chance": "chance",
    "ibs_of_kaplan_meier": "the Kaplan–Meier curve",
    **dict.fromkeys(("r2_of_mean", "mae_of_mean", "rmse_of_mean"), "the training mean"),
}


@dataclass(frozen=True, eq=False)
class Baseline:
    """A score minus its baseline, averaged over all sizes, so that no size is chosen.

    `by_dataset` has columns dataset, method, mean (of the score), baseline, difference, pvalue
    (one-sided t-test over resamplings; NaN with fewer than 10) and holm (adjusted for all data sets
    and methods). `overall` has columns method, datasets (their number), difference (mean over data
    sets), pvalue (one-sided t-test over data sets; NaN with one data set) and holm (adjusted for
    all methods).
    """

    score: str
    column: str  # the name of the baseline in the results
    what: str  # the baseline in words
    by_dataset: pd.DataFrame
    overall: pd.DataFrame

    def above(self, level: float = LEVEL) -> list[str]:
        """Return the methods that are significantly above the baseline over the data sets."""
        return [str(m) for m in self.overall.loc[shown_above(self.overall, level), "method"]]

    def above_on(self, method: str, level: float = LEVEL) -> list[str]:
        """Return the data sets on which a method is significantly above the baseline."""
        own = shown_above(self.by_dataset, level) & (self.by_dataset["method"] == method)
        return [str(name) for name in self.by_dataset.loc[own, "dataset"]]


def shown_above(table: pd.DataFrame, level: float) -> pd.Series:
    """Return which rows of `by_dataset` or `overall` are significantly above the baseline.

    Holm's p-value of the method, and of every method with a larger difference on the same data
    sets, must be at most the level. No method is therefore named before a better one.
    """
    passed = table["holm"] <= level
    others = table["difference"].where(table["holm"] > level)
    if "dataset" in table:
        others = others.groupby(table["dataset"]).transform("max")
    else:
        others = others.max()
    return passed & ~(table["difference"] < others)


def baseline(
    frame: pd.DataFrame,
    score: str,
    column: str,
    test_shares: dict[str, float],
    methods: Sequence[str],
    treatments: Collection[str] = (),
    *,
    what: str = "",
    unit: bool = False,
) -> Baseline:
    """Test for every method whether a score is above its baseline.

    The score of a resampling is its mean over all sizes. The test over data sets is a t-test of
    their means. It holds its level for normal means with different variances, at two-sided levels
    up to 0.10 with up to 14 data sets and up to 0.083 with any number (Ibragimov and Müller). The
    test on one data set is a t-test over resamplings with the parted-pairs correction, because that
    of Nadeau and Bengio rejects too often on noise; see
    :mod:`hetsel.statistics.comparisons.resampled_means`.

    `frame` has the rows of one judge. The test over data sets omits `treatments`. A score with a
    unit has no test over data sets.

    References
    ----------
    Ibragimov & Müller (2010) Journal of Business & Economic Statistics 28, 453-468.
    """
    known = frame.dropna(subset=[score, column])
    known = known.assign(difference=known[score] - known[column])
    keys = ["dataset", "method", "resampling"]
    cells = known.groupby(keys, sort=False)[[score, column, "difference"]].mean().reset_index()
    rows = []
    for (dataset, method), own in cells.groupby(["dataset", "method"], sort=False):
        pvalue = np.nan
        if len(own) >= FEWEST:
            pvalue = resampled_means.resampled_t_test(
                own["difference"],
                test_share=test_shares[str(dataset)],
                correction="parted-pairs",
                alternative="greater",
            ).pvalue
        means = own[[score, column, "difference"]].mean()
        rows.append((dataset, method, *means, pvalue))
    columns = ["dataset", "method", "mean", "baseline", "difference", "pvalue"]
    by_dataset = pd.DataFrame(rows, columns=columns)
    by_dataset["holm"] = corrections.holm(by_dataset["pvalue"])
    left_out = by_dataset["dataset"].isin(treatments) | unit
    overall = _overall(by_dataset[~left_out], methods)
    return Baseline(score, column, what or WHAT.get(column, column), by_dataset, overall)


def _overall(by_dataset: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    rows = []
    for method in methods:
        means = by_dataset.loc[by_dataset["method"] == method, "difference"].to_numpy()
        pvalue = np.nan
        if len(means) > 1:
            pvalue = _above_zero(means)
        rows.append((method, len(means), means.mean() if len(means) else np.nan, pvalue))
    table = pd.DataFrame(rows, columns=["method", "datasets", "difference", "pvalue"])
    return table.assign(holm=corrections.holm(table["pvalue"]))


def _above_zero(means: np.ndarray) -> float:
    """Return the one-sided p-value of the t-test; without variation 0, 1/2 or 1 by the sign."""
    if np.ptp(tie_rows(means)) == 0:
        return float(0.5 - 0.5 * np.sign(means[0]))
    return float(stats.ttest_1samp(means, 0.0, alternative="greater").pvalue)
