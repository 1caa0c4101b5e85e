"""Ranks of methods over data sets, and the levels of the sentences on them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.comparisons.friedman import ranks_in_blocks
from hetsel.study.comparison import rank_tests
from hetsel.study.comparison.rank_tests import Analysis, RankedMeasure, RankTest

CLOCKS = tuple(  # measures of the time of one selection; less is better
    RankedMeasure(key, f"{name} seconds", f"{name} time", f"{name} seconds", "Time", (0.0, np.inf))
    for key, name in (("rank_elapsed", "elapsed"), ("rank_seconds", "CPU"))
)


@dataclass(frozen=True, eq=False)
class RankedBlocks:
    """A table (data sets, methods) of values that an analysis ranks within data sets."""

    key: str  # of its section and figure
    head: str  # in table heads
    where: str  # begins a sentence
    what: str  # what a block is
    table: pd.DataFrame
    larger_is_better: bool = True

    def analysis(self) -> Analysis:
        """Return the rank test with data sets as blocks."""
        test = rank_tests.compare_ranks(
            self.table, self.what, larger_is_better=self.larger_is_better, permute=True
        )
        return Analysis(self.key, self.head, self.where, test)

    def ranks(self) -> pd.DataFrame:
        """Return the ranks within each data set, NaN where a method has no value."""
        if self.table.empty:
            return self.table
        return ranks_in_blocks(self.table, larger_is_better=self.larger_is_better)


class RankedSummary(ABC):
    """Rank tests of methods with data sets as blocks."""

    study: Any  # results of the study, with all numbers of training rows and kinds of targets
    methods: list[str]
    datasets: list[str]
    treatments: dict[str, str]  # with their untreated data sets; they are not blocks

    @property
    @abstractmethod
    def performance(self) -> RankedMeasure:
        """The measure that methods are compared by."""

    @property
    def measures(self) -> tuple[RankedMeasure, RankedMeasure]:
        """The measures that methods are ranked by: performance and stability."""
        return self.performance, rank_tests.KI

    @abstractmethod
    def blocks(self, measure: RankedMeasure) -> list[RankedBlocks]:
        """Return the tables of the analyses that treat methods alike."""

    @property
    def tested_tables(self) -> list[pd.DataFrame]:
        """Further tests, each family with a column `holm`."""
        return []

    def analyses(self, measure: RankedMeasure) -> list[Analysis]:
        """Return the analyses that treat methods alike, with data sets as blocks."""
        return self._analyses[measure.key]

    @cached_property
    def _analyses(self) -> dict[str, list[Analysis]]:
        return {one.key: [each.analysis() for each in self.blocks(one)] for one in self.measures}

    def made(self, measure: RankedMeasure) -> list[Analysis]:
        """Return the analyses that have a test."""
        return [a for a in self.analyses(measure) if not a.test.reason]

    def named(self, measure: RankedMeasure) -> Analysis | None:
        """Return the analysis that sentences use: the first with a test, at its level."""
        made = self.made(measure)
        return replace(made[0], test=made[0].test.at(self.level_of(measure))) if made else None

    def level_of(self, measure: RankedMeasure) -> float:
        """Return the level of the rank test by a measure over the data sets."""
        return self.levels[0] if measure is self.performance else self.levels[1]

    @cached_property
    def main(self) -> RankTest | None:
        """The rank test by performance over the data sets, if it can reject; else None."""
        tests = [analysis.test for analysis in self.made(self.performance)[:1]]
        return next((test for test in tests if test.can_reject), None)

    @cached_property
    def levels(self) -> tuple[float, float]:
        """The levels of the main family of tests and of each other family."""
        others = [self.made(m)[:1] for m in self.measures if m is not self.performance]
        ranks = [analysis.test for made in others for analysis in made]
        asked = 2 if self.treatments else 0  # one for each rule of sizes
        return rank_tests.levels_of_sentences(self.main, ranks, self.tested_tables, asked)

    @property
    @abstractmethod
    def seconds(self) -> dict[str, pd.DataFrame]:
        """Mean seconds of one selection by the keys of `CLOCKS`, then data set and method."""

    def seconds_analyses(self, clock: RankedMeasure) -> list[Analysis]:
        """Return the rank test of the mean seconds of the data sets, treatments left out."""
        return self._seconds_analyses[clock.key]

    @cached_property
    def _seconds_analyses(self) -> dict[str, list[Analysis]]:
        found = {}
        for clock in CLOCKS:
            table = self.seconds[clock.key].drop(index=list(self.treatments), errors="ignore")
            speeds = table.clip(lower=1e-9).apply(np.log).mul(-1)  # Wilcoxon's test compares ratios
            test = rank_tests.compare_ranks(speeds, "data set", permute=True)
            where = "Over the data sets"
            found[clock.key] = [Analysis("seconds", clock.name.split()[0], where, test)]
        return found

    @property
    @abstractmethod
    def told(self) -> Sequence[str]:
        """Methods that figures highlight."""
