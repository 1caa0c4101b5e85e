"""Pearson, Spearman, Fisher's score and variance against numpy, scipy and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats
from sklearn.decomposition import PCA
from sklearn.feature_selection import r_regression
from sklearn.pipeline import make_pipeline

from hetsel import (
    AnovaF,
    FisherScore,
    KruskalWallis,
    Pearson,
    Spearman,
    TTest,
    Variance,
)

OF_NUMBERS = [FisherScore, Pearson, Spearman]


def numbers(classes=2, n=60):
    rng = np.random.default_rng(classes)
    y = np.arange(n) % classes
    x = np.round(rng.normal(size=(n, 6)) + np.outer(y, np.linspace(0, 1.5, 6)), 1)
    return x, y


def test_pearson_of_two_classes_is_the_absolute_correlation():
    x, y = numbers()
    found = Pearson().fit(x, y).importances_
    np.testing.assert_allclose(found, np.abs(r_regression(x, y)), atol=1e-9)


def test_spearman_of_two_classes_is_scipys():
    x, y = numbers()
    expected = [abs(stats.spearmanr(column, y).statistic) for column in x.T]
    np.testing.assert_allclose(Spearman().fit(x, y).importances_, expected, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_orders_of_equal_criteria_agree(classes):
    x, y = numbers(classes)
    pearson, spearman = Pearson().fit(x, y), Spearman().fit(x, y)
    score, f = FisherScore().fit(x, y), AnovaF().fit(x, y)
    kruskal = KruskalWallis().fit(x, y)
    squares = score.importances_ / (1 + score.importances_)
    np.testing.assert_allclose(pearson.importances_**2, squares, atol=1e-9)
    np.testing.assert_array_equal(pearson.ranking_, score.ranking_)
    np.testing.assert_array_equal(pearson.ranking_, f.ranking_)
    h = (len(y) - 1) * spearman.importances_**2
    np.testing.assert_allclose(h, kruskal.answer_.extras["statistic"], atol=1e-6)


def test_missing_numbers_are_left_out_of_their_column():
    x, y = numbers()
    gaps = np.random.default_rng(3).random(x.shape) < 0.2
    x[gaps] = np.nan
    pearson = Pearson(missing="separate").fit(x, y).importances_
    spearman = Spearman(missing="separate").fit(x, y).importances_
    for j, column in enumerate(x.T):
        known = ~gaps[:, j]
        assert pearson[j] == pytest.approx(abs(np.corrcoef(column[known], y[known])[0, 1]))
        expected = stats.spearmanr(column[known], y[known]).statistic
        assert spearman[j] == pytest.approx(abs(expected))


@pytest.mark.parametrize("selector", OF_NUMBERS)
def test_an_ordinal_column_counts_by_its_level_numbers(selector):
    y = np.arange(30) % 2
    codes = np.random.default_rng(0).integers(0, 3, 30) + y
    grade = pd.Categorical.from_codes(codes, ["none", "mild", "some", "severe"], ordered=True)
    by_number = selector().fit(codes[:, None].astype(float), y).importances_
    found = selector().fit(pd.DataFrame({"grade": grade}), y).importances_
    np.testing.assert_array_equal(found, by_number)


def test_a_column_constant_in_every_class_is_first():
    x, y = numbers()
    x = np.column_stack([x, 0.1 + 0.2 * y, np.full(60, 3.0)])
    for selector, most in zip(OF_NUMBERS, (np.inf, 1, 1), strict=True):
        found = selector().fit(x, y)
        assert found.importances_[-2:].tolist() == [most, 0]
        assert found.answer_.order[[0, -1]].tolist() == [6, 7]


def test_variance_is_half_the_mean_squared_distance_of_two_rows():
    frame, y = mixed_frame(30, 3, 4)
    found = Variance().fit(frame, y).importances_
    for name, score in zip(frame, found, strict=True):
        if name.startswith("c"):
            column = frame[name].to_numpy()
            distance = np.abs(column[:, None] - column) / np.ptp(column)
            assert score == pytest.approx(np.var(column / np.ptp(column)))
        else:
            column = frame[name].astype(str).to_numpy()
            distance = (column[:, None] != column).astype(float)
        assert score == pytest.approx((distance**2).mean() / 2)


def test_two_values_have_one_variance_as_numbers_and_as_levels():
    rng = np.random.default_rng(0)
    y, codes = np.arange(20) % 2, rng.integers(0, 2, 20)
    frame = pd.DataFrame({"number": codes * 7.5, "level": codes.astype(str)})
    found = Variance().fit(frame, y).importances_
    assert found[0] == found[1] == pytest.approx(codes.mean() * (1 - codes.mean()))


def test_variance_of_missing_cells():
    frame = pd.DataFrame({"age": [1.0, None, 3, 5], "sex": ["f", None, "m", "f"]})
    found = Variance(missing="separate").fit(frame, [0, 0, 1, 1]).importances_
    expected = [np.var([0, 0.5, 1]), (1 - (4 + 1 + 1) / 16) / 2]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_variance_is_blind_to_the_class():
    """The flaw that it names: the column that tells the class is last, whatever the class is."""
    y = np.arange(100) % 10 == 0
    frame = pd.DataFrame({"tells": y.astype(str), "noise": np.arange(100) % 4 < 2})
    found = Variance().fit(frame, y)
    assert found.answer_.order.tolist() == [1, 0]
    turned = Variance().fit(frame, np.roll(y, 3))
    np.testing.assert_array_equal(turned.importances_, found.importances_)
    assert "blind" in Variance.about.flaws


def test_variance_needs_no_target():
    x = np.random.default_rng(0).normal(size=(30, 4)) * [1, 2, 3, 4]
    found, with_it = Variance(size=2).fit(x), Variance(size=2).fit(x, x[:, 0] > 0)
    np.testing.assert_array_equal(found.importances_, with_it.importances_)
    assert not hasattr(found, "classes_")
    assert make_pipeline(Variance(size=2), PCA(1)).fit_transform(x).shape == (30, 1)
    with pytest.raises(ValueError, match="y"):
        TTest().fit(x)
