"""The order of the classes: by content, whatever they are called and however the rows come."""

import numpy as np
import pandas as pd
import pytest

from hetsel import Table
from hetsel.tables.content import by_content, by_size


def test_the_largest_class_is_first_and_of_equal_ones_that_of_the_first_row():
    assert by_size(np.array([1, 2, 2, 0, 1, 2])).tolist() == [2, 1, 0]
    assert by_size(np.array([1, 0, 1, 0])).tolist() == [1, 0]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_rows_columns_names_and_units_do_not_order_the_classes(seed, classes):
    draw = np.random.default_rng(seed)
    n = 12 * classes
    frame = pd.DataFrame(draw.normal(size=(n, 3)), columns=list("abc"))
    frame["d"] = draw.choice(list("pqr"), n)
    frame.loc[draw.random(n) < 0.2, "b"] = np.nan
    codes = draw.permutation(np.arange(n) % classes)
    rows, names = draw.permutation(n), draw.permutation(classes)
    other = frame[["d", "b", "a", "c"]].iloc[rows]
    other["d"] = other["d"].map({"p": "z", "q": "y", "r": "x"})
    other["a"] = 7.3 - 1.9 * other["a"]
    here = by_content(codes, Table.read(frame))
    there = by_content(names[codes][rows], Table.read(other))
    assert names[here].tolist() == there.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_rows_and_names_do_not_choose_among_equally_frequent_levels(seed):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(24, 2)), columns=list("ab"))
    frame["level"] = [*"pqr" * 7, None, None, None]
    frame["other"] = draw.choice(list("uv"), 24)
    frame = frame.sample(frac=1.0, random_state=seed)
    filled = Table.read(frame).resolve_missing("impute")
    names = dict(zip("pqr", draw.permutation(list("pqr")), strict=True))
    other = frame.assign(level=frame["level"].map(names), a=5.0 - 2.0 * frame["a"])
    other = other.sample(frac=1.0, random_state=seed + 100)
    moved = Table.read(other).resolve_missing("impute")
    level = filled.schema.columns[2].levels[int(filled.fill[2])]
    assert names[level] == moved.schema.columns[2].levels[int(moved.fill[2])]
