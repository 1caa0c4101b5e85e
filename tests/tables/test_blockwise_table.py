"""A table that is fetched in blocks of columns is the table of the same cells, to the last bit."""

import pickle

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame, told_frame
from hostile_frames import OPTIONS, hostile_frame

from hetsel import HSIC, RFEMKL, RFESVM, AnovaF, Schema, Table
from hetsel.ground.errors import TableError
from hetsel.tables import Classes
from hetsel.tables.blockwise import large_frames
from hetsel.tables.blockwise.large_frames import (
    BlockwiseTable,
    CompactCells,
    cells_as_floats,
    encode_large,
    read_large_frame,
    worth_blocks,
)
from hetsel.tables.validation import constant_columns

N = 150


@pytest.fixture(autouse=True)
def every_table_is_large(monkeypatch):
    monkeypatch.setattr(large_frames, "MANY_CELLS", 0)
    monkeypatch.setattr(large_frames, "MANY_ROWS", 0)


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64)


def assert_same(lazy, eager):
    assert lazy.shape == eager.shape
    assert lazy.schema == eager.schema
    assert (lazy.fill is None) == (eager.fill is None)
    if eager.fill is not None:
        assert np.array_equal(bits(lazy.fill), bits(eager.fill))
    for part in (slice(1, 4), np.array([-1, 0]), []):
        assert np.array_equal(bits(lazy.block(part)), bits(eager.block(part)))
    assert np.array_equal(constant_columns(lazy), constant_columns(eager))
    assert "values" not in vars(lazy)
    assert np.array_equal(bits(lazy.values), bits(eager.values))
    assert not lazy.values.flags.writeable


def both(frame=None, **options):
    frame = hostile_frame() if frame is None else frame
    lazy = read_large_frame(frame, **options)
    assert type(lazy) is BlockwiseTable
    return lazy, Table.read(frame, **options)


@pytest.mark.parametrize("options", [{}, OPTIONS], ids=["inferred", "settled"])
def test_schema_and_cells_are_those_of_the_table_that_is_read_at_once(options):
    assert_same(*both(**options))


@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_missing_cells_become_the_same(missing):
    lazy, eager = (table.resolve_missing(missing) for table in both(**OPTIONS))
    again = [table.resolve_missing(missing) for table in (lazy, eager)]
    assert_same(lazy, eager)
    assert_same(*again)


def test_what_fills_later_rows_is_learned_from_the_same_cells():
    lazy, eager = both(**OPTIONS)
    train, test = slice(0, 100), np.arange(100, N)
    learned = [table.take(rows=train).resolve_missing("impute") for table in (lazy, eager)]
    later = [
        table.take(rows=test).resolve_missing("impute", like)
        for table, like in zip((lazy, eager), learned, strict=True)
    ]
    assert_same(*learned)
    assert_same(*later)


@pytest.mark.seconds
@pytest.mark.parametrize("rows", [None, slice(5, 120, 3), np.arange(N) % 3 == 0, [9, 4, 4]])
@pytest.mark.parametrize("columns", [None, slice(3, 20), [5, 2, 20], np.arange(29) % 2 == 0])
def test_rows_and_columns_of_it_are_the_same(rows, columns):
    lazy, eager = both()
    one, other = lazy.take(rows, columns), eager.take(rows, columns)
    few = [table.take(rows=np.arange(3)).resolve_missing("separate") for table in (one, other)]
    assert_same(one, other)
    assert_same(*few)


def test_equal_levels_are_told_apart_without_all_cells():
    frame, _ = mixed_frame(n=120, missing=0.1, seed=3)
    frame["tie"] = pd.Categorical(np.where(np.arange(120) < 20, None, list("abcd") * 30))
    lazy, eager = (table.resolve_missing("impute") for table in both(frame))
    assert_same(lazy, eager)


def test_equal_classes_are_told_apart_without_all_cells():
    frame, y = mixed_frame(n=120, missing=0.1, classes=3, seed=2)
    lazy, eager = both(frame)
    labels = Classes.of(y)
    assert labels.by_content(lazy).labels.tolist() == labels.by_content(eager).labels.tolist()
    assert "values" not in vars(lazy)


def test_later_frames_are_encoded_the_same():
    frame = hostile_frame()
    schema = Schema.infer(frame, **OPTIONS)
    later = hostile_frame(seed=1)[[*frame.columns[::-1]]].drop(columns="many")
    later["many"] = frame["many"].to_numpy()
    lazy = encode_large(later, schema)
    assert type(lazy) is BlockwiseTable
    assert_same(lazy, schema.encode(later))
    with pytest.raises(TableError, match="many"):
        encode_large(later.assign(many=[f"u{k}" for k in range(N)]), schema)


@pytest.mark.parametrize(
    "spoiled",
    [
        {"number": np.inf},
        {"number": np.nan, "flag": None, "text": None},
        {"object": [[1]] * N},
        {"byte": np.uint64(2**60) + np.arange(N, dtype=np.uint64)},
        {"number": 1j},
    ],
    ids=["infinite", "empty", "list", "merged", "complex"],
)
def test_what_is_refused_is_refused_in_the_same_words(spoiled):
    frame = hostile_frame().assign(**spoiled)
    with pytest.raises(TableError) as at_once:
        Table.read(frame)
    with pytest.raises(TableError) as in_blocks:
        read_large_frame(frame)
    assert str(in_blocks.value) == str(at_once.value)


def test_missing_cells_are_refused_in_the_same_words():
    said = []
    for table in both():
        with pytest.raises(TableError) as refused:
            table.resolve_missing("error")
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_a_table_that_is_sent_elsewhere_takes_its_cells_along():
    lazy, eager = both()
    sent = pickle.loads(pickle.dumps(lazy.take(columns=[3, 1]).resolve_missing("impute")))
    assert type(sent) is Table
    expected = eager.take(columns=[3, 1]).resolve_missing("impute")
    assert np.array_equal(bits(sent.values), bits(expected.values))


def test_arrays_that_are_no_copy_stay_what_they_are():
    cells = np.random.default_rng(0).normal(size=(50, 4))
    assert not worth_blocks(pd.DataFrame(cells, copy=False))
    assert worth_blocks(pd.DataFrame(cells.astype(np.float32)))
    frame = pd.DataFrame(cells)
    frame["own"] = cells[:, 0]
    assert worth_blocks(frame)
    cells[49, 3] = np.nan  # will be filled in, in a copy
    assert worth_blocks(pd.DataFrame(cells, copy=False))


def fitted(selector, frame, y, monkeypatch, large, weights=None):
    with monkeypatch.context() as patch:
        if not large:
            patch.setattr(large_frames, "MANY_CELLS", frame.size)
        else:
            patch.setattr(BlockwiseTable, "values", property(lambda table: 1 / 0))
        selector.fit(frame, y, **({} if weights is None else {"sample_weight": weights}))
    return selector


def assert_same_answers(selector, frame, y, monkeypatch, weights=None):
    one, other = (
        fitted(selector.__class__(**selector.get_params()), frame, y, monkeypatch, large, weights)
        for large in (True, False)
    )
    assert one.schema_ == other.schema_
    assert one.unranked_ == other.unranked_
    pd.testing.assert_frame_equal(one.frame(), other.frame(), check_exact=True)


@pytest.mark.seconds
@pytest.mark.parametrize("method", [RFEMKL, RFESVM])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"missing": "separate"},
        {"always": ["c3"], "size": 3},
        {"unsupported": "skip", "normalize": "norm"},
    ],
    ids=["impute", "separate", "always", "skip"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_an_elimination_has_the_same_answer_without_all_cells(method, asked, classes, monkeypatch):
    frame, y = mixed_frame(n=240, missing=0.05, classes=classes, seed=4)
    frame["text"] = np.where(np.arange(240) % 7 == 0, None, list("abc") * 80)
    assert_same_answers(method(solver="additive", **asked), frame, y, monkeypatch)


def test_weights_and_numbers_have_the_same_answer_without_all_cells(monkeypatch):
    frame, y = told_frame("numbers", n=150, missing=0.05)
    weights = np.arange(150) % 4
    selector = RFEMKL(solver="additive")
    assert_same_answers(selector, frame, y, monkeypatch, weights)
    assert_same_answers(RFEMKL(solver="additive", missing="separate"), frame, y, monkeypatch)


def test_a_table_without_gaps_passes_where_they_are_refused(monkeypatch):
    frame, y = mixed_frame(n=150)
    assert_same_answers(RFEMKL(solver="additive", missing="error"), frame, y, monkeypatch)


@pytest.mark.seconds
def test_constant_columns_have_the_same_places(monkeypatch):
    frame, y = mixed_frame(n=1500)
    late = np.zeros(1500)
    late[1400] = 1.0  # beyond the rows that are looked at first
    frame = frame.assign(flat=1.0, late=late, empty_but_one=np.where(late > 0, 1.0, np.nan))
    for missing in ("impute", "separate"):
        selector = RFEMKL(solver="additive", missing=missing)
        assert_same_answers(selector, frame, y, monkeypatch)


def test_other_methods_make_the_array_that_they_ask_for(monkeypatch):
    frame, y = mixed_frame(n=200, missing=0.05)
    asked = [HSIC(scale="robust"), AnovaF(unsupported="skip")]
    large = [selector.fit(frame, y).frame() for selector in asked]
    monkeypatch.setattr(large_frames, "MANY_CELLS", frame.size)
    for selector, found in zip(asked, large, strict=True):
        pd.testing.assert_frame_equal(found, selector.fit(frame, y).frame(), check_exact=True)


NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([0.0, 1.0, NAN], np.int8),
        ([-127.0, 127.0], np.int8),
        ([-128.0, 0.0], np.int16),
        ([-32768.0], np.int32),
        ([2.0**31 - 1, NAN], np.int32),
        ([2.0**31, 1.0], np.float32),
        ([2.0**31 + 1, 1.0], np.float64),
        ([-0.0, 1.0], np.float32),
        ([0.1, NAN], np.float64),
        ([0.5, NAN], np.float32),
        ([1e300], np.float64),
        ([5e-324, 1.0], np.float64),
        ([NAN, NAN], np.int8),
    ],
)
def test_cells_take_the_fewest_bytes_that_give_them_back(values, dtype):
    values = np.array(values)
    kept = CompactCells.of(values)
    assert kept.cells.dtype == dtype
    rows = np.arange(len(values))[::-1]
    assert np.array_equal(bits(cells_as_floats([kept], len(values), None)[:, 0]), bits(values))
    assert np.array_equal(
        bits(cells_as_floats([kept], len(values), rows)[:, 0]), bits(values[rows])
    )
