"""Kinds of columns, and what is reported about those that are not clear."""

import datetime

import numpy as np
import pandas as pd
import pytest
from frames import NAN, only

from hetsel import Schema, UnivariateTests
from hetsel.ground.errors import HetselWarning


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


NOTES = {
    "codes": ([1, 2, 3] * 5, "only 3 distinct whole numbers"),
    "codes with gaps": ([1.0, 2.0, NAN] * 5, "only 2 distinct whole numbers"),
    "row numbers": (np.random.default_rng(0).permutation(30) + 1, "as in an identifier"),
    "identifier": ([f"id{i}" for i in range(20)], "every value occurs once"),
    "nearly all distinct": ([f"id{i // 2}" if i < 4 else f"id{i}" for i in range(30)], "levels in"),
    "numbers as text": (["1.5", "2", "3"], "numbers stored as text"),
    "dates as text": (["2020-01-02", "2021-03-04", "2020-01-02"], "dates, treated as continuous"),
    "dates and a mark": (["2020-01-02", "9999-99-99", "2020-01-02"], "other text (9999-99-99)"),
    "ambiguous dates as text": (
        ["1/2/2020", "3.4.2021", "1/2/2020"],
        "another form than 2020-12-31",
    ),
    "a mark among numbers": (
        [*map(str, range(20)), "unknown"],
        "numbers mixed with text (unknown)",
    ),
    "-nan among numbers": ([*map(str, range(20)), "-nan"], "numbers mixed with text (-nan)"),
    "two decimal marks": ([f"{i}{'.,'[i % 2]}5" for i in range(20)], "decimal points, treated as"),
    "clock times": ([f"08:{i}" for i in range(10, 30)], "Write times of day as 08:30:00"),
    "a unit in each cell": ([f"{i}.5 µmol/l" for i in range(20)], "a unit, such as '0.5 µmol/l'"),
}


def test_dates_beside_their_text_are_dates():
    column, values = only([datetime.date(1970, 1, 2), "1970-01-03", None])
    assert (column.kind, column.time) == ("continuous", "date")
    assert values == pytest.approx([1.0, 2.0, NAN], nan_ok=True)


@pytest.mark.parametrize("text", ["string", "large_string"])
def test_text_of_arrow_in_a_frame_of_pandas_is_as_other_text(text):
    arrow = pd.ArrowDtype(getattr(pytest.importorskip("pyarrow"), text)())
    for cells in (["2020-01-02", "2021-03-04", None], ["red", "blue", None]):
        frame = pd.DataFrame({"x": cells}, dtype="str")
        schema = Schema.infer(frame)
        assert Schema.infer(frame.astype(arrow)) == schema
        np.testing.assert_array_equal(
            schema.encode(frame.astype(arrow)).values, schema.encode(frame).values
        )


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


def test_codes_are_found_beyond_the_first_rows():
    late = [1.0] * 100 + [1.5]  # no code after all
    assert only(late)[0].note is None
    assert only([1.0] * 100 + [2.0])[0].note


N = 30
ENDS = {
    "-999": (np.r_[np.linspace(-2, 2, N - 1), -999], "-999"),
    "9999": (np.r_[np.arange(50, 50 + N - 2), 9999, 9999], "9999"),
    "-9": (np.r_[np.tile([1, 2, 3], 9), -9, -9, -9], "-9"),
    "99": (np.r_[np.tile([1, 2, 3], 9), 99, 99, 99], "99"),
}


@pytest.mark.parametrize(("values", "mark"), ENDS.values(), ids=ENDS)
def test_numbers_that_often_mark_missing_cells_are_noted(values, mark):
    for cells in (values.astype(float), values.astype(object)):
        (column,) = Schema.infer(pd.DataFrame({"x": cells})).columns
        assert column.note.fixes[0].option == "missing_marks"
        assert column.note.fixes[0].value == (mark,)
        assert f"{mark}, far from all others" in str(column.note)


@pytest.mark.parametrize(
    "values", [np.arange(70, 100), np.r_[np.arange(29), 99], [99, 0] * 15, np.arange(-9, 21) / 2]
)
def test_such_numbers_among_others_are_not(values):
    (column,) = Schema.infer(pd.DataFrame({"x": np.asarray(values, dtype=float)})).columns
    assert "far from" not in str(column.note)


@pytest.mark.parametrize("cells", [[7] * 4, [0.5, None, 0.5, 0.5], ["a"] * 4, [True] * 4])
def test_a_column_of_one_value_is_noted(cells):
    (column,) = Schema.infer(pd.DataFrame({"x": cells})).columns
    assert ("the same value in every row" in str(column.note)) == (cells[0] is not True)


def test_distinct_codes_of_one_length_are_noted_as_identifiers():
    codes = 104_233 + np.random.default_rng(0).permutation(800_000)[:N]
    for values, noted in ((codes, True), (codes * 10 ** (np.arange(N) % 3), False)):
        (column,) = Schema.infer(pd.DataFrame({"x": values})).columns
        assert ("identifier" in str(column.note)) == noted
    incomes = pd.DataFrame({"income": np.random.default_rng(1).permutation(80_000)[:N] + 10_000})
    assert Schema.infer(incomes).columns[0].note is None
    years = pd.DataFrame({"Year": np.arange(1950, 1950 + N)})
    assert Schema.infer(years).columns[0].note is None


FEW_NUMBERS = {
    "codes": ("region", [1, 2, 3, 4] * 9, True),
    "codes from 0": ("cp", [0, 1, 2, 3, 4] * 9, True),
    "counts by name": ("no_of_gears", [4, 5, 6] * 9, False),
    "counts by their frequencies": ("sibs", np.repeat(range(6), [60, 30, 12, 5, 2, 1]), False),
    "years": ("wave", [1986, 1987, 1988] * 9, False),
    "doses": ("dose", [0, 50, 100] * 9, False),
    "ages": ("age", [1, 2, 3, 4] * 9, False),
}


@pytest.mark.parametrize(("name", "cells", "noted"), FEW_NUMBERS.values(), ids=FEW_NUMBERS)
def test_few_whole_numbers_are_noted_where_they_may_be_codes(name, cells, noted):
    (column,) = Schema.infer(pd.DataFrame({name: cells})).columns
    assert (column.note is not None) == noted


TEXTS = {
    "codes, two of them numbers": [*(f"{i}A" for i in range(40)), "7", "8"],
    "numbers and codes": [*map(str, range(40)), *(f"{i}B" for i in range(20))],
}


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_codes_among_which_are_numbers_are_no_marks(texts):
    (column,) = Schema.infer(pd.DataFrame({"x": texts * 2})).columns
    assert column.kind == "nominal"
    assert "missing_marks" not in [fix.option for fix in getattr(column.note, "fixes", ())]


def test_a_mark_that_makes_levels_of_numbers_is_warned_of_at_the_fit():
    frame = pd.DataFrame({"x": [*map(str, range(29)), "."], "z": np.arange(30) % 7})
    with pytest.warns(HetselWarning, match="x: numbers mixed with text") as caught:
        UnivariateTests().fit(frame, np.arange(30) % 2)
    assert [fix.value for fix in caught[0].message.fixes] == [(".",)]
    UnivariateTests(nominal=["x"]).fit(frame, np.arange(30) % 2)  # settled: no warning


def test_levels_that_may_be_one_or_none_are_told():
    rows = ["Male", "male", "female"] * 4
    for cells in (rows, pd.Categorical(rows)):
        column, _ = only(cells)
        assert column.levels == ("Male", "female", "male")
        assert "'Male', 'male'" in str(column.note)
    assert "'a b', 'a  b'" in str(only(["a b", "a  b", "c"] * 4)[0].note).replace(
        "'a  b', 'a b'", "'a b', 'a  b'"
    )
    column, _ = only(["None", "Brick", "Stone"] * 4)
    assert column.levels == ("Brick", "None", "Stone")
    assert [(fix.option, fix.value) for fix in column.note.fixes] == [("missing_marks", ("None",))]
    assert only(["none", "brick"] * 4)[0].note is None
    codes = [f"x{'aA'[i % 2]}{i // 2}" for i in range(20)]  # names of rows, not levels
    assert "differ by case" not in str(only(codes)[0].note)
