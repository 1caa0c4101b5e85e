"""Ranks over data sets with several kinds of targets, each ranked by the first score of its kind.

Ranks within a data set have no unit, so data sets of all kinds are blocks of one rank test. Scores
of different kinds are not comparable: means over data sets, differences of scores (Wilcoxon's test,
the Bayesian tests) and baselines are made for each kind.
"""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.study.comparison import rank_tests
from hetsel.study.comparison.rank_tests import RankedMeasure
from hetsel.study.comparison.ranked_summary import RankedBlocks, RankedSummary
from hetsel.study.comparison.study_summary import BEST, MOST, Summary

FIRST_SCORE = RankedMeasure(
    "first_score",
    "first score",
    "the first score of each data set",
    "the first score of each data set",
    "Predictive performance",
    (-np.inf, np.inf),
)


class SummaryOfKinds(RankedSummary):
    """Ranks over all data sets of a study, and the numbers of each kind of target."""

    def __init__(self, results: Any) -> None:
        self.study = results
        every = {kind: Summary(results.of_kind(kind)) for kind in results.kinds}
        self.by_kind = {kind: one for kind, one in every.items() if one.datasets}
        if not self.by_kind:
            raise TableError("no cell of the study is finished. Run the study first")
        parts = self.by_kind.values()
        present = {method for one in parts for method in one.methods}
        self.methods = [method for method in results.methods if method in present]
        here = {name for one in parts for name in one.datasets}
        self.datasets = [name for name in results.datasets if name in here]
        self.treatments = {name: base for one in parts for name, base in one.treatments.items()}

    @property
    def performance(self) -> RankedMeasure:
        """The first score of each data set."""
        return FIRST_SCORE

    @property
    def first_scores(self) -> dict[str, str]:
        """The label of the score of each kind of target."""
        return {kind: one.performance.label for kind, one in self.by_kind.items()}

    def blocks(self, measure: RankedMeasure) -> list[RankedBlocks]:
        """Return the tables of all kinds; by performance they hold ranks, not scores."""
        steady = measure is rank_tests.KI
        parts = [
            one.blocks(measure if steady else one.performance) for one in self.by_kind.values()
        ]
        found = []
        for same in zip(*parts, strict=True):
            first = same[0]
            values = steady and first.larger_is_better  # KI is the same for all kinds
            tables = [one.table if values else one.ranks() for one in same if len(one.table)]
            table = pd.concat(tables) if tables else first.table
            order = [name for name in self.datasets if name in table.index]
            table = table.reindex(index=order, columns=self.methods)
            found.append(
                RankedBlocks(
                    first.key, first.head, first.where, first.what, table, larger_is_better=values
                )
            )
        return found

    @property
    def told(self) -> list[str]:
        """Methods that figures highlight: all, or the best of many."""
        if len(self.methods) <= MOST:
            return self.methods
        ranks = np.nan_to_num(self.analyses(self.performance)[0].test.mean_ranks, nan=np.inf)
        return [self.methods[k] for k in np.argsort(ranks, kind="stable")[:BEST]]

    @cached_property
    def seconds(self) -> pd.DataFrame:
        """Mean CPU seconds of one ranking by data set (rows) and method (columns)."""
        table = pd.concat([one.seconds for one in self.by_kind.values()])
        return table.reindex(index=self.datasets, columns=self.methods)


def summarized(
    results: Any,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
) -> Summary | SummaryOfKinds:
    """Return the summary of a study; of all kinds of targets unless an option is of one kind."""
    of_one_kind = any(option is not None for option in (score, classifier, reference))
    if len(getattr(results, "kinds", ())) > 1 and not of_one_kind:
        return SummaryOfKinds(results)
    return Summary(results, score, classifier, control=reference)
