"""Targets: class labels as codes."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import same

from hetsel.ground.errors import TableError
from hetsel.tables import Classes

Y = ["no", "yes", "maybe", "no", "yes", "maybe", "no"]


def test_codes_and_counts_by_hand():
    target = Classes.of(Y)
    assert target.labels.tolist() == ["maybe", "no", "yes"]
    assert target.codes.tolist() == [1, 2, 0, 1, 2, 0, 1]
    assert target.counts.tolist() == [2, 3, 2]
    assert len(target) == 7
    assert target.kind == "classes"


def test_the_categories_of_a_target_keep_their_order():
    y = pd.Series(pd.Categorical(Y, ["yes", "never", "no", "maybe"]))
    assert Classes.of(y).labels.tolist() == ["yes", "no", "maybe"]
    assert Classes.of(y).codes.tolist() == [1, 0, 2, 1, 0, 2, 1]


def test_a_target_is_taken_as_it_is():
    target = Classes.of(Y)
    again = Classes.of(target, 7)
    same(again.codes, target.codes)
    same(again.labels, target.labels)
    with pytest.raises(TableError, match="must have 6 rows.*Got 7"):
        Classes.of(target, 6)


@pytest.mark.parametrize(
    ("y", "fewest", "fact"),
    [
        (None, 1, "y is None"),
        (["a", "a"], 1, "two classes"),
        (["a", None], 1, "missing in 1 row. Drop"),
        (["a", "b", "b"], 2, "Class a has one"),
        ([[0, 1], [1, 0]], 1, "one column of labels. Got a list of 2 x 2"),
    ],
)
def test_what_is_no_target_is_refused(y, fewest, fact):
    with pytest.raises(TableError, match=fact):
        Classes.of(y, 2 if y is None else None, fewest=fewest)


def test_a_class_of_one_row_may_be_allowed():
    assert Classes.of(["a", "b", "b"], fewest=1).counts.tolist() == [1, 2]


def test_rows_taken_know_their_classes():
    part = Classes.of(Y).take(np.array([6, 1, 4]))
    assert part.labels.tolist() == ["no", "yes"]
    assert part.codes.tolist() == [0, 1, 1]
    assert Classes.of(Y).places_of(part).tolist() == [1, 2]
    other = part.in_order(np.array([1, 0]))
    assert other.labels[other.codes].tolist() == part.labels[part.codes].tolist()
    assert Classes.of(Y).places_of(other).tolist() == [2, 1]


def test_codes_are_read_only_after_a_journey_too():
    for target in (Classes.of(Y), pickle.loads(pickle.dumps(Classes.of(Y)))):
        with pytest.raises(ValueError, match="read-only"):
            target.codes[0] = 2


@pytest.mark.parametrize(
    ("y", "positive"),
    [
        (["yes", "no", "no", "yes"], "yes"),
        (pd.Categorical(["yes", "no", "no", "yes"], categories=["yes", "no"]), "yes"),
        ([1, 0, 0, 1], 1),
        ([True, False, False, True], True),
        (["B", "M", "M", "B"], "M"),
        (pd.Categorical(list("BMMB"), categories=["M", "B"], ordered=True), "B"),
        (["POS ", "neg", "neg", "POS "], "POS "),
    ],
)
def test_the_positive_class_is_the_affirmative_one_or_the_last(y, positive):
    target = Classes.of(y).with_positive()
    assert target.positive == positive
    assert (target.labels[target.codes] == np.asarray(y)).all()
    assert Classes.of(target).labels.tolist() == target.labels.tolist()


DECLARED = {
    "pandas": pd.Series(pd.Categorical(list("iwwi"), list("wi"))),
    "pandas, ordered": pd.Categorical(list("iwwi"), list("wi"), ordered=True),
    "pandas, one column": pd.DataFrame({"y": pd.Categorical(list("iwwi"), list("wi"))}),
    "polars": pl.Series(list("iwwi"), dtype=pl.Enum(list("wi"))),
    "Arrow": pa.DictionaryArray.from_arrays([1, 0, 0, 1], list("wi"), ordered=True),
    "Arrow, in parts": pa.chunked_array(
        [pa.DictionaryArray.from_arrays([1, 0, 0, 1], list("wi"), ordered=True)]
    ),
}
UNDECLARED = {
    "text": list("wiiw"),
    "polars": pl.Series(list("wiiw"), dtype=pl.Categorical),
    "Arrow": pa.array(list("wiiw")).dictionary_encode(),
    "Arrow, text": pa.chunked_array([list("wiiw")]),
}


@pytest.mark.filterwarnings("ignore:A column-vector")
@pytest.mark.parametrize("y", DECLARED.values(), ids=DECLARED)
def test_the_last_category_is_positive_in_frames_of_any_library(y):
    target = Classes.of(y).with_positive()
    assert (target.labels.tolist(), target.codes.tolist()) == (["w", "i"], [1, 0, 0, 1])


@pytest.mark.parametrize("y", UNDECLARED.values(), ids=UNDECLARED)
def test_an_order_of_rows_declares_nothing(y):
    assert Classes.of(y).with_positive().positive == "w"


def test_the_positive_class_can_be_named():
    y = ["yes", "no", "no", "yes"]
    assert Classes.of(y).with_positive("no").positive == "no"
    assert Classes.of([2, 10, 10, 2]).with_positive("2").positive == 2
    with pytest.raises(TableError, match="positive must be one of no, yes. Got 'maybe'"):
        Classes.of(y).with_positive("maybe")
    with pytest.raises(TableError, match="positive is for two classes. Got 3: a, b, c"):
        Classes.of(list("abcabc")).with_positive("a")
    assert Classes.of(list("abcabc")).with_positive().positive is None
