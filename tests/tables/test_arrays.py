"""What is no data frame: arrays, lists and what turns into one; frames with names of all sorts."""

import datetime
import uuid
from collections import OrderedDict

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hetsel import RFESVM, Table
from hetsel.ground.errors import HetselError, TableError

NUMBERS = np.array([[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.5]])
Y = [0, 0, 1, 1]
RECORDS = [("a", float), ("b", "U1")]


class Tensor:
    """What turns into an array and has no shape of its own."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        if self.array is None:
            raise RuntimeError("it lies on another device")
        return self.array if dtype is None else self.array.astype(dtype)


REFUSED = {
    "ragged lists": ([[1.0, 2.0], [3.0]], "rows of different lengths"),
    "dict": ({"a": [1, 2, 3, 4]}, "pandas.DataFrame(X)"),
    "list of dicts": ([{"a": 1}, {"a": 2}], "pandas.DataFrame(X)"),
    "ordered dict": (OrderedDict(a=[1, 2]), "pandas.DataFrame(X)"),
    "sparse matrix": (sparse.csr_matrix(NUMBERS), "X.toarray()"),
    "sparse array": (sparse.coo_array(NUMBERS), "X.toarray()"),
    "structured": (np.array([(1.0, "x"), (2.0, "y")], RECORDS), "pandas.DataFrame(X)"),
    "records": (np.array([(1.0, "x")], RECORDS).view(np.recarray), "pandas.DataFrame(X)"),
    "raw bytes": (np.zeros((4, 2), "V4"), "structured"),
    "complex array": (NUMBERS + 1j, "'x0' holds complex numbers"),
    "one dimension": (NUMBERS[:, 0], "two dimensions, rows and columns. Got 1"),
    "three dimensions": (np.zeros((4, 2, 2)), "two dimensions, rows and columns. Got 3"),
    "a number": (3, "Got 3"),
    "text": ("abc", "Got 'abc'. hetsel.read_table(path)"),
    "nothing": (None, "data frame or an array. Got None"),
    "a generator": ((row for row in NUMBERS), "Got <generator"),
    "a series": (pd.Series([1.0, 2.0]), "Got 1 in a Series"),
    "a tensor elsewhere": (Tensor(None), "it lies on another device"),
    "no rows": (np.zeros((0, 2)), "no rows"),
    "no columns": (np.zeros((4, 0)), "no columns"),
    "a dict in a cell": (np.array([[1.0, {}]] * 4, dtype=object), "'x1' holds a dict"),
    "a set in a cell": (pd.DataFrame({"a": [frozenset("x")] * 4}), "'a' holds a frozenset"),
    "a series in a cell": (pd.DataFrame({"a": [pd.Series([1])] * 4}), "'a' holds a Series"),
    "an object in a cell": (pd.DataFrame({"a": [object()] * 4}), "'a' holds a object"),
    "complex objects": (
        pd.DataFrame({"a": np.array([1j, 2j, 3j, 4.0], dtype=object)}),
        "'a' holds complex numbers",
    ),
    "a number beyond the range": (
        pd.DataFrame({"a": np.array([1, 2, 10**400, 4], dtype=object)}),
        "'a' holds an infinity (inf) in row 2",
    ),
    "a long double beyond the range": (
        pd.DataFrame({"a": np.array([1, 2, 3, np.longdouble("1e400")])}),
        "'a' holds an infinity (inf) in row 3",
    ),
    "names that are one as text": (
        pd.DataFrame(NUMBERS, columns=[1, "1"]),
        "Got '1' more than once (from 1 and '1')",
    ),
    "a name twice": (pd.DataFrame(NUMBERS, columns=[7, 7]), "Got '7' more than once"),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_is_refused_in_one_sentence(data, words):
    for read in (Table.read, lambda X: RFESVM().fit(X, Y)):
        with pytest.raises(HetselError) as reason:
            read(data)
        assert words in str(reason.value)
        assert "\n" not in str(reason.value)


TAKEN = {
    "lists": NUMBERS.tolist(),
    "tuples": [tuple(row) for row in NUMBERS.tolist()],
    "numbers as objects": NUMBERS.astype(object),
    "an array of another library": Tensor(NUMBERS),
    "a memory view": memoryview(NUMBERS),
    "other bytes": NUMBERS.astype(">f8"),
    "half precision": NUMBERS.astype(np.float16),
    "long doubles": NUMBERS.astype(np.longdouble),
    "a matrix": sparse.csr_matrix(NUMBERS).todense(),
}


@pytest.mark.parametrize("data", TAKEN.values(), ids=TAKEN)
def test_what_holds_two_dimensions_is_the_array(data):
    expected = RFESVM(size=1).fit(NUMBERS, Y)
    got = RFESVM(size=1).fit(data, Y)
    assert got.frame().equals(expected.frame())
    assert got.get_feature_names_out().tolist() == ["x0"]
    np.testing.assert_array_equal(got.transform(data).astype(float), NUMBERS[:, :1])


def test_lists_may_mix_numbers_and_text():
    rows = [[1.5, "a"], [2.5, "b"], [None, "a"]]
    table = Table.read(rows)
    assert [column.kind for column in table.schema.columns] == ["continuous", "nominal"]
    np.testing.assert_array_equal(table.values, [[1.5, 0], [2.5, 1], [np.nan, 0]])


@pytest.mark.parametrize("dtype", [float, int, object, "U3"])
def test_a_masked_cell_is_missing(dtype):
    cells = np.array([[1, 5], [2, 1], [8, 4], [9, 2]]).astype(dtype)
    masked = np.ma.array(cells, mask=[[0, 1], [0, 0], [0, 0], [0, 0]])
    table = Table.read(masked)
    np.testing.assert_array_equal(np.isnan(table.values), np.ma.getmaskarray(masked))
    assert pd.isna(RFESVM(size=2).fit(masked, Y).transform(masked)[0, 1])
    with pytest.raises(TableError, match="missing in 1 row"):
        RFESVM().fit(NUMBERS, np.ma.array(np.array(Y, dtype), mask=[1, 0, 0, 0]))


def test_flags_are_nominal_in_an_array_as_in_a_frame():
    flags = NUMBERS > 2
    assert RFESVM().fit(flags, Y).schema_ == Table.read(flags).schema
    assert Table.read(flags).nominal.all()


NAMES = {
    "whole numbers": [7, 8],
    "numbers": [0.5, 1.5],
    "numbers and text": [1, "a"],
    "flags": [True, False],
    "tuples": pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]),
    "dates": pd.to_datetime(["2020-01-01", "2020-02-01"]),
    "categories": pd.CategoricalIndex(["u", "v"]),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_of_any_type_are_kept_as_text(names):
    frame = pd.DataFrame(NUMBERS, columns=names)
    selector = RFESVM(size=1).fit(frame, Y)
    text = [str(name) for name in frame.columns]
    assert selector.schema_.names == text
    assert selector.feature_names_in_.tolist() == text
    assert selector.get_feature_names_out().tolist() == text[:1]
    chosen = selector.transform(frame)
    assert chosen.equals(frame.iloc[:, :1])
    assert selector.set_output(transform="pandas").transform(frame).columns.tolist() == text[:1]


OBJECTS = {
    "whole numbers beyond 64 bits": (
        [10**30, 2 * 10**30, 10**30],
        "continuous",
        [1e30, 2e30, 1e30],
    ),
    "identifiers": ([uuid.UUID(int=k) for k in (5, 3, 5)], "nominal", [1, 0, 1]),
    "times of day": ([datetime.time(k) for k in (5, 3, 5)], "continuous", [5, 3, 5]),
    "months": ([pd.Period("2020-01", "M")] * 3, "continuous", [18262.0] * 3),
    "spans": ([datetime.timedelta(days=k) for k in (5, 3, 5)], "continuous", [5, 3, 5]),
    "bytes": ([b"x", b"a", b"x"], "nominal", [1, 0, 1]),
}


@pytest.mark.parametrize(("cells", "kind", "values"), OBJECTS.values(), ids=OBJECTS)
def test_objects_that_are_one_value_are_cells(cells, kind, values):
    table = Table.read(pd.DataFrame({"a": pd.Series(cells, dtype=object)}))
    assert table.schema.columns[0].kind == kind
    np.testing.assert_array_equal(table.values[:, 0], values)


@pytest.mark.parametrize("year", [1, 1677, 2263, 9999])
def test_a_date_of_any_year_is_a_number_of_days(year):
    day = datetime.date(year, 12, 31)
    expected = (day - datetime.date(1970, 1, 1)).days
    stamps = np.array([day, None], dtype="datetime64[s]")
    forms = [
        pd.Series([day, None], dtype=object),
        pd.Series(stamps),
        pd.Series(list(stamps), dtype=object),
        pd.Series(stamps).dt.tz_localize("UTC"),
        pd.Series(pd.PeriodIndex([f"{year:04}-12-31", None], freq="D")),
    ]
    for cells in forms:
        np.testing.assert_array_equal(
            Table.read(cells.to_frame("a")).values, [[expected], [np.nan]]
        )
    text = pd.DataFrame({"a": [f"{year:04}-12-31"]})
    assert Table.read(text, continuous=["a"]).values == [[expected]]
