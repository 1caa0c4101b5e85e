"""Tables whose knockoffs are right pass, others are refused with the reason, whatever the seed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hetsel import get_method, knockoff_check, knockoff_selection
from hetsel.ground.errors import TableError
from hetsel.judging.knockoffs.check import compare_with_knockoffs
from hetsel.judging.knockoffs.construction import KnockoffModel
from hetsel.tables import Table


def equal(seed, n=200, p=12, r=0.1):
    """Normal columns that all go together a little."""
    draw = np.random.default_rng(seed)
    return np.sqrt(1 - r) * draw.normal(size=(n, p)) + np.sqrt(r) * draw.normal(size=(n, 1))


def with_squares(seed, n=200):
    x = equal(seed, n, 6, 0.0)
    return np.hstack([x, x**2 + 0.3 * np.random.default_rng([seed, 1]).normal(size=x.shape)])


def cross(one, other):
    """Mean correlation of different columns."""
    one, other = ((x - x.mean(axis=0)) / x.std(axis=0) for x in (one, other))
    return (one.T @ other / len(one))[~np.eye(one.shape[1], dtype=bool)].mean()


@pytest.mark.parametrize("r", [0.05, 0.1, 0.2])
def test_weak_dependence_of_all_columns_is_kept(r):
    x = equal(0, 300, 30, r)
    model = KnockoffModel(Table.read(x))
    copies = [model.draw(np.random.default_rng(seed)).values for seed in range(6)]
    own = cross(x, x)
    assert np.mean([cross(x, copy) for copy in copies]) == pytest.approx(own, rel=0.04)
    assert np.mean([cross(copy, copy) for copy in copies]) == pytest.approx(own, rel=0.06)


def test_counts_with_many_zeros_and_levels_keep_theirs():
    draw = np.random.default_rng(3)
    z = equal(3, 400, 10, 0.4)
    zeros = draw.poisson(np.exp(1.5 + 0.6 * z[:, :5])) * (draw.random((400, 5)) < 0.6)
    frame = pd.DataFrame(zeros, columns=[f"z{j}" for j in range(5)]).astype(float)
    for j in range(5, 10):
        frame[f"l{j}"] = pd.Categorical(np.digitize(z[:, j], [-0.5, 0.8]).astype(str))
    model = KnockoffModel(Table.read(frame))
    own = model.latent.features(model.table.values)
    copies = [model.latent.features(model.draw(np.random.default_rng(k)).values) for k in range(8)]
    numbers = slice(0, 10)
    assert compare_with_knockoffs(model).passed
    found = np.mean([cross(own[:, numbers], copy[:, numbers]) for copy in copies])
    assert found == pytest.approx(cross(own[:, numbers], own[:, numbers]), abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_tables_of_normal_columns_pass(seed):
    check = knockoff_check(equal(seed))
    assert check.passed
    assert check.kept["moments"] == pytest.approx(1, abs=0.05) or np.isnan(check.kept["moments"])
    assert list(check.frame().columns) == ["part", "statistic", "kept", "pvalue"]


def test_squares_are_refused_and_named_whatever_the_seed():
    x, y = with_squares(0), np.arange(200) % 2
    said = []
    for seed in (0, 1):
        with pytest.raises(TableError, match="check=False") as refusal:
            knockoff_selection(get_method("t-test")(random_state=seed), x, y)
        said.append(str(refusal.value))
    assert said[0] == said[1]
    check = knockoff_check(x)
    one, other = (int(name[1:]) for name in check.pair)
    assert abs(one - other) == 6
    assert check.failed[0][0] == "shape"
    assert check.kept["shape"] < 0.5


def with_waves(seed, n=300, p=8):
    x = np.random.default_rng(seed).normal(size=(n, 2 * p))
    x[:, p:] = np.sin(3 * x[:, :p]) + 0.3 * x[:, p:]
    return x


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_goes_up_and_down_along_a_column_is_refused_and_named(seed):
    check = knockoff_check(with_waves(seed))
    one, other = (int(name[1:]) for name in check.pair)
    assert abs(one - other) == 8
    assert check.failed[0][0] == "waves"
    assert check.kept["waves"] < 0.5
    assert "oscillates along a column" in str(check)


def test_levels_that_come_and_go_along_a_number_are_refused():
    draw = np.random.default_rng(7)
    x = draw.normal(size=(300, 4))
    level = np.where((np.sin(4 * x[:, 0]) > 0) ^ (draw.random(300) < 0.1), "yes", "no")
    frame = pd.DataFrame(x).add_prefix("x").assign(level=pd.Categorical(level))
    check = knockoff_check(frame)
    assert sorted(check.pair) == ["level", "x0"]
    assert not check.passed


def test_who_goes_on_all_the_same_is_told():
    x, y = with_squares(0), np.arange(200) % 2
    found = knockoff_selection(get_method("t-test")(), x, y, check=False)
    assert found.check is None
    assert "not controlled" in str(found)
    assert "not controlled" not in str(knockoff_selection(get_method("t-test")(), equal(0), y))


@pytest.mark.slow
def test_more_columns_than_rows_and_columns_without_variables():
    draw = np.random.default_rng(5)
    for n, p in ((40, 60), (40, 60), (40, 60), (60, 100)):
        assert knockoff_check(draw.normal(size=(n, p))).passed
    frame = pd.DataFrame({"name": [f"r{k}" for k in range(20)], "flat": np.ones(20)})
    model = KnockoffModel(Table.read(frame))
    assert sorted(model.draw(draw).values[:, 0]) == list(range(20))
    assert compare_with_knockoffs(model).passed


def blocks(n, p, r=0.5):
    """Normal columns in independent blocks of five."""
    draw = np.random.default_rng(6)
    common = draw.normal(size=(n, p))[:, np.arange(p) // 5]
    return np.sqrt(1 - r) * draw.normal(size=(n, p)) + np.sqrt(r) * common


@pytest.mark.slow
def test_few_rows_a_column_lose_no_strong_correlation_or_are_refused():
    assert knockoff_check(blocks(120, 40)).passed
    refused = knockoff_check(blocks(80, 100))
    assert ("moments", "strong") in refused.failed
    assert refused.kept["moments"] < 0.95


def test_a_pair_that_is_lost_among_noise_is_told_by_its_own_share():
    """No direction is beyond the noise of 60 x 40 cells, and yet the knockoffs lose a pair."""
    x = np.random.default_rng([9, 2]).normal(size=(60, 40))
    for j in range(0, 8, 2):
        x[:, j + 1] = 0.8 * x[:, j] + 0.6 * x[:, j + 1]
    check = knockoff_check(x)
    assert check.failed[0] == ("moments", "strong")
    assert f"They keep {check.kept['moments']:.2f} of the covariances" in str(check)
    assert 0 < check.kept["moments"] < 1
    unknown = replace(check, kept={**check.kept, "moments": float("nan")})
    assert "They keep not all of the covariances" in str(unknown)
