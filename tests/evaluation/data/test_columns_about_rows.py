"""Columns that say something of the rows: groups, and their order in time."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

import hetsel
from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import TableError
from hetsel.pitfalls.cautions_on_rows import asked_groups, parted
from hetsel.words.study_sentences import repeated_rows

X, Y = mixed_frame(30, 2, 2, missing=0.1)
PERSON = np.arange(30) // 3
NAMES = np.array([f"p{9 - k}" for k in PERSON])


def data(**changes):
    return prepare(DataSpec.of("datasets", {"name": "mixed", "X": X, "y": Y} | changes, Path()))


@pytest.mark.parametrize(
    "column",
    [PERSON, PERSON.astype(float), 100 - PERSON, NAMES, pd.Categorical(NAMES), list(NAMES)],
    ids=["whole", "as floats", "others", "text", "categories", "list"],
)
def test_a_column_or_an_array_says_which_rows_belong_together(column):
    named = data(X=X.assign(person=column), row_groups="person")
    given = data(row_groups=column)
    for found in (named, given):
        assert found.table.names == list(X.columns)
        assert np.array_equal(found.row_groups, PERSON)
        assert found.to_dict()["row_groups"] == 10
        assert found.to_dict()["largest_row_group"] == 3
    assert named.fingerprint == given.fingerprint != data().fingerprint


def test_other_groups_are_another_data_set_and_none_are_what_they_were():
    assert data(row_groups=PERSON).fingerprint != data(row_groups=PERSON // 2).fingerprint
    assert data(row_groups=PERSON).fingerprint != order_of(PERSON).fingerprint
    assert not {"row_groups", "largest_row_group"} & set(data().to_dict())


def order_of(column):
    return data(order=column)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (np.where(PERSON == 3, np.nan, PERSON), "row_groups: 'person' is missing in 3 rows"),
        (np.where(PERSON == 3, None, NAMES), "row_groups: 'person' is missing in 3 rows"),
        (PERSON + 0.5, "must hold whole numbers, text or categories. Got 0.5"),
        (np.zeros(30, dtype=int), "must have at least 2 groups. Got 1"),
    ],
)
def test_groups_that_are_none_are_refused(column, message):
    with pytest.raises(TableError, match=message):
        data(X=X.assign(person=column), row_groups="person")


def test_what_does_not_fit_the_rows_is_refused():
    with pytest.raises(TableError, match="row_groups must have 30 values, one per row. Got 2"):
        data(row_groups=[1, 2])
    with pytest.raises(TableError, match="row_groups: the table has no column 'persn'"):
        data(row_groups="persn")
    test = np.arange(30) % 10 == 0
    with pytest.raises(TableError, match="whole row groups. Got 3 groups .*p9, p6, p3"):
        data(X=X.assign(t=test, person=NAMES), test_rows="t", row_groups="person")


def test_rows_without_a_class_are_left_out_of_an_array_too():
    y = pd.Series(Y, dtype=object).where(np.arange(30) % 5 > 0)
    frame = X.assign(y=y, person=NAMES)
    options = {"y": None, "target": "y", "drop_unlabeled": True}
    named = data(X=frame, row_groups="person", **options)
    given = data(X=frame.drop(columns="person"), row_groups=NAMES, **options)
    assert len(given.row_groups) == 24
    assert named.fingerprint == given.fingerprint


@pytest.mark.parametrize(
    "column",
    [
        np.arange(30) / 7,
        pd.date_range("2020-01-30", periods=30).astype(str),
        pd.date_range("2020-01-30", periods=30),
        pd.Categorical(pd.date_range("2020-01-30", periods=30)),
        pd.date_range("2020-01-30", periods=30).date,
        pd.date_range("2020-01-30 23:30", periods=30, freq="h", tz="UTC"),
    ],
    ids=["numbers", "text", "dates", "categories", "days", "with a zone"],
)
def test_an_order_is_one_of_numbers_or_dates(column):
    rows = np.random.default_rng(0).permutation(30)
    frame = X.assign(visit=column).iloc[rows]
    found = data(X=frame, y=Y[rows], order="visit")
    assert np.array_equal(found.order, rows)
    assert found.table.names == list(X.columns)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["31/01/2020"] * 30, "order: 'visit' must hold numbers or dates .* Got '31/01/2020'"),
        ([None, *range(29)], "order: 'visit' is missing in 1 row"),
        (Y == 1, "order: 'visit' must hold numbers or dates"),
    ],
)
def test_an_order_that_is_none_is_refused(column, message):
    with pytest.raises(TableError, match=message):
        data(X=X.assign(visit=column), order="visit")


def test_copies_group_equal_rows_and_a_data_set_that_parts_them_says_so():
    rows = np.arange(60) % 30
    table = pd.DataFrame(np.random.default_rng(4).normal(size=(30, 6))[rows]).add_prefix("x")
    parted = data(X=table, y=rows % 2)
    assert parted.row_groups is None
    assert parted.to_dict()["repeated_rows"] == 60
    grouped = data(X=table, y=rows % 2, row_groups="copies")
    assert grouped.row_groups.tolist() == rows.tolist()
    assert "repeated_rows" not in grouped.to_dict()
    assert grouped.fingerprint == data(X=table, y=rows % 2, row_groups=rows).fingerprint
    column = data(X=table.assign(copies=rows // 2), y=rows % 2, row_groups="copies")
    assert column.row_groups.tolist() == (rows // 2).tolist()


def test_only_copies_that_groups_part_are_counted():
    rows = np.arange(60) % 30
    table = pd.DataFrame(np.random.default_rng(4).normal(size=(30, 6))[rows]).add_prefix("x")
    groups = np.where(np.arange(60) < 33, np.arange(60) + 100, rows)  # 3 of 30 pairs are together
    groups[:3] = groups[30:33]
    found = data(X=table, y=rows % 2, row_groups=groups)
    assert found.to_dict()["repeated_rows"] == 54
    assert found.to_dict()["repeated_groups"] == 27
    part = parted(asked_groups("copies", found.table)[1], found.table, groups)
    assert (part.rows, part.clusters, part.largest, part.equal) == (54, 27, 2, 54)
    assert len(np.unique(part.groups)) == 27 + 6
    (caution,) = [one for one in hetsel.cautions(table, groups=groups) if one.what == "rows"]
    assert caution.facts == {"rows": 54, "groups": 27, "largest": 2, "equal": 54}
    assert caution.note.fixes == ()  # "copies" would take the place of the groups
    said = repeated_rows({"a": found.to_dict()})
    assert "54 of 60" in said
    assert "copies" not in said.partition("too optimistic.")[2]
    assert parted(asked_groups("copies", found.table)[1], found.table, rows) is None
    assert not [one for one in hetsel.cautions(table, groups=rows) if one.what == "rows"]
