"""Measures that methods are ranked by, and rank tests or the reason why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import factorial
from typing import Any

import numpy as np
import pandas as pd

from hetsel.ground import plain_number
from hetsel.statistics.comparisons import pairwise_ranks, skillings_mack
from hetsel.statistics.comparisons.corrections import holm, level_of_families
from hetsel.statistics.comparisons.friedman import friedman, ranks_in_blocks
from hetsel.statistics.performance.scores import Scores

LEVEL = 0.05
NEGATIVE = "neg_"  # prefix of the negative of a score for which less is better


@dataclass(frozen=True)
class RankTest:
    """Friedman's test and its post-hoc tests; with missing values Skillings and Mack's."""

    what: str  # what a block is
    blocks: int  # number of blocks that enter the test
    names: tuple[str, ...]  # methods
    mean_ranks: tuple[float, ...]  # 1 is best; adjusted for missing values
    chi2: float = np.nan  # Friedman's or Skillings and Mack's; NaN if there is a `reason`
    pvalue: float = np.nan
    f: float = np.nan  # Iman and Davenport's; NaN with missing values
    f_pvalue: float = np.nan
    # of the permutation test within blocks, if requested: exact level for any number of blocks
    permutation: float = np.nan
    critical_difference: float = np.nan  # Nemenyi's at 0.05; NaN with missing values
    groups: tuple[tuple[str, ...], ...] = ()  # methods that do not differ, best first
    # Nemenyi's test of every pair: better, worse, difference, pvalue, differs; `wilcoxon` is the
    # p-value of Wilcoxon's test with Holm's adjustment, where scores of blocks are comparable
    pairs: pd.DataFrame | None = None
    least: float = np.nan  # the smallest possible p-value of Wilcoxon's test with Holm's adjustment
    gaps: int = 0  # number of missing values
    reason: str = ""  # a clause that states why there is no test; empty if there is one

    @property
    def least_permutation(self) -> float:
        """Return the smallest possible permutation p-value: all blocks have the same ranks."""
        return 0.0 if self.gaps else float(factorial(len(self.names))) ** (1 - self.blocks)

    @property
    def can_reject(self) -> bool:
        """Return whether the permutation p-value can be 0.05 or smaller."""
        return self.least_permutation <= LEVEL

    def at(self, level: float) -> "RankTest":
        """Return the test with pairs, groups and critical difference at a level below 0.05."""
        if self.pairs is None:
            return self
        pairs = self.pairs.assign(differs=self.pairs["differs"] & (self.pairs["pvalue"] <= level))
        place = {name: k for k, name in enumerate(self.names)}
        apart = np.zeros((len(place), len(place)), dtype=bool)
        for one, other in pairs.loc[pairs["differs"], ["better", "worse"]].to_numpy():
            apart[place[one], place[other]] = apart[place[other], place[one]] = True
        distance = self.critical_difference
        if np.isfinite(distance):
            distance = pairwise_ranks.critical_difference(len(place), self.blocks, level=level)
        alike = pairwise_ranks.groups(self.names, np.array(self.mean_ranks), apart)
        return replace(self, pairs=pairs, critical_difference=distance, groups=tuple(alike))

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """Return methods with mean ranks, best first; ties keep the order of the study."""
        pairs = zip(self.names, self.mean_ranks, strict=True)
        return sorted(pairs, key=lambda pair: pair[1])

    @property
    def differences(self) -> dict[str, list[str]]:
        """Return for each method, best first, the methods that it is significantly better than.

        Pairs differ by Nemenyi's test and, if there is a permutation test, only if that rejects.
        """
        better: dict[str, list[str]] = {}
        if self.pairs is not None:
            for one, other in self.pairs.loc[self.pairs["differs"], ["better", "worse"]].to_numpy():
                better.setdefault(str(one), []).append(str(other))
        return better


def compare_ranks(
    table: pd.DataFrame, what: str, *, larger_is_better: bool = True, permute: bool = False
) -> RankTest:
    """Rank the methods in every block and test whether their ranks differ.

    NaN in the table (blocks, methods) is a missing value. Blocks with a single value are omitted.
    `permute` adds a test that permutes methods within blocks. Nemenyi's test is an approximation,
    which is poor for two methods. With `permute` a pair therefore differs only if the permutation
    test rejects as well, and its p-value is the larger of the two.
    """
    names = tuple(str(name) for name in table.columns)
    table = table[table.notna().sum(axis=1) >= min(2, len(names))]
    if not len(table):
        none = (np.nan,) * len(names)
        return RankTest(what, 0, names, none, reason="no block has a value of every method")
    ranks = ranks_in_blocks(table, larger_is_better=larger_is_better)
    gaps = int(table.isna().sum().sum())
    reason = _reason(ranks)
    if reason:
        means = ranks.mean() * (np.nan if gaps else 1)
        return RankTest(what, len(table), names, tuple(means), gaps=gaps, reason=reason)
    if gaps:
        test: Any = skillings_mack.skillings_mack(table, larger_is_better=larger_is_better)
        posthoc = skillings_mack.nemenyi_with_gaps(test)
    else:
        test = friedman(table, larger_is_better=larger_is_better)
        posthoc = pairwise_ranks.nemenyi(test)
    pairs = posthoc.frame()
    least, permutation = np.nan, np.nan
    alike = [tuple(group) for group in posthoc.groups]
    if permute:
        permutation = test.permutation_pvalue()
        pairs["pvalue"] = pairs["pvalue"].clip(lower=permutation)
        pairs["differs"] &= permutation <= LEVEL
        alike = alike if permutation <= LEVEL else [test.order]
    if larger_is_better:
        pairs["wilcoxon"], least = _by_signed_ranks(table, pairs)
    return RankTest(
        what=what,
        blocks=test.n_blocks,
        names=test.names,
        mean_ranks=tuple(map(float, test.mean_ranks)),
        chi2=test.statistic,
        pvalue=test.pvalue,
        f=getattr(test, "iman_davenport", np.nan),
        f_pvalue=getattr(test, "iman_davenport_pvalue", np.nan),
        permutation=permutation,
        critical_difference=float(posthoc.critical_difference),
        groups=tuple(alike),
        pairs=pairs,
        least=least,
        gaps=gaps,
    )


def _by_signed_ranks(table: pd.DataFrame, pairs: pd.DataFrame) -> tuple[np.ndarray, float]:
    """Return Wilcoxon's p-values after Holm's adjustment and the smallest possible one."""
    place = {str(name): k for k, name in enumerate(table.columns)}
    values = table.to_numpy(np.float64)
    pvalues, numbers = [], []
    for pair in pairs[["better", "worse"]].to_numpy():
        both = values[:, [place[name] for name in pair]]
        both = both[~np.isnan(both).any(axis=1)]
        numbers.append(len(both))
        pvalues.append(pairwise_ranks.pair_pvalue(*both.T) if len(both) > 1 else np.nan)
    several = int(np.isfinite(pvalues).sum())
    least = (
        min(1.0, several * pairwise_ranks.least_signed_rank_pvalue(max(numbers)))
        if several
        else np.nan
    )
    return holm(pd.Series(pvalues)), least


def _reason(ranks: pd.DataFrame) -> str:
    """Return a clause that states why there is no rank test; empty if there is one."""
    blocks, methods = ranks.shape
    if methods < 2:
        return f"a rank test needs at least 2 methods and there is {methods}"
    if blocks < 2:
        return f"a rank test needs at least 2 blocks and there is {blocks}"
    if (ranks.nunique(axis=1) == 1).all():
        return "all methods tie in every block"
    if len(skillings_mack.separate_parts(ranks.notna().to_numpy())) > 1:
        return "some methods are not connected by a chain of shared blocks"
    return ""


def levels_of_sentences(
    main: RankTest | None,
    ranks: Sequence[RankTest],
    tables: Sequence[pd.DataFrame],
    further: int = 0,
) -> tuple[float, float]:
    """Return the levels of the main family of tests and of each other family.

    The main family has half of the level of 0.05, or its smallest possible p-value if that is
    larger. The other families share the rest, see
    :func:`hetsel.statistics.comparisons.corrections.level_of_families`. If one part rejects all its
    hypotheses, its level passes to the other part. `main` has the ranks by performance over data
    sets; if it is None because no test can reject, the first table with a test is the main family.
    `ranks` are by other measures. `tables` have p-values in a column `holm`, adjusted within the
    family. `further` is a number of families that count but reject nothing.

    References
    ----------
    Wiens (2003) Pharmaceutical Statistics 2, 211-215 (levels in parts, handed on).
    """
    families = [] if main is None else [_of_ranks(main)]
    families += [(own, 0.0) for table in tables if len(own := table["holm"].dropna())]
    families += map(_of_ranks, ranks)
    families += [(pd.Series([1.0]), 0.0)] * further
    if len(families) < 2:
        return LEVEL, LEVEL
    (first, bound), *rest = families
    level_of_first = max(LEVEL / 2, bound)
    others, least = [p for p, _ in rest], [bound for _, bound in rest]
    level = level_of_families(others, least, level=LEVEL - level_of_first)
    if all((p <= level).all() for p in others):
        return LEVEL, level
    if (first <= level_of_first).all():
        level = level_of_families(others, least, level=LEVEL)
    return level_of_first, level


def _of_ranks(test: RankTest) -> tuple[pd.Series, float]:
    """Return the p-values of the pairs and the smallest possible permutation p-value."""
    own = pd.Series([test.permutation]) if test.pairs is None else test.pairs["pvalue"]
    return own, test.least_permutation


@dataclass(frozen=True)
class RankedMeasure:
    """A measure that methods are ranked by; larger is better."""

    key: str  # column of the results, or part of identifiers
    label: str  # in table heads
    name: str  # on the axis of a figure
    phrase: str  # in a sentence
    quality: str  # the property of a method that it measures
    limits: tuple[float, float]  # smallest and largest possible value
    unit: bool = False  # whether it has the unit of the target: no mean over data sets, four digits

    def text(self, value: float) -> str:
        """Format a value for tables and sentences; a dash if it is missing."""
        return in_text(value, self.unit).replace("-", "−") if np.isfinite(value) else "–"

    def signed(self, value: float) -> str:
        """Format a difference of two values with its sign."""
        size = self.text(abs(value))
        return size if not size.strip("0.") else f"{'−' if value < 0 else '+'}{size}"


def in_text(value: float, unit: bool) -> str:
    """Format a score: four digits if it has the unit of the target, else three decimals.

    Examples
    --------
    >>> in_text(0.81234, False), in_text(1234567.8, True)
    ('0.812', '1,234,568')
    """
    return plain_number(value) if unit else f"{value:.3f}"


def ranked_measure(scores: Scores, name: str) -> RankedMeasure:
    """Return the measure of a score; errors are negated so that larger is better."""
    label = scores.labels[scores.names.index(name)]
    limits = scores.limits if name == scores.names[0] else (0.0, 1.0)
    quality = "Predictive performance"
    if name not in scores.losses:
        return RankedMeasure(name, label, label, label, quality, limits)
    label = f"negative {label}"
    named = (f"{NEGATIVE}{name}", label, label, label, quality)
    if name in scores.in_units:
        return RankedMeasure(*named, (-np.inf, 0.0), unit=True)
    return RankedMeasure(*named, (-limits[1], -limits[0]))


KI = RankedMeasure(
    "ki", "KI", "Kuncheva index", "stability (Kuncheva index)", "Stability", (-1.0, 1.0)
)


@dataclass(frozen=True)
class Analysis:
    """A comparison of the methods over blocks."""

    key: str  # of its section and figure
    head: str  # in table heads
    where: str  # begins a sentence
    test: RankTest
