"""Test whether the ranks of methods depend on the judge that scored them."""

from dataclasses import dataclass
from itertools import permutations, product
from math import factorial

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from hetsel.ground import TableError

MOST = 20_000  # permutations up to which all are counted
DRAWS = 9_999  # otherwise


@dataclass(frozen=True, eq=False)
class JudgeEffect:
    """Hold the test whether ranks depend on the judge.

    Parameters
    ----------
    mean_ranks : ndarray of shape (J, k)
        Mean rank of each method by each judge.
    statistic : float
        Sum of the squared distances of these from their mean over the judges.
    pvalue : float
        Permutation p-value.
    least : float
        Smallest possible p-value with this number of data sets and judges.
    concordance : float
        Kendall's coefficient of concordance W of the mean ranks of the judges: 1 if all judges
        order the methods alike, 0 without any agreement; NaN for one method.

    See Also
    --------
    hetsel.stats.judge_effect
    """

    mean_ranks: np.ndarray
    statistic: float
    pvalue: float
    least: float
    concordance: float


def judge_effect(ranks: ArrayLike, *, seed: int = 0) -> JudgeEffect:
    """Test whether the ranks of k methods on N data sets depend on the judge.

    Under the null hypothesis the rank vectors of the J judges on one data set are exchangeable. The
    statistic is sum_j sum_m (R_jm - R_.m)^2, where R_jm is the mean over the data sets of the rank
    of method m by judge j. The test permutes the judges within each data set. It counts all
    (J!)^(N - 1) permutations if there are at most 20,000, otherwise 9,999 random ones.

    Parameters
    ----------
    ranks : array-like of shape (J, N, k)
        Rank of each method on each data set by each judge; 1 is best.
    seed : int
        Seed of the random permutations. Default: 0.

    Returns
    -------
    JudgeEffect

    Raises
    ------
    TableError
        If there are fewer than 2 judges, or ranks are missing.

    References
    ----------
    Pesarin & Salmaso (2010) Permutation Tests for Complex Data, Wiley (restricted permutations);
    Kendall & Babington Smith (1939) Annals of Mathematical Statistics 10, 275-287 (W).

    Examples
    --------
    >>> same, other = [[1, 2, 3]] * 4, [[3, 2, 1]] * 4
    >>> judge_effect([same, same]).pvalue, judge_effect([same, other]).pvalue
    (1.0, 0.125)
    """
    table = np.asarray(ranks, dtype=np.float64)
    if table.ndim != 3 or len(table) < 2 or not table.size or np.isnan(table).any():
        raise TableError(
            "ranks must have shape (judges, data sets, methods), at least 2 judges and no missing "
            f"value. Got shape {table.shape}"
        )
    judges, blocks, _ = table.shape
    observed = _spread(table[None])[0]
    every = factorial(judges) ** (blocks - 1)
    least = 1.0 / min(every, DRAWS + 1)
    if every <= MOST:
        orders = [list(order) for order in permutations(range(judges))]
        rest = product(range(len(orders)), repeat=blocks - 1)
        places = np.array([(0, *own) for own in rest])
        spreads = _permuted(table, np.array(orders)[places])
        pvalue = float(np.mean(_reaches(spreads, observed)))
    else:
        rng = np.random.default_rng(seed)
        drawn = np.argsort(rng.random((DRAWS, blocks, judges)), axis=2)
        pvalue = float((1 + _reaches(_permuted(table, drawn), observed).sum()) / (DRAWS + 1))
    means = table.mean(axis=1)
    return JudgeEffect(means, float(observed), pvalue, least, _concordance(means))


def _permuted(table: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Return the statistic (B,) of permuted judges (B, N, J)."""
    blocks = np.arange(table.shape[1])
    spreads = []
    for some in np.array_split(orders, max(1, len(orders) // 500)):
        permuted = table[some, blocks[None, :, None]]  # (b, N, J, k)
        spreads.append(_spread(permuted.swapaxes(1, 2)))
    return np.concatenate(spreads)


def _spread(tables: np.ndarray) -> np.ndarray:
    """Return the statistic (B,) of ranks (B, J, N, k)."""
    means = tables.mean(axis=2)
    away = means - means.mean(axis=1, keepdims=True)
    return np.asarray((away * away).sum(axis=(1, 2)))


def _reaches(spreads: np.ndarray, observed: float) -> np.ndarray:
    return np.asarray(spreads >= observed - 1e-9 * max(1.0, observed))


def _concordance(means: np.ndarray) -> float:
    """Return Kendall's W of the methods ranked by the mean ranks (J, k), corrected for ties."""
    judges, methods = means.shape
    if methods < 2:
        return float("nan")
    own = rankdata(np.round(means, 9), axis=1)
    sums = own.sum(axis=0)
    counts = [np.unique(row, return_counts=True)[1] for row in own]
    ties = sum(int((count**3 - count).sum()) for count in counts)
    total = judges**2 * (methods**3 - methods) - judges * ties
    return float(12 * ((sums - sums.mean()) ** 2).sum() / total) if total else float("nan")
