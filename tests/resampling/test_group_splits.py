"""Splits of whole groups: numbers by hand, and the folds of scikit-learn."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold

from hetsel.ground.errors import PlanError
from hetsel.resampling.folds import units_of
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.splits import class_quotas, sequence, split_groups


def persons(n=60, *, mixed=False, seed=0, mean=5.0):
    """Classes and groups of the rows of n persons, of one class each or of several."""
    rng = np.random.default_rng(seed)
    sizes = 1 + rng.poisson(mean - 1, n)
    groups = rng.permutation(np.repeat(np.arange(n), sizes))
    codes = groups % 3 % 2
    if mixed:
        codes = np.where(rng.random(len(codes)) < 0.8, codes, 1 - codes)
    return codes, groups


def source(k):
    return np.random.SeedSequence(k)


@pytest.mark.parametrize("kind", ["stratified", "random"])
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(
    "wanted",
    [{}, {"test_share": 0.4}, {"test_count": 30}, {"train_count": 100, "test_count": 50}],
)
def test_no_group_is_on_both_sides(kind, mixed, wanted):
    codes, groups = persons(mixed=mixed)
    splits = Resamplings(kind=kind, **wanted)
    for k in range(20):
        train, test = split_groups(codes, groups, splits, source(k))
        assert not np.intersect1d(groups[train], groups[test]).size
        assert np.isin(groups, groups[train]).sum() == len(train)
        assert np.isin(groups, groups[test]).sum() == len(test)
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()
        if "train_count" not in wanted:
            assert len(train) + len(test) == len(codes)


def test_groups_of_one_row_give_the_numbers_of_single_rows():
    codes = np.repeat([0, 1, 2], [44, 33, 3])
    for k in range(10):
        rows = np.random.default_rng(k).permutation(80)
        train, test = split_groups(codes[rows], np.arange(80), Resamplings(), source(k))
        assert (
            np.bincount(codes[rows][test]).tolist()
            == class_quotas(np.array([44, 33, 3]), 8).tolist()
        )
        assert len(train) == 80 - len(test)


def test_numbers_of_rows_are_met_to_half_a_group():
    groups = np.repeat(np.arange(40), 4)
    codes = groups % 2
    for wanted in (6, 16, 21, 30):
        splits = Resamplings(test_count=2 * wanted)
        for k in range(5):
            _, test = split_groups(codes, groups, splits, source(k))
            assert (abs(np.bincount(codes[test]) - wanted) <= 2).all()


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [False, True])
def test_classes_are_as_even_as_in_the_folds_of_scikit_learn(mixed):
    apart = np.zeros(2)
    for seed in range(25):
        codes, groups = persons(mixed=mixed, seed=seed)
        counts = np.bincount(codes)
        _, ours = split_groups(codes, groups, Resamplings(), source(seed))
        splitter = StratifiedGroupKFold(10, shuffle=True, random_state=seed)
        _, theirs = next(splitter.split(codes, codes, groups))
        for k, test in enumerate((ours, theirs)):
            apart[k] += np.abs(np.bincount(codes[test]) - counts / 10).sum()
    assert apart[0] <= apart[1]


def test_every_group_is_tested_and_trained_on_in_some_resampling():
    sizes = np.array([40, 3, 3, 2, 2, 1, 1, 5, 5, 6, 2, 30])  # some larger than the test part
    groups = np.repeat(np.arange(12), sizes)
    codes = groups % 2
    found = [split_groups(codes, groups, Resamplings(), source(k)) for k in range(200)]
    for part in (0, 1):
        rows = np.concatenate([one[part] for one in found])
        assert np.unique(groups[rows]).size == 12
    assert all(np.unique(codes[part]).size == 2 for one in found for part in one)


def test_the_only_group_of_a_class_trains():
    groups = np.repeat(np.arange(10), 6)
    codes = (groups == 7).astype(int)
    for k in range(20):
        train, test = split_groups(codes, groups, Resamplings(test_share=0.5), source(k))
        assert codes[train].sum() == 6
        assert codes[test].sum() == 0


def test_more_training_rows_hold_the_fewer_ones_and_the_test_rows_stay():
    codes, groups = persons(80)
    found = [
        split_groups(codes, groups, Resamplings(train_count=k, test_count=60), source(1))
        for k in (20, 60, 150)
    ]
    for (train, test), (more, same) in pairwise(found):
        assert np.isin(train, more).all()
        assert len(train) < len(more)
        assert np.array_equal(test, same)


def test_training_rows_of_each_class_come_to_half_a_group():
    groups = np.repeat(np.arange(60), 4)
    codes = groups % 3
    train, test = split_groups(codes, groups, Resamplings(train_per_class=10), source(0))
    assert (abs(np.bincount(codes[train]) - 10) <= 2).all()
    assert len(train) + len(test) >= 240 - 3 * 4


@pytest.mark.parametrize("kind", ["stratified", "random"])
def test_a_given_test_set_is_never_trained_on(kind):
    codes, groups = persons()
    given = groups >= 45
    for wanted in ({}, {"train_count": 40}, {"test_count": 20}):
        splits = Resamplings(kind=kind, **wanted)
        train, test = split_groups(codes, groups, splits, source(2), given)
        assert not given[train].any()
        assert given[test].all()
        if "test_count" not in wanted:
            assert len(test) == given.sum()
        if "train_count" in wanted:
            assert abs(len(train) - 40) < 2 * np.bincount(groups).max()
        else:
            assert len(train) == (~given).sum()


def test_rows_of_groups_by_class_are_those_that_numpy_counts():
    codes, groups = persons(mixed=True)
    wanted = [np.bincount(codes[groups == g], minlength=2) for g in range(60)]
    assert np.array_equal(units_of(codes, groups)[1], wanted)


def test_more_rows_than_there_are_cannot_be_asked_for():
    codes, groups = persons()
    with pytest.raises(PlanError, match=r"test_count must be in 1\.\."):
        split_groups(codes, groups, Resamplings(test_count=1000), source(0))


def test_the_seeds_know_the_groups_and_not_their_labels():
    codes, groups = persons()
    first, other = (sequence(3, codes, 0, None, g).spawn_key for g in (groups, groups[::-1]))
    assert first != other
    assert first != sequence(3, codes, 0).spawn_key
    assert sequence(3, codes, 0, None, None).spawn_key == sequence(3, codes, 0).spawn_key
    swapped = sequence(3, 1 - codes, 0, None, groups).spawn_key
    assert swapped == first


def test_the_splits_of_a_seed_stay_what_they_are():
    groups = np.arange(50) // 3
    codes = groups % 2
    _, test = split_groups(codes, groups, Resamplings(), sequence(7, codes, 5, None, groups))
    assert np.unique(groups[test]).tolist() == [9, 12]
