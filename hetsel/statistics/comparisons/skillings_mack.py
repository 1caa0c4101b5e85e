"""Compare methods over blocks that lack some methods with Skillings and Mack's test.

Notation as in `friedman`; block b has the scores of k_b of the k methods, the others are gaps. r_bj
is the rank of method j among the k_b. A gap counts as their mean rank, (k_b + 1)/2.

    A_j = sum_b sqrt(12 / (k_b + 1)) (r_bj - (k_b + 1)/2)      adjusted sum of ranks
    S_ij = -(number of blocks with both i and j), i != j;      covariance of A where all orders
    S_ii = -sum_(j != i) S_ij                                  within a block are equally likely

The effects e = S^+ A, with the pseudo-inverse, compare methods within blocks only and account for
the methods that each method meets there. They are reported as mean ranks, R_j = (k + 1)/2 + k
sqrt((k + 1)/12) e_j. Without gaps these are Friedman's; with gaps they may lie a little outside of
1..k. S has rank k - 1 if shared blocks connect all methods; other designs are refused (decision
040).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial, prod, sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from hetsel.ground import TableError, between_0_and_1, whole_number
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import DIGITS, reaches
from hetsel.statistics.comparisons import friedman, pairwise_ranks
from hetsel.statistics.doors.score_tables import read_scores


@dataclass(frozen=True, eq=False)
class SkillingsMackResult:
    """Hold the result of Skillings and Mack's test.

    Parameters
    ----------
    names, larger_is_better
        The k methods, and how the scores were ranked.
    ranks : ndarray of shape (N, k)
        Rank of each method in each block with two scores or more; NaN for a gap.
    mean_ranks : ndarray of shape (k,)
        Mean ranks R_j, adjusted for the gaps; smaller is better.
    adjusted_sums, covariance : ndarray of shape (k,) and (k, k)
        A and S.
    statistic, pvalue : float
        A' S^+ A, and its p-value by the chi-squared distribution with k - 1 degrees of freedom.

    See Also
    --------
    hetsel.stats.skillings_mack

    Examples
    --------
    >>> gap = float("nan")
    >>> result = skillings_mack([[0.9, 0.7, 0.8], [0.8, 0.6, gap], [0.9, 0.7, 0.6]])
    >>> isinstance(result, SkillingsMackResult), result.n_gaps
    (True, 1)
    """

    names: tuple[str, ...]
    ranks: Floats
    mean_ranks: Floats
    adjusted_sums: Floats
    covariance: Floats
    statistic: float
    pvalue: float
    larger_is_better: bool

    @property
    def n_blocks(self) -> int:
        """Number of blocks N with two scores or more."""
        return len(self.ranks)

    @property
    def n_gaps(self) -> int:
        """Number of missing scores in these blocks."""
        return int(np.isnan(self.ranks).sum())

    @property
    def df(self) -> int:
        """Degrees of freedom, the rank of S."""
        return len(self.names) - 1

    @property
    def order(self) -> tuple[str, ...]:
        """The methods from best to worst."""
        return tuple(name for name, _ in friedman.best_first(self.names, self.mean_ranks))

    def permutation_pvalue(self, draws: int = 19_999, seed: int = 0) -> float:
        """Compute the p-value of the statistic by permuting the ranks within each block; gaps stay.

        The test keeps its level for any number of blocks, with or without ties, if methods that do
        not differ are exchangeable among the methods of a block.

        Parameters
        ----------
        draws, seed : int
            As in :meth:`FriedmanResult.permutation_pvalue`.

        Returns
        -------
        float

        Examples
        --------
        >>> gap = float("nan")
        >>> result = skillings_mack([[0.9, 0.7, 0.8], [0.8, 0.6, gap], [0.9, 0.7, 0.6]])
        >>> round(result.permutation_pvalue(), 4)  # 3.99 or more: 14 of 72
        0.1944
        """
        draws, seed = whole_number("draws", draws, 1), whole_number("seed", seed, 0)
        known = ~np.isnan(self.ranks)
        orders = prod(factorial(int(count)) for count in known.sum(axis=1))
        rng = np.random.default_rng(seed) if orders > draws else None
        sums = np.zeros((draws if rng else 1, len(self.names)))
        for row, there in zip(_adjusted(self.ranks), known, strict=True):
            if rng:
                sums[:, there] += rng.permuted(np.tile(row[there], (draws, 1)), axis=1)
            else:
                permuted = np.zeros((factorial(int(there.sum())), len(self.names)))
                permuted[:, there] = list(permutations(row[there]))
                sums = (sums[:, None] + permuted).reshape(-1, len(self.names))
        inverse = np.linalg.pinv(self.covariance, hermitian=True)
        statistics = ((sums @ inverse) * sums).sum(axis=1)
        far = int(reaches(statistics, self.statistic).sum())
        return (far + 1) / (draws + 1) if rng else far / orders

    def frame(self) -> pd.DataFrame:
        """Return one row per method, best first: `mean_rank`, `adjusted_sum`, `blocks` (count)."""
        columns = {
            "method": self.names,
            "mean_rank": self.mean_ranks,
            "adjusted_sum": self.adjusted_sums,
            "blocks": (~np.isnan(self.ranks)).sum(axis=0),
        }
        return pd.DataFrame(columns).set_index("method").loc[list(self.order)]

    def __str__(self) -> str:
        better = "larger" if self.larger_is_better else "smaller"
        ranks = ", ".join(
            f"{name} {r:.3f}" for name, r in friedman.best_first(self.names, self.mean_ranks)
        )
        return (
            f"{len(self.names)} methods on {self.n_blocks} blocks, gaps: {self.n_gaps}; "
            f"{better} scores are better\n"
            f"Mean ranks, adjusted: {ranks}\n"
            f"Skillings-Mack: chi2({self.df}) = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        )


def skillings_mack(
    scores: ArrayLike, *, names: Sequence[str] | None = None, larger_is_better: bool = True
) -> SkillingsMackResult:
    """Test whether k methods differ over N blocks, if some blocks lack some methods.

    Skillings and Mack's test is Friedman's for incomplete blocks: chi2 = A' S^+ A with k - 1
    degrees of freedom, where A are the adjusted sums of ranks, A_j = sum_b sqrt(12 / (k_b + 1))
    (r_bj - (k_b + 1)/2), and S is their covariance. Ties get their average rank without a
    correction of the variance, so without gaps it is Friedman's statistic that ignores ties. With
    many ties or few blocks, use :meth:`SkillingsMackResult.permutation_pvalue`.

    Parameters
    ----------
    scores : frame of any library, dict of columns or array-like of shape (N, k)
        As in :func:`hetsel.stats.friedman`. A missing value (NaN, None, a null, a masked cell) is a
        gap. Blocks with fewer than two scores compare nothing and are left out.
    names, larger_is_better
        As in :func:`hetsel.stats.friedman`.

    Returns
    -------
    SkillingsMackResult

    Raises
    ------
    TableError
        If a score is infinite, there are fewer than 2 methods or fewer than 2 blocks with two
        scores, or no chain of shared blocks connects the methods.

    See Also
    --------
    hetsel.stats.friedman : The test without gaps.
    hetsel.stats.nemenyi_with_gaps : Compare the pairs of methods afterwards.

    References
    ----------
    Skillings & Mack (1981) Technometrics 23, 171-177.

    Examples
    --------
    >>> from hetsel.stats import skillings_mack
    >>> gap = float("nan")
    >>> scores = [[0.9, 0.7, 0.8], [0.8, 0.6, gap], [0.9, 0.7, 0.6]]
    >>> print(skillings_mack(scores, names=["a", "b", "c"]))
    3 methods on 3 blocks, gaps: 1; larger scores are better
    Mean ranks, adjusted: a 0.971, c 2.500, b 2.529
    Skillings-Mack: chi2(2) = 3.987, p = 0.136
    """
    values, labels = read_scores(scores, names, gaps=True)
    there = ~np.isnan(values)
    kept = there.sum(axis=1) > 1
    if kept.sum() < 2:
        raise TableError(
            f"a comparison needs 2 blocks with 2 scores or more. Got {kept.sum()} such blocks"
        )
    apart = separate_parts(there[kept])
    if len(apart) > 1:
        parts = "; ".join(", ".join(labels[j] for j in part) for part in apart)
        raise TableError(
            f"every method must share blocks with others, so that all are connected. Got {parts}. "
            "Compare the methods of one part at a time"
        )
    ranks = friedman.block_ranks(values[kept], larger_is_better)
    sums = _adjusted(ranks).sum(axis=0)
    both = _shared(there[kept])
    covariance = np.diag(both.sum(axis=1)) - both
    effects = np.linalg.pinv(covariance, hermitian=True) @ sums
    k = len(labels)
    statistic = max(0.0, float(sums @ effects))
    return SkillingsMackResult(
        names=labels,
        ranks=ranks,
        mean_ranks=np.round((k + 1) / 2 + k * sqrt((k + 1) / 12) * effects, DIGITS),
        adjusted_sums=sums,
        covariance=covariance,
        statistic=statistic,
        pvalue=float(stats.chi2.sf(statistic, k - 1)),
        larger_is_better=larger_is_better,
    )


def nemenyi_with_gaps(
    result: SkillingsMackResult | ArrayLike,
    *,
    names: Sequence[str] | None = None,
    larger_is_better: bool | None = None,
    level: float = 0.05,
) -> pairwise_ranks.Pairs:
    """Compare all pairs of methods by their effects, after Skillings and Mack's test.

    p_ij = P(range of k standard normals > sqrt(2) d), d = |e_i - e_j| / sqrt(variance), with the
    variance S^+_ii + S^+_jj - 2 S^+_ij. This follows Tukey and Kramer's test of means of different
    precision and is hetsel's own. Without gaps it is Nemenyi's test; with gaps the pairs have no
    common critical difference.

    Parameters
    ----------
    result : SkillingsMackResult, or scores of shape (N, k)
        Result of :func:`hetsel.stats.skillings_mack`, or the scores to pass to it.
    names, larger_is_better, level
        As in :func:`hetsel.stats.nemenyi`.

    Returns
    -------
    Pairs

    Raises
    ------
    TableError
        If `result` is the result of another test, or the scores are no legal input of
        :func:`hetsel.stats.skillings_mack`.

    See Also
    --------
    hetsel.stats.skillings_mack : The test of all methods together.
    hetsel.stats.nemenyi : The same without gaps.

    References
    ----------
    Kramer (1956) Biometrics 12, 307-310.

    Examples
    --------
    >>> from hetsel.stats import nemenyi_with_gaps, skillings_mack
    >>> gap = float("nan")
    >>> scores = [[0.9, 0.8, 0.5], [0.8, 0.9, gap], [0.7, 0.6, 0.3], [0.9, 0.8, 0.2]]
    >>> print(nemenyi_with_gaps(skillings_mack(scores, names=["a", "b", "c"])))
    Nemenyi with gaps at 0.05: 3 methods on 4 blocks
    Mean ranks: a 1.248, b 1.752, c 3.000
    Not significantly different: a ~ b ~ c
    """
    level = between_0_and_1("level", level)
    result = pairwise_ranks.tested(
        result, SkillingsMackResult, skillings_mack, names, larger_is_better
    )
    k = len(result.names)
    inverse = np.linalg.pinv(result.covariance, hermitian=True)
    i, j = np.triu_indices(k, 1)
    contrasts = inverse[i] - inverse[j]
    deviations = np.sqrt(contrasts[np.arange(len(i)), i] - contrasts[np.arange(len(i)), j])
    apart = np.abs(contrasts @ result.adjusted_sums) / deviations
    pvalues = squareform(pairwise_ranks.range_tail(sqrt(2) * apart, k)) + np.eye(k)
    differs = pvalues <= level
    return pairwise_ranks.Pairs(
        test="Nemenyi with gaps",
        names=result.names,
        mean_ranks=result.mean_ranks,
        n_blocks=result.n_blocks,
        level=level,
        pvalues=pvalues,
        differs=differs,
        groups=pairwise_ranks.groups(result.names, result.mean_ranks, differs),
        critical_difference=float("nan"),
        uncorrected=np.full((k, k), np.nan),
        least=float(
            pairwise_ranks.range_tail(sqrt(2) * max(_farthest(result, contrasts) / deviations), k)
        ),
    )


def separate_parts(there: NDArray[np.bool_]) -> list[list[int]]:
    """Return the positions of methods that chains of shared blocks (N, k) connect, by part."""
    _, part = connected_components(_shared(there) > 0, directed=False)
    return [np.flatnonzero(part == number).tolist() for number in np.unique(part)]


def _shared(there: NDArray[np.bool_]) -> Floats:
    """Count the blocks (k, k) that have both methods; 0 on the diagonal."""
    both = there.T.astype(np.float64) @ there
    np.fill_diagonal(both, 0)
    return np.asarray(both)


def _adjusted(ranks: Floats) -> Floats:
    """Return weighted ranks (N, k) around their mean; 0 for a gap."""
    counts = (~np.isnan(ranks)).sum(axis=1, keepdims=True)
    return np.nan_to_num(np.sqrt(12 / (counts + 1)) * (ranks - (counts + 1) / 2))


def _farthest(result: SkillingsMackResult, contrasts: Floats) -> Floats:
    """Return the largest difference of effects (pairs,) that ranks without ties can give."""
    most = np.zeros(len(contrasts))
    for there in ~np.isnan(result.ranks):
        count = int(there.sum())
        places = np.arange(1, count + 1) - (count + 1) / 2
        most += sqrt(12 / (count + 1)) * (np.sort(contrasts[:, there], axis=1) @ places)
    return most
