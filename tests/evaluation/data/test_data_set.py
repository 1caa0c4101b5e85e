"""Data sets of a study: one fingerprint for one content."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, same

from hetsel.evaluation.data.data_entry import DataSpec
from hetsel.evaluation.data.encoded_data import prepare
from hetsel.ground.errors import TableError

X, Y = mixed_frame(30, 2, 2, missing=0.1)


def data(**changes):
    entry = {"name": "mixed", "X": X, "y": Y} | changes
    return prepare(DataSpec.of("datasets", entry, Path()))


def test_what_a_report_needs_to_know():
    known = data().to_dict()
    assert (known["rows"], known["features"]) == (30, ["c0", "c1", "n0", "n1"])
    assert known["kinds"] == ["continuous"] * 2 + ["nominal"] * 2
    assert known["class_counts"] == [15, 15]
    assert known["missing_cells"] == int(X.isna().sum().sum()) > 0


def test_the_name_and_the_kind_of_nan_are_not_of_the_content():
    other = X.copy()
    bits = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)[0]
    column = other["c0"].to_numpy(copy=True)
    column[np.isnan(column)] = bits
    other["c0"] = column
    assert data(name="renamed", X=other).fingerprint == data().fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"X": X.assign(c0=X["c0"] + 1)},
        {"X": X.rename(columns={"c0": "d0"})},
        {"X": X[["c1", "c0", "n0", "n1"]]},
        {"y": 1 - Y},
        {"y": np.array(["a", "b"])[Y]},
        {"missing": "separate"},
        {"drop": ["n1"]},
    ],
    ids=["cells", "a name", "order", "classes", "labels", "missing", "a column"],
)
def test_other_content_is_another_data_set(changes):
    assert data(**changes).fingerprint != data().fingerprint


def test_a_target_may_be_a_column_of_the_table():
    inside = data(X=X.assign(y=Y), y=None, target="y")
    same(inside.target.codes, Y)
    assert inside.fingerprint == data().fingerprint


def test_an_error_names_the_data_set():
    with pytest.raises(TableError, match="^data set 'mixed': .*30 rows.*Got 29"):
        data(y=Y[:-1])


@pytest.mark.parametrize("marks", [[True, False], [1, 0], ["TRUE", "false"], [1.0, 0.0]])
def test_a_column_says_which_rows_are_the_test_set(marks):
    held = np.arange(30) % 4 == 0
    found = data(X=X.assign(t=np.where(held, *marks)), test_rows="t")
    assert found.table.names == list(X.columns)
    assert np.array_equal(found.test_rows, held)
    assert found.to_dict()["test_counts"] == np.bincount(Y[held], minlength=2).tolist()
    assert data().fingerprint != found.fingerprint
    assert "test_counts" not in data().to_dict()


@pytest.mark.parametrize(
    ("marks", "column", "message"),
    [
        ([2, 0], "t", "data set 'mixed': test_rows: 't' must be true or false in .* Got '2'"),
        ([1, 1], "t", "'t' must be true in some rows and false in others"),
        ([1, 0], "s", "test_rows: the table has no column 's'"),
    ],
)
def test_a_test_set_that_is_none_is_refused(marks, column, message):
    with pytest.raises(TableError, match=message):
        data(X=X.assign(t=np.where(Y == 0, *marks)), test_rows=column)


def test_the_positive_class_is_the_second_one_whatever_the_order_of_its_declaration():
    frame, y = mixed_frame(20, 2, 1)
    outcome = pd.Categorical(np.where(y, "yes", "no"), categories=["yes", "no"])
    entry = {"name": "arff", "X": frame, "y": outcome}
    data, other = (
        prepare(DataSpec.of("d", entry | given, Path())) for given in ({}, {"positive": "no"})
    )
    assert data.classes == ("no", "yes")
    assert other.classes == ("yes", "no")
    assert data.fingerprint != other.fingerprint
    with pytest.raises(TableError, match="data set 'arff': positive must be one of yes, no"):
        prepare(DataSpec.of("d", entry | {"positive": "si"}, Path()))
