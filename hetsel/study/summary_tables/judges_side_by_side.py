"""The ranks of the methods by each judge of a study, and whether they depend on the judge."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons.friedman import ranks_in_blocks
from hetsel.statistics.comparisons.judges_compared import JudgeEffect, judge_effect
from hetsel.study.comparison.study_summary import Summary


@dataclass(frozen=True, eq=False)
class JudgesSideBySide:
    """Mean ranks of the methods by each judge, each method at its own cross-fitted size.

    Only data sets with a score of every method by every judge are counted, without treatments.
    """

    frame: pd.DataFrame  # classifier, method, mean_rank, mean (of the score over the data sets)
    datasets: tuple[str, ...]
    effect: JudgeEffect | None  # None with fewer than 2 data sets or methods


def judges_side_by_side(summary: Summary) -> JudgesSideBySide | None:
    """Compare the judges of a study; None if it has a single one."""
    if len(summary.classifiers) < 2:
        return None
    tables = {}
    for label, own in summary.by_judge.items():
        scores = own.own_size.scores
        scores = scores[~scores["dataset"].isin(summary.treatments)]
        table = scores.pivot(index="dataset", columns="method", values="value")
        tables[label] = table.reindex(columns=summary.methods).dropna()
    shared = [name for name in summary.datasets if all(name in t.index for t in tables.values())]
    rows, ranks = [], []
    for label, table in tables.items():
        here = table.loc[shared]
        own_ranks = ranks_in_blocks(here).to_numpy() if len(here) else np.empty(here.shape)
        ranks.append(own_ranks)
        for k, method in enumerate(summary.methods):
            mean_rank = own_ranks[:, k].mean() if len(here) else np.nan
            mean = np.nan if summary.performance.unit else here[method].mean()
            rows.append((label, method, mean_rank, mean))
    effect = None
    if len(shared) > 1 and len(summary.methods) > 1:
        effect = judge_effect(np.array(ranks))
    frame = pd.DataFrame(rows, columns=["classifier", "method", "mean_rank", "mean"])
    return JudgesSideBySide(frame, tuple(shared), effect)
