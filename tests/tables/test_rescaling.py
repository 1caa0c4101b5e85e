"""Continuous columns on scales that no single cell stretches, as scikit-learn and R have them."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata
from sklearn.preprocessing import QuantileTransformer, RobustScaler

import hetsel
from hetsel.ground.equal_numbers import unit_scale
from hetsel.ground.errors import TableError
from hetsel.tables import Table
from hetsel.tables.rescaling import Rescaling

RNG = np.random.default_rng(0)
N = 101
TRAIN = np.column_stack([RNG.lognormal(size=N), RNG.normal(size=N), RNG.poisson(3, N)])
LATER = np.vstack([RNG.lognormal(0, 2, (50, 3)), [-9, -9, -9], [99, 99, 99]])


def rescaled(how, train, later):
    scale = Rescaling.fit(Table.read(train), how)
    return scale.apply(Table.read(later)).values


def test_quantiles_are_the_mean_ranks_of_scipy():
    ranks = (rankdata(TRAIN, axis=0) - 1) / (N - 1)
    np.testing.assert_allclose(rescaled("quantile", TRAIN, TRAIN), ranks, atol=1e-15)


def test_quantiles_of_later_rows_are_those_of_scikit_learn():
    train, later = TRAIN[:, :2], LATER[:, :2]  # its places of ties differ by rounding
    other = QuantileTransformer(n_quantiles=N, subsample=None).fit(train)
    got = rescaled("quantile", train, later)
    np.testing.assert_allclose(got, other.transform(later), atol=1e-12)


def test_the_robust_scale_is_that_of_scikit_learn_clipped():
    other = RobustScaler(quantile_range=(5, 95)).fit(TRAIN)
    low = other.transform(np.quantile(TRAIN, 0.05, axis=0)[None])
    expected = np.clip(other.transform(LATER) - low, 0, 1)
    np.testing.assert_allclose(rescaled("robust", TRAIN, LATER), expected, atol=1e-12)


def test_the_ends_are_the_quantiles_of_r():
    values = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5.0])[:, None]
    # R 4.2: quantile(c(3,1,4,1,5,9,2,6,5,3,5), c(0.05, 0.95)) is 1.0 and 7.5
    got = rescaled("robust", values, np.array([[1.0], [7.5], [4.25], [8.0]]))
    np.testing.assert_allclose(got.ravel(), [0, 1, 0.5, 1], atol=1e-15)


@pytest.mark.parametrize("unit", [1e-310, 1e-320, 2.0**-1073, 1e300])
def test_a_unit_that_makes_cells_subnormal_or_huge_changes_no_place(unit):
    whole = np.arange(41.0)[:, None]
    for how in ("quantile", "robust"):
        same = rescaled(how, whole, whole)
        np.testing.assert_allclose(rescaled(how, whole * unit, whole * unit), same, atol=0.02)
    np.testing.assert_array_equal(unit_scale(whole * 2.0**-1074), unit_scale(whole))


@pytest.mark.parametrize("how", ["quantile", "robust"])
def test_levels_ordinals_and_missing_cells_stay(how):
    frame = pd.DataFrame({"x": [1, np.nan, 3, 8.0], "o": [1, 2, 3, 2], "c": list("abca")})
    table = Table.read(frame, ordinal=["o"])
    got = Rescaling.fit(table, how).apply(table)
    assert got.schema == table.schema
    np.testing.assert_array_equal(got.values[:, 1:], table.values[:, 1:])
    np.testing.assert_array_equal(np.isnan(got.values), np.isnan(table.values))
    assert np.nanmin(got.values[:, 0]) == 0
    assert np.nanmax(got.values[:, 0]) == 1


@pytest.mark.parametrize("how", ["quantile", "robust"])
def test_columns_of_one_value_of_few_others_and_of_huge_range(how):
    table = np.column_stack([np.ones(N), np.arange(N) == 7, 1.7e308 * np.linspace(-1, 1, N)])
    got = rescaled(how, table, table)
    assert len(np.unique(got[:, 0])) == 1
    assert np.ptp(got[:, 1]) > 0
    assert (got[0, 2], got[-1, 2], got[N // 2, 2]) == pytest.approx((0, 1, 0.5))


def test_only_the_order_of_the_cells_makes_quantiles():
    np.testing.assert_array_equal(
        rescaled("quantile", TRAIN[:, :1], TRAIN[:, :1]),
        rescaled("quantile", np.log(TRAIN[:, :1]), np.log(TRAIN[:, :1])),
    )


@pytest.mark.parametrize("how", ["quantile", "robust"])
def test_one_far_cell_hides_no_feature(how):
    y = np.arange(N) % 2
    X = np.column_stack([RNG.normal(size=N) + 2 * y, RNG.normal(size=(N, 6))])
    X[0, 0] = 9999
    table = Table.read(X)
    assert hetsel.RFEMKL().fit(table, y).ranking_[0] > 1
    assert hetsel.RFEMKL().fit(Rescaling.fit(table, how).apply(table), y).ranking_[0] == 1


def test_what_does_not_fit_is_refused():
    table = Table.read(TRAIN)
    with pytest.raises(TableError, match="quantile, robust"):
        Rescaling.fit(table, "rank")
    with pytest.raises(TableError, match="3 columns"):
        Rescaling.fit(table).apply(Table.read(TRAIN[:, :2]))
