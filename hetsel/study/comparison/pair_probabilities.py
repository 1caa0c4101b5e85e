"""Pairs of methods by the probabilities that one is better, or both as good as equal."""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import fsum

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons import bayesian_ranks, corrections
from hetsel.study.comparison.baselines import FEWEST

# With all differences far on one side and a prior that speaks for the other one, that side has
# probability B(1 - sqrt(1/2)), B the distribution Beta(1/2, n) of the prior's weight: above 0.95
# from 6 data sets on. With fewer it is the place of the prior that decides: indeterminate in the
# sense of Benavoli et al. (2014). Of 2 data sets a prior in the region would leave 0.964.
FEWEST_DATA_SETS = 6
CASES = ["one_better", "equivalent", "other_better"]


def bayesian_pairs(
    resampled: pd.DataFrame,
    test_shares: dict[str, float],
    methods: Sequence[str],
    *,
    rope: float = corrections.ROPE,
    treatments: Collection[str] = (),
) -> pd.DataFrame:
    """How probably one method is better than another, on each data set and over all of them.

    On one data set the Bayesian t-test, with the correction by parted pairs as in the tests of
    pairs there; over data sets the Bayesian signed-rank test of the means. The methods exchanged
    exchange the two sides; their order and that of the data sets change no number. `resampled` has
    analysis, dataset, method, resampling, value: one score for each resampling. Differences up to
    `rope` are practically none. `treatments` of other data sets are no part of what is over them.

    Returns
    -------
    DataFrame
        Columns `analysis` (the rule by which sizes are cross-fitted), `dataset` (missing: over the
        data sets), `one`, `other`, `number` of resamplings (of data sets), `difference`, the mean
        of one minus that of the other, and the probabilities that it is above a region of practical
        equivalence (`one_better`), within (`equivalent`) and below (`other_better`): by the
        Bayesian correlated t-test, or over data sets the signed-rank test. Data sets with fewer
        than 10 resamplings have no rows of their own, pairs with fewer than 6 data sets none over
        them, as the prior would decide. They are of each pair alone, and no error rates.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon & Ruggeri (2014) Proceedings of Machine Learning Research
    32(2), 1026-1034; Benavoli, Corani, Demsar & Zaffalon (2017) Journal of Machine Learning
    Research 18(77).
    """
    rows: list[tuple[object, ...]] = []
    for analysis, part in resampled.groupby("analysis", sort=False):
        tables = {
            str(dataset): own.pivot(index="resampling", columns="method", values="value")
            for dataset, own in part.groupby("dataset", sort=False)
        }
        for dataset, table in tables.items():
            here = _on_one(table, methods, test_shares[dataset], rope)
            rows += [(analysis, dataset, *row) for row in here]
        blocks = {name: table.mean() for name, table in tables.items() if name not in treatments}
        means = pd.DataFrame(blocks).T
        rows += [
            (analysis, None, *row)
            for row in bayesian_pairs_over_data_sets(means, methods, rope=rope)
        ]
    columns = ["analysis", "dataset", "one", "other", "number", "difference", *CASES]
    return pd.DataFrame(rows, columns=columns)


def _on_one(
    table: pd.DataFrame, methods: Sequence[str], test_share: float, rope: float
) -> list[tuple[object, ...]]:
    """The pairs of one data set, a table of its resamplings × methods."""
    rows: list[tuple[object, ...]] = []
    if len(table) < FEWEST:
        return rows
    for one, other in combinations([m for m in methods if m in table.columns], 2):
        apart = (table[one] - table[other]).to_numpy(np.float64)
        found = bayesian_ranks.bayesian_t_test(
            apart, test_share=test_share, rope=rope, correction="parted-pairs"
        )
        three = (found.right, found.equivalent, found.left)
        rows.append((one, other, len(apart), found.mean, *three))
    return rows


def bayesian_pairs_over_data_sets(
    means: pd.DataFrame, methods: Sequence[str], *, rope: float = corrections.ROPE
) -> list[tuple[object, ...]]:
    """Rows of `bayesian_pairs` over data sets, from means (data sets, methods), NaN for gaps."""
    pairs, differences = [], []
    for one, other in combinations([m for m in methods if m in means.columns], 2):
        apart = (means[one] - means[other]).dropna().to_numpy(np.float64)
        if len(apart) >= FEWEST_DATA_SETS:
            pairs.append((one, other))
            differences.append(apart)
    return [
        # fsum: the order of the data sets does not round the mean
        (*pair, found.n, fsum(apart) / found.n, found.right, found.equivalent, found.left)
        for pair, apart, found in zip(
            pairs,
            differences,
            bayesian_ranks.bayesian_signed_rank_tests(differences, rope=rope),
            strict=True,
        )
    ]
