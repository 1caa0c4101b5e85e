"""Rank tests as a report shows them, with the reason in words where one cannot be made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hetsel.statistics.friedman import friedman, ranks_in_blocks
from hetsel.statistics.pairs import nemenyi, wilcoxon_holm

LEVEL = 0.05


@dataclass(frozen=True)
class RankTest:
    """Friedman's test with its companions on one table of blocks × methods.

    Parameters
    ----------
    what : str
        What a block is.
    blocks : int
        Number of blocks that have a value for every method.
    names : tuple of str
        Methods.
    mean_ranks : tuple of float
        Mean rank of each method, 1 is best.
    chi2, pvalue : float
        Friedman's statistic and p-value; NaN where `reason` says why there is none.
    f, f_pvalue : float
        Iman and Davenport's.
    permutation : float
        P-value of Friedman's statistic by permutations within blocks, where it was asked for: it
        holds its level for any number of blocks.
    critical_difference : float
        Nemenyi's at 0.05.
    groups : tuple of tuple of str
        Methods that do not differ, best first.
    pairs : DataFrame, optional
        Nemenyi's test of every pair: better, worse, difference, pvalue, differs; and `wilcoxon`,
        the p-value of Wilcoxon's test with Holm's correction, where the scores compare.
    least : float
        The smallest p-value that Wilcoxon's test with Holm's correction can have.
    reason : str
        Why there is no test; empty if there is one.
    """

    what: str
    blocks: int
    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    chi2: float = np.nan
    pvalue: float = np.nan
    f: float = np.nan
    f_pvalue: float = np.nan
    permutation: float = np.nan
    critical_difference: float = np.nan
    groups: tuple[tuple[str, ...], ...] = ()
    pairs: pd.DataFrame | None = None
    least: float = np.nan
    reason: str = ""

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """Methods with their mean ranks, best first; ties in the order of the study."""
        pairs = zip(self.names, self.mean_ranks, strict=True)
        return sorted(pairs, key=lambda pair: pair[1])

    @property
    def differences(self) -> dict[str, list[str]]:
        """For each method, best first, the methods that it ranks significantly better than.

        By Nemenyi's test; where there is a test by permutations, only if that rejects as well.
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

    Parameters
    ----------
    table : DataFrame of shape (blocks, methods)
    what : str
        What a block is.
    larger_is_better : bool
    permute : bool
        Whether to test by permutations, too: of methods that are exchangeable in every block.
        Nemenyi's test is an approximation, bad for two methods: then a pair differs only if the
        test by permutations rejects as well, and its p-value is the larger one of the two.
    """
    names = tuple(str(name) for name in table.columns)
    if not len(table):
        none = (np.nan,) * len(names)
        return RankTest(what, 0, names, none, reason="no block has a value of every method")
    ranks = ranks_in_blocks(table, larger_is_better=larger_is_better)
    reason = _reason(ranks)
    if reason:
        return RankTest(what, len(table), names, tuple(ranks.mean()), reason=reason)
    test = friedman(table, larger_is_better=larger_is_better)
    posthoc = nemenyi(test)
    pairs = posthoc.frame()
    least, permutation = np.nan, np.nan
    alike = [tuple(group) for group in posthoc.groups]
    if permute:
        permutation = test.permutation_pvalue()
        pairs["pvalue"] = pairs["pvalue"].clip(lower=permutation)
        pairs["differs"] &= permutation <= LEVEL
        alike = alike if permutation <= LEVEL else [test.order]
    if larger_is_better:
        by_signs = wilcoxon_holm(table)
        place = {name: k for k, name in enumerate(by_signs.names)}
        both = zip(pairs["better"], pairs["worse"], strict=True)
        pairs["wilcoxon"] = [by_signs.pvalues[place[one], place[other]] for one, other in both]
        least = by_signs.least
    return RankTest(
        what=what,
        blocks=test.n_blocks,
        names=test.names,
        mean_ranks=tuple(map(float, test.mean_ranks)),
        chi2=test.statistic,
        pvalue=test.pvalue,
        f=test.iman_davenport,
        f_pvalue=test.iman_davenport_pvalue,
        permutation=permutation,
        critical_difference=float(posthoc.critical_difference),
        groups=tuple(alike),
        pairs=pairs,
        least=least,
    )


def _reason(ranks: pd.DataFrame) -> str:
    """Why Friedman's test does not apply."""
    blocks, methods = ranks.shape
    if methods < 2:
        return f"a rank test compares at least 2 methods; there is {methods}"
    if blocks < 2:
        return f"a rank test needs at least 2 blocks; there is {blocks}"
    if (ranks.nunique(axis=1) == 1).all():
        return "all methods tie in every block"
    return ""
