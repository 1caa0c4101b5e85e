"""Columns by name: options that name them, and later frames."""

import numpy as np
import pandas as pd
import pytest
from frames import kinds

from hetsel import Schema
from hetsel.ground.errors import TableError
from hetsel.tables import find_column
from hetsel.tables.column import matched, wanted_kinds

FRAME = pd.DataFrame({"a": [1, 2, 3, 1], "b": ["x", "y", "z", "x"], "c": [0.5, 1.5, 0.1, 0.2]})


@pytest.mark.parametrize("names", [["a"], "a", [0], [-3], [True, False, False], np.array([0])])
def test_options_take_names_positions_and_masks(names):
    assert kinds(FRAME, nominal=names) == {"a": "nominal", "b": "nominal", "c": "continuous"}


def test_a_number_that_is_a_name_is_a_name():
    frame = pd.DataFrame({1: [1, 2, 1], 0: [3, 4, 3]})
    assert kinds(frame, nominal=[0]) == {"1": "continuous", "0": "nominal"}


def test_a_slice_names_columns_by_place():
    frame = pd.DataFrame({"a": [1, 2, 1], "b": [3, 4, 3], "c": [0.5, 1.0, 2.0]})
    assert set(kinds(frame, nominal=slice(None)).values()) == {"nominal"}
    assert list(kinds(frame, nominal=slice(1))) == ["a", "b", "c"]
    assert list(kinds(frame, nominal=slice(1)).values()) == ["nominal", *["continuous"] * 2]
    assert list(kinds(frame, ordinal=slice(-2, None)).values()) == ["continuous", *["ordinal"] * 2]


REFUSED = {
    "unknown name": ({"nominal": ["aa"]}, ["nominal", "'aa'", "'a'"]),
    "far name": ({"nominal": ["something"]}, ["'something'", "a, b, c"]),
    "position": ({"ordinal": [3]}, ["ordinal", "positions in 0..2", "Got 3"]),
    "short mask": ({"nominal": [True, False]}, ["nominal", "3 columns", "Got 2"]),
    "two kinds": ({"nominal": ["a"], "continuous": ["a"]}, ["'a'", "nominal", "continuous"]),
}


@pytest.mark.parametrize(("options", "facts"), REFUSED.values(), ids=REFUSED)
def test_names_that_do_not_fit_are_refused(options, facts):
    with pytest.raises(TableError) as reason:
        Schema.infer(FRAME, **options)
    for fact in facts:
        assert fact in str(reason.value)


def test_an_order_of_levels_comes_with_the_name():
    found = wanted_kinds(FRAME, ordinal={"b": ["z", "y", "x"], 0: None}, nominal=None)
    assert found == {"b": ("ordinal", ("z", "y", "x")), "a": ("ordinal", None)}


@pytest.mark.parametrize(
    ("given", "name"), [("b", "b"), (1, "1"), (0, "b"), (-1, "1"), (np.int64(2), "c")]
)
def test_a_name_comes_before_a_position(given, name):
    assert find_column(["b", "a", "c", "1"], given, option="drop") == name


def test_later_frames_are_matched_by_name_or_by_place():
    later = FRAME[["c", "a"]].assign(more=0)
    assert matched(later, ["a", "c"], by_name=True).columns.tolist() == ["a", "c"]
    assert matched(later, ["x", "y", "z"], by_name=False).columns.tolist() == ["x", "y", "z"]
    with pytest.raises(TableError, match="lacks 1 of 2 columns: b"):
        matched(later, ["a", "b"], by_name=True)
    with pytest.raises(TableError, match="2 columns. Got 3"):
        matched(later, ["a", "b"], by_name=False)
