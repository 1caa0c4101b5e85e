"""Probabilities that one method of a pair is better or both are practically equivalent."""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import fsum

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons import bayesian_ranks, corrections
from hetsel.study.comparison.baselines import FEWEST

# If all differences are far on one side and the prior favors the other side, the first side has
# probability B(1 - sqrt(1/2)), where B is the distribution Beta(1/2, n) of the weight of the prior.
# This is above 0.95 from 6 data sets on. With fewer data sets the prior decides: indeterminate in
# the sense of Benavoli et al. (2014). With 2 data sets, a prior in the region would leave 0.964.
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
    """Compute probabilities that a method is better, on each data set and over data sets.

    On one data set, the Bayesian correlated t-test is used with the parted-pairs correction. Over
    data sets, the Bayesian signed-rank test of the means is used. The order of methods and data
    sets changes no number. The test over data sets omits treatments.

    Parameters
    ----------
    resampled : DataFrame
        One score per resampling, with columns analysis, dataset, method, resampling and value.
    test_shares : dict
        Proportion of held-out rows by data set.
    methods : sequence of str
        Methods to compare.
    rope : float
        Half-width of the region of practical equivalence. Default: 0.01.
    treatments : collection of str
        Names of the treatments among the data sets. Default: none.

    Returns
    -------
    DataFrame
        Columns `analysis` (rule of cross-fitted sizes), `dataset` (missing: over data sets), `one`,
        `other`, `number` (of resamplings or data sets) and `difference` (mean of `one` minus mean
        of `other`). The probabilities are those of a difference above (`one_better`), within
        (`equivalent`) and below (`other_better`) the region of practical equivalence. A data set
        needs 10 resamplings, and a pair needs 6 data sets for a row over data sets, since otherwise
        the prior would decide. The probabilities refer to each pair alone and are not error rates.

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
    """Return the rows of one data set from a table (resamplings, methods)."""
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
    """Return the rows over data sets from means (data sets, methods); NaN is missing."""
    pairs, differences = [], []
    for one, other in combinations([m for m in methods if m in means.columns], 2):
        apart = (means[one] - means[other]).dropna().to_numpy(np.float64)
        if len(apart) >= FEWEST_DATA_SETS:
            pairs.append((one, other))
            differences.append(apart)
    return [
        # fsum: the mean does not depend on the order of the data sets
        (*pair, found.n, fsum(apart) / found.n, found.right, found.equivalent, found.left)
        for pair, apart, found in zip(
            pairs,
            differences,
            bayesian_ranks.bayesian_signed_rank_tests(differences, rope=rope),
            strict=True,
        )
    ]
