"""Frames of other libraries: the same table, ranking and study as from pandas."""

import datetime
import subprocess
import sys
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from study.studies import small_study

from hetsel import ClinicalSVC, Table, get_method, method_keys
from hetsel.ground.errors import TableError
from hetsel.tables import Classes

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

CHEAP = {"random-forest": {"n_estimators": 20}, "rf10000": {"ntree": 50}, "boruta": {"runs": 11}}
DAY, NOON = datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 12)


def to_polars(frame):
    """Cell by cell, so that no conversion of polars or pandas is trusted."""
    columns = []
    for name, cells in frame.items():
        values = [None if pd.isna(v) else v for v in cells.tolist()]
        if isinstance(cells.dtype, pd.CategoricalDtype):
            columns.append(pl.Series(name, values, pl.Enum(cells.cat.categories.tolist())))
        else:
            columns.append(pl.Series(name, values))
    return pl.DataFrame(columns)


def to_arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


LIBRARIES = {"polars": to_polars, "arrow": to_arrow}


@pytest.fixture(params=LIBRARIES)
def converted(request):
    return LIBRARIES[request.param]


def fitting(key):
    """A table of the kinds that a method takes, and its target."""
    takes = get_method(key).about.takes
    sizes = [4 if kind in takes else 0 for kind in ("continuous", "nominal")]
    missing = 0.05 if len(takes) > 1 else 0.0
    return mixed_frame(60, *sizes, missing=missing)


@pytest.mark.slow
@pytest.mark.parametrize("key", method_keys())
def test_the_answer_is_that_of_the_pandas_frame(key, converted):
    frame, y = fitting(key)
    labels = np.array(["well", "sick", "dead"])[y]
    expected = get_method(key)(**CHEAP.get(key, {})).fit(frame, labels)
    got = get_method(key)(**CHEAP.get(key, {})).fit(converted(frame), pl.Series(labels))
    assert got.schema_ == expected.schema_
    assert got.feature_names_in_.tolist() == frame.columns.tolist()
    assert got.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    assert got.frame().astype(str).equals(expected.frame().astype(str))


CELLS = {
    "whole": (pl.Series([3, None, 4]), [3.0, np.nan, 4.0]),
    "small": (pl.Series([3, 0, 4], dtype=pl.UInt8), [3, 0, 4]),
    "real": (pl.Series([0.5, None, float("nan")]), [0.5, np.nan, np.nan]),
    "wide": (pl.Series([2**100, None, 4], dtype=pl.Int128), [2.0**100, np.nan, 4.0]),
    "money": (pl.Series([Decimal("1.25"), None, Decimal("2")]), [1.25, np.nan, 2.0]),
    "flag": (pl.Series([True, False, True]), [True, False, True]),
    "flag or null": (pl.Series([True, None, False]), pd.array([True, None, False], "boolean")),
    "text": (pl.Series(["b", None, "a"]), ["b", None, "a"]),
    "category": (
        pl.Series(["b", None, "a"], dtype=pl.Categorical),
        pd.Categorical(["b", None, "a"]),
    ),
    "enum": (
        pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"])),
        pd.Categorical(["b", None, "a"], ["c", "b", "a"]),
    ),
    "far date": (
        pl.Series([datetime.date(9999, 12, 31), None]),
        np.array(["9999-12-31", "NaT"], dtype="datetime64[s]"),
    ),
    "date": (pl.Series([DAY, None, DAY]), pd.to_datetime([DAY, None, DAY])),
    "time": (pl.Series([NOON, None, NOON]), pd.to_datetime([NOON, None, NOON])),
    "zone": (
        pl.Series([NOON, None, NOON]).dt.replace_time_zone("Europe/Rome"),
        pd.to_datetime([NOON, None, NOON]).tz_localize("Europe/Rome"),
    ),
    "span": (pl.Series([NOON - NOON, None]), pd.to_timedelta([0, None])),
}


@pytest.mark.parametrize(("cells", "expected"), CELLS.values(), ids=CELLS)
def test_cells_of_polars_are_those_of_pandas(cells, expected):
    got, same = Table.read(pl.DataFrame({"x": cells})), Table.read(pd.DataFrame({"x": expected}))
    assert got.schema == same.schema
    np.testing.assert_array_equal(got.values, same.values)


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32, pl.Int16, pl.UInt64])
def test_numbers_of_every_width_and_their_nulls(dtype):
    cells = {"a": [1, None, 3], "b": [7, 8, 9]}
    table = Table.read(pl.DataFrame(cells, schema={"a": dtype, "b": dtype}))
    assert table.names == ["a", "b"]
    np.testing.assert_array_equal(table.values, [[1, 7], [np.nan, 8], [3, 9]])


def test_a_frame_without_rows_or_columns_is_refused(converted):
    frame, _ = mixed_frame(6, 2, 1)
    with pytest.raises(TableError, match="no rows"):
        Table.read(converted(frame.iloc[:0]))
    with pytest.raises(TableError, match="no columns"):
        Table.read(converted(frame[[]]))


def test_an_enum_keeps_the_levels_that_no_row_has():
    cells = pl.Series(["hi", "lo"], dtype=pl.Enum(["lo", "mid", "hi"]))
    (column,) = Table.read(pl.DataFrame({"x": cells})).schema.columns
    assert (column.kind, column.levels) == ("nominal", ("lo", "mid", "hi"))


def test_an_ordered_dictionary_of_arrow_is_ordinal():
    for ordered, kind in ((True, "ordinal"), (False, "nominal")):
        cells = pa.DictionaryArray.from_arrays([1, 0, None], ["lo", "hi"], ordered=ordered)
        own = pa.table({"x": cells})
        in_pandas = own.to_pandas(types_mapper=pd.ArrowDtype).set_axis([7, 8, 9])
        for data in (own, in_pandas):
            table = Table.read(data)
            (column,) = table.schema.columns
            assert (column.kind, column.levels) == (kind, ("lo", "hi"))
            np.testing.assert_array_equal(table.values[:, 0], [1, 0, np.nan])


@pytest.mark.parametrize(("ordered", "positive"), [(True, "alive"), (False, "dead")])
def test_the_positive_class_of_a_dictionary_of_arrow(ordered, positive):
    cells = pa.DictionaryArray.from_arrays([1, 0, 0, 1], ["dead", "alive"], ordered=ordered)
    series = pd.Series(cells, dtype=pd.ArrowDtype(cells.type), index=[3, 1, 2, 0])
    for y in (cells, series, pa.chunked_array([cells])):
        target = Classes.of(y)
        assert target.positive == positive
        assert target.labels[target.codes].tolist() == ["alive", "dead", "dead", "alive"]


def test_every_column_of_an_arrow_table_is_a_column():
    frame = pd.DataFrame({"dose": [1.5, 2.5], "site": ["a", "b"]}).set_index("site")
    assert Table.read(pa.Table.from_pandas(frame)).names == ["dose", "site"]


def test_a_later_frame_is_matched_by_name_whatever_its_library(converted):
    frame, _ = mixed_frame(20, 2, 2)
    schema = Table.read(frame).schema
    shuffled = converted(frame[frame.columns[::-1]])
    np.testing.assert_array_equal(schema.encode(shuffled).values, schema.encode(frame).values)
    with pytest.raises(TableError, match="lacks 1 of 4 columns: n1"):
        schema.encode(converted(frame.drop(columns="n1")))


def test_a_frame_stays_one_of_its_library_unless_asked(converted):
    frame, y = mixed_frame(40, 3, 2)
    native = converted(frame)
    selector = get_method("rfe-mkl")(size=3).fit(native, y)
    chosen = selector.transform(native)
    names = selector.get_feature_names_out().tolist()
    assert type(chosen) is type(native)
    assert chosen.equals(native.select(names))
    np.testing.assert_array_equal(selector.transform(frame).columns, names)
    as_pandas = selector.set_output(transform="pandas").transform(native)
    assert isinstance(as_pandas, pd.DataFrame)
    np.testing.assert_array_equal(Table.read(as_pandas).values, Table.read(frame[names]).values)
    as_polars = selector.set_output(transform="polars").transform(native)
    assert isinstance(as_polars, pl.DataFrame)
    assert as_polars.columns == names
    with pytest.raises(ValueError, match="feature names should match"):
        selector.transform(native.select(names))


def test_a_pipeline_and_cross_validation(converted):
    frame, y = mixed_frame(60, 3, 3, missing=0.05)
    pipeline = make_pipeline(get_method("rfe-mkl")(size=3), ClinicalSVC())
    expected = cross_val_score(pipeline, frame, y, cv=3)
    np.testing.assert_array_equal(cross_val_score(pipeline, converted(frame), y, cv=3), expected)


def test_a_study_of_a_polars_frame(tmp_path):
    frame, y = mixed_frame(60, 3, 2, missing=0.05)
    digests = {
        small_study(datasets={"name": "mixed", "X": X, "y": target}, resamplings=1)
        .run(tmp_path / f"{number}.sqlite", n_jobs=0, progress=False)
        .digest()
        for number, (X, target) in enumerate([(frame, y), (to_polars(frame), pl.Series(y))])
    }
    assert len(digests) == 1


def test_a_target_with_nulls_is_refused():
    frame, _ = mixed_frame(6, 2, 0)
    selector = get_method("rfe-svm")()
    for cells in (["a", None, "b"] * 2, [1, None, 2] * 2, [True, None, False] * 2):
        with pytest.raises(TableError, match="missing in 2 rows"):
            selector.fit(frame, pl.Series(cells))


def test_a_lazy_frame_is_to_be_collected():
    frame, y = mixed_frame(20, 2, 1)
    lazy = to_polars(frame).lazy()
    for data in (lazy, nw.from_native(lazy)):
        with pytest.raises(TableError, match=r"Collect it first with X.collect\(\)"):
            Table.read(data)
        with pytest.raises(TableError, match="collect"):
            get_method("rfe-mkl")().fit(data, y)


def test_a_lazy_frame_of_dask_is_to_be_computed():
    dask = pytest.importorskip("dask.dataframe")
    lazy = dask.from_pandas(mixed_frame(20, 2, 1)[0], npartitions=2)
    with pytest.raises(TableError, match=r"with X.compute\(\)"):
        Table.read(lazy)


def test_a_frame_of_narwhals_stays_one():
    frame, y = mixed_frame(20, 2, 1)
    for native in (frame, to_polars(frame), to_arrow(frame)):
        selector = get_method("rfe-svm")(size=2).fit(nw.from_native(native), y)
        chosen = selector.transform(nw.from_native(native))
        assert isinstance(chosen, nw.DataFrame)
        assert chosen.columns == selector.get_feature_names_out().tolist()
        assert type(chosen.to_native()) is type(native)


REFUSED = {
    "a name twice": (pa.table([[1.5], [2.5]], names=["a", "a"]), "unique. Got 'a' 2 times"),
    "a record batch": (pa.record_batch([[1.5], [2.5]], names=["a", "b"]), "Use X.to_pandas()"),
    "one row": ({"a": 1.5, "b": "x"}, "Use pandas.DataFrame([X])"),
    "columns": ({"a": [1.5], "b": ["x"]}, "Use pandas.DataFrame(X)"),
    "lists of Arrow": (pa.table({"a": [[1, 2]]}), "'a' holds a ndarray"),
    "structs of Arrow": (pa.table({"a": [{"b": 1}]}), "'a' holds a dict"),
    "lists of polars": (pl.DataFrame({"a": [[1, 2]]}), "'a' holds a list"),
    "objects of polars": (pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}), "a object"),
    "a column without a value": (pl.DataFrame({"a": [None, None]}), "no value at all"),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_what_no_column_can_hold_is_refused_in_one_sentence(data, words):
    for read in (Table.read, lambda X: get_method("rfe-svm")().fit(X, [0] * len(X))):
        with pytest.raises(TableError) as reason:
            read(data)
        assert words in str(reason.value)
        assert "\n" not in str(reason.value)


@pytest.mark.slow
def test_polars_needs_no_arrow():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import polars as pl\n"
        "from hetsel import RFEMKL\n"
        "X = pl.DataFrame({'x': [1.5, 2.5, None, 0.5] * 3, 's': ['a', 'b', 'a', None] * 3})\n"
        "X = X.with_columns(e=pl.col('s').cast(pl.Enum(['a', 'b'])), b=pl.col('x') > 1)\n"
        "print(RFEMKL(size=1).fit(X, pl.Series(['no', 'yes'] * 6)).transform(X).shape)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "(12, 1)", done.stderr
