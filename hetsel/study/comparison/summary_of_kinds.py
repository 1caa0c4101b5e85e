"""Ranks over data sets with several kinds of targets, each ranked by the first score of its kind.

Ranks within a data set have no unit, so data sets of all kinds are blocks of one rank test. Scores
of different kinds are not comparable: means over data sets, differences of scores (Wilcoxon's test,
the Bayesian tests) and baselines are made for each kind.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import TableError
from hetsel.study.comparison import rank_tests
from hetsel.study.comparison.failed_cells import Fallback
from hetsel.study.comparison.rank_tests import RankedMeasure
from hetsel.study.comparison.ranked_summary import CLOCKS, RankedBlocks, RankedSummary
from hetsel.study.comparison.study_summary import BEST, MOST, Summary

COMPARED = ("score", "classifier", "reference", "fallback")  # options of a comparison
FIRST_SCORE = RankedMeasure(
    "first_score",
    "first score",
    "the first score of each data set",
    "the first score of each data set",
    "Predictive performance",
    (-np.inf, np.inf),
)
ASKED_SCORE = replace(FIRST_SCORE, label="score", name="score", phrase="the score of each data set")


class SummaryOfKinds(RankedSummary):
    """Ranks over all data sets of a study, and the numbers of each kind of target.

    A score and a judge apply to the kinds that have them; other kinds have their first ones.
    """

    def __init__(
        self,
        results: Any,
        score: str | None = None,
        classifier: str | None = None,
        *,
        control: str | None = None,
        fallback: Fallback | None = None,
    ) -> None:
        self.study, self.score, self.control = results, score, control
        parts_of = {kind: results.of_kind(kind) for kind in results.kinds}
        scores = {kind: score for kind, p in parts_of.items() if score in p.scores.names}
        judges = {
            kind: label
            for kind, part in parts_of.items()
            for label in (classifier, f"{classifier} ({kind})")
            if label in part.classifiers
        }
        if score is not None and not scores:
            legal = dict.fromkeys(name for p in parts_of.values() for name in p.scores.names)
            raise TableError(f"score must be one of {', '.join(legal)}. Got {score!r}")
        if classifier is not None and not judges:
            raise TableError(
                f"classifier must be one of {', '.join(results.classifiers)}, the judges of the "
                f"study. Got {classifier!r:.60}"
            )
        more: Any = {"control": control, "fallback": fallback}
        every = {
            kind: Summary(part, scores.get(kind), judges.get(kind), **more)
            for kind, part in parts_of.items()
        }
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
        """The score of each data set."""
        return FIRST_SCORE if self.score is None else ASKED_SCORE

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
    def seconds(self) -> dict[str, pd.DataFrame]:
        """Mean seconds of one selection by the keys of `CLOCKS`, then data set and method."""
        parts = [one.seconds for one in self.by_kind.values()]
        tables = {clock.key: pd.concat([part[clock.key] for part in parts]) for clock in CLOCKS}
        place: Any = {"index": self.datasets, "columns": self.methods}
        return {key: table.reindex(**place) for key, table in tables.items()}


def summarized(
    results: Any,
    score: str | None = None,
    classifier: str | None = None,
    reference: str | None = None,
    fallback: Fallback | None = None,
) -> Summary | SummaryOfKinds:
    """Return the summary of a study with one or several kinds of targets."""
    kind = SummaryOfKinds if len(getattr(results, "kinds", ())) > 1 else Summary
    return kind(results, score, classifier, control=reference, fallback=fallback)
