"""Targets: what is a class label is what scikit-learn takes for one, and some numbers less."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.multiclass import type_of_target

from hetsel.ground.errors import TableError
from hetsel.tables.validation import (
    MANY_CLASSES,
    codes_with_predicted,
    encode_target,
    labels_of_file,
)

CODES = np.tile([0, 1, 1, 2], 5)
TARGETS = {
    "integers": CODES,
    "unsigned": CODES.astype(np.uint8),
    "whole floats": CODES.astype(float),
    "halves": CODES / 2,
    "thirds of single precision": (CODES / 3).astype(np.float32),
    "negative halves": -1.5 * CODES,
    "flags": CODES > 0,
    "text": np.array(["a", "b", "c"])[CODES],
    "nullable integers": pd.Series(CODES, dtype="Int64"),
    "nullable halves": pd.Series(CODES / 2, dtype="Float64"),
    "nullable flags": pd.Series(CODES > 0, dtype="boolean"),
    "categories": pd.Series(CODES).map({0: "a", 1: "b", 2: "c"}).astype("category"),
    "categories of halves": pd.Series(CODES / 2).astype("category"),
    "as many classes as may be": np.repeat(np.arange(MANY_CLASSES), 2),
    "many names": np.repeat([f"class {k}" for k in range(MANY_CLASSES + 1)], 2),
}


@pytest.mark.parametrize("y", TARGETS.values(), ids=TARGETS)
def test_continuous_targets_are_those_of_scikit_learn(y):
    if type_of_target(y) == "continuous":
        with pytest.raises(TableError, match="Unknown label type: .*continuous"):
            encode_target(y, len(y))
        return
    labels, codes = encode_target(y, len(y))
    assert len(labels) == len(np.unique(np.asarray(y)))
    np.testing.assert_array_equal(labels[codes].astype(str), np.asarray(y).astype(str))


DAYS = [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]
STRANGE = {
    "number and text": [1, "a"],
    "flag and text": [True, "a"],
    "bytes": [b"x", b"y"],
    "decimals": [Decimal(1), Decimal(2)],
    "dates": DAYS,
    "times": pd.to_datetime(["2020-01-01 12:00", "2021-01-01 13:30"]).tolist(),
    "pairs": [(1, 2), (3, 4)],
}


@pytest.mark.parametrize("labels", STRANGE.values(), ids=STRANGE)
def test_labels_that_would_not_come_back_are_refused(labels):
    cells = pd.Series([labels[code] for code in (0, 1, 1, 0)])
    for y in (cells, cells.array, cells.astype("category")):
        with pytest.raises(
            TableError, match="must be all text, all numbers, or all True and False.* Got "
        ):
            encode_target(y, 4)
    texts = labels_of_file(cells)
    assert encode_target(texts, 4)[0].tolist() == sorted(map(str, labels))


def test_whole_numbers_of_a_file_are_labels_without_a_point():
    for cells in ([1.0, 2.0, 1.0], [1.0, None, 2.0]):
        assert labels_of_file(pd.Series(cells)).dropna().map(str).unique().tolist() == ["1", "2"]
    for cells in ([1.5, 2.0], [1e300, 2.0], [float("inf"), 1.0]):
        assert labels_of_file(pd.Series(cells)).tolist() == cells


@pytest.mark.parametrize("y", [CODES, CODES > 0, CODES.astype(float)], ids=str)
def test_labels_in_a_column_of_objects_are_those_of_their_kind(y):
    labels, codes = encode_target(y.astype(object), len(y))
    assert labels.dtype == y.dtype
    np.testing.assert_array_equal(labels[codes], y)
    assert codes_with_predicted(y.astype(object), y)[0].tolist() == codes.tolist()


def test_text_and_numbers_are_not_judged_by_each_other():
    with pytest.raises(TableError, match="type of the labels in fit, such as 1. Got '1'"):
        codes_with_predicted(["1", "2"], np.array([1, 2]))


@pytest.mark.parametrize("dtype", [int, float, "Int64"])
def test_many_whole_numbers_are_a_measurement_though_scikit_learn_takes_them(dtype):
    y = pd.Series(np.repeat(np.arange(MANY_CLASSES + 1), 2), dtype=dtype)
    assert type_of_target(y) == "multiclass"
    with pytest.raises(TableError, match=f"{MANY_CLASSES + 1} distinct numbers"):
        encode_target(y, len(y))


def test_flags_among_objects_are_classes_though_scikit_learn_does_not_know_them():
    y = np.array([True, False] * 3, dtype=object)
    assert type_of_target(y) == "unknown"
    labels, codes = encode_target(y, 6)
    assert labels.tolist() == [False, True]
    assert codes.tolist() == [1, 0] * 3


@pytest.mark.parametrize("labels", [[1, "1", 0], [True, 1, 0], [0.0, "0", 1], [False, "0", "b"]])
@pytest.mark.parametrize("form", [list, tuple, pd.Series, pd.Categorical, np.array])
def test_labels_of_two_types_that_read_the_same_are_refused(labels, form):
    given = [label for label in labels for _ in range(3)]
    y = np.array(given, dtype=object) if form is np.array else form(given)
    if form is pd.Categorical and not isinstance(labels[1], str):
        return  # one category to pandas
    with pytest.raises(TableError, match="Write them alike if they are one class"):
        encode_target(y, len(given))


def test_whole_numbers_and_floats_of_one_value_are_one_class():
    labels, codes = encode_target(pd.Series([1, 1.0, 0, 0], dtype=object), 4)
    assert labels.tolist() == [0, 1]
    assert codes.tolist() == [1, 1, 0, 0]
