"""Knockoffs of tables whose distribution is known: pairs go together as in the table itself."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy.optimize import minimize

from hetsel import Schema, Table, knockoffs
from hetsel.ground.errors import TableError
from hetsel.judging.knockoffs.construction import reconstructable_variances

MONTE_CARLO = 4.5  # standard errors


def agree(found, expected):
    """Means over tables (tables, ...) with what they estimate, within their Monte-Carlo error."""
    found = np.asarray(found)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - expected) <= MONTE_CARLO * error + 1e-12).all()


@pytest.mark.slow
def test_swapped_normal_columns_have_the_covariance_of_the_table():
    size = np.arange(5)
    known = 0.6 ** np.abs(size[:, None] - size)
    root = np.linalg.cholesky(known)
    swapped, copies, own = [], [], []
    for seed in range(80):
        x = np.random.default_rng(seed).normal(size=(150, 5)) @ root.T
        copy = knockoffs(x, random_state=seed).values
        both = x.T @ copy / 150
        swapped.append(both[~np.eye(5, dtype=bool)])
        copies.append(copy.T @ copy / 150)
        own.append(np.diag(both))
    agree(swapped, known[~np.eye(5, dtype=bool)])
    agree(copies, known)
    assert (np.mean(own, axis=0) < 0.8).all()  # no copies of the columns themselves


@pytest.mark.slow
def test_swapped_levels_have_the_pair_tables_of_the_table():
    """A chain of four columns of three levels: a level stays, or moves to a drawn one."""
    own, swapped, copies = [], [], []
    for seed in range(30):
        draw = np.random.default_rng(seed)
        x = np.empty((240, 4), dtype=int)
        x[:, 0] = draw.integers(0, 3, 240)
        for j in range(1, 4):
            moves = draw.random(240) < 0.45
            x[:, j] = np.where(moves, draw.integers(0, 3, 240), x[:, j - 1])
        frame = pd.DataFrame(x, columns=list("abcd")).astype("category")
        copy = knockoffs(frame, random_state=seed).values.astype(int)
        tables = (pair_tables(x, x), pair_tables(copy, x), pair_tables(copy, copy))
        for kept, table in zip((own, swapped, copies), tables, strict=True):
            kept.append(table)
    stays = 0.55 * np.eye(3) + 0.15
    known = [np.linalg.matrix_power(stays, abs(j - k)) / 3 for j in range(4) for k in range(4)]
    apart = ~np.eye(4, dtype=bool).ravel()
    agree(own, np.array(known)[apart])
    for found in (swapped, copies):
        agree(np.subtract(found, own), 0.0)  # what tables have in common is no error of the copies
        assert np.abs(np.mean(found, axis=0) - np.array(known)[apart]).max() < 0.025


def pair_tables(one, other):
    """Shares (12, 3, 3) of the pairs of levels of two different columns."""
    shape, pairs = np.eye(3), [(j, k) for j in range(4) for k in range(4) if j != k]
    return np.array([shape[one[:, j]].T @ shape[other[:, k]] / len(one) for j, k in pairs])


def test_knockoffs_have_the_schema_and_the_cells_of_the_table():
    frame, _ = mixed_frame(80, 5, 3, seed=4, missing=0.05)
    frame["grade"] = pd.Categorical(list("abcd") * 20, ordered=True)
    frame["flat"] = 1.5
    table = Table.read(frame).resolve_missing("impute")
    copy = knockoffs(frame)
    assert copy.schema == table.schema == Schema.infer(frame)
    assert not np.isnan(copy.values).any()
    for j, column in enumerate(table.schema.columns):
        own, drawn = table.values[:, j], copy.values[:, j]
        assert set(drawn) <= set(own)
        if column.kind == "continuous":
            np.testing.assert_array_equal(np.sort(drawn), np.sort(own))
        if column.name != "flat":
            assert (drawn != own).any()


def test_a_seed_draws_the_same_knockoffs_and_another_does_not():
    frame, _ = mixed_frame(40, 3, 2, seed=1)
    one, again, other = (knockoffs(frame, random_state=seed).values for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any(axis=0).all()


def test_a_column_that_another_determines_is_its_own_knockoff():
    draw = np.random.default_rng(2)
    x = draw.normal(size=(60, 3))
    x[:, 2] = np.exp(x[:, 0])
    copy = knockoffs(x).values
    np.testing.assert_array_equal(copy[:, [0, 2]], x[:, [0, 2]])
    assert (copy[:, 1] != x[:, 1]).any()


def test_levels_may_be_called_anything_and_numbers_measured_in_any_unit():
    frame, _ = mixed_frame(50, 3, 2, seed=6)
    other = pd.DataFrame({name: 32 + 1.8 * frame[name] for name in ("c0", "c1", "c2")})
    names = {"level 0": "z", "level 1": "m", "level 2": "a"}
    for name in ("n0", "n1"):
        other[name] = pd.Categorical(frame[name].map(names).astype(str))
    one, two = knockoffs(frame), knockoffs(other)
    np.testing.assert_allclose(32 + 1.8 * one.values[:, :3], two.values[:, :3])
    for j in (3, 4):
        levels = [table.schema.columns[j].levels for table in (one, two)]
        codes = [table.values[:, j].astype(int) for table in (one, two)]
        assert [names[levels[0][c]] for c in codes[0]] == [levels[1][c] for c in codes[1]]


def test_more_columns_than_rows_and_as_many_levels_as_rows():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(draw.normal(size=(20, 30)))
    frame.columns = [f"x{j}" for j in range(30)]
    frame["who"] = [f"r{i}" for i in range(20)]
    copy = knockoffs(frame, nominal=["who"])
    assert copy.shape == (20, 31)
    assert (copy.values[:, :30] != frame.iloc[:, :30].to_numpy()).any(axis=0).all()


def test_gaps_in_numbers_are_no_values():
    frame, _ = mixed_frame(40, 3, 2, seed=1, missing=0.1)
    with pytest.raises(TableError, match="must be complete for knockoffs"):
        knockoffs(frame, missing="separate")


def loss(s, covariance):
    left = 2 * covariance - np.diag(s)
    if s.min() <= 0 or np.linalg.eigvalsh(left)[0] <= 0:
        return np.inf
    return np.trace(np.linalg.inv(left)) + (1 / s).sum()


def test_no_other_variances_are_better():
    size = np.arange(6)
    known = 0.7 ** np.abs(size[:, None] - size)
    s = reconstructable_variances(known)
    best = minimize(
        loss,
        np.full(6, 0.1),
        args=(known,),
        method="Nelder-Mead",
        options={"maxiter": 20000, "maxfev": 20000, "xatol": 1e-8, "fatol": 1e-10},
    )
    np.testing.assert_allclose(loss(s, known), best.fun, rtol=1e-5)


def test_independent_columns_share_nothing_and_copies_all():
    np.testing.assert_allclose(reconstructable_variances(np.eye(3)), 1.0)
    known = np.eye(3)
    known[0, 1] = known[1, 0] = 1 - 1e-6
    s = reconstructable_variances(known)
    assert s[:2].tolist() == [0.0, 0.0]
    assert s[2] > 0.99
