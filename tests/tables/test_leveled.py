"""Columns of levels, many at once: each one as if it stood alone."""

import numpy as np
import pandas as pd
import pytest
from frames import NAN

from hetsel import Schema
from hetsel.ground.errors import TableError
from hetsel.tables.levels_and_times import leveled_columns, leveled_numbers, leveled_texts


class Shade(str):
    """A text that equals "red" and prints as another one."""

    __slots__ = ()

    def __str__(self):
        return f"dark {super().__str__()}"


def one_by_one(cells):
    """Levels and codes of one column, by Python alone."""
    levels = sorted({cell for cell in cells if not pd.isna(cell)})
    return tuple(levels), [-1 if pd.isna(cell) else levels.index(cell) for cell in cells]


@pytest.mark.parametrize("seed", range(5))
def test_texts_are_as_sorting_each_column_says(seed):
    rng = np.random.default_rng(seed)
    words = np.array(["b", "a", "é", "Z", "10", "9", "", " a", None, NAN, pd.NA], dtype=object)
    cells = words[rng.integers(0, rng.integers(1, len(words) + 1, (30, 1)), (30, 12))]
    for column, found in zip(cells, leveled_texts(cells), strict=True):
        assert (found.levels, found.codes.tolist()) == one_by_one(column)
        assert found.n_present == sum(not pd.isna(cell) for cell in column)


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_as_sorting_each_column_says(seed):
    rng = np.random.default_rng(seed)
    values = np.array([3.0, -1.0, 0.25, 1e300, 1e-300, 2.0**52 + 1, NAN])
    cells = values[rng.integers(0, rng.integers(1, len(values) + 1, (30, 1)), (30, 12))]
    for column, found in zip(cells, leveled_numbers(cells), strict=True):
        assert (found.levels, found.codes.tolist()) == one_by_one(column)
        assert all(isinstance(v, int) == float(v).is_integer() for v in found.levels)


def test_flags_have_those_levels_that_are_there():
    flags = {"a": [True, False, True], "b": [True] * 3, "c": [False] * 3}
    found = leveled_columns(pd.DataFrame(flags))
    assert [column.levels for column in found.values()] == [(False, True), (True,), (False,)]
    assert found["a"].codes.tolist() == [1, 0, 1]


def test_cells_that_equal_a_text_of_another_column_and_read_differently_stay_what_they_are():
    frame = pd.DataFrame(
        {
            "text": ["red", "red", "blue"],
            "shade": pd.Series([Shade("red")] * 3, dtype=object),
            "mixed": pd.Series(["1", 1, "x"], dtype=object),
            "flags": pd.Series([True, None, False], dtype=object),
        }
    )
    assert set(leveled_columns(frame)) == {"text"}
    levels = {column.name: column.levels for column in Schema.infer(frame).columns}
    assert levels == {
        "text": ("blue", "red"),
        "shade": ("dark red",),
        "mixed": ("1", "x"),
        "flags": (False, True),
    }


def test_categories_keep_their_order_and_what_is_not_there():
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["s", "l", None], categories=["s", "m", "l"], ordered=True),
            "code": pd.Categorical([2.0, 1.0, 2.0]),
            "day": pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"])),
        }
    )
    found = leveled_columns(frame)
    assert set(found) == {"size", "code"}  # days become text
    assert (found["size"].levels, found["size"].ordered) == (("s", "m", "l"), True)
    assert (found["size"].codes.tolist(), found["size"].n_present) == ([0, 2, -1], 2)
    assert found["code"].levels == (1, 2)


def test_more_cells_than_are_looked_at_together_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    cells = np.array(["u", "v", "w", None], dtype=object)[rng.integers(0, 4, (9, 50))]
    frame = pd.DataFrame(cells, columns=[f"c{j}" for j in range(50)]).assign(flag=True)
    whole = leveled_columns(frame)
    monkeypatch.setattr("hetsel.tables.levels_and_times.MOST_CELLS", 40)
    for name, found in leveled_columns(frame).items():
        assert found.levels == whole[name].levels == one_by_one(frame[name])[0]
        assert found.codes.tolist() == whole[name].codes.tolist() == one_by_one(frame[name])[1]


def test_later_rows_with_other_levels_have_the_codes_of_the_first_ones():
    schema = Schema.infer(pd.DataFrame({"x": ["a", "b", "c"], "y": ["p", "q", "p"]}))
    later = pd.DataFrame({"x": ["z", "c", "d", "a", None], "y": ["q"] * 5})
    coded = schema.encode(later, unseen="separate").values
    np.testing.assert_array_equal(coded[:, 0], [4, 2, 5, 0, NAN])
    np.testing.assert_array_equal(coded[:, 1], [1] * 5)
    with pytest.raises(TableError, match="z, d"):  # as they appear
        schema.encode(later)


def test_numbers_that_are_named_as_levels_are_those_of_a_column_alone():
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 5, (20, 70)).astype(float)
    cells[:, 3] += 2.0**53  # beyond what floats tell apart, each by itself
    cells[rng.random(cells.shape) < 0.1] = NAN
    schema = Schema.infer(cells, nominal=range(40), ordinal=range(40, 60))
    values = schema.encode(cells).values
    for j, column in enumerate(schema.columns[:60]):
        levels, codes = one_by_one(cells[:, j])
        assert (column.kind, column.levels) == ("nominal" if j < 40 else "ordinal", levels)
        np.testing.assert_array_equal(np.nan_to_num(values[:, j], nan=-1), codes)
    assert {column.kind for column in schema.columns[60:]} == {"continuous"}
