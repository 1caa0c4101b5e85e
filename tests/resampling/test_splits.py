"""Splits: what each class gives, and that a seed keeps its splits."""

from itertools import pairwise

import numpy as np
import pytest

from hetsel.ground.errors import PlanError
from hetsel.resampling.resampling_entry import Resamplings
from hetsel.resampling.splits import class_quotas, quotas, sequence, split


def test_stratified_quotas():
    assert class_quotas(np.array([245, 185]), 43).tolist() == [25, 18]
    assert class_quotas(np.array([50, 3]), 5).tolist() == [5, 1]
    assert class_quotas(np.array([50, 2]), 5).tolist() == [5, 0]
    assert class_quotas(np.array([20, 14, 53]), 29).tolist() == [7, 5, 17]  # 6.67, 4.67, 17.67
    codes = np.repeat([0, 1, 2], [30, 20, 10])
    train, test = split(codes, Resamplings(test_share=0.2), np.random.SeedSequence(1))
    assert np.bincount(codes[test]).tolist() == [6, 4, 2]
    assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(60))


def test_the_splits_of_a_seed_stay_what_they_are():
    codes = np.arange(50) % 2
    _, test = split(codes, Resamplings(), sequence(7, codes, 5))
    assert test.tolist() == [5, 14, 17, 22, 42]


@pytest.mark.parametrize("kind", ["stratified", "random"])
@pytest.mark.parametrize(
    ("given", "n_train", "n_test"),
    [
        ({"train_count": 240, "test_count": 111}, 240, 111),
        ({"train_count": 240}, 240, 111),
        ({"test_count": 111}, 240, 111),
        ({"train_count": 50, "test_count": 100}, 50, 100),
        ({"train_count": 10, "test_count": 341}, 10, 341),
    ],
)
def test_numbers_of_rows_are_those_asked_for(kind, given, n_train, n_test):
    codes = np.repeat([0, 1], [225, 126])
    splits = Resamplings.of("plan", given | {"kind": kind})
    train, test = split(codes, splits, np.random.SeedSequence(2))
    assert (len(train), len(test)) == (n_train, n_test)
    assert not np.intersect1d(train, test).size
    assert (np.diff(train) > 0).all()
    assert (np.diff(test) > 0).all()
    if kind == "stratified":
        for part in (train, test):
            assert abs((codes[part] == 0).sum() - len(part) * 225 / 351) < 1


def test_training_rows_of_each_class():
    codes = np.repeat([0, 1, 2], [60, 50, 40])
    splits = Resamplings(train_per_class=10)
    train, test = split(codes, splits, np.random.SeedSequence(0))
    assert np.bincount(codes[train]).tolist() == [10, 10, 10]
    assert np.bincount(codes[test]).tolist() == [50, 40, 30]
    splits = Resamplings(train_per_class=10, test_count=24)
    train, few = split(codes, splits, np.random.SeedSequence(0))
    assert np.bincount(codes[few]).tolist() == [10, 8, 6]
    assert np.bincount(codes[train]).tolist() == [10, 10, 10]


def test_more_training_rows_hold_the_fewer_ones_and_the_test_rows_stay():
    codes = np.arange(300) % 2
    found = [
        split(codes, Resamplings(train_count=k, test_count=100), np.random.SeedSequence(1))
        for k in (10, 50, 200)
    ]
    for (train, test), (more, same) in pairwise(found):
        assert np.isin(train, more).all()
        assert np.array_equal(test, same)


def test_a_class_with_rows_to_train_with_gives_one():
    codes = np.repeat([0, 1], [97, 3])
    train, test = split(
        codes, Resamplings(train_count=10, test_count=20), np.random.SeedSequence(0)
    )
    assert np.bincount(codes[train])[1] == 1
    assert np.bincount(codes[test])[1] == 1


@pytest.mark.parametrize("kind", ["stratified", "random"])
def test_a_given_test_set_is_never_trained_on(kind):
    codes = np.arange(200) % 4
    given = np.arange(200) >= 140
    for wanted, n_train, n_test in (
        ({}, 140, 60),
        ({"train_count": 20}, 20, 60),
        ({"test_count": 12}, 140, 12),
        ({"train_per_class": 5, "test_count": 8}, 20, 8),
    ):
        if kind == "random" and "train_per_class" in wanted:
            continue
        splits = Resamplings(kind=kind, **wanted)
        train, test = split(codes, splits, np.random.SeedSequence(4), given)
        assert (len(train), len(test)) == (n_train, n_test)
        assert not given[train].any()
        assert given[test].all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"train_count": 100}, r"train_count must be in 1..99 .* Got 100"),
        ({"test_count": 100}, r"test_count must be in 1..99 .* Got 100"),
        ({"train_count": 60, "test_count": 50}, r"test_count must be in 1..40 .* Got 50"),
        ({"train_per_class": 40}, r"train_per_class must be in 1..39 .* Got 40"),
        ({"train_per_class": 30, "test_count": 41}, r"test_count must be in 1..40 .* Got 41"),
    ],
)
def test_more_rows_than_there_are_cannot_be_asked_for(given, message):
    with pytest.raises(PlanError, match=message):
        quotas(np.array([60, 40]), Resamplings(**given))


def test_a_given_test_set_limits_both_parts():
    counts, held = np.array([60, 40]), np.array([10, 20])
    for given, name in (
        ({"train_count": 71}, "train_count must be in 1..70"),
        ({"train_per_class": 21}, "train_per_class must be in 1..20"),
        ({"test_count": 31}, "test_count must be in 1..30"),
    ):
        with pytest.raises(PlanError, match=name):
            quotas(counts, Resamplings(**given), held)


@pytest.mark.parametrize("kind", ["stratified", "random"])
def test_other_numbers_of_the_classes_give_the_same_rows(kind):
    codes = np.random.default_rng(1).permutation(np.repeat([0, 1, 2], [20, 20, 33]))
    other = np.array([2, 0, 1])[codes]
    splits = Resamplings(count=1, kind=kind)
    for resampling in range(5):
        parts = (split(c, splits, sequence(3, c, resampling)) for c in (codes, other))
        assert all(np.array_equal(*rows) for rows in zip(*parts, strict=True))
