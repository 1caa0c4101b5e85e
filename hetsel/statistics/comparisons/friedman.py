"""Compare methods over blocks by ranks: Friedman's test, and Iman and Davenport's.

Notation. N blocks (data sets, or sizes of data sets) and k methods; r_bj is the rank of method j in
block b, R_j its mean over the blocks. Rank 1 is best, ties get their average rank, and scores that
differ by rounding alone are ties (:mod:`hetsel.ground.rounding`).

Friedman's test and its permutations are scipy's. This module adds what scipy and statsmodels lack:
Iman and Davenport's F, statistics without the correction for ties, tests of two methods, and tests
of methods that all tie.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from hetsel.ground import TableError, whole_number
from hetsel.ground.array_types import Floats
from hetsel.ground.rounding import reaches, tie_rows
from hetsel.statistics.doors.score_tables import read_long_scores, read_scores


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """Hold the result of Friedman's test and of Iman and Davenport's.

    Parameters
    ----------
    names, larger_is_better
        The k methods, and how the scores were ranked.
    ranks : ndarray of shape (N, k)
        Rank of each method in each block.
    mean_ranks : ndarray of shape (k,)
        Mean rank of each method; smaller is better.
    statistic, pvalue : float
        Friedman's chi-squared, corrected for ties.
    iman_davenport, iman_davenport_pvalue : float
        Iman and Davenport's F of that statistic. Prefer it: it is less conservative.
    statistic_ignoring_ties, iman_davenport_ignoring_ties : float
        The two statistics as printed by Demsar (2006), without the correction for ties.

    See Also
    --------
    hetsel.stats.friedman

    Examples
    --------
    >>> result = friedman([[0.9, 0.7, 0.8], [0.8, 0.6, 0.7]], names=["a", "b", "c"])
    >>> isinstance(result, FriedmanResult), result.order
    (True, ('a', 'c', 'b'))
    """

    names: tuple[str, ...]
    ranks: Floats
    mean_ranks: Floats
    statistic: float
    pvalue: float
    iman_davenport: float
    iman_davenport_pvalue: float
    statistic_ignoring_ties: float
    iman_davenport_ignoring_ties: float
    larger_is_better: bool

    @property
    def n_blocks(self) -> int:
        """Number of blocks N."""
        return len(self.ranks)

    @property
    def order(self) -> tuple[str, ...]:
        """The methods from best to worst."""
        return tuple(name for name, _ in best_first(self.names, self.mean_ranks))

    def permutation_pvalue(self, draws: int = 19_999, seed: int = 0) -> float:
        """Compute the p-value of Friedman's statistic by permuting the ranks within each block.

        The test keeps its level for any number of blocks and methods, with or without ties, if
        methods that do not differ are exchangeable within a block. The two approximations do not
        (decision 037).

        Parameters
        ----------
        draws : int
            Number of permutations to draw. The observed ranks count as one more, so the p-value is
            at least 1 / (draws + 1). If there are no more than `draws` permutations, each is used
            once.
        seed : int
            Seed of the draws.

        Returns
        -------
        float

        Examples
        --------
        >>> ranks = friedman([[0.9, 0.7, 0.8], [0.8, 0.6, 0.7], [0.9, 0.7, 0.6]])
        >>> round(ranks.permutation_pvalue(), 4)  # chi-squared 4.667 or more: 42 of 216
        0.1944
        """
        draws, seed = whole_number("draws", draws, 1), whole_number("seed", seed, 0)
        doubled = np.rint(2 * self.ranks)  # whole numbers: sums are exact

        def spread(*methods: Floats, axis: int) -> Floats:
            return np.asarray(sum(method.sum(axis=axis) ** 2 for method in methods))

        test = stats.permutation_test(
            tuple(doubled.T),
            spread,
            permutation_type="samples",
            vectorized=True,
            n_resamples=draws,
            batch=max(1, 20_000_000 // doubled.size),
            alternative="greater",
            random_state=seed,
        )
        return float(test.pvalue)

    def frame(self) -> pd.DataFrame:
        """Return one row per method, best first: `mean_rank`."""
        frame = pd.DataFrame({"method": self.names, "mean_rank": self.mean_ranks})
        return frame.set_index("method").loc[list(self.order)]

    def tests(self) -> pd.DataFrame:
        """Return one row per test: `test`, `ties`, `statistic`, `df`, `df_error`, `pvalue`."""
        n, k = self.ranks.shape
        df, error = k - 1, (k - 1) * (n - 1)
        plain, ratio = self.statistic_ignoring_ties, self.iman_davenport_ignoring_ties
        rows = [
            ("Iman-Davenport", "corrected", self.iman_davenport, self.iman_davenport_pvalue),
            ("Friedman", "corrected", self.statistic, self.pvalue),
            ("Iman-Davenport", "ignored", ratio, stats.f.sf(ratio, df, error)),
            ("Friedman", "ignored", plain, stats.chi2.sf(plain, df)),
        ]
        frame = pd.DataFrame(rows, columns=["test", "ties", "statistic", "pvalue"])
        frame.insert(3, "df", df)
        frame.insert(4, "df_error", [error, None, error, None])
        return frame

    def __str__(self) -> str:
        n, k = self.ranks.shape
        df, better = k - 1, "larger" if self.larger_is_better else "smaller"
        ranks = ", ".join(f"{name} {r:.3f}" for name, r in best_first(self.names, self.mean_ranks))
        return (
            f"{k} methods on {n} blocks, {better} scores are better\n"
            f"Mean ranks: {ranks}\n"
            f"Friedman: chi2({df}) = {self.statistic:.3f}, p = {self.pvalue:.3g}\n"
            f"Iman-Davenport: F({df}, {df * (n - 1)}) = {self.iman_davenport:.3f}, "
            f"p = {self.iman_davenport_pvalue:.3g}"
        )


def friedman(
    scores: ArrayLike, *, names: Sequence[str] | None = None, larger_is_better: bool = True
) -> FriedmanResult:
    """Test methods for differences over data sets with Friedman's test.

    The test compares the ranks of k methods over N blocks, such as data sets:

    chi2 = 12 N / (k (k + 1)) sum_j (R_j - (k + 1)/2)^2, divided by 1 - sum over ties of (t^3 - t) /
    (N k (k^2 - 1)) to correct for ties of t methods;

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom (Iman and
    Davenport). If all methods tie in all blocks, both are 0 and p = 1.

    Parameters
    ----------
    scores : frame of any library, dict of columns or array-like of shape (N, k)
        One row per block, one column per method. A first column of text names the blocks.
    names : sequence of str of length k, optional
        Names of the methods; by default those of the columns, otherwise 1, 2, ...
    larger_is_better : bool
        Whether the largest score of a block gets rank 1.

    Returns
    -------
    FriedmanResult

    Raises
    ------
    TableError
        If a score is missing, or there are fewer than 2 blocks or 2 methods.

    See Also
    --------
    hetsel.stats.nemenyi : Compare the pairs of methods afterwards.
    hetsel.stats.skillings_mack : The test if some blocks lack some methods.
    hetsel.stats.friedman_both : The test with sizes of data sets as blocks.

    References
    ----------
    Friedman (1937) JASA 32, 675-701; Iman & Davenport (1980) Communications in Statistics A9,
    571-595; Demsar (2006) Journal of Machine Learning Research 7, section 3.2.2.

    Examples
    --------
    >>> from hetsel.stats import friedman
    >>> print(friedman([[0.9, 0.7, 0.8], [0.8, 0.6, 0.7], [0.9, 0.7, 0.6]], names=["a", "b", "c"]))
    3 methods on 3 blocks, larger scores are better
    Mean ranks: a 1.000, c 2.333, b 2.667
    Friedman: chi2(2) = 4.667, p = 0.097
    Iman-Davenport: F(2, 4) = 7.000, p = 0.0494
    """
    values, labels = read_scores(scores, names)
    n, k = values.shape
    ranks = block_ranks(values, larger_is_better)
    means = ranks.mean(axis=0)
    plain = 12 * n / (k * (k + 1)) * float(((means - (k + 1) / 2) ** 2).sum())
    statistic, pvalue = _friedman_of_ranks(ranks)
    ratio = _iman_davenport(statistic, n, k)
    return FriedmanResult(
        names=labels,
        ranks=ranks,
        mean_ranks=means,
        statistic=statistic,
        pvalue=pvalue,
        iman_davenport=ratio,
        iman_davenport_pvalue=float(stats.f.sf(ratio, k - 1, (k - 1) * (n - 1))),
        statistic_ignoring_ties=plain,
        iman_davenport_ignoring_ties=_iman_davenport(plain, n, k),
        larger_is_better=larger_is_better,
    )


@dataclass(frozen=True, eq=False)
class BothFriedman:
    """Hold Friedman's test with two choices of blocks.

    Parameters
    ----------
    by_size : FriedmanResult
        Every size of every data set is a block, as in section 4.2 of Paul et al. (2015). The sizes
        of one data set are correlated, so the p-value is too small.
    by_dataset : FriedmanResult
        Every data set is one block; the score of a method is its mean rank over the sizes.

    See Also
    --------
    hetsel.stats.friedman_both

    Examples
    --------
    >>> scores = [("heart", 1, "a", 0.9), ("heart", 1, "b", 0.8), ("mice", 1, "a", 0.7)]
    >>> names = ["dataset", "size", "method", "score"]
    >>> frame = pd.DataFrame([*scores, ("mice", 1, "b", 0.6)], columns=names)
    >>> isinstance(friedman_both(frame), BothFriedman)
    True
    """

    by_size: FriedmanResult
    by_dataset: FriedmanResult

    def __str__(self) -> str:
        return (
            "Blocks are the sizes of all data sets, as in paul2015. Sizes of one data set are "
            f"correlated, so p is too small.\n{self.by_size}\n\nBlocks are the data sets. Scores "
            f"are mean ranks over the sizes of a data set.\n{self.by_dataset}"
        )


def friedman_both(frame: Any, *, larger_is_better: bool = True) -> BothFriedman:
    """Test methods for differences over sizes of data sets, and over data sets.

    The second test ranks the methods at every size, averages the ranks over the sizes of a data
    set, and ranks the averages within the data set. Averaging ranks instead of scores gives each
    size the same weight, however far its scores spread.

    Parameters
    ----------
    frame : frame of any library, dict of columns or records
        Columns `dataset`, `size`, `method`, `score`; one row per score, every method in every
        block.
    larger_is_better : bool
        Whether the largest score of a block gets rank 1.

    Returns
    -------
    BothFriedman

    Raises
    ------
    TableError
        If a column, a name or a score is missing, or a combination of data set, size and method
        occurs twice.

    See Also
    --------
    hetsel.stats.friedman : The test with one choice of blocks.

    References
    ----------
    Paul, D'Ambrosio & Dupont (2015), section 5 (paul2015).

    Examples
    --------
    >>> import pandas as pd
    >>> from hetsel.stats import friedman_both
    >>> scores = {"a": [0.9, 0.8, 0.7, 0.6], "b": [0.8, 0.7, 0.6, 0.7]}
    >>> blocks = {"dataset": ["heart", "heart", "housing", "housing"], "size": [1, 2, 1, 2]}
    >>> frame = pd.DataFrame(blocks | scores).melt(["dataset", "size"], None, "method", "score")
    >>> both = friedman_both(frame)
    >>> both.by_size.mean_ranks, both.by_dataset.mean_ranks
    (array([1.25, 1.75]), array([1.25, 1.75]))
    """
    table = read_long_scores(frame).unstack("method", sort=False)
    if table.isna().any(axis=None):
        dataset, size = table.index[table.isna().any(axis=1)][0]
        method = table.columns[table.loc[(dataset, size)].isna()][0]
        raise TableError(
            f"every method needs a score in every block. Missing: dataset {dataset}, size {size}, "
            f"method {method}"
        )
    by_size = friedman(table, larger_is_better=larger_is_better)
    means = mean_ranks_by_dataset(table, larger_is_better=larger_is_better)
    return BothFriedman(by_size, friedman(means, larger_is_better=False))


def best_first(names: Sequence[str], mean_ranks: Floats) -> list[tuple[str, float]]:
    """Return the methods with their mean ranks, best first; ties in the order of the columns."""
    return [(names[j], float(mean_ranks[j])) for j in np.argsort(mean_ranks, kind="stable")]


def ranks_in_blocks(table: pd.DataFrame, *, larger_is_better: bool = True) -> pd.DataFrame:
    """Rank the methods (columns) in each block (rows); ties up to rounding share their rank."""
    ranks = block_ranks(table.to_numpy(np.float64), larger_is_better)
    return pd.DataFrame(ranks, index=table.index, columns=table.columns)


def mean_ranks_by_dataset(table: pd.DataFrame, *, larger_is_better: bool = True) -> pd.DataFrame:
    """Average the ranks of the methods (columns) over each data set, a level of the index."""
    if table.empty:
        return table
    ranks = ranks_in_blocks(table, larger_is_better=larger_is_better)
    return ranks.groupby(level="dataset", sort=False).mean()


def block_ranks(values: Floats, larger_is_better: bool) -> Floats:
    """Rank within each row, 1 is best; ties up to rounding share their rank, NaN has none."""
    if not isinstance(larger_is_better, bool | np.bool_):
        raise TableError(f"larger_is_better must be True or False. Got {larger_is_better!r:.60}")
    tied = tie_rows(values)
    tied = -tied if larger_is_better else tied
    return np.asarray(stats.rankdata(tied, axis=1, nan_policy="omit"))


def _friedman_of_ranks(ranks: Floats) -> tuple[float, float]:
    """Return scipy's chi-squared and p-value, or those of the sign test for two methods."""
    if (ranks == ranks[:, :1]).all():
        return 0.0, 1.0
    if ranks.shape[1] == 2:
        wins = np.sign(ranks[:, 1] - ranks[:, 0])
        statistic = float(wins.sum() ** 2 / np.abs(wins).sum())
        return statistic, float(stats.chi2.sf(statistic, 1))
    test = stats.friedmanchisquare(*ranks.T)
    return float(test.statistic), float(test.pvalue)


def _iman_davenport(statistic: float, n: int, k: int) -> float:
    """Return F; infinite for the largest possible statistic, if all blocks agree."""
    largest = n * (k - 1)
    if reaches([statistic], largest)[0]:
        return inf
    return (n - 1) * statistic / (largest - statistic)
