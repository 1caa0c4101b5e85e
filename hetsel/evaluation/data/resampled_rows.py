"""Which rows of a data set train and which are tested in a resampling.

How each kind of split draws them: see :mod:`hetsel.resampling.resamplings`. Scores are over the
test rows, one by one, whether or not there are groups.
"""

import numpy as np

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.ground.errors import PlanError
from hetsel.resampling.folds import whole_folds
from hetsel.resampling.group_splits import split_groups
from hetsel.resampling.resamplings import Resamplings
from hetsel.resampling.splits import sequence, split
from hetsel.resampling.time_order import before_and_after

MOST = 50  # resamplings whose shares of test groups are averaged


def train_and_test(
    data: EncodedData, resamplings: Resamplings, seed: int, resampling: int
) -> tuple[np.ndarray, np.ndarray, np.random.SeedSequence]:
    """Training and test rows of a resampling, both ascending, and the seeds of what else is drawn.

    Parameters
    ----------
    data : EncodedData
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
    codes, groups, given = data.target.split_classes, data.row_groups, data.test_rows
    splitting, drawing = sequence(seed, codes, resampling, given, groups).spawn(2)
    if resamplings.kind == "time-ordered":
        if data.order is None:
            raise PlanError("kind = 'time-ordered' needs order, the column with the time of a row")
        train, test = before_and_after(data.order, resamplings, resampling, groups)
    elif resamplings.kind == "k-fold":
        repeat, k = divmod(resampling, resamplings.n_folds)
        source = sequence(seed, codes, repeat, given, groups).spawn(2)[0]
        held_out = whole_folds(codes, resamplings.n_folds, source, groups) == k
        train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    elif groups is not None:
        train, test = split_groups(codes, groups, resamplings, splitting, given)
    else:
        train, test = split(codes, resamplings, splitting, given)
    return train, test, drawing


def mean_test_share(data: EncodedData, resamplings: Resamplings, seed: int) -> float | None:
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
