"""Tables as data frames and back."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Schema
from r_bridge.to_r import convert, session


@pytest.fixture
def table():
    frame = pd.DataFrame(
        {
            "größe": [1.5, np.nan, -3.25, 1e300],
            "site": pd.Categorical(["é", None, "日", "é"], categories=["日", "é", "unused"]),
            "grade": pd.Categorical([2, 3, None, 1], categories=[3, 2, 1], ordered=True),
            "flag": [True, False, True, True],
        }
    )
    return Schema.infer(frame).encode(frame)


def described(frame):
    return list(session.call("function(x) utils::capture.output(utils::str(x))", frame))


def test_a_table_becomes_a_data_frame_with_all_its_levels(table):
    assert described(convert.to_r(table)) == [
        "'data.frame':\t4 obs. of  4 variables:",
        " $ größe: num  1.50 NA -3.25 1.00e+300",
        ' $ site : Factor w/ 3 levels "日","é","unused": 2 NA 1 2',
        ' $ grade: Ord.factor w/ 3 levels "3"<"2"<"1": 2 1 NA 3',
        ' $ flag : Factor w/ 2 levels "False","True": 2 1 2 2',
    ]


def test_missing_numbers_are_na_and_not_nan(table):
    assert not any(session.call("function(x) is.nan(x[[1]])", convert.to_r(table)))


def test_round_trip(table):
    back = convert.from_r(convert.to_r(table))
    np.testing.assert_array_equal(back.values, table.values)
    assert [c.kind for c in back.schema.columns] == [c.kind for c in table.schema.columns]
    assert [c.levels for c in back.schema.columns] == [
        tuple(str(level) for level in c.levels) for c in table.schema.columns
    ]


def test_missing_as_a_level_of_its_own(table):
    separate = table.resolve_missing("separate")
    assert described(convert.to_r(separate))[2] == (
        ' $ site : Factor w/ 4 levels "日","é","unused",..: 2 4 1 2'
    )
    levels = session.call("function(x) levels(x[[2]])", convert.to_r(separate))
    assert list(levels) == ["日", "é", "unused", "(missing)"]


def test_unseen_levels_have_names_of_their_own(table):
    later = pd.DataFrame({"größe": [1.0], "site": ["new"], "grade": [1], "flag": [True]})
    seen = table.schema.encode(later, unseen="separate")
    levels = session.call("function(x) levels(x[[2]])", convert.to_r(seen))
    assert list(levels) == ["日", "é", "unused", "(missing)", "(unseen 1)"]


def test_na_of_every_type_is_nan():
    source = """function() data.frame(
      i = c(1L, NA), d = c(NA, 2.5), n = c(NaN, 0), l = c(NA, TRUE), s = c("NA", NA),
      f = factor(c(NA, "a"), levels = c("b", "a")), o = factor(c(NA, 1), ordered = TRUE),
      t = as.POSIXct(c("1970-01-02", NA), tz = "UTC"), e = as.Date(c(NA, "1970-01-11"))
    )"""
    table = convert.from_r(session.call(source))
    nan = np.nan
    expected = [[1, nan, nan, nan, 0, nan, nan, 1, nan], [nan, 2.5, 0, 1, nan, 1, 0, nan, 10]]
    with np.errstate(all="raise"):  # R's NA is a signaling NaN, over which arithmetic stumbles
        np.testing.assert_array_equal(table.values * 1.0, expected)
    assert [c.kind for c in table.schema.columns] == (
        ["continuous"] * 3 + ["nominal"] * 3 + ["ordinal"] + ["continuous"] * 2
    )
    assert [c.time for c in table.schema.columns][-2:] == ["date", "date"]
    assert table.schema.columns[3].levels == (False, True)
    assert table.schema.columns[5].levels == ("b", "a")


def test_a_list_column_is_refused():
    with pytest.raises(session.RError, match="a column of class list has no counterpart"):
        convert.from_r(
            session.call("function() { x <- data.frame(a = 1:2); x$a <- list(1, 2); x }")
        )
