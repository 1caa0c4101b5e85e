"""Leaks: columns that alone predict the target and may have been recorded after the outcome."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import gammaln

from hetsel.ground import Fix
from hetsel.pitfalls.caution import Caution
from hetsel.tables import Classes, Column, Note, Numbers, Survival, Table, TypedTarget
from hetsel.tables.content import content_ranks, parts_of_columns

RATE = 0.95  # balanced accuracy of a leak, at least
CHANCE = 1e-3  # largest probability that any column reaches it by chance
FEWEST_PER_CLASS = 5  # rows on average; fewer are no classes
FEWEST_CELLS = 5  # values known, or missing, in one class only
ASK = ". Check that it is known before the outcome"
NEAR = 0.99  # rank correlation with the target, at least
FEWEST = 20  # rows; with fewer such a correlation may be chance
PART = 2**20  # values that are ranked at once


class ClassesOfRows(NamedTuple):
    """The classes of the rows."""

    codes: np.ndarray  # (n,)
    counts: np.ndarray  # (c,): rows of each class, none of them empty
    p: int  # columns of the table, for the correction for multiple columns
    events: bool = False  # whether the classes are the rows without an event and those with one

    @classmethod
    def of(cls, target: TypedTarget | None, p: int) -> "ClassesOfRows | None":
        """Read a target; None where it has no classes or events, or too few rows of each."""
        if not isinstance(target, Classes | Survival):
            return None
        codes, counts = np.unique(target.strata, return_inverse=True, return_counts=True)[1:]
        if len(counts) < 2 or len(codes) < FEWEST_PER_CLASS * len(counts):
            return None
        return cls(codes, counts, p, isinstance(target, Survival))

    @property
    def weights(self) -> np.ndarray:
        """Weight (c,) of a row of each class; all rows together weigh 1."""
        return 1.0 / (len(self.counts) * self.counts)


def telling_numbers(
    columns: Sequence[Column], order: np.ndarray, ascending: np.ndarray, rows: ClassesOfRows
) -> Iterator[tuple[int, Caution]]:
    """Yield numeric columns that separate the classes by cuts, with their places.

    Classes are ordered by their mean ranks. Between two neighbors lies the best cut of the classes
    below from the classes above. Missing values lie above or below all others. `order` and
    `ascending` (q, n) are the rows by ascending value, and these values; NaN is last.
    """
    best: dict[int, tuple[float, float]] = {}
    gaps = np.isnan(ascending)
    with_gaps = np.flatnonzero(gaps[:, -1])
    _take_best(best, np.arange(len(columns)), order, ascending, rows)
    if len(with_gaps):  # again with the missing values first
        turned = np.argsort(~gaps[with_gaps], axis=1, kind="stable")
        first = np.take_along_axis(order[with_gaps], turned, axis=1)
        upward = np.take_along_axis(ascending[with_gaps], turned, axis=1)
        _take_best(best, with_gaps, first, upward, rows)
    for j in sorted(best):
        rate, log_chance = best[j]
        if log_chance <= np.log(CHANCE):
            yield j, _telling(columns[j], rate, rows)


def _take_best(
    best: dict[int, tuple[float, float]],
    places: np.ndarray,
    order: np.ndarray,
    ascending: np.ndarray,
    rows: ClassesOfRows,
) -> None:
    """Keep the best rate of each column that reaches RATE, with its logarithmic probability."""
    c, n = len(rows.counts), order.shape[1]
    classes = rows.codes[order]
    same = np.isnan(ascending[:, 1:]) & np.isnan(ascending[:, :-1])
    same |= ascending[:, 1:] == ascending[:, :-1]
    column = np.arange(len(order))[:, None]
    places_of = (column * c + classes).ravel()
    sums = np.bincount(places_of, np.tile(np.arange(n), len(order)), len(order) * c)
    height = np.argsort(np.argsort(sums.reshape(-1, c) / rows.counts, axis=1), axis=1)
    left = np.arange(len(order))
    cuts = np.empty((c - 1, len(order)), dtype=np.int64)
    for k in range(1, c):  # of the columns that are left
        below = np.take_along_axis(height[left], classes[left], axis=1) < k
        signed = np.where(below, 1.0, -1.0) * rows.weights[classes[left]]
        score = np.cumsum(signed[:, :-1], axis=1) + (c - k) / c
        score = np.where(same[left], 0.0, np.round(score, 12))
        cuts[k - 1, left] = score.argmax(axis=1)
        left = left[score.max(axis=1) >= RATE]
        if not len(left):
            return
    for i in left.tolist():
        guess = (np.arange(n)[:, None] > cuts[:, i]).sum(axis=1)
        truth = height[i, classes[i]]
        rate = float(((guess == truth) * rows.weights[classes[i]]).sum())
        kinds = n - int(same[i].sum())
        tries = _log_choose(kinds - 1, c - 1) + gammaln(c + 1)
        chance = log_chance(guess, truth, tries + np.log(rows.p))
        j = int(places[i])
        if rate >= RATE and rate > best.get(j, (0.0, 0.0))[0]:
            best[j] = (rate, chance)


def telling_levels(column: Column, cells: np.ndarray, rows: ClassesOfRows) -> Caution | None:
    """Return a caution on a nominal column whose levels predict the classes.

    Each row is predicted from the other rows of its level; missing counts as a level. The
    prediction is the class with the largest proportion of its rows there, or none if two classes
    tie or there is no other row.
    """
    levels = np.unique(cells, return_inverse=True)[1]
    c, n_levels = len(rows.counts), int(levels.max()) + 1
    counts = np.bincount(levels * c + rows.codes, minlength=n_levels * c).reshape(n_levels, c)
    shares = counts / rows.counts
    leading = shares.argmax(axis=1)
    second, first = np.sort(shares, axis=1)[:, -2:].T
    rival = np.where(np.arange(c) == leading[:, None], second[:, None], first[:, None])
    right = (counts - 1) / rows.counts > rival
    rate = float((shares * right).sum() / c)
    if rate < RATE:
        return None
    guess = leading[levels]
    tries = int((counts.sum(axis=1) > 1).sum()) * np.log(c) + np.log(rows.p)
    if log_chance(guess, rows.codes, tries) > np.log(CHANCE):
        return None
    return _telling(column, rate, rows)


def may_tell(cells: np.ndarray, rows: ClassesOfRows) -> np.ndarray:
    """Mark the nominal columns (n, q) that :func:`telling_levels` must check."""
    ranks = content_ranks(cells, np.zeros(cells.shape[1], dtype=bool))
    levels = ranks.astype(np.int64) + 1  # 0 is missing
    c, n_levels = len(rows.counts), int(levels.max(initial=0)) + 1
    levels += n_levels * np.arange(len(levels))[:, None]
    counts = np.bincount((levels * c + rows.codes).ravel(), minlength=len(levels) * n_levels * c)
    counts = counts.reshape(len(levels), n_levels, c)
    shares = counts / rows.counts
    first = shares == shares.max(axis=2, keepdims=True)
    first &= np.cumsum(first, axis=2) == 1  # the first of equal ones, like argmax
    second = np.where(first, -1.0, shares).max(axis=2, keepdims=True)
    rival = np.where(first, second, shares.max(axis=2, keepdims=True))
    right = (counts - 1) / rows.counts > rival
    return np.asarray((shares * right).sum(axis=(1, 2)) / c >= RATE - 1e-6)


def known_in_one_class(column: Column, gaps: np.ndarray, rows: ClassesOfRows) -> Caution | None:
    """Return a caution on a column that is known, or missing, in rows of one class only."""
    for present in (True, False):
        cells = np.bincount(rows.codes[gaps != present], minlength=len(rows.counts))
        m, n = int(cells.sum()), len(gaps)
        if m < FEWEST_CELLS or (cells > 0).sum() > 1:
            continue
        own = int(rows.counts[cells.argmax()])
        chance = _log_choose(own, m) - _log_choose(n, m) + np.log(rows.p * len(rows.counts))
        if chance <= np.log(CHANCE):
            what = "known" if present else "missing"
            where = "rows with an event" if cells.argmax() else "censored rows"
            where = where if rows.events else "rows of one class"
            facts = {f"{what}_rows": m, "rows_of_class": own}
            return _leak(column, (m, f" values are {what}, all of them in {where}", ASK), facts)
    return None


def log_chance(guess: np.ndarray, truth: np.ndarray, tries: float = 0.0) -> float:
    """Bound the log probability that one of exp(tries) rules predicts as many rows correctly.

    A fixed rule predicts class k for g_k rows, h_k of them correctly, and class k has m_k of n
    rows. If all orders of the classes are equally probable, then h = sum_k h_k correct rows have at
    most the probability

        prod_k choose(g_k, h_k) m_k! / (m_k - h_k)!  (n - h)! / n!,

    the sum over the possible sets of correct rows.
    """
    c = int(truth.max()) + 1
    own, guessed = np.bincount(truth, minlength=c), np.bincount(guess, minlength=c)
    hits = np.bincount(truth[guess == truth], minlength=c)
    n, h = len(truth), int(hits.sum())
    placed = gammaln(own + 1) - gammaln(own - hits + 1)
    chosen = gammaln(guessed + 1) - gammaln(hits + 1) - gammaln(guessed - hits + 1)
    return float((placed + chosen).sum() + gammaln(n - h + 1) - gammaln(n + 1) + tries)


def _log_choose(n: float, k: float) -> float:
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) if n >= k else -np.inf


def _telling(column: Column, rate: float, rows: ClassesOfRows) -> Caution:
    what = "which rows have an event" if rows.events else "the target"
    begin = f"a column that alone predicts {what} with a balanced accuracy of "
    return _leak(column, (begin, float(f"{100 * rate:.4g}"), "%", ASK), {"rate": rate})


def _leak(column: Column, said: tuple[str | float, ...], facts: Mapping[str, float]) -> Caution:
    fix = Fix("drop", (column.name,), "if not")
    return Caution("leak", (column.name,), facts, Note(said, (fix,)))


def telling_measures(table: Table, target: Numbers | Survival) -> Iterator[tuple[int, Caution]]:
    """Yield columns that order the numbers, or the event times, with their places.

    These are numeric columns with an absolute rank correlation of at least 0.99 with the target.
    And these are columns whose values split the target into ranges without overlap, if the
    probability that c groups of m_k of n rows do so in any of p columns is at most 1/1000: p c!
    prod_k m_k! / n!.
    """
    rows = np.arange(len(target)) if isinstance(target, Numbers) else np.flatnonzero(target.events)
    values = target.values if isinstance(target, Numbers) else target.times
    cells, values = table.values[rows], values[rows]
    if len(values) < 2 or np.ptp(values) == 0:
        return
    what = "the target" if isinstance(target, Numbers) else "the time of an event"
    order = np.argsort(values, kind="stable")
    correlations = _rank_correlations(cells, values, table.nominal)
    for j, column in enumerate(table.schema.columns):
        if abs(correlations[j]) >= NEAR:
            correlation = float(correlations[j])
            shown = float(f"{correlation:.4g}")
            said = ("a column with a rank correlation of ", shown, f" with {what}{ASK}")
            yield j, _leak(column, said, {"rank_correlation": correlation})
        elif _parts_in_ranges(cells[order, j], values[order], table.shape[1]):
            ranges = f"values that split {what} into ranges without overlap{ASK}"
            yield j, _leak(column, (ranges,), {})


def _rank_correlations(cells: np.ndarray, values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Return Spearman's correlation (p,) of numeric columns with the target, on known values."""
    n, p = cells.shape
    correlations = np.zeros(p)
    if n < FEWEST:
        return correlations
    gaps = np.isnan(cells).any(axis=0)
    whole = np.flatnonzero(~nominal & ~gaps)
    ranks = pd.Series(values).rank().to_numpy()
    for part in (whole[some] for some in parts_of_columns(len(whole), n, PART)):
        correlations[part] = _correlations(pd.DataFrame(cells[:, part]).rank().to_numpy(), ranks)
    for j in np.flatnonzero(~nominal & gaps).tolist():
        known = ~np.isnan(cells[:, j])
        if known.sum() >= FEWEST:
            pair = pd.DataFrame({"x": cells[known, j], "y": values[known]}).rank().to_numpy()
            correlations[j] = _correlations(pair[:, :1], pair[:, 1])[0]
    return correlations


def _correlations(columns: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation (q,) of columns (n, q) with ranks (n,); 0 if constant."""
    columns, ranks = columns - columns.mean(axis=0), ranks - ranks.mean()
    spread = np.sqrt((columns**2).sum(axis=0) * (ranks**2).sum())
    products = (columns * ranks[:, None]).sum(axis=0)
    return np.divide(products, spread, out=np.zeros(len(spread)), where=spread > 0)


def _parts_in_ranges(cells: np.ndarray, values: np.ndarray, p: int) -> bool:
    """Check whether equal values (n,) of a column are neighbors in the order of the target."""
    groups, counts = np.unique(cells, return_inverse=True, return_counts=True)[1:]
    n, c = len(values), len(counts)
    log_chance = gammaln(c + 1) + gammaln(counts + 1).sum() - gammaln(n + 1) + np.log(p)
    if c < 2 or log_chance > np.log(CHANCE):
        return False
    ends = np.flatnonzero(groups[1:] != groups[:-1])
    return len(ends) == c - 1 and bool((values[ends + 1] > values[ends]).all())
