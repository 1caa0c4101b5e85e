"""The Fisher filter against scipy and exact fractions; what it refuses, what changes nothing."""

import warnings
from math import log10

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from twins.fisher_fractions import fisher_fraction

from hetsel import FisherExact, HFSNaiveBayes


def levels(n=36, classes=2, seed=0):
    """Text columns of 2, 3, 4 and 3 levels; the third tells the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    codes = np.column_stack([rng.integers(0, k, n) for k in (2, 3, 4, 3)])
    codes[:, 2] = np.where(rng.random(n) < 0.6, y, codes[:, 2])
    return pd.DataFrame(np.array(list("dabc"))[codes], columns=list("pqrs")), y


def table_of(column, y):
    return pd.crosstab(column, y).to_numpy().tolist()


def test_two_levels_equal_scipy():
    frame, y = levels()
    pvalue = stats.fisher_exact(table_of(frame["p"], y)).pvalue
    assert FisherExact().fit(frame, y).importances_[0] == pytest.approx(-log10(pvalue))


@pytest.mark.parametrize("classes", [2, 3])
def test_importances_are_those_of_exact_fractions(classes):
    frame, y = levels(n=24, classes=classes)
    found = FisherExact().fit(frame, y)
    slow = [-log10(fisher_fraction(table_of(frame[c], y))) for c in frame]
    np.testing.assert_allclose(found.importances_, slow, atol=1e-8)
    np.testing.assert_array_equal(found.answer_.order, np.argsort(slow)[::-1])
    assert found.answer_.extras["exact"].all()
    assert not found.answer_.extras["standard_error"].any()


def test_columns_rank_right_where_p_underflows():
    y = np.arange(3000) % 2
    flips = np.arange(3000) // 2
    frame = pd.DataFrame({f"c{k}": np.where(flips < k, 1 - y, y).astype(str) for k in (90, 10, 40)})
    found = FisherExact().fit(frame, y)
    assert np.isfinite(found.importances_).all()
    assert found.importances_.min() > 400
    assert found.answer_.order.tolist() == [1, 2, 0]


def test_level_names_and_the_order_of_the_columns_change_no_bit():
    frame, y = levels(n=90, classes=3)
    plain = FisherExact().fit(frame, y)
    renamed = frame.replace({"a": "z", "b": "y", "d": "m"})[["r", "s", "p", "q"]]
    other = FisherExact().fit(renamed, y)
    np.testing.assert_array_equal(other.importances_, plain.importances_[[2, 3, 0, 1]])


def test_constant_and_duplicate_columns_and_one_column():
    frame, y = levels()
    frame = pd.DataFrame({"flat": "a", "x": frame["r"], "y": frame["r"], "z": frame["r"] + "?"})
    found = FisherExact().fit(frame, y)
    assert found.importances_[0] == 0
    assert found.answer_.order.tolist() == [1, 2, 3, 0]
    assert FisherExact().fit(frame[["x"]], y).ranking_.tolist() == [1]


def test_missing_is_a_level_or_filled():
    frame, y = levels(n=24)
    column = frame["q"].mask(np.arange(24) % 5 == 0)
    found = FisherExact(missing="separate").fit(column.to_frame(), y)
    slow = -log10(fisher_fraction(table_of(column.fillna("?"), y)))
    assert found.importances_[0] == pytest.approx(slow)
    found = FisherExact().fit(column.to_frame(), y)
    slow = -log10(fisher_fraction(table_of(column.fillna(column.mode()[0]), y)))
    assert found.importances_[0] == pytest.approx(slow)


def test_missing_is_a_level_of_an_ordinal_column_too():
    frame, y = levels(n=24)
    grade = pd.Categorical(frame["q"], categories=list("abd"), ordered=True)
    column = pd.Series(grade, name="grade").mask(np.arange(24) % 5 == 0)
    found = FisherExact(missing="separate").fit(column.to_frame(), y)
    slow = -log10(fisher_fraction(table_of(column.astype("object").fillna("?"), y)))
    assert found.importances_[0] == pytest.approx(slow)


@pytest.mark.slow
def test_a_test_out_of_reach_is_named_once_with_its_error():
    frame, y = levels(n=60, classes=3)
    frame = frame[["p", "q", "s"]]
    exact = FisherExact().fit(frame, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        drawn = FisherExact(samples=20_000, limit=0).fit(frame, y)
        again = FisherExact(samples=20_000, limit=0).fit(frame, y)
        other = FisherExact(samples=20_000, limit=0, random_state=1).fit(frame, y)
    assert len(caught) == 3
    assert caught[0].category is UserWarning
    assert "q (relative standard error of p 0.0" in str(caught[0].message)
    assert not drawn.answer_.extras["exact"].any()
    assert (drawn.answer_.extras["standard_error"][1:] > 0).all()
    error = drawn.answer_.extras["standard_error"] / np.log(10)
    assert (np.abs(drawn.importances_ - exact.importances_) <= 5 * error + 1e-8).all()
    np.testing.assert_array_equal(drawn.importances_, again.importances_)
    assert (drawn.importances_ != other.importances_).any()


@pytest.mark.slow
@pytest.mark.parametrize("selector", [FisherExact, HFSNaiveBayes])
@pytest.mark.filterwarnings("ignore:Fisher's exact test takes too long")
def test_a_column_beyond_all_random_tables_is_not_behind_a_weaker_one(selector):
    """Three classes: a column of many levels that is strong, one of two levels that is weak."""
    rng = np.random.default_rng(0)
    y = np.arange(240) % 3
    columns = {
        "weak": np.where(rng.random(240) < 0.4, y == 0, rng.random(240) < 0.5).astype(int),
        "noise": rng.integers(0, 15, 240),
        "strong": np.where(rng.random(240) < 0.8, y * 5, 0) + rng.integers(0, 5, 240),
        "stronger": np.where(rng.random(240) < 0.95, y * 5, 0) + rng.integers(0, 5, 240),
    }
    frame = pd.DataFrame(columns).astype(str)
    found = selector(samples=2_000, limit=2_000).fit(frame, y)
    logs = {name: stats.chi2_contingency(table_of(frame[name], y)).pvalue for name in frame}
    assert found.answer_.order.tolist() == [3, 2, 0, 1]
    assert 1e-100 < logs["stronger"] < logs["strong"] < 1e-25 < logs["weak"] < 1 / 2001
    if selector is FisherExact:
        assert found.answer_.extras["exact"].tolist() == [True, False, False, False]
        assert np.isfinite(found.answer_.extras["standard_error"]).all()
