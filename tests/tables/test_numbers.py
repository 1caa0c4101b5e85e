"""Targets of numbers: what is taken for one, and what of it the rest of the house asks."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.multiclass import type_of_target

from hetsel.ground.errors import TableError
from hetsel.tables import Classes, Numbers, read_target

CODES = np.tile([0, 1, 1, 2], 5)
MEASURED = np.linspace(-1.0, 3.0, 20)
TARGETS = {
    "integers": CODES,
    "whole floats": CODES.astype(float),
    "halves": CODES / 2,
    "halves of single precision": (CODES / 2).astype(np.float32),
    "measured": MEASURED,
    "measured, a list": MEASURED.tolist(),
    "flags": CODES > 0,
    "text": np.array(["a", "b", "c"])[CODES],
    "nullable integers": pd.Series(CODES, dtype="Int64"),
    "nullable halves": pd.Series(CODES / 2, dtype="Float64"),
}


@pytest.mark.parametrize("y", TARGETS.values(), ids=TARGETS)
def test_numbers_are_what_scikit_learn_calls_continuous(y):
    continuous = type_of_target(y) == "continuous"
    target = read_target(y)
    assert target.kind == ("numbers" if continuous else "classes")
    assert len(target) == len(y)
    if continuous:
        np.testing.assert_array_equal(target.values, np.asarray(y, dtype=float))


def test_whole_numbers_are_numbers_if_it_is_said():
    assert read_target(CODES, kind="numbers").values.tolist() == CODES.tolist()
    assert read_target(Classes.of(CODES), kind="numbers").values.tolist() == CODES.tolist()
    assert read_target(Numbers(CODES + 0.0), kind="classes").codes.tolist() == CODES.tolist()
    many = np.arange(50)
    assert read_target(many, kind="numbers").distinct == 50
    for each in (many, many.astype(float)):
        with pytest.raises(TableError, match="continuous.* target_kind='numbers'.*='classes'"):
            read_target(each)
    with pytest.raises(TableError, match="looks continuous"):
        read_target(MEASURED, fractions=False)
    with pytest.raises(TableError, match="one of classes, numbers, survival. Got 'ranks'"):
        read_target(many, kind="ranks")


def test_any_numbers_are_labels_if_it_is_said():
    halves, many = np.tile([1.5, 0.5], 3), np.tile(np.arange(67.0), 2)
    assert read_target(halves).kind == "numbers"
    assert read_target(halves, kind="classes").labels.tolist() == [0.5, 1.5]
    assert read_target(many, kind="classes").counts.tolist() == [2] * 67
    told = read_target(halves, kind="classes")
    assert read_target(told).labels.tolist() == [0.5, 1.5]


@pytest.mark.parametrize(
    ("y", "fact"),
    [
        (None, "y is None"),
        ([1.0, 1.0, 1.0], "two values. Got one value, 1, in 3 rows"),
        ([1.0, None, 2.0], "missing in 1 row. Drop"),
        ([1.0, np.inf, 2.5], "finite numbers. Got 'inf' in 1 row"),
        (["1", "b", "c"], "Got 'b' in 2 rows"),
        ([True, False, True], "Got True and False"),
        ([[1.0, 2.5]] * 3, "one column of labels"),
        (5, "one column of labels. Got 5"),
        ([1.5, 2.0], "must have 3 rows"),
    ],
)
def test_what_is_no_number_is_refused(y, fact):
    with pytest.raises(TableError, match=fact):
        read_target(y, 3, "numbers")


def test_rows_taken_keep_their_numbers_read_only():
    target = read_target(pd.Series(MEASURED, name="dose"))
    for one in (target, pickle.loads(pickle.dumps(target))):
        part = one.take(np.array([3, 0]))
        assert part.values.tolist() == MEASURED[[3, 0]].tolist()
        assert part.in_words() == "numbers: 2 different values in 'dose'"
        with pytest.raises(ValueError, match="read-only"):
            one.values[0] = 2.0
    assert target.varies
    assert not target.take(np.array([1, 1])).varies


def test_strata_are_bins_of_the_ranks_with_equal_values_together():
    rng = np.random.default_rng(3)
    values = rng.normal(size=200)
    target = Numbers(values)
    assert np.bincount(target.strata).tolist() == [20] * 10
    order = np.argsort(values)
    assert (np.diff(target.strata[order]) >= 0).all()
    np.testing.assert_array_equal(Numbers(7 - 2 * values).strata, 9 - target.strata)
    for few in ([2, 60, 3, 1, 40, 4], [1, 1, 1, 50], [50, 2], [30, 4, 4, 4, 30]):
        lumps = Numbers(np.repeat(np.arange(len(few)) * 1.5, few))
        counts = np.bincount(lumps.strata)
        assert counts.min() >= 5
        assert counts.sum() == sum(few)
        assert (np.diff(lumps.strata) >= 0).all()
    tied = Numbers(np.repeat([0.5, 1.0, 9.0], [100, 60, 40]))
    assert np.bincount(tied.strata).tolist() == [100, 60, 40]
    assert Numbers(values[:4]).strata.tolist() == [0] * 4
    np.testing.assert_array_equal(Classes.of(CODES).strata, CODES)


def test_content_is_equal_where_the_target_is():
    assert Numbers(np.array([2.5, -1.0, 2.5, 0.0])).content.tolist() == [2, 0, 2, 1]
    np.testing.assert_array_equal(Classes.of(CODES).content, CODES)
