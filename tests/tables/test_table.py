"""Tables: options, replay, saving, missing cells, what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from frames import NAN, only, same

from hetsel import Column, Schema, Table
from hetsel.ground.errors import TableError

# ---- options -----------------------------------------------------------------------------------

FRAME = pd.DataFrame({"a": [1, 2, 3, 1], "b": ["x", "y", "z", "x"], "c": [0.5, 1.5, 0.1, 0.2]})


def test_ordinal_numbers_are_ordered_by_value():
    column, values = only([10, 2, 10, 1], ordinal=["x"])
    assert column.levels == (1, 2, 10)
    assert values == [2, 1, 2, 0]


def test_ordinal_text_takes_the_order_given():
    column, values = only(["mid", "low", "high"], ordinal={"x": ["low", "mid", "high", "top"]})
    assert (column.kind, column.levels) == ("ordinal", ("low", "mid", "high", "top"))
    assert values == [1, 0, 2]


def test_an_order_of_none_leaves_numbers_to_their_values():
    assert only([10, 2, 1], ordinal={"x": None})[0].levels == (1, 2, 10)


def test_continuous_flags_and_text_numbers():
    assert only([True, False], continuous=["x"])[1] == [1.0, 0.0]
    assert only(["1.5", "-2e3"], continuous=["x"])[1] == [1.5, -2000.0]
    assert only(pd.Series(["4", "2"]).astype("category"), continuous=["x"])[1] == [4.0, 2.0]
    assert only(["1970-01-03", "1970-01-05"], continuous=["x"])[1] == [2.0, 4.0]


REFUSED_OPTIONS = {
    "text in no order": ({"ordinal": ["b"]}, "ordinal={'b': ['lowest', "),
    "order lacks": ({"ordinal": {"b": ["x", "y"]}}, "Got x, y. Missing: z"),
    "order twice": ({"ordinal": {"b": ["x", "y", "z", "x"]}}, "each level once. Got x, y, z, x"),
    "ambiguous dates": ({"continuous": ["d"]}, "dates such as 2020-12-31. Got '1/2/2020'"),
    "text as numbers": (
        {"continuous": ["b"]},
        "must hold numbers, or dates such as 2020-12-31. Got 'x'",
    ),
}


@pytest.mark.parametrize(("options", "words"), REFUSED_OPTIONS.values(), ids=REFUSED_OPTIONS)
def test_options_that_do_not_fit_are_refused(options, words):
    frame = FRAME if options != {"continuous": ["d"]} else FRAME.assign(d="1/2/2020")
    with pytest.raises(TableError) as reason:
        Schema.infer(frame, **options)
    assert words in str(reason.value)


REFUSED_TABLES = {
    "infinity": (pd.DataFrame({"a": [1.0, np.inf]}), "'a' holds an infinity (inf) in row 1"),
    "infinite object": (pd.DataFrame({"a": [0.5, -np.inf, "x"]})[:2], "'a' holds an infinity"),
    "nullable infinity": (pd.DataFrame({"a": pd.array([1.0, np.inf], "Float64")}), "infinity"),
    "all missing": (pd.DataFrame({"a": [1.0, 2.0], "b": [NAN, NAN]}), "'b' has no value at all"),
    "all missing text": (pd.DataFrame({"b": pd.Series([None, None], dtype="str")}), "no value"),
    "several all missing": (
        pd.DataFrame({"a": [NAN, NAN], "b": [1.0, 2.0], "c": [NAN, NAN]}),
        "2 columns have no value at all: a, c. Drop 'a', 'c'",
    ),
    "no rows": (pd.DataFrame({"a": []}), "the table has no rows"),
    "no columns": (pd.DataFrame(index=[0, 1]), "the table has no columns"),
    "duplicate names": (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' more than once"),
    "same text": (pd.DataFrame([[1, 2]], columns=["1", 1]), "'1' more than once"),
    "one dimension": (np.arange(3.0), "two dimensions, rows and columns. Got 1"),
    "complex": (pd.DataFrame({"a": [1j, 2.0]}), "Complex data not supported"),
}


@pytest.mark.parametrize(("data", "words"), REFUSED_TABLES.values(), ids=REFUSED_TABLES)
def test_tables_that_cannot_be_used_are_refused(data, words):
    with pytest.raises(TableError) as reason:
        Schema.infer(data)
    assert words in str(reason.value)
    assert "\n" not in str(reason.value)


def test_a_cell_that_is_a_list_is_refused():
    with pytest.raises(TypeError, match="Column 'a' holds a list"):
        Schema.infer(pd.DataFrame({"a": [[1], [2]]}))


def test_a_table_is_not_encoded_twice():
    table = Schema.infer(FRAME).encode(FRAME)
    with pytest.raises(TableError, match="already encoded"):
        Schema.infer(table)


# ---- replay ------------------------------------------------------------------------------------

TRAIN = pd.DataFrame(
    {"age": [61.0, 54.5, 47.0], "sex": ["f", "m", "f"], "grade": ["I", "III", "II"]}
)
SCHEMA = Schema.infer(TRAIN, ordinal={"grade": ["I", "II", "III"]})


def test_reordered_and_further_columns_do_not_matter():
    later = TRAIN[["grade", "age", "sex"]].assign(more=1)
    same(SCHEMA.encode(later).values, SCHEMA.encode(TRAIN).values)


def test_levels_keep_their_codes_on_other_rows():
    later = pd.DataFrame({"age": [1.0], "sex": ["m"], "grade": ["III"]})
    same(SCHEMA.encode(later).values, [[1.0, 1.0, 2.0]])


def test_a_category_with_other_level_order_gets_the_same_codes():
    later = TRAIN.assign(sex=pd.Categorical(["f", "m", None], categories=["x", "m", "f"]))
    same(SCHEMA.encode(later).values[:, 1], [0, 1, NAN])


@pytest.mark.parametrize("cells", [[1, 0, 1], [1.0, 0.0, 1.0], ["1", "0", "1"]], ids=str)
def test_a_level_is_the_same_as_number_and_as_text(cells):
    column = Column("x", "nominal", (0, 1))
    same(Schema((column,)).encode(pd.DataFrame({"x": cells})).values[:, 0], [1, 0, 1])
    column = Column("x", "nominal", ("0", "1"))
    same(Schema((column,)).encode(pd.DataFrame({"x": cells})).values[:, 0], [1, 0, 1])


def test_all_missing_later_is_missing():
    later = pd.DataFrame({"age": [None], "sex": [None], "grade": [None]})
    assert np.isnan(SCHEMA.encode(later).values).all()


def test_an_unseen_level_is_refused_or_kept_apart():
    later = TRAIN.assign(sex=["f", "x", "y"])
    with pytest.raises(
        TableError,
        match=r"'sex' must hold levels .*: f, m. Got the unseen levels x, y.* treat each",
    ) as reason:
        SCHEMA.encode(later)
    assert "unseen='separate'" in str(reason.value)
    codes = SCHEMA.encode(later, unseen="separate").values[:, 1]
    assert codes[0] == 0
    assert len({*codes, 1.0, 2.0}) == 5  # apart from each other, from "m" and from "missing"


def test_an_unseen_ordinal_level_has_no_place():
    with pytest.raises(TableError, match="I, II, III. Got the unseen level IV, .* ordinal column"):
        SCHEMA.encode(TRAIN.assign(grade="IV"), unseen="separate")


def test_an_unused_category_is_no_unseen_level():
    later = TRAIN.assign(sex=pd.Categorical(["f", "m", "f"], categories=["f", "m", "other"]))
    same(SCHEMA.encode(later).values, SCHEMA.encode(TRAIN).values)


REFUSED_LATER = {
    "missing columns": (TRAIN[["age"]], "lacks 2 of 3 columns: sex, grade"),
    "text for numbers": (TRAIN.assign(age=["a", "b", "c"]), "or dates such as 2020-12-31. Got 'a'"),
    "dates for numbers": (
        TRAIN.assign(age=pd.Timestamp("2020-01-01")),
        "must hold numbers, as in fit. Got dates",
    ),
    "infinity": (TRAIN.assign(age=np.inf), "infinity"),
    "narrow array": (np.zeros((2, 2)), "must have 3 columns. Got 2"),
}


@pytest.mark.parametrize(("data", "words"), REFUSED_LATER.values(), ids=REFUSED_LATER)
def test_a_later_table_that_does_not_fit_is_refused(data, words):
    with pytest.raises(TableError) as reason:
        SCHEMA.encode(data)
    assert words in str(reason.value)


def test_numbers_for_dates_are_refused():
    schema = Schema.infer(pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-02-01"])}))
    with pytest.raises(TableError, match=r"must hold dates, as in fit. Got numbers"):
        schema.encode(pd.DataFrame({"when": [1.0, 2.0]}))


def test_dates_as_text_replay_onto_real_dates():
    schema = Schema.infer(pd.DataFrame({"x": ["1970-01-03", "1970-01-05"]}), continuous=["x"])
    later = schema.encode(pd.DataFrame({"x": pd.to_datetime(["1970-01-11"])}))
    same(later.values, [[10.0]])


def test_unseen_has_two_values():
    with pytest.raises(TableError, match=r"unseen must be one of error, separate. Got 'drop'"):
        SCHEMA.encode(TRAIN, unseen="drop")


# ---- saving ------------------------------------------------------------------------------------


def test_a_saved_schema_is_the_same_schema(tmp_path):
    frame = pd.DataFrame(
        {
            "n": [1, 2, 1],
            "flag": [True, False, True],
            "größe": ["ä", "ß", "ä"],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
            "code": pd.Series([1.5, 2, 3]).astype("category"),
            "grade": pd.Categorical([1, 2, 1], ordered=True),
        }
    )
    schema = Schema.infer(frame)
    path = tmp_path / "schema.json"
    schema.save(path)
    loaded = Schema.load(path)
    assert loaded == schema
    assert any(column.note is not None for column in loaded.columns)
    same(loaded.encode(frame).values, schema.encode(frame).values)
    assert "größe" in path.read_text(encoding="utf-8")


def test_a_schema_can_be_edited_by_hand(tmp_path):
    content = SCHEMA.to_dict()
    content["columns"][1]["kind"] = "color"
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(content))
    with pytest.raises(TableError, match=r"kind of column 'sex' must be one of .* Got 'color'"):
        Schema.load(path)


@pytest.mark.parametrize(
    "text", ['{"columns": [{"kind": "nominal"}]}', "[]", "{}", "no json", '{"columns": [7]}']
)
def test_what_is_no_schema_is_refused(text, tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(text)
    with pytest.raises(
        TableError, match="must be a schema that hetsel saved|is not what hetsel saved"
    ):
        Schema.load(path)


def test_names_of_a_schema_are_unique():
    with pytest.raises(TableError, match="'a' more than once"):
        Schema((Column("a", "continuous"), Column("a", "nominal")))


# ---- missing cells -----------------------------------------------------------------------------

GAPS = pd.DataFrame(
    {
        "age": [1.0, NAN, 3.0, 10.0, 4.0],
        "sex": ["m", "f", None, "f", "m"],
        "grade": pd.Categorical([3, None, 1, 2, 1], ordered=True),
    }
)


def encoded(frame=GAPS):
    return Schema.infer(GAPS).encode(frame)


def test_impute_takes_median_most_frequent_and_lower_median():
    values = encoded().resolve_missing("impute").values
    assert values[1, 0] == 3.5  # median of 1, 3, 4, 10
    assert values[2, 1] == 1  # f and m twice each: the rows of m are farther out
    assert values[1, 2] == 0  # codes 0, 0, 1, 2: the lower of the two in the middle
    assert not np.isnan(values).any()


def test_impute_replays_the_training_values():
    train = encoded().resolve_missing("impute")
    later = GAPS.iloc[:1].assign(age=[NAN], sex=[None])
    values = encoded(later).resolve_missing("impute", like=train).values
    same(values, [[3.5, 1, 2]])


def test_impute_replays_even_when_training_had_no_gaps():
    full = encoded(GAPS.iloc[[0, 3, 4]])
    train = full.resolve_missing("impute")
    same(encoded(GAPS.iloc[[1]]).resolve_missing("impute", like=train).values, [[4.0, 0, 1]])


def test_separate_gives_nominal_columns_a_level_of_missing():
    values = encoded().resolve_missing("separate").values
    same(values[:, 0], [1, NAN, 3, 10, 4])
    same(values[:, 1], [1, 0, 2, 0, 1])
    same(values[:, 2], [2, NAN, 0, 1, 0])


def test_separate_keeps_missing_and_unseen_apart():
    later = GAPS.iloc[:2].assign(sex=[None, "x"])
    values = Schema.infer(GAPS).encode(later, unseen="separate").resolve_missing("separate").values
    assert values[0, 1] != values[1, 1]
    assert values[:, 1].min() >= 2


def test_error_names_the_columns():
    with pytest.raises(
        TableError, match=r"3 values are missing, in age, sex, grade. Use missing='imp"
    ):
        encoded().resolve_missing("error")


def test_a_full_table_passes_every_policy():
    full = encoded(GAPS.iloc[[0, 3, 4]])
    for policy in ("impute", "separate", "error"):
        same(full.resolve_missing(policy).values, full.values)


def test_missing_has_three_values():
    with pytest.raises(TableError, match="missing must be one of impute, separate, error"):
        encoded().resolve_missing("drop")


# ---- tables ------------------------------------------------------------------------------------


def test_take_selects_rows_and_columns_with_their_schema():
    table = encoded().resolve_missing("impute")
    part = table.take([0, 2], [2, 0])
    assert part.names == ["grade", "age"]
    same(part.values, table.values[[0, 2]][:, [2, 0]])
    same(part.fill, table.fill[[2, 0]])
    mask = np.array([False, True, False])
    assert table.take(columns=mask).names == ["sex"]
    assert table.take(rows=np.array([True, False, False, False, False])).shape == (1, 3)


def test_masks_of_kinds():
    schema = Schema.infer(GAPS)
    assert schema.nominal.tolist() == [False, True, False]
    assert schema.categorical.tolist() == [False, True, True]
    assert encoded().nominal.tolist() == [False, True, False]


def test_canonical_order_follows_content_not_names_or_places():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(size=(8, 3)), rng.integers(0, 3, (8, 2))])
    schema = Schema(
        tuple(Column(f"c{j}", "continuous" if j < 3 else "nominal", ()) for j in range(5))
    )
    table = Table(values, schema)
    shuffled = [3, 0, 4, 2, 1]
    back = np.array(shuffled)[table.take(columns=shuffled).canonical_order()]
    same(back, table.canonical_order())
    scaled = values * np.array([2.0, 0.5, 4.0, 1.0, 1.0])
    same(Table(scaled, schema).canonical_order(), table.canonical_order())
    renamed = values.copy()
    renamed[:, 3:] = (values[:, 3:] + 1) % 3
    same(Table(renamed, schema).canonical_order(), table.canonical_order())


def test_canonical_order_handles_missing_cells():
    values = np.array([[1.0, NAN, 0.0], [NAN, 1.0, NAN], [0.0, 0.0, 1.0]])
    schema = Schema(tuple(Column(f"c{j}", "nominal" if j == 2 else "continuous") for j in range(3)))
    order = Table(values, schema).canonical_order()
    assert sorted(order) == [0, 1, 2]
    same(np.array([1, 0, 2])[Table(values[:, [1, 0, 2]], schema).canonical_order()], order)


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
    assert "more columns" in text
