"""Tables as data frames of R."""

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
