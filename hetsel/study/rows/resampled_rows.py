"""Which rows train and which are tested in a resampling, for every kind of split.

"stratified", "random"
    Drawn anew for each resampling, see :func:`hetsel.study.rows.splits.split`; whole groups of rows
    where there are groups, see :mod:`hetsel.study.rows.group_splits`.
"k-fold"
    Resampling r tests fold r mod K of repeat r div K, so that every row is tested once in each
    repeat, as by scikit-learn's RepeatedStratifiedKFold: the rows of every class are spread evenly
    over the folds. With groups the folds are those of
    :func:`hetsel.resampling.folds.group_folds`, as even as StratifiedGroupKFold's.
"time-ordered"
    Forward chaining, as by scikit-learn's TimeSeriesSplit. With the rows in the order of time and m
    test rows, resampling r tests the rows n - (r + 1) m, ..., n - r m - 1 and trains on the rows
    before them, or on the last `train_count` of these. So the latest rows come first, and more
    resamplings leave the first ones what they are. Rows of the same time as a test row do not
    train, nor do rows of its group. Nothing is drawn.

Scores are over the test rows, one by one, whether or not there are groups.
"""

from __future__ import annotations

import numpy as np

from hetsel.ground.errors import PlanError
from hetsel.resampling.folds import group_folds, rows_by_class, spread_evenly
from hetsel.study.plan.settings import Resamplings
from hetsel.study.rows.data_set import StudyData
from hetsel.study.rows.group_splits import split_groups
from hetsel.study.rows.splits import numbered, quotas, sequence, split

FEWEST = 2  # training rows
MOST = 50  # resamplings whose shares of test groups are averaged


def train_and_test(
    data: StudyData, resamplings: Resamplings, seed: int, resampling: int
) -> tuple[np.ndarray, np.ndarray, np.random.SeedSequence]:
    """Training and test rows of a resampling, both ascending, and the seeds of what else is drawn.

    Parameters
    ----------
    data : StudyData
    resamplings : Resamplings
    seed : int
        Of the study.
    resampling : int
        Its number, from 0.

    Raises
    ------
    PlanError
        Rows, folds or groups that there are not.
    """
    codes, groups, given = data.target.codes, data.row_groups, data.test_rows
    splitting, drawing = sequence(seed, codes, resampling, given, groups).spawn(2)
    if resamplings.kind == "time-ordered":
        if data.order is None:
            raise PlanError("kind = 'time-ordered' needs order, the column with the time of a row")
        train, test = before_and_after(data.order, resamplings, resampling, groups)
    elif resamplings.kind == "k-fold":
        repeat, k = divmod(resampling, resamplings.n_folds)
        source = sequence(seed, codes, repeat, given, groups).spawn(2)[0]
        held_out = folds(codes, resamplings.n_folds, source, groups) == k
        train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    elif groups is not None:
        train, test = split_groups(codes, groups, resamplings, splitting, given)
    else:
        train, test = split(codes, resamplings, splitting, given)
    return train, test, drawing


def folds(
    codes: np.ndarray,
    n_folds: int,
    source: np.random.SeedSequence,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Fold (n,) of each row, every class spread evenly, its rows or its groups.

    Raises
    ------
    PlanError
        More folds than rows or groups; a class of a single one, which no other fold has.

    Examples
    --------
    >>> codes = np.repeat([0, 1], [6, 3])
    >>> fold = folds(codes, 3, np.random.SeedSequence(0))
    >>> [np.bincount(codes[fold == k]).tolist() for k in range(3)]
    [[2, 1], [2, 1], [2, 1]]
    """
    rng, codes = np.random.default_rng(source), numbered(codes)
    what = "rows" if groups is None else "groups of rows"
    members = rows_by_class(codes, np.arange(len(codes)) if groups is None else groups)
    if n_folds > len(members):
        raise PlanError(f"folds must be in 2..{len(members)}, the number of {what}. Got {n_folds}")
    rarest = int((members > 0).sum(axis=0).min())
    if rarest < 2:
        raise PlanError(f"kind = 'k-fold' needs two {what} of every class. One class has {rarest}")
    if groups is None:
        return spread_evenly(codes, n_folds, rng)
    return np.asarray(group_folds(members, n_folds, rng)[groups])


def before_and_after(
    order: np.ndarray,
    resamplings: Resamplings,
    resampling: int,
    groups: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training rows, and the test rows that come after them, both ascending.

    Parameters
    ----------
    order : ndarray of int, shape (n,)
        Place of each row in time; rows of one time are taken as they come in the table.
    resamplings : Resamplings
        Of kind "time-ordered".
    resampling : int
        0 tests the last rows.
    groups : ndarray of int, shape (n,), optional
        Group of each row.

    Raises
    ------
    PlanError
        So many test rows, so often, that no two rows are left to train on.

    Examples
    --------
    >>> splits = Resamplings(kind="time-ordered", count=2, test_count=3)
    >>> for resampling in range(2):
    ...     print(*before_and_after(np.arange(10), splits, resampling))
    [0 1 2 3 4 5 6] [7 8 9]
    [0 1 2 3] [4 5 6]
    """
    n = len(order)
    _, (m,) = quotas(np.array([n]), _test_part(resamplings))
    most = (n - FEWEST) // m
    if resamplings.count > most:
        raise PlanError(
            f"count must be in 1..{most}, as often as {m} of {n} rows can be tested after others. "
            f"Got {resamplings.count}"
        )
    latest = np.argsort(order, kind="stable")
    cut = n - (resampling + 1) * m
    test = latest[cut : cut + m]
    earlier = latest[:cut][-resamplings.train_count if resamplings.train_count else 0 :]
    training = order[earlier] < order[test].min()
    if groups is not None:
        training &= ~np.isin(groups[earlier], groups[test])
    if training.sum() < FEWEST:
        raise PlanError(
            f"resampling {resampling} has no {FEWEST} training rows before its test rows, of "
            "another time and group: take fewer resamplings or test rows"
        )
    return np.sort(earlier[training]), np.sort(test)


def _test_part(resamplings: Resamplings) -> Resamplings:
    """The number of test rows alone: the training rows before them are a window."""
    return Resamplings(
        kind="random", test_count=resamplings.test_count, test_share=resamplings.test_share
    )


def mean_test_share(data: StudyData, resamplings: Resamplings, seed: int) -> float | None:
    """Mean share of the groups, or of rows in the order of time, that are tested; else None.

    It is what the corrections for overlapping training sets count: rows of one group are no
    independent pieces of data, and a pair of them is never parted, so groups take their place: the
    correlation of two resamplings by Nadeau and Bengio is the share of what is exchangeable that
    is tested, and the share of parted pairs is that of pairs of groups. Of groups that are drawn
    the first resamplings are averaged.

    Raises
    ------
    PlanError
        The rows cannot be split so.
    """
    groups = data.row_groups
    ordered = resamplings.kind == "time-ordered"
    if groups is None and not ordered:
        return None
    shares = []
    for resampling in range(resamplings.count if ordered else min(resamplings.count, MOST)):
        train, test, _ = train_and_test(data, resamplings, seed, resampling)
        if groups is not None:
            train, test = np.unique(groups[train]), np.unique(groups[test])
        shares.append(len(test) / (len(train) + len(test)))
    return float(np.mean(shares))
