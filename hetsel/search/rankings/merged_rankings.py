"""One answer of many: by the mean rank, by the mean share of importance, by the frequency.

B answers to resamplings of one table, p features. r_bf is the rank of feature f in answer b, 1 the
best; features beyond the k that an answer ranks share the mean of the ranks k + 1, ..., p. Features
that tie are ordered by a place that the caller names.
"""

import math
from collections.abc import Sequence

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.ties import tied
from hetsel.selection import Answer, Ranking, SearchPath, best_first


def merge_by_rank(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Ranking by the mean rank: J(f) = p + 1 - (1/B) sum_b r_bf.

    Sums of ranks are whole numbers or halves: no tie is broken by rounding.

    Parameters
    ----------
    rankings : sequence of Ranking
        Of the same p features.
    place : ndarray of int, shape (p,)
        The lower one comes first among equals.

    Returns
    -------
    Ranking
        Its extra `mean_rank` (p,).

    References
    ----------
    Abeel, Helleputte, Van de Peer, Dupont & Saeys 2010, section 2.2 (linear aggregation).

    Examples
    --------
    >>> one, other = (Ranking.from_importance(np.array(v)) for v in ([3, 2, 1.0], [2, 1, 3.0]))
    >>> merge_by_rank([one, other], np.arange(3)).importance
    array([2.5, 1.5, 2. ])
    """
    total = _doubled_ranks(rankings)
    mean = total / (2 * len(rankings))
    importance = len(total) + 1 - mean
    extras = {"mean_rank": mean}
    return Ranking(best_first(-total, -place), importance, extras=extras, first=_first(rankings))


def merge_by_weight(rankings: Sequence[Ranking], place: np.ndarray) -> Ranking:
    """Ranking by the mean share of the importance: J(f) = (1/B) sum_b J_bf / sum_g |J_bg|.

    Means that differ by less than 1e-8 of the largest tie, and go by the mean rank. Where an
    importance is infinite, such features share the whole among them.

    Parameters
    ----------
    rankings : sequence of Ranking
        Of the same p features; the importances of each compare.
    place : ndarray of int, shape (p,)
        The lower one comes first among equals.

    Returns
    -------
    Ranking
        Its extra `mean_rank` (p,).

    Examples
    --------
    >>> one, other = (Ranking.from_importance(np.array(v)) for v in ([3, 1, 0.0], [2, 0, 6.0]))
    >>> merge_by_weight([one, other], np.arange(3)).importance
    array([0.5  , 0.125, 0.375])
    """
    total = _doubled_ranks(rankings)
    shares = np.zeros(len(total))
    for ranking in rankings:
        shares += _shares(ranking.importance)
    weight = tied(shares / len(rankings))
    mean = total / (2 * len(rankings))
    order, extras = best_first(weight, -total, -place), {"mean_rank": mean}
    return Ranking(order, weight, extras=extras, first=_first(rankings))


def merge_by_frequency(
    answers: Sequence[Answer],
    sizes: Sequence[int],
    place: np.ndarray,
    chosen: int | None = None,
) -> SearchPath:
    """Subsets by frequency: of size s, the s features in most of the signatures of that size.

    Equal numbers go by the mean rank, where all answers are rankings. The subsets of two sizes need
    not be nested.

    Parameters
    ----------
    answers : sequence of Answer
        Of the same p features.
    sizes : sequence of int
    place : ndarray of int, shape (p,)
        The lower one comes first among equals.
    chosen : int, optional
        The size to settle on; None takes the largest.

    Returns
    -------
    SearchPath
        Subsets with the most frequent feature first, without scores.

    Raises
    ------
    TableError
        An answer without a signature of some size.

    References
    ----------
    Meinshausen & Buehlmann 2010, section 2.1 (frequencies).

    Examples
    --------
    >>> rankings = [Ranking.from_importance(np.array(v)) for v in ([3, 2, 1.0], [2, 1, 3.0])]
    >>> merge_by_frequency(rankings, [1, 2], np.arange(3)).signature(2)
    array([0, 2])
    """
    p, rankings = len(place), [a for a in answers if isinstance(a, Ranking)]
    total = _doubled_ranks(rankings) if len(rankings) == len(answers) else np.zeros(p)
    subsets = {}
    for size in sizes:
        times = np.zeros(p)
        for answer in answers:
            if size not in answer.sizes:
                raise TableError(
                    f"the method must have a signature of size={size} in every resampling. Got one "
                    "without: name a size that it answers with, as an option of the method too if "
                    "it has one"
                )
            times[answer.signature(size)] += 1
        subsets[int(size)] = best_first(times, -total, -place)[:size]
    return SearchPath(p, subsets, chosen=chosen)


def _first(rankings: Sequence[Ranking]) -> np.ndarray:
    """The mean (p,) of what the rankings compare by; empty where one compares by nothing."""
    every = [ranking.compared for ranking in rankings if ranking.complete]
    if len(every) < len(rankings) or not all(map(len, every)):
        return np.empty(0)
    mean = np.mean(every, axis=0)
    return np.asarray(tied(mean) if np.isfinite(mean).all() else mean)


def _doubled_ranks(rankings: Sequence[Ranking]) -> np.ndarray:
    """2 sum_b r_bf (p,), whole numbers."""
    total = np.zeros(rankings[0].p, dtype=np.int64)
    for ranking in rankings:
        p, k = ranking.p, len(ranking.order)
        doubled = np.full(p, k + 1 + p, dtype=np.int64)
        doubled[ranking.order] = 2 * np.arange(1, k + 1)
        total += doubled
    return total


def _shares(importance: np.ndarray) -> np.ndarray:
    """Importances (p,) divided by the sum of their magnitudes, which no order of them changes."""
    importance = np.where(np.isnan(importance), 0.0, importance)  # unranked
    endless = np.isinf(importance)
    values = np.where(endless, np.sign(importance), 0.0) if endless.any() else importance
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return np.zeros(len(values))
    values = values / largest  # so that no sum overflows
    return np.asarray(values / math.fsum(np.abs(values)))
