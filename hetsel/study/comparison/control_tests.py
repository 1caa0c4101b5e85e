"""Tests of every other method against a reference method, data sets as blocks."""

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons.control_method import compare_with_control
from hetsel.study.comparison.rank_tests import LEVEL, RankTest

COLUMNS = ["method", "difference", "z", "pvalue", "holm", "bonferroni_dunn_cd", "differs"]
COLUMNS += ["wilcoxon", "wilcoxon_holm", "blocks"]


def control_frame(
    test: RankTest, blocks: pd.DataFrame, control: str, *, larger_is_better: bool
) -> pd.DataFrame:
    """Compare the methods of a rank test with a control method; best mean rank first.

    `blocks` are the values (data sets, methods) that the test ranked. Columns are method,
    difference (mean rank minus that of the control), z, pvalue, holm, bonferroni_dunn_cd, differs,
    wilcoxon, wilcoxon_holm and blocks; see :func:`hetsel.stats.compare_with_control`. z is an
    approximation that is poor for few blocks. As in
    :func:`hetsel.study.comparison.rank_tests.compare_ranks`, `holm` is therefore at least the
    permutation p-value of the test, and a method differs only if the permutation test rejects as
    well. Wilcoxon's tests are NaN if the blocks hold mean ranks.
    """
    if test.reason:
        return pd.DataFrame(columns=COLUMNS)
    kept = blocks[blocks.notna().sum(axis=1) >= min(2, blocks.shape[1])]
    result = compare_with_control(kept, control, larger_is_better=larger_is_better)
    table = result.frame().assign(blocks=result.n_blocks)
    if np.isfinite(test.permutation):
        table["holm"] = table["holm"].clip(lower=test.permutation)
        table["differs"] &= test.permutation <= LEVEL
    if not larger_is_better:
        table[["wilcoxon", "wilcoxon_holm"]] = np.nan
    return table.sort_values("difference", kind="stable", ignore_index=True)[COLUMNS]
