"""Pairs of methods by the probabilities that one is better, or both as good as equal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import pandas as pd

from hetsel.report.baselines import FEWEST
from hetsel.statistics.bayesian_tests import ROPE, bayesian_signed_rank_test, bayesian_t_test


def bayesian_pairs(
    resampled: pd.DataFrame,
    test_shares: dict[str, float],
    methods: Sequence[str],
    *,
    rope: float = ROPE,
    treatments: Collection[str] = (),
) -> pd.DataFrame:
    """How probably one method is better than another, on each data set and over all of them.

    On one data set the Bayesian t-test, with the correction by parted pairs as in the tests of
    pairs there; over data sets the Bayesian signed-rank test of the means, from two data sets on
    that have both methods.

    Parameters
    ----------
    resampled : DataFrame
        Columns analysis, dataset, method, resampling, value: one score for each resampling.
    test_shares : dict
        By data set.
    methods : sequence of str
        In the order of the study.
    rope : float
        Differences up to this one are practically none, on the scale of the score.
    treatments : collection of str, optional
        Data sets that are treatments of others: no part of what is over the data sets.

    Returns
    -------
    DataFrame
        Columns analysis, dataset (missing: over the data sets), one, other, difference (mean of one
        minus that of the other), and the probabilities one_better, equivalent and other_better.
        Data sets with fewer than 10 resamplings have no rows of their own.
    """
    rows: list[tuple[object, ...]] = []
    for analysis, part in resampled.groupby("analysis", sort=False):
        means = part.groupby(["dataset", "method"], sort=False)["value"].mean().unstack("method")
        for one, other in combinations([m for m in methods if m in means.columns], 2):
            for dataset, own in part.groupby("dataset", sort=False):
                table = own.pivot(index="resampling", columns="method", values="value")
                if not {one, other} <= set(table.columns) or len(table) < FEWEST:
                    continue
                apart = (table[one] - table[other]).to_numpy()
                share = test_shares[str(dataset)]
                here = bayesian_t_test(
                    apart, test_share=share, rope=rope, correction="parted-pairs"
                )
                three = (here.right, here.equivalent, here.left)
                rows.append((analysis, dataset, one, other, apart.mean(), *three))
            tables = means[~means.index.isin(treatments)]
            apart = (tables[one] - tables[other]).dropna().to_numpy()
            if len(apart) > 1:
                over = bayesian_signed_rank_test(apart, rope=rope)
                three = (over.right, over.equivalent, over.left)
                rows.append((analysis, None, one, other, apart.mean(), *three))
    columns = ["analysis", "dataset", "one", "other", "difference"]
    return pd.DataFrame(rows, columns=[*columns, "one_better", "equivalent", "other_better"])
