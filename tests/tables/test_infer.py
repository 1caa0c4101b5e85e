"""Columns: what each dtype becomes, and what is reported about it."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import NAN, TEXTS, only, same

from hetsel import Column, Schema
from hetsel.tables.column import open_questions

# ---- what each dtype becomes -------------------------------------------------------------------

CONTINUOUS = {
    "float64": pd.Series([1.5, NAN, 3.0]),
    "float32": pd.Series([1.5, NAN, 3.0], dtype="float32"),
    "Float64": pd.Series([1.5, None, 3.0], dtype="Float64"),
    "Float32": pd.Series([1.5, None, 3.0], dtype="Float32"),
    "arrow double": pd.Series([1.5, None, 3.0], dtype=pd.ArrowDtype(pa.float64())),
    "arrow decimal": pd.Series(
        [decimal.Decimal("1.5"), None, decimal.Decimal("3")],
        dtype=pd.ArrowDtype(pa.decimal128(5, 2)),
    ),
    "object of numbers": pd.Series([1.5, None, 3], dtype=object),
    "object of decimals": pd.Series([decimal.Decimal("1.5"), None, 3], dtype=object),
}


@pytest.mark.parametrize("cells", CONTINUOUS.values(), ids=CONTINUOUS)
def test_numbers_are_continuous(cells):
    column, values = only(cells)
    assert column == Column("x", "continuous")
    same(values, [1.5, NAN, 3.0])


@pytest.mark.parametrize(
    "dtype", ["int8", "int64", "uint16", "Int64", "UInt8", pd.ArrowDtype(pa.int32())], ids=str
)
def test_integers_are_continuous_with_a_note_when_few(dtype):
    column, values = only(pd.Series([1, 3, 2, 3], dtype=dtype))
    assert column.kind == "continuous"
    assert values == [1.0, 3.0, 2.0, 3.0]
    assert "only 3 distinct whole numbers" in str(column.note)
    assert [(fix.option, fix.value) for fix in column.note.fixes] == [
        ("nominal", ("x",)),
        ("ordinal", ("x",)),
    ]


def test_missing_integers_stay_missing():
    for dtype in ("Int64", pd.ArrowDtype(pa.int64())):
        _, values = only(pd.Series([1, None, 30000], dtype=dtype))
        same(values, [1.0, NAN, 30000.0])


TEXT_DTYPES = {
    "str": "str",
    "object": object,
    "string python": pd.StringDtype("python"),
    "string pyarrow": pd.StringDtype("pyarrow"),
    "arrow string": pd.ArrowDtype(pa.string()),
    "arrow large string": pd.ArrowDtype(pa.large_string()),
}


@pytest.mark.parametrize("dtype", TEXT_DTYPES.values(), ids=TEXT_DTYPES)
def test_text_is_nominal_with_sorted_levels(dtype):
    column, values = only(pd.Series(TEXTS, dtype=dtype))
    assert (column.kind, column.levels) == ("nominal", ("a", "b", "c"))
    same(values, [1, 0, NAN, 1, 2, 0])


def test_arrow_dictionary_is_nominal():
    cells = pa.array(TEXTS).dictionary_encode()
    column, values = only(pd.Series(pd.arrays.ArrowExtensionArray(cells)))
    assert (column.kind, column.levels) == ("nominal", ("a", "b", "c"))
    same(values, [1, 0, NAN, 1, 2, 0])


def test_category_keeps_its_levels_even_unused_ones():
    cells = pd.Series(pd.Categorical(["lo", None, "hi"], categories=["hi", "lo", "never"]))
    column, values = only(cells)
    assert (column.kind, column.levels) == ("nominal", ("hi", "lo", "never"))
    same(values, [1, NAN, 0])


def test_ordered_category_is_ordinal():
    cells = pd.Series(pd.Categorical(["II", "I", "III"], ["I", "II", "III"], ordered=True))
    column, values = only(cells)
    assert (column.kind, column.levels) == ("ordinal", ("I", "II", "III"))
    assert values == [1, 0, 2]


def test_category_of_numbers_has_number_levels():
    column, values = only(pd.Series([2.0, 1.0, 2.5]).astype("category"))
    assert column.levels == (1, 2, 2.5)
    assert values == [1, 0, 2]


FLAGS = {
    "bool": pd.Series([True, False, True]),
    "boolean": pd.Series([True, False, True], dtype="boolean"),
    "arrow bool": pd.Series([True, False, True], dtype=pd.ArrowDtype(pa.bool_())),
    "object": pd.Series([True, False, True], dtype=object),
}


@pytest.mark.parametrize("cells", FLAGS.values(), ids=FLAGS)
def test_flags_are_nominal(cells):
    column, values = only(cells)
    assert (column.kind, column.levels, column.note) == ("nominal", (False, True), None)
    assert values == [1, 0, 1]


@pytest.mark.parametrize("dtype", ["boolean", pd.ArrowDtype(pa.bool_()), object], ids=str)
def test_missing_flags_stay_missing(dtype):
    _, values = only(pd.Series([True, None, False], dtype=dtype))
    same(values, [1, NAN, 0])


DAY = datetime.date(1970, 1, 3)
DATES = {
    "datetime64": pd.Series(pd.to_datetime(["1970-01-03 00:00", None, "1970-01-01 12:00"])),
    "with zone": pd.Series(
        pd.to_datetime(["1970-01-03 00:00", None, "1970-01-01 12:00"], utc=True)
    ),
    "arrow timestamp": pd.Series(
        [datetime.datetime(1970, 1, 3), None, datetime.datetime(1970, 1, 1, 12)],
        dtype=pd.ArrowDtype(pa.timestamp("us")),
    ),
    "objects": pd.Series(
        [datetime.datetime(1970, 1, 3), None, datetime.datetime(1970, 1, 1, 12)], dtype=object
    ),
    "timedelta": pd.Series([pd.Timedelta(days=2), None, pd.Timedelta(hours=12)]),
}


@pytest.mark.parametrize("cells", DATES.values(), ids=DATES)
def test_dates_are_days_with_a_note(cells):
    column, values = only(cells)
    assert (column.kind, column.date) == ("continuous", True)
    assert "drop 'x'" in str(column.note)
    same(values, [2.0, NAN, 0.5])


@pytest.mark.parametrize(
    "cells",
    [
        pd.Series([DAY, None], dtype=object),
        pd.Series([DAY, None], dtype=pd.ArrowDtype(pa.date32())),
        pd.Series(pd.PeriodIndex(["1970-01-03", None], freq="D")),
    ],
    ids=["date", "arrow date", "period"],
)
def test_days_without_a_time(cells):
    column, values = only(cells)
    assert column.date
    same(values, [2.0, NAN])


def test_arrow_duration_is_days():
    cells = pd.Series([datetime.timedelta(days=2), None], dtype=pd.ArrowDtype(pa.duration("s")))
    column, values = only(cells)
    assert column.date
    same(values, [2.0, NAN])


def test_a_plain_array_is_all_continuous():
    schema = Schema.infer(np.array([[0.5, 1.0], [1.5, 0.0]]))
    assert [(c.name, c.kind) for c in schema.columns] == [
        ("x0", "continuous"),
        ("x1", "continuous"),
    ]


def test_an_object_array_is_typed_by_column():
    data = np.array([[0.5, "a"], [1.5, "b"]], dtype=object)
    assert [c.kind for c in Schema.infer(data).columns] == ["continuous", "nominal"]


def test_numbered_columns_get_text_names():
    assert Schema.infer(pd.DataFrame({0: [0.5, 1.5], 7: ["a", "b"]})).names == ["0", "7"]


# ---- notes -------------------------------------------------------------------------------------

NOTES = {
    "codes": ([1, 2, 3] * 5, "only 3 distinct whole numbers"),
    "codes with gaps": ([1.0, 2.0, NAN] * 5, "only 2 distinct whole numbers"),
    "row numbers": (np.random.default_rng(0).permutation(30) + 1, "as in an identifier"),
    "identifier": ([f"id{i}" for i in range(20)], "every value occurs once"),
    "nearly all distinct": ([f"id{i // 2}" if i < 4 else f"id{i}" for i in range(30)], "levels in"),
    "numbers as text": (["1.5", "2", "3"], "text that reads as numbers"),
    "dates as text": (["2020-01-02", "2021-03-04", "2020-01-02"], "text that reads as dates"),
    "ambiguous dates as text": (["1/2/2020", "3.4.2021", "1/2/2020"], "write them as 2020-12-31"),
    "a mark among numbers": (
        [*map(str, range(20)), "unknown"],
        "numbers mixed with text (unknown)",
    ),
}


@pytest.mark.parametrize(("cells", "words"), NOTES.values(), ids=NOTES)
def test_what_is_open_is_reported(cells, words):
    column, _ = only(cells)
    assert words in str(column.note)
    assert "\n" not in str(column.note)
    assert column.note.fixes


@pytest.mark.parametrize(
    "cells",
    [[1, 2, 3] * 5, ["1.5", "2", "3"], ["2020-01-02", "2021-03-04", "2020-01-02"]],
    ids=["codes", "numbers", "dates"],
)
def test_an_option_settles_what_was_open(cells):
    for option in ("nominal", "continuous"):
        column, _ = only(cells, **{option: ["x"]})
        assert (column.kind, column.note) == (option, None)


CLEAR = {
    "many integers": [3 * i for i in range(11)],
    "ages": list(range(20, 40)) * 2,
    "fractions": [0.5, 1.0, 2.0],
    "a constant": [1, 1, 1],
    "levels": ["a", "b"] * 10,
    "two rows": ["a", "b"],
}


@pytest.mark.parametrize("cells", CLEAR.values(), ids=CLEAR)
def test_what_is_clear_has_no_note(cells):
    assert only(cells)[0].note is None


def test_a_column_named_like_an_identifier():
    numbers = [7 * i % 1000 for i in range(50)] + [7]
    notes = {c.name: str(c.note) for c in Schema.infer(pd.DataFrame({"Id": numbers})).columns}
    assert notes["Id"].startswith("50 distinct whole numbers in 51 rows, as in an identifier")
    for name in ("patient id", "patient_ID", "x.id"):
        assert Schema.infer(pd.DataFrame({name: numbers})).columns[0].note
    for name in ("lipid", "x"):
        assert not Schema.infer(pd.DataFrame({name: numbers})).columns[0].note
    assert not Schema.infer(pd.DataFrame({"id": list(range(20)) * 3})).columns[0].note


def test_notes_of_one_wording_stand_together():
    frame = pd.DataFrame({f"x{k}": [1, 2, 3, 1 + k] * 3 for k in range(5)} | {"z": ["1", "2"] * 6})
    asked = open_questions(Schema.infer(frame).columns)
    assert [names for names, _ in asked] == [["x0", "x1", "x2", "x3", "x4"], ["z"]]
    assert "only 3 to 4 distinct whole numbers" in str(asked[0][1])
    assert "nominal=['x0', 'x1', 'x2', 'x3', 'x4']" in str(asked[0][1])
    assert "continuous=['z']" in str(asked[1][1])


def test_the_fix_for_many_columns_names_none_of_them():
    frame = pd.DataFrame({f"x{k}": [1, 2, 3] * 3 for k in range(9)})
    ((names, note),) = open_questions(Schema.infer(frame).columns)
    assert len(names) == 9
    assert "only 3 distinct whole numbers" in str(note)
    assert "nominal=['NAME']" in str(note)


def test_numbers_in_cells_and_names_are_not_taken_for_counts():
    frame = pd.DataFrame({f"x{k}": [*map(str, range(20)), f"odd{k}"] for k in (1, 2)})
    asked = open_questions(Schema.infer(frame).columns)
    assert [names for names, _ in asked] == [["x1"], ["x2"]]
    assert [note.fixes[0].value for _, note in asked] == [("odd1",), ("odd2",)]


def test_codes_are_found_beyond_the_first_rows():
    late = [1.0] * 100 + [1.5]  # no code after all
    assert only(late)[0].note is None
    assert only([1.0] * 100 + [2.0])[0].note


def test_the_summary_shows_kinds_levels_ranges_gaps_and_notes():
    frame = pd.DataFrame({"age": [61.5, NAN, 40.0], "sex": ["f", "m", "f"], "n": [1, 2, 2]})
    text = str(Schema.infer(frame).encode(frame))
    assert text.splitlines()[0] == "3 rows, 3 columns: 2 continuous, 1 nominal"
    assert "age  continuous  40 to 61.5, 1 missing" in text
    assert "sex  nominal     2 levels: f, m" in text
    assert "? only 2 distinct whole numbers" in text


def test_the_summary_of_a_wide_table_is_short_but_keeps_the_notes():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(3, 500)))
    frame[499] = [1, 2, 2]
    text = Schema.infer(frame).encode(frame).summary(limit=40)
    assert len(text.splitlines()) < 60
    assert "499" in text
    assert "columns more" in text
