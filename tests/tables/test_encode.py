"""Cells: what those of each dtype become."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import NAN, TEXTS, only, same

from hetsel import Column, Schema, Table, get_method
from hetsel.ground.errors import TableError
from hetsel.tables.encode import FrameCells, form_of, levels_of
from hetsel.tables.levels_and_times import simple_level

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
    assert (column.kind, column.levels) == ("nominal", ("b", "a", "c"))  # as it has them
    same(values, [0, 1, NAN, 0, 2, 1])


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


WRITTEN = {
    "flags": [True, False, True],
    "Python": ["True", "False", "True"],
    "R": ["TRUE", "FALSE", "TRUE"],
    "JSON": ["true", "false", "true"],
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("dtype", [object, "category"])
def test_flags_and_their_text_are_the_same_levels(text, dtype):
    flags, written = pd.DataFrame({"a": WRITTEN["flags"]}), pd.DataFrame({"a": text}).astype(dtype)
    for fitted, new in ((flags, written), (written, flags)):
        schema = Schema.infer(fitted)
        assert np.array_equal(schema.encode(new).values, schema.encode(fitted).values)


def test_text_that_is_no_flag_is_a_level_of_its_own():
    flags = Schema.infer(pd.DataFrame({"a": [True, False]}))
    for text in ("TrUe", "yes", "1.0", ""):
        with pytest.raises(TableError, match="the unseen level"):
            flags.encode(pd.DataFrame({"a": [text, "TRUE"]}, dtype=object))
    mixed = Schema.infer(pd.DataFrame({"a": ["TRUE", "maybe"]}))
    assert mixed.encode(pd.DataFrame({"a": [True]})).values == 0 + mixed.columns[0].levels.index(
        "TRUE"
    )


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
    "text": pd.Series(["1970-01-03", None, "1970-01-01 12:00"]),
    "text with zone": pd.Series(["1970-01-03T00:00:00Z", None, "1970-01-01 13:00+0100"]),
}


DURATIONS = {
    "timedelta": pd.Series([pd.Timedelta(days=2), None, pd.Timedelta(hours=-12)]),
    "objects": pd.Series(
        [datetime.timedelta(days=2), None, datetime.timedelta(hours=-12)], dtype=object
    ),
    "text of pandas": pd.Series(["2 days 00:00:00", None, "-1 days +12:00:00"]),
    "text of ISO 8601": pd.Series(["P2D", None, "-PT12H"]),
}


TIMES_OF_DAY = {
    "objects": pd.Series([datetime.time(14, 30), None, datetime.time(0, 0, 9)], dtype=object),
    "arrow time": pd.Series(
        [datetime.time(14, 30), None, datetime.time(0, 0, 9)], dtype=pd.ArrowDtype(pa.time64("us"))
    ),
    "text": pd.Series(["14:30:00", None, "00:00:09.000000000"]),
}


TIMES = {
    "date": ([2.0, NAN, 0.5], "drop 'x'", DATES),
    "duration": ([2.0, NAN, -0.5], "nominal=['x']", DURATIONS),
    "time of day": ([14.5, NAN, 0.0025], "hours", TIMES_OF_DAY),
}


@pytest.mark.parametrize(("time", "form"), [(time, f) for time in TIMES for f in TIMES[time][2]])
def test_times_are_numbers_with_a_note(time, form):
    expected, advice, cells = TIMES[time]
    column, values = only(cells[form])
    assert (column.kind, column.time) == ("continuous", time)
    assert advice in str(column.note)
    same(values, expected)


NO_TIMES = {
    "no such day": ["2020-02-30", "2020-02-28"],
    "some with a zone": ["2020-02-28T10:00:00Z", "2020-02-28T10:00:00"],
    "no such hour": ["24:00:00", "23:00:00"],
    "a date beside a word": ["2020-02-28", "unknown"],
    "hours and minutes, or shares": ["12:30", "01:59"],
    "months": ["2020-02", "2020-03"],
    "years": ["P1Y", "P2Y"],
    "the letter": ["P", "PT"],
}


@pytest.mark.parametrize("cells", NO_TIMES.values(), ids=NO_TIMES)
def test_text_that_is_not_surely_a_time_stays_text(cells):
    column, _ = only(pd.Series(cells * 2))
    assert (column.kind, column.time, column.levels) == ("nominal", None, tuple(sorted(cells)))


def test_a_column_of_one_kind_of_time_takes_no_other():
    schema = Schema.infer(pd.DataFrame({"x": ["14:30:00", "15:30:00"]}))
    for cells, got in ((["2020-01-01"] * 2, "dates"), ([1.5, 2.5], "numbers")):
        with pytest.raises(TableError, match=f"must hold times of day, .* Got {got}"):
            schema.encode(pd.DataFrame({"x": cells}))
    same(schema.encode(pd.DataFrame({"x": [datetime.time(12), None]})).values[:, 0], [12.0, NAN])


def test_times_as_levels_are_in_the_order_of_time():
    cells = pd.Series(["10 days 00:00:00", "2 days 00:00:00"])
    for column in (
        Schema.infer(pd.DataFrame({"x": cells}), ordinal=["x"]).columns[0],
        Schema.infer(pd.DataFrame({"x": pd.to_timedelta(cells)}), ordinal=["x"]).columns[0],
    ):
        assert column.levels == ("2 days 00:00:00", "10 days 00:00:00")


@pytest.mark.parametrize(
    "cells",
    [
        pd.Series([DAY, None], dtype=object),
        pd.Series([DAY, None], dtype=pd.ArrowDtype(pa.date32())),
        pd.Series(pd.PeriodIndex(["1970-01-03", None], freq="D")),
        pd.Series([datetime.timedelta(days=2), None], dtype=pd.ArrowDtype(pa.duration("s"))),
    ],
    ids=["date", "arrow date", "period", "arrow duration"],
)
def test_days_without_a_time(cells):
    column, values = only(cells)
    assert column.time == ("duration" if "duration" in str(cells.dtype) else "date")
    same(values, [2.0, NAN])


def test_the_numbers_of_numpy_are_read_at_once():
    frame = pd.DataFrame(
        {"a": [1, 2], "b": pd.array([1, None], "Int64"), "c": [0.5, NAN], "d": ["x", "y"]}
    )
    cells = FrameCells(frame)
    assert cells.mask.tolist() == [True, False, True, False]
    same(cells.numbers, [[1.0, 0.5], [2.0, NAN]])
    assert cells.column("d") is cells.column("d")  # taken out once
    wide = pd.DataFrame(np.arange(180.0).reshape(2, 90)).assign(text="x")  # read at once
    same(FrameCells(wide).numbers, np.arange(180.0).reshape(2, 90))
    with pytest.raises(TableError, match="'c' holds an infinity .* row 1"):
        FrameCells(frame.assign(c=[0.5, -np.inf]))


@pytest.mark.parametrize("columns", [1, 3, 60])
def test_the_missing_number_of_r_in_a_frame_is_the_nan_of_numpy(columns):
    na = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]  # signals
    numbers = {f"x{j}": [0.5, np.nan, 2.0, 1.0] for j in range(columns)}
    frame = pd.DataFrame({**numbers, "x0": np.array([0.5, na, 2.0, 1.0]), "level": list("abab")})
    assert frame["x0"].to_numpy().view(np.uint64)[1] == 0x7FF00000000007A2
    found, plain = (Table.read(f).values for f in (frame, frame.assign(x0=[0.5, np.nan, 2.0, 1.0])))
    assert found.tobytes() == plain.tobytes()
    get_method("variance")().fit(frame, ["a", "b", "b", "a"])  # no warning of arithmetic
    frame = frame.assign(x0=frame["x0"].astype(object))
    assert Table.read(frame).values.tobytes() == plain.tobytes()


FORMS = {
    "number": [pd.Series([1, 2]), pd.Series([1.5, None]), pd.Series([decimal.Decimal(1), None])],
    "date": [pd.Series([datetime.date(2020, 1, 2), None]), pd.Series([pd.Timestamp(2020, 1, 2)])],
    "duration": [pd.Series([datetime.timedelta(1)], dtype=object), pd.Series([pd.Timedelta(1)])],
    "time of day": [pd.Series([datetime.time(1), None])],
    "category": [pd.Series(["a", "b"], dtype="category")],
    "flag": [pd.Series([True, None], dtype=object), pd.Series([True], dtype="boolean")],
    "text": [pd.Series(["a", None]), pd.Series([1, "a"], dtype=object)],
}


@pytest.mark.parametrize("form", FORMS)
def test_form_by_dtype_and_of_objects_by_their_values(form):
    assert {form_of(cells) for cells in FORMS[form]} == {form}


def test_levels_come_in_their_own_order():
    assert levels_of(pd.Series([10, 9, 10.0], dtype=object), "number") == ((9, 10), False)
    assert levels_of(pd.Series(["10", "9"]), "text") == (("10", "9"), False)
    ordered = pd.Series(pd.Categorical(["lo"], ["lo", "hi"], ordered=True))
    assert levels_of(ordered, "category") == (("lo", "hi"), True)


@pytest.mark.parametrize(
    ("value", "level"),
    [(np.True_, True), (np.int8(3), 3), (3.0, 3), (decimal.Decimal("0.5"), 0.5), ("a", "a")],
)
def test_levels_are_plain_values(value, level):
    found = simple_level(value)
    assert (found, type(found)) == (level, type(level))
