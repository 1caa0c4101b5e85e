"""Targets: what is a class label is what scikit-learn takes for one, and some numbers less."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.multiclass import type_of_target

from hetsel.ground.errors import TableError
from hetsel.tables.validation import MANY_CLASSES, encode_target

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
    with pytest.raises(TableError, match="write them alike if they are one class"):
        encode_target(y, len(given))


def test_whole_numbers_and_floats_of_one_value_are_one_class():
    labels, codes = encode_target(pd.Series([1, 1.0, 0, 0], dtype=object), 4)
    assert labels.tolist() == [0, 1]
    assert codes.tolist() == [1, 1, 0, 0]
