"""Rank tests as a report shows them, with the reason in words where one cannot be made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd


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
    critical_difference : float
        Nemenyi's at 0.05.
    groups : tuple of tuple of str
        Methods that do not differ, best first.
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
    critical_difference: float = np.nan
    groups: tuple[tuple[str, ...], ...] = ()
    reason: str = ""

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """Methods with their mean ranks, best first; ties in the order of the study."""
        pairs = zip(self.names, self.mean_ranks, strict=True)
        return sorted(pairs, key=lambda pair: pair[1])

    @property
    def differences(self) -> dict[str, list[str]]:
        """For each method, best first, the methods that it ranks significantly better than."""
        better: dict[str, list[str]] = {}
        if self.reason:
            return better
        for (one, low), (other, high) in combinations(self.ordered, 2):
            if high - low > self.critical_difference:
                better.setdefault(one, []).append(other)
        return better


def compare_ranks(table: pd.DataFrame, what: str) -> RankTest:
    """Rank the methods in every block, larger is better, and test whether their ranks differ.

    Parameters
    ----------
    table : DataFrame of shape (blocks, methods)
    what : str
        What a block is.
    """
    names = tuple(str(name) for name in table.columns)
    if not len(table):
        return RankTest(what, 0, names, (np.nan,) * len(names), reason="no block has all methods")
    ranks = table.rank(axis=1, ascending=False)
    means = tuple(float(rank) for rank in ranks.mean())
    reason = _reason(ranks)
    if reason:
        return RankTest(what, len(table), names, means, reason=reason)
    return _tested(table, what, names)


def _reason(ranks: pd.DataFrame) -> str:
    """Why Friedman's test does not apply."""
    blocks, methods = ranks.shape
    if methods < 3:
        return f"Friedman's test compares at least 3 methods; there are {methods}"
    if blocks < 2:
        return f"Friedman's test needs at least 2 blocks; there is {blocks}"
    if (ranks.nunique(axis=1) == 1).all():
        return "all methods tie in every block"
    return ""


def _tested(table: pd.DataFrame, what: str, names: Sequence[str]) -> RankTest:
    from scipy import stats

    n, k = table.shape
    ranks = table.rank(axis=1, ascending=False)
    means = ranks.mean().to_numpy()
    chi2, p = stats.friedmanchisquare(*table.to_numpy().T)
    den = n * (k - 1) - chi2
    f = (n - 1) * chi2 / den if den > 0 else np.inf
    fp = float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    q = stats.studentized_range.ppf(0.95, k, 1e7) / np.sqrt(2)
    cd = float(q * np.sqrt(k * (k + 1) / (6 * n)))
    order = np.argsort(means, kind="stable")
    groups, last = [], -1
    for i in range(k):
        j = max(j for j in range(k) if means[order[j]] - means[order[i]] <= cd)
        if j > i and j > last:
            groups.append(tuple(names[x] for x in order[i : j + 1]))
        last = max(last, j)
    return RankTest(
        what,
        n,
        tuple(names),
        tuple(map(float, means)),
        float(chi2),
        float(p),
        float(f),
        fp,
        cd,
        tuple(groups),
    )
