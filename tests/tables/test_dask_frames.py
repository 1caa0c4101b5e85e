"""A Dask frame is the table that it computes to: columns, cells and answers, to the last bit."""

import asyncio
import gc
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from hostile_frames import OPTIONS, hostile_frame

from hetsel import HSIC, RFEMKL, Schema, Table
from hetsel.ground.errors import TableError
from hetsel.tables.blockwise.dask_frames import encode_dask, read_dask
from hetsel.tables.blockwise.large_frames import BlockwiseTable
from hetsel.tables.validation import constant_columns

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")


@pytest.fixture(autouse=True)
def scheduler():
    with dask.config.set(scheduler="threads"):
        yield


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


def assert_same(lazy, eager):
    assert type(lazy) is BlockwiseTable
    assert lazy.schema == eager.schema
    for part in (slice(1, 4), np.array([-1, 0]), []):
        assert np.array_equal(bits(lazy.block(part)), bits(eager.block(part)))
    for rows in (slice(7, 58), slice(0, 50, 3), [-1, 4, 4]):
        one, other = lazy.take(rows=rows), eager.take(rows=rows)
        assert np.array_equal(bits(one.block(slice(None))), bits(other.block(slice(None))))
    assert np.array_equal(constant_columns(lazy), constant_columns(eager))
    assert "values" not in vars(lazy)
    assert np.array_equal(bits(lazy.values), bits(eager.values))


def cut(frame, *cuts):
    """A Dask frame of partitions of unknown divisions, the rows between these cuts."""
    ends = [0, *cuts, len(frame)]
    parts = [dask.delayed(frame.iloc[start:stop]) for start, stop in itertools.pairwise(ends)]
    return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


FRAMES = {
    "one partition": lambda frame: dd.from_pandas(frame, npartitions=1, sort=False),
    "several": lambda frame: dd.from_pandas(frame, npartitions=4, sort=False),
    "empty ones": lambda frame: cut(frame, 0, 40, 40, 41, 150, 150),
    "sorted index": lambda frame: dd.from_pandas(frame.reset_index(drop=True), npartitions=3),
}


@pytest.mark.seconds
@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("options", [{}, OPTIONS], ids=["inferred", "settled"])
def test_columns_of_every_dtype_are_those_of_the_computed_frame(kind, options):
    data = FRAMES[kind](hostile_frame())
    assert_same(read_dask(data, **options), Table.read(data.compute(), **options))


@pytest.mark.parametrize("convert", [True, False])
def test_strings_of_dask_are_text(convert):
    with dask.config.set({"dataframe.convert-string": convert}):
        data = dd.from_pandas(hostile_frame()[["text", "text_objects", "mixed"]], npartitions=3)
        assert_same(read_dask(data), Table.read(data.compute()))


def test_categories_that_are_not_known_beforehand_are_those_of_all_partitions():
    frame, _ = mixed_frame(n=120, missing=0.1)
    data = cut(frame.astype({"n0": "str", "n1": "str"}), 30, 60).astype({"n0": "category"})
    data["n1"] = data["n1"].astype("category")
    assert not data["n0"].cat.known
    assert_same(read_dask(data), Table.read(data.compute()))


def test_partitions_of_other_dtypes_are_one_column():
    frame = pd.DataFrame({"x": np.arange(90.0), "y": np.arange(90) % 7, "z": ["a", "b", "c"] * 30})
    frame["w"] = frame["z"].astype(object).where(frame.index > 40, 3)
    parts = [frame[:40].astype({"x": np.int8, "y": np.float32}), frame[40:]]
    data = dd.from_delayed([dask.delayed(part) for part in parts], verify_meta=False)
    assert_same(read_dask(data), Table.read(pd.concat(parts)))


def test_whole_numbers_beyond_the_exact_ones_are_refused_alike():
    frame = pd.DataFrame({"x": np.arange(60, dtype=np.int64), "y": np.arange(60) % 3})
    frame.loc[[3, 50], "x"] = [2**60, 2**60 + 1]
    data = cut(frame, 20)
    with pytest.raises(TableError, match="differ as floating-point numbers"):
        read_dask(data)
    assert_same(read_dask(data, nominal=["x"]), Table.read(frame, nominal=["x"]))


@pytest.mark.parametrize(
    "spoiled",
    [{"number": np.inf}, {"number": np.nan}, {"number": np.nan, "gaps": np.nan}, {"mixed": 1j}],
    ids=["infinite", "empty", "two empty", "complex"],
)
def test_what_is_refused_is_refused_in_the_same_words(spoiled):
    frame = hostile_frame()[["number", "gaps", "flag", "mixed"]].assign(**spoiled)
    with pytest.raises(TableError) as at_once:
        Table.read(frame)
    with pytest.raises(TableError) as in_parts:
        read_dask(cut(frame, 50))
    assert str(in_parts.value) == str(at_once.value)


def test_names_are_text_and_columns_are_found_by_them():
    frame, _ = mixed_frame(n=90)
    schema = Schema.infer(frame.rename(columns={"c0": "7"}))
    later = frame.rename(columns={"c0": 7})[[*reversed([7, *frame.columns[1:]])]]
    data = dd.from_pandas(later, npartitions=2)
    assert read_dask(data).names == [str(name) for name in later.columns]
    assert_same(encode_dask(data, schema), schema.encode(later))
    with pytest.raises(TableError, match="lacks 1 of 8 columns: c1"):
        encode_dask(data.drop(columns="c1"), schema)


def test_a_table_without_rows_is_refused():
    frame, _ = mixed_frame(n=40)
    with pytest.raises(TableError, match="no rows"):
        read_dask(cut(frame.iloc[:0], 0))
    with pytest.raises(TableError, match="no columns"):
        read_dask(dd.from_pandas(frame[[]], npartitions=1))


def asked(**options):
    return RFEMKL(solver="additive", **options)


def assert_same_answer(selector, data, y, monkeypatch, **rows):
    """The answer without all cells in one array, and that of the computed frame and target."""
    here = {
        name: value.compute() if hasattr(value, "compute") else value
        for name, value in rows.items()
    }
    told = y.compute() if hasattr(y, "compute") else y
    other = selector.__class__(**selector.get_params()).fit(data.compute(), told, **here)
    with monkeypatch.context() as patch:
        patch.setattr(BlockwiseTable, "values", property(lambda table: 1 / 0))
        selector.fit(data, y, **rows)
    assert selector.schema_ == other.schema_
    assert selector.feature_names_in_.tolist() == other.feature_names_in_.tolist()
    pd.testing.assert_frame_equal(selector.frame(), other.frame(), check_exact=True)
    assert np.array_equal(selector.importances_, other.importances_, equal_nan=True)


@pytest.mark.seconds
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("classes", [2, 3])
def test_an_elimination_has_the_same_answer(missing, classes, monkeypatch):
    frame, y = mixed_frame(n=240, missing=0.05, classes=classes, seed=4)
    data = dd.from_pandas(frame.assign(y=y), npartitions=3)
    assert_same_answer(asked(missing=missing), data.drop(columns="y"), data["y"], monkeypatch)


@pytest.mark.seconds
def test_targets_weights_and_groups_may_be_anywhere(monkeypatch):
    frame, y = mixed_frame(n=160, seed=4)
    data = dd.from_pandas(frame.assign(y=y, w=np.arange(160) % 3), npartitions=3)
    table, weights = data.drop(columns=["y", "w"]), data["w"]
    assert_same_answer(asked(), table, y, monkeypatch, sample_weight=weights)
    assert_same_answer(asked(), table, pd.Series(y), monkeypatch, sample_weight=weights.compute())
    assert_same_answer(asked(), table, data["y"].to_dask_array(lengths=True), monkeypatch)
    assert_same_answer(asked(), table, data["y"], monkeypatch, groups=weights)


def test_columns_that_are_asked_for_and_a_schema_have_the_same_answer(monkeypatch):
    frame, y = mixed_frame(n=160, seed=4)
    data = dd.from_pandas(frame, npartitions=3)
    schema = Schema.infer(frame, nominal=["c4"])
    options = {"schema": schema, "always": ["c3"], "size": 3}
    assert_same_answer(asked(**options), data, y, monkeypatch)


def test_other_methods_make_the_array_that_they_ask_for():
    frame, y = mixed_frame(n=160, missing=0.05, seed=4)
    data = dd.from_pandas(frame, npartitions=3)
    one, other = (HSIC(scale="quantile").fit(x, y).frame() for x in (data, frame))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_an_array_of_all_cells_that_does_not_fit_is_refused(monkeypatch):
    frame, _ = mixed_frame(n=160, seed=4)
    monkeypatch.setattr("hetsel.ground.memory.WORTH", 0)
    monkeypatch.setattr("hetsel.ground.memory.available_memory", lambda: 100)
    with pytest.raises(TableError, match="for 160 rows"):
        read_dask(dd.from_pandas(frame, npartitions=3)).resolve_missing("impute").values  # noqa: B018


def test_the_selected_columns_of_a_dask_frame_stay_one():
    frame, y = mixed_frame(n=160, seed=4)
    data = dd.from_pandas(frame, npartitions=3)
    selector = asked(size=2).fit(data, y)
    chosen = selector.transform(data)
    assert isinstance(chosen, dd.DataFrame)
    pd.testing.assert_frame_equal(chosen.compute(), selector.transform(frame))


def test_a_target_of_another_length_is_refused():
    frame, y = mixed_frame(n=160)
    data = dd.from_pandas(frame, npartitions=3)
    with pytest.raises(TableError, match="must have 160 rows, as the table. Got 159"):
        asked().fit(data, dd.from_pandas(pd.Series(y[:-1]), npartitions=2))


def spoil(frame):
    """Fails on the second partition."""
    if len(frame) and frame.index[0] > 0:
        raise ZeroDivisionError("the disk is gone")
    return frame


@pytest.mark.parametrize("of", ["table", "target"])
def test_a_partition_that_fails_is_told_of(of):
    frame, y = mixed_frame(n=160)
    data = dd.from_pandas(frame.assign(y=y), npartitions=3)
    spoiled = data.map_partitions(spoil, meta=data._meta)
    table, target = (spoiled, data) if of == "table" else (data, spoiled)
    with pytest.raises(TableError, match="ZeroDivisionError: the disk is gone") as told:
        asked().fit(table.drop(columns="y"), target["y"])
    assert isinstance(told.value.__cause__, ZeroDivisionError)


def test_what_needs_the_cells_says_how_to_collect_them():
    frame, _ = mixed_frame(n=60)
    with pytest.raises(TableError, match=r"X\.compute\(\)"):
        Table.read(dd.from_pandas(frame, npartitions=2))


@pytest.mark.seconds
def test_workers_of_a_cluster_have_the_same_answer(monkeypatch):
    distributed = pytest.importorskip("distributed")
    frame, y = mixed_frame(n=240, missing=0.05, seed=4)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of ports and loops are no matter of ours
        with (
            distributed.LocalCluster(processes=False, **options) as cluster,
            distributed.Client(cluster) as client,
            dask.config.set(scheduler=None),
        ):
            data = dd.from_pandas(frame.assign(y=y), npartitions=5)
            assert_same_answer(asked(), data.drop(columns="y"), data["y"], monkeypatch)
            gc.collect()
            client.sync(asyncio.sleep, 0)  # what was let go of is told in the loop of the client
            assert not client.futures  # nothing stays with the workers
