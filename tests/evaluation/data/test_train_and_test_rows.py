"""Folds and cuts in time against scikit-learn's splitters."""

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, TimeSeriesSplit

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.data.train_and_test_rows import mean_test_share, train_and_test
from hetsel.ground.errors import PlanError
from hetsel.resampling.folds import whole_folds
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.splits import before_and_after
from hetsel.tables import Classes, Schema


def data(y, **roles):
    x = np.arange(len(y), dtype=float)[:, None]
    return EncodedData("d", Schema.infer(x).encode(x), Classes.of(y, len(y)), "impute", "", **roles)


def splits_of(given, resamplings, seed=0):
    return [train_and_test(given, resamplings, seed, r)[:2] for r in range(resamplings.count)]


def test_every_row_is_tested_once_a_repeat_with_the_class_counts_of_scikit_learn():
    y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [57, 31, 13]))
    ours = splits_of(data(y), Resamplings(count=30, kind="k-fold"))
    theirs = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0).split(y, y)
    theirs = [test for _, test in theirs]
    for repeat in range(3):
        tests = [test for _, test in ours[10 * repeat : 10 * (repeat + 1)]]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(y)))
        both = (tests, theirs[10 * repeat : 10 * (repeat + 1)])
        sizes, others = (sorted(map(len, parts)) for parts in both)
        assert sizes == others
        for c in range(3):
            counts, others = (sorted((y[test] == c).sum() for test in parts) for parts in both)
            assert counts == others
    for train, test in ours:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    assert len({tuple(test) for _, test in ours}) == 30


def test_groups_are_tested_whole_and_once_a_repeat():
    groups = np.random.default_rng(1).permutation(np.repeat(np.arange(30), np.arange(1, 31)))
    y = groups % 2
    ours = splits_of(data(y, row_groups=groups), Resamplings(count=15, folds=5, kind="k-fold"))
    for repeat in range(3):
        tests = [test for _, test in ours[5 * repeat : 5 * (repeat + 1)]]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(y)))
    for train, test in ours:
        assert not np.intersect1d(groups[train], groups[test]).size


def test_more_repeats_leave_the_first_ones_what_they_are():
    y = np.arange(40) % 2
    few, many = (splits_of(data(y), Resamplings(count=k, folds=4, kind="k-fold")) for k in (4, 12))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(few, many, strict=False))


def test_more_folds_than_rows_or_groups_are_refused():
    seeds = np.random.SeedSequence(0)
    with pytest.raises(PlanError, match=r"folds must be in 2\.\.6, the number of rows. Got 7"):
        whole_folds(np.arange(6) % 2, 7, seeds)
    groups = np.arange(6) // 2
    with pytest.raises(PlanError, match=r"2\.\.3, the number of row groups. Got 4"):
        whole_folds(np.arange(6) % 2, 4, seeds, groups)
    with pytest.raises(PlanError, match="at least 2 row groups of every class"):
        whole_folds((groups == 0).astype(int), 2, seeds, groups)


@pytest.mark.parametrize("window", [None, 25])
@pytest.mark.parametrize(("n", "count", "m"), [(100, 5, 10), (100, 9, 10), (61, 4, 7)])
def test_cuts_in_time_are_those_of_scikit_learn(n, count, m, window):
    rng = np.random.default_rng(n + count)
    order = rng.permutation(n)
    splits = Resamplings(kind="time-ordered", count=count, test_count=m, train_count=window)
    splitter = TimeSeriesSplit(count, test_size=m, max_train_size=window)
    place = np.argsort(order)
    theirs = [(np.sort(place[a]), np.sort(place[b])) for a, b in splitter.split(place)]
    for r, expected in enumerate(reversed(theirs)):
        found = before_and_after(order, splits, r)
        assert all(map(np.array_equal, found, expected))


def test_training_rows_come_before_the_test_rows_also_where_times_are_tied():
    order = np.random.default_rng(3).integers(0, 12, 90)
    splits = Resamplings(kind="time-ordered", count=5)
    tested = []
    for r in range(5):
        train, test = before_and_after(order, splits, r)
        assert order[train].max() < order[test].min()
        assert len(test) == 9
        tested.append(test)
    assert np.unique(np.concatenate(tested)).size == 45


def test_rows_of_a_tested_group_do_not_train():
    groups = np.arange(60) % 20
    splits = Resamplings(kind="time-ordered", count=2, test_count=6)
    for r in range(2):
        train, test = before_and_after(np.arange(60), splits, r, groups)
        assert not np.intersect1d(groups[train], groups[test]).size
        assert len(train) == [42, 36][r]  # of the rows before, two of each tested group do not


def test_more_cuts_than_rows_are_refused():
    splits = Resamplings(kind="time-ordered", count=10)
    with pytest.raises(PlanError, match=r"count must be in 1\.\.9, .* 10 of 100 rows .* Got 10"):
        before_and_after(np.arange(100), splits, 0)
    same = np.zeros(30, dtype=int)
    with pytest.raises(PlanError, match="resampling 0 must have 2 training rows"):
        before_and_after(same, Resamplings(kind="time-ordered", count=1), 0)


def test_shares_of_tested_groups_by_hand():
    groups = np.repeat(np.arange(20), 3)
    y = groups % 2
    grouped = data(y, row_groups=groups)
    assert mean_test_share(grouped, Resamplings(), 0) == pytest.approx(0.1)
    assert mean_test_share(
        grouped, Resamplings(count=5, folds=5, kind="k-fold"), 0
    ) == pytest.approx(0.2)
    assert mean_test_share(data(y), Resamplings(), 0) is None
    timed = data(np.arange(60) % 2, order=np.arange(60))
    splits = Resamplings(kind="time-ordered", count=3, test_count=10)
    wanted = np.mean([10 / 60, 10 / 50, 10 / 40])
    assert mean_test_share(timed, splits, 0) == pytest.approx(wanted)
