"""Compare all pairs of methods by ranks: Nemenyi's test, Wilcoxon's with Holm, and groups.

Notation as in `friedman`: N blocks, k methods, R_j the mean rank of method j. This module adds what
scipy and R lack: the groups, Wilcoxon's exact p-values with ties, and p-values of the range of
normals below 1e-6, where scipy's 1 - cdf loses its digits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import combinations
from math import sqrt
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.spatial.distance import squareform

from hetsel.ground import TableError, between_0_and_1
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import tie_rows
from hetsel.statistics.comparisons.corrections import holm
from hetsel.statistics.comparisons.friedman import FriedmanResult, best_first, block_ranks, friedman
from hetsel.statistics.doors.score_tables import read_scores

Groups = list[tuple[str, ...]]
Tested = TypeVar("Tested")

EXACT_BELOW = 50  # nonzero differences: below this number the p-value is exact, as in R
FAR = 1e-6  # scipy computes the tail of the range with an absolute error of some 1e-15


@dataclass(frozen=True, eq=False)
class Pairs:
    """Hold the comparison of all pairs of methods.

    Parameters
    ----------
    test : str
        Name of the test.
    names, mean_ranks, n_blocks
        The methods (k,), the mean rank of each (smaller is better), and the number N of blocks.
    level : float
        Level of significance, over all pairs together.
    pvalues : ndarray of shape (k, k)
        p-values adjusted for the number of pairs; 1 on the diagonal.
    differs : ndarray of bool of shape (k, k)
        Whether two methods differ significantly.
    groups : list of tuple of str
        The largest sets of two methods or more in which no two methods differ. The methods of each
        set run from best to worst; the set with the best method comes first.
    critical_difference : float
        The smallest difference of mean ranks that is significant; NaN if the test has none.
    uncorrected : ndarray of shape (k, k)
        Unadjusted p-values of each pair; all NaN if the test has none.
    least : float
        The smallest adjusted p-value that this number of blocks and methods can give, whatever the
        scores.

    See Also
    --------
    hetsel.stats.nemenyi, hetsel.stats.wilcoxon_holm, hetsel.stats.nemenyi_with_gaps

    Examples
    --------
    >>> result = nemenyi([[0.9, 0.8, 0.5], [0.8, 0.9, 0.4], [0.7, 0.6, 0.3], [0.9, 0.8, 0.2]])
    >>> isinstance(result, Pairs), result.groups
    (True, [('1', '2'), ('2', '3')])
    """

    test: str
    names: tuple[str, ...]
    mean_ranks: Floats
    n_blocks: int
    level: float
    pvalues: Floats
    differs: NDArray[np.bool_]
    groups: Groups
    critical_difference: float
    uncorrected: Floats
    least: float

    def frame(self) -> pd.DataFrame:
        """Return one row per pair: `better`, `worse`, `difference` of ranks, p-values, `differs`.

        If two mean ranks are equal, `better` is the method whose column comes first.
        """
        order = np.argsort(self.mean_ranks, kind="stable")
        i, j = (order[side] for side in np.triu_indices(len(order), 1))
        names = np.array(self.names, dtype=object)
        columns = {
            "better": names[i],
            "worse": names[j],
            "difference": self.mean_ranks[j] - self.mean_ranks[i],
            "uncorrected": self.uncorrected[i, j],
            "pvalue": self.pvalues[i, j],
            "differs": self.differs[i, j],
        }
        if np.isnan(self.uncorrected).all():
            del columns["uncorrected"]
        return pd.DataFrame(columns)

    def __str__(self) -> str:
        ranks = ", ".join(f"{name} {r:.3f}" for name, r in best_first(self.names, self.mean_ranks))
        groups = "; ".join(" ~ ".join(group) for group in self.groups) or "none"
        distance = self.critical_difference
        critical = "" if np.isnan(distance) else f"\nCritical difference: {distance:.3f}"
        if self.least > self.level:
            critical += (
                f"\nNo adjusted p-value can be below {self.least:.3g}, since there are few blocks"
            )
        return (
            f"{self.test} at {self.level:g}: {len(self.names)} methods on {self.n_blocks} "
            f"blocks\nMean ranks: {ranks}{critical}\nNot significantly different: {groups}"
        )


def nemenyi(
    result: FriedmanResult | ArrayLike,
    *,
    names: Sequence[str] | None = None,
    larger_is_better: bool | None = None,
    level: float = 0.05,
) -> Pairs:
    """Compare all pairs of methods by their mean ranks with Nemenyi's test.

    Use it after Friedman's test. Methods i and j differ if |R_i - R_j| >= CD. With d = |R_i - R_j|
    / sqrt(k (k + 1) / (6 N)), p_ij = P(range of k standard normals > sqrt(2) d), and small p-values
    have full relative accuracy. The normal distribution is an approximation: if all orders of 3 to
    8 methods are equally likely in 2 to 20 blocks, some pair differs at 0.05 with probability 0.000
    to 0.056.

    Parameters
    ----------
    result : FriedmanResult, or scores of shape (N, k)
        Result of :func:`hetsel.stats.friedman`, or the scores to pass to it.
    names, larger_is_better
        For scores, as in :func:`hetsel.stats.friedman`.
    level : float
        Level of significance, over all pairs together.

    Returns
    -------
    Pairs

    Raises
    ------
    TableError
        If `result` is the result of another test, or the scores are no legal input of
        :func:`hetsel.stats.friedman`.

    See Also
    --------
    hetsel.stats.friedman : The test of all methods together.
    hetsel.stats.wilcoxon_holm : Pairwise tests that do not depend on the other methods.
    hetsel.stats.nemenyi_with_gaps : The same if some blocks lack some methods.

    References
    ----------
    Nemenyi (1963), Princeton; Demsar (2006) Journal of Machine Learning Research 7, section 3.2.2.

    Examples
    --------
    >>> from hetsel.stats import friedman, nemenyi
    >>> scores = [[0.9, 0.8, 0.5], [0.8, 0.9, 0.4], [0.7, 0.6, 0.3], [0.9, 0.8, 0.2]]
    >>> print(nemenyi(friedman(scores, names=["a", "b", "c"])))
    Nemenyi at 0.05: 3 methods on 4 blocks
    Mean ranks: a 1.250, b 1.750, c 3.000
    Critical difference: 1.657
    Not significantly different: a ~ b; b ~ c
    """
    result = tested(result, FriedmanResult, friedman, names, larger_is_better)
    n, k = result.ranks.shape
    distance = critical_difference(k, n, level=level)
    apart = np.abs(result.mean_ranks[:, None] - result.mean_ranks)
    scale = sqrt(12 * n / (k * (k + 1)))
    pvalues = squareform(range_tail(apart[np.triu_indices(k, 1)] * scale, k)) + np.eye(k)
    return Pairs(
        test="Nemenyi",
        names=result.names,
        mean_ranks=result.mean_ranks,
        n_blocks=n,
        level=level,
        pvalues=pvalues,
        differs=apart >= distance,
        groups=groups(result.names, result.mean_ranks, apart >= distance),
        critical_difference=distance,
        uncorrected=np.full((k, k), np.nan),
        least=float(range_tail((k - 1) * scale, k)),
    )


def critical_difference(k: int, n_blocks: int, *, level: float = 0.05) -> float:
    """Compute Nemenyi's critical difference of mean ranks of k methods over N blocks.

    CD = q sqrt(k (k + 1) / (6 N)), where q is the upper `level` quantile of the range of k standard
    normals divided by sqrt(2): Demsar (2006) Journal of Machine Learning Research 7, section 3.2.2.
    """
    level = between_0_and_1("level", level)
    quantile = float(stats.studentized_range.ppf(1 - level, k, np.inf)) / sqrt(2)
    return quantile * sqrt(k * (k + 1) / (6 * n_blocks))


def range_tail(q: ArrayLike, k: int) -> Floats:
    """Compute P(range > q) of k standard normals, in the shape of q, to full relative accuracy."""
    ranges = np.asarray(q, dtype=np.float64)
    tail = np.array(stats.studentized_range.sf(ranges, k, np.inf))
    far = tail < FAR
    tail[far] = far_range_tail(ranges[far], k)
    return tail


def far_range_tail(q: Floats, k: int) -> Floats:
    """Compute :func:`range_tail` far out, where scipy computes 1 minus a number near 1.

    P(range > q) = k integral phi(z) (U(z)^(k - 1) - (U(z) - U(z + q))^(k - 1)) dz over the smallest
    of the k, U the upper tail of the normal distribution, by the trapezoidal rule: Pearson &
    Hartley (1942) Biometrika 32, 301-310.
    """
    ranges = q[..., None]
    z = np.linspace(-10 - ranges / 2, 10 + 0 * ranges, 2001, axis=-1)[..., 0, :]
    step = z[..., 1] - z[..., 0]
    above = stats.norm.sf(z)
    share = np.minimum(stats.norm.sf(z + ranges) / above, 1.0)
    with np.errstate(divide="ignore"):
        lost = -np.expm1((k - 1) * np.log1p(-share))
    density = k * stats.norm.pdf(z) * above ** (k - 1) * lost
    return np.asarray(density.sum(axis=-1) * step)


def wilcoxon_holm(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    larger_is_better: bool = True,
    level: float = 0.05,
) -> Pairs:
    """Compare pairs of methods by Wilcoxon's test with Holm's adjustment.

    Each pair is compared by Wilcoxon's signed-rank test of the scores over blocks.

    The test of a pair does not depend on the other methods, whereas Nemenyi's mean ranks do. Its
    p-value is exact with fewer than 50 nonzero differences, with or without ties; p = 1 if two
    methods agree in every block. N blocks allow no p-value below 2 / 2^N, and Holm multiplies the
    smallest p-value by the number of pairs. For example, 5 methods on 6 blocks allow no adjusted
    p-value below 10 * 2 / 64 = 0.31; the result reports this limit as `least`.

    Parameters
    ----------
    scores : frame of any library, dict of columns or array-like of shape (N, k)
        As in :func:`hetsel.stats.friedman`. The scores must be on one scale, since their
        differences are compared.
    names, larger_is_better
        As in :func:`hetsel.stats.friedman`.
    level : float
        Level of significance, over all pairs together.

    Returns
    -------
    Pairs

    Raises
    ------
    TableError
        If a score is missing, or there are fewer than 2 blocks or 2 methods.

    See Also
    --------
    hetsel.stats.nemenyi : Pairs by mean ranks.
    hetsel.stats.bayesian_signed_rank_test : The Bayesian counterpart for one pair.

    References
    ----------
    Wilcoxon (1945) Biometrics Bulletin 1, 80-83; Holm (1979) Scandinavian Journal of Statistics 6,
    65-70; Benavoli, Corani & Mangili (2016) Journal of Machine Learning Research 17(5).

    Examples
    --------
    >>> from hetsel.stats import wilcoxon_holm
    >>> scores = [[60 + b, 61 + b + (-1) ** b * b, 70 + 2 * b] for b in range(8)]
    >>> print(wilcoxon_holm(scores, names=["a", "b", "c"]))
    Wilcoxon with Holm's adjustment at 0.05: 3 methods on 8 blocks
    Mean ranks: c 1.000, b 2.438, a 2.562
    Not significantly different: b ~ a
    """
    level = between_0_and_1("level", level)
    values, labels = read_scores(scores, names)
    mean_ranks = block_ranks(values, larger_is_better).mean(axis=0)
    n, k = values.shape
    alone = [pair_pvalue(values[:, a], values[:, b]) for a, b in combinations(range(k), 2)]
    together = squareform(holm(alone)) + np.eye(k)
    return Pairs(
        test="Wilcoxon with Holm's adjustment",
        names=labels,
        mean_ranks=mean_ranks,
        n_blocks=n,
        level=level,
        pvalues=together,
        differs=together <= level,
        groups=groups(labels, mean_ranks, together <= level),
        critical_difference=float("nan"),
        uncorrected=squareform(alone) + np.eye(k),
        least=min(1.0, len(alone) * least_signed_rank_pvalue(n)),
    )


def groups(names: Sequence[str], mean_ranks: Floats, differs: NDArray[np.bool_]) -> Groups:
    """Find the largest sets of methods in which no two differ: the bars of a diagram.

    These are the maximal cliques, of two methods or more, of the graph of pairs that do not differ
    (Bron & Kerbosch 1973, Communications of the ACM 16, 575-577). `differs` (k, k) is symmetric.
    The methods of a set run from best to worst; the sets are in the order of their best, then next
    best, ... methods.
    """
    order = np.argsort(mean_ranks, kind="stable")
    alike = [
        {int(b) for b in np.flatnonzero(~row) if b != a}
        for a, row in enumerate(differs[np.ix_(order, order)])
    ]
    cliques: list[tuple[int, ...]] = []

    def grow(clique: tuple[int, ...], candidates: set[int], done: set[int]) -> None:
        if not candidates and not done and len(clique) > 1:
            cliques.append(clique)
        if not candidates:
            return
        pivot = max(candidates | done, key=lambda a: len(candidates & alike[a]))
        for a in sorted(candidates - alike[pivot]):
            grow((*clique, a), candidates & alike[a], done & alike[a])
            candidates = candidates - {a}
            done = done | {a}

    grow((), set(range(len(order))), set())
    ascending = sorted(tuple(sorted(clique)) for clique in cliques)
    return [tuple(names[order[a]] for a in clique) for clique in ascending]


def pair_pvalue(first: Floats, second: Floats) -> float:
    """Compute the two-sided p-value of Wilcoxon's signed-rank test of two methods' scores (N,)."""
    size = np.maximum(np.abs(first), np.abs(second))
    return signed_rank_pvalue(score_differences(first, second), size)


def score_differences(first: Floats, second: Floats) -> Floats:
    """Subtract the scores (..., N) of two methods; 0 where they differ by rounding."""
    differences = first - second
    # scores that differ by rounding count as equal, however the others differ
    differences[np.diff(tie_rows(np.stack([first, second], axis=-1)))[..., 0] == 0] = 0.0
    return differences


def tested(
    result: Any,
    kind: type[Tested],
    test: Callable[..., Tested],
    names: Sequence[str] | None,
    larger_is_better: bool | None,
) -> Tested:
    """Return `result` if it is the test of all methods, or that test of the scores."""
    if isinstance(result, kind):
        if names is not None or larger_is_better is not None:
            raise TableError(
                f"names and larger_is_better belong to the test that made the {kind.__name__}. "
                "Pass them to that test, or pass the scores here"
            )
        return result
    if is_dataclass(result) and not isinstance(result, type):
        raise TableError(
            f"result must be a {kind.__name__}, or scores. Got a {type(result).__name__}"
        )
    return test(scores=result, names=names, larger_is_better=larger_is_better is not False)


def signed_rank_pvalue(differences: ArrayLike, size: ArrayLike | None = None) -> float:
    """Compute the two-sided p-value of Wilcoxon's signed-rank test of differences (n,).

    Differences of 0 are left out; p is 1 if none is left. Absolute differences that are equal up to
    the rounding of the scores, whose `size` is (n,), share their average rank. With fewer than 50
    differences left, the p-value is exact given the zeros and ties: all 2^n signs are equally
    likely. Otherwise it is that of the normal approximation with corrections for ties and
    continuity, as in R's wilcox.test. Wilcoxon (1945) Biometrics Bulletin 1, 80-83; Streitberg &
    Röhmel (1986) Statistical Software Newsletter 12, 10-17 (the count with ties).
    """
    apart = np.asarray(differences, dtype=np.float64)
    size = np.broadcast_to(np.abs(apart).max(initial=0.0) if size is None else size, apart.shape)
    lengths = tie_rows(np.append(0.0, np.abs(apart)), np.append(0.0, size))[1:]
    kept = np.copysign(lengths, apart)[lengths > 0]
    if not len(kept):
        return 1.0
    if len(kept) >= EXACT_BELOW:
        return float(min(stats.wilcoxon(kept, correction=True, method="approx").pvalue, 1.0))
    if len(np.unique(np.abs(kept))) == len(kept):
        return float(stats.wilcoxon(kept, method="exact").pvalue)
    return _counted(kept)


def least_signed_rank_pvalue(n: int) -> float:
    """Return the smallest two-sided p-value of n differences, 2 / 2^n: all have one sign."""
    return 2.0 ** (1 - n)


def _counted(differences: NDArray[np.float64]) -> float:
    """Compute the p-value by counting the signs for each sum of ranks, exact up to 2^49."""
    ranks = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)  # average ranks: x.5
    counts = np.zeros(int(ranks.sum()) + 1, dtype=np.int64)
    counts[0] = 1
    for rank in ranks:
        counts[rank:] = counts[rank:] + counts[: len(counts) - rank]
    plus = int(ranks[differences > 0].sum())
    tail = counts[: min(plus, int(ranks.sum()) - plus) + 1].sum()
    return min(1.0, 2 * int(tail) / 2 ** len(ranks))
