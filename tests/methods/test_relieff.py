"""ReliefF against exact fractions, a table by hand and skrebate."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from skrebate import ReliefF as OracleReliefF
from twins.relieff import relieff

from hetsel import ReliefF, Schema
from hetsel.ground.errors import TableError
from hetsel.methods.filters import relieff as module
from hetsel.tables import Table


def mixed(seed, n=40, classes=2, missing=0.0):
    """Columns: normal, whole numbers with many ties, 3 levels, 4 ordered levels, 2 levels, flat."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    values = np.column_stack(
        [
            rng.normal(size=n) + y,
            rng.integers(20, 31, size=n) + 2 * y,
            (rng.integers(0, 3, size=n) + y * rng.integers(0, 2, size=n)) % 3,
            np.minimum(rng.integers(0, 3, size=n) + y, 3),
            rng.integers(0, 2, size=n),
            np.full(n, 4.0),
        ]
    )
    values[rng.random(values.shape) < missing] = np.nan
    frame = pd.DataFrame(values, columns=list("abcdef"))
    table = Schema.infer(frame, nominal=["c", "e"], ordinal=["d"]).encode(frame)
    return table, y


@pytest.mark.seconds
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("neighbors", [1, 4, 100])
def test_scores_equal_exact_fractions(neighbors, classes, missing):
    table, y = mixed(neighbors + classes, classes=classes, missing=missing)
    found = ReliefF(neighbors=neighbors, missing="separate").fit(table, y).importances_
    expected = relieff(table.values, table.nominal, y.tolist(), neighbors)
    np.testing.assert_allclose(found, expected, atol=2e-7)
    assert np.abs(found).max() > 0.01


@pytest.mark.parametrize("columns", [["c", "e"], ["c"], ["d"]])
def test_levels_alone_where_most_rows_tie(columns):
    table, y = mixed(5, classes=3)
    table = table.take(columns=[table.names.index(name) for name in columns])
    found = ReliefF(neighbors=3, missing="separate").fit(table, y).importances_
    expected = relieff(table.values, table.nominal, y.tolist(), 3)
    np.testing.assert_allclose(found, expected, atol=2e-7)


def test_by_hand():
    # classes 0: (0, a), (1, a); 1: (4, b), (4, a), (2, b); diffs of x are quarters
    frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 4.0, 2.0], "s": pd.Categorical(list("aabab"))})
    found = ReliefF(neighbors=1).fit(frame, [0, 0, 1, 1, 1]).importances_
    # the nearest hit, the nearest miss and how far they are, by row:
    # 0: row 1 (.25, 0), row 3 (1, 0); 1: row 0 (.25, 0), row 3 (.75, 0);
    # 2: row 4 (.5, 0), row 1 (1.75); 3: row 2 (0, 1), row 1 (.75, 0); 4: row 2 (.5, 0), row 1
    x = (1 - 0.25) + (0.75 - 0.25) + (0.75 - 0.5) + (0.75 - 0) + (0.25 - 0.5)
    s = (0 - 0) + (0 - 0) + (1 - 0) + (0 - 1) + (1 - 0)
    np.testing.assert_allclose(found, [x / 5, s / 5], atol=1e-7)


def test_rows_as_far_as_the_last_neighbor_share_its_place():
    # row 0 has two misses at distance 1/2; either alone would give b all or nothing
    frame = pd.DataFrame({"a": [0.0, 0.0, 1.0, 0.0], "b": [0.0, 0.0, 0.0, 1.0]})
    found = ReliefF(neighbors=1).fit(frame, [0, 0, 1, 1]).importances_
    # rows 0 and 1: hit 0, misses shared (1/2, 1/2); rows 2 and 3: hit (1, 1), misses (1, 0), (0, 1)
    np.testing.assert_allclose(found, [(0.5 + 0.5 + 0 - 1) / 4] * 2)


def test_order_of_rows_names_of_levels_and_units_change_no_bit():
    table, y = mixed(11, n=60, classes=3, missing=0.1)
    plain = ReliefF(neighbors=3, missing="separate").fit(table, y).importances_
    turn = np.random.default_rng(0).permutation(60)
    values = table.values[turn].copy()
    values[:, 2] = np.array([2.0, 0.0, 1.0, np.nan])[np.nan_to_num(values[:, 2], nan=3).astype(int)]
    other = Table(values, table.schema)
    moved = ReliefF(neighbors=3, missing="separate").fit(other, y[turn]).importances_
    np.testing.assert_array_equal(moved, plain)
    values = values * np.where(table.nominal, 1.0, -2.54) + np.where(table.nominal, 0.0, 7.0)
    other = Table(values, table.schema)
    moved = ReliefF(neighbors=3, missing="separate").fit(other, y[turn]).importances_
    np.testing.assert_allclose(moved, plain, atol=1e-7)


def test_single_precision_and_what_it_leaves_open_give_what_exact_distances_give(monkeypatch):
    table, y = mixed(3, n=70, classes=3)
    plain = ReliefF(neighbors=4).fit(table, y).importances_
    monkeypatch.setattr(module, "rounding", lambda p: 100.0)  # every row is measured exactly
    np.testing.assert_array_equal(ReliefF(neighbors=4).fit(table, y).importances_, plain)


@pytest.mark.parametrize("p", [3, 60, 1001])
def test_single_precision_errs_by_less_than_its_bound(p):
    rng = np.random.default_rng(p)
    cells = rng.random((40, p))
    cells[:, ::3] = rng.integers(0, 3, size=cells[:, ::3].shape)
    rough = np.empty((40, 40), dtype=np.float32)
    module.fill_block(np.ascontiguousarray(cells.T, dtype=np.float32), np.arange(40), rough)
    exact = np.minimum(np.abs(cells[:, None] - cells[None]), 1.0).sum(axis=2)
    assert 0 < np.abs(rough - exact).max() < module.rounding(p)


def test_rows_drawn_are_those_of_the_seed():
    table, y = mixed(3, n=50)
    one = ReliefF(neighbors=3, rows=20, random_state=1).fit(table, y).importances_
    again = ReliefF(neighbors=3, rows=20, random_state=1).fit(table, y).importances_
    other = ReliefF(neighbors=3, rows=20, random_state=2).fit(table, y).importances_
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
    every = ReliefF(neighbors=3, rows=50, random_state=2).fit(table, y).importances_
    np.testing.assert_array_equal(
        every, ReliefF(neighbors=3, missing="separate").fit(table, y).importances_
    )


def test_rows_drawn_equal_exact_fractions_of_these_rows(monkeypatch):
    table, y = mixed(4, n=30)
    drawn = np.array([17, 3, 22, 8])

    class Drawn:
        def permutation(self, n):
            return np.append(drawn, np.setdiff1d(np.arange(n), drawn))

    monkeypatch.setattr("hetsel.selection.problem.Problem.rng", lambda self: Drawn())
    found = ReliefF(neighbors=3, rows=4).fit(table, y).importances_
    expected = relieff(table.values, table.nominal, y.tolist(), 3, drawn.tolist())
    np.testing.assert_allclose(found, expected, atol=2e-7)


def test_what_two_columns_tell_together_counts():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, size=(200, 6))
    y = bits[:, 0] ^ bits[:, 1]
    frame = pd.DataFrame(bits, columns=list("abcdef")).astype("category")
    assert set(ReliefF().fit(frame, y).signature(2)) == {0, 1}


def test_impossible_parameters_are_named():
    frame, y = mixed_frame(30, 2, 2)
    with pytest.raises(TableError, match="neighbors must be a whole number, 1 or larger. Got 0"):
        ReliefF(neighbors=0).fit(frame, y)
    with pytest.raises(TableError, match="rows must be a whole number, 1 or larger. Got 0"):
        ReliefF(rows=0).fit(frame, y)


def test_weights_are_those_of_skrebate():
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    x = rng.normal(size=(60, 7)) + np.outer(y, np.linspace(0, 1, 7))
    expected = OracleReliefF(n_neighbors=5).fit(x.copy(), y).feature_importances_
    found = ReliefF(neighbors=5).fit(x, y).importances_
    np.testing.assert_allclose(found, expected, atol=1e-6)
