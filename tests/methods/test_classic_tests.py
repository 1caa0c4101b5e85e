"""Filters by a test against scipy: chi-square, Kruskal-Wallis, analysis of variance."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame
from scipy import stats

from hetsel import (
    AnovaF,
    ChiSquare,
    FisherExact,
    KruskalWallis,
    TTest,
)
from hetsel.ground.errors import TableError


def columns(kind, classes=3, missing=0.0):
    frame, y = mixed_frame(90, 5, 5, classes=classes, seed=2, missing=missing)
    nominal = [name for name in frame if name.startswith("n")]
    return (frame[nominal] if kind == "nominal" else frame.drop(columns=nominal)), y


@pytest.mark.parametrize("classes", [2, 3])
def test_chi_square_is_scipys(classes):
    frame, y = columns("nominal", classes)
    found = ChiSquare().fit(frame, y)
    tests = [stats.chi2_contingency(pd.crosstab(frame[c], y), correction=False) for c in frame]
    np.testing.assert_allclose(found.importances_, [-np.log10(t.pvalue) for t in tests], atol=1e-9)
    np.testing.assert_allclose(found.answer_.extras["statistic"], [t.statistic for t in tests])
    assert found.answer_.extras["df"].tolist() == [t.dof for t in tests]


def test_chi_square_of_an_ordinal_column_with_missing_as_a_level():
    y = np.arange(60) % 2
    codes = np.random.default_rng(0).integers(-1, 3, 60)
    grade = pd.Categorical.from_codes(codes, ["low", "middle", "high"], ordered=True)
    found = ChiSquare(missing="separate").fit(pd.DataFrame({"grade": grade}), y)
    expected = stats.chi2_contingency(pd.crosstab(codes, y), correction=False)
    assert found.importances_[0] == pytest.approx(-np.log10(expected.pvalue))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    ("selector", "test"),
    [(KruskalWallis, stats.kruskal), (AnovaF, stats.f_oneway)],
)
def test_tests_of_numbers_are_scipys(selector, test, classes):
    frame, y = columns("continuous", classes, missing=0.1)
    found = selector(missing="separate").fit(frame, y)
    for j, name in enumerate(frame):
        column = frame[name].to_numpy()
        known = ~np.isnan(column)
        expected = test(*(column[known & (y == c)] for c in range(classes)))
        assert found.importances_[j] == pytest.approx(-np.log10(expected.pvalue), abs=1e-9)
        assert found.answer_.extras["statistic"][j] == pytest.approx(expected.statistic)


@pytest.mark.parametrize(
    ("selector", "test", "classes"),
    [
        (KruskalWallis, stats.kruskal, 3),
        (AnovaF, stats.f_oneway, 3),
        (TTest, partial(stats.ttest_ind, equal_var=False), 2),
    ],
)
def test_an_ordinal_column_counts_by_its_levels(selector, test, classes):
    y = np.arange(30) % classes
    codes = np.random.default_rng(0).integers(0, 3, 30) + y
    levels = ["none", "mild", "some", "severe", "worst"]
    grade = pd.Categorical.from_codes(codes, levels, ordered=True)
    found = selector().fit(pd.DataFrame({"grade": grade}), y)
    pvalue = test(*(codes[y == c] for c in range(classes))).pvalue
    assert found.importances_[0] == pytest.approx(-np.log10(pvalue))


def test_columns_rank_right_where_p_underflows():
    y = np.arange(6000) % 2
    flips = np.arange(6000) // 2
    codes = np.column_stack([np.where(flips < k, 1 - y, y) for k in (90, 10, 40)])
    levels = ChiSquare().fit(pd.DataFrame(codes).astype(str).add_prefix("c"), y)
    numbers = KruskalWallis().fit(codes.astype(float), y)
    means = AnovaF().fit(codes.astype(float), y)
    for found in (levels, numbers, means):
        assert np.isfinite(found.importances_).all()
        assert found.importances_.min() > 400
        assert found.answer_.order.tolist() == [1, 2, 0]


def test_a_class_mean_without_spread_is_infinitely_sure():
    y = np.arange(20) % 2
    x = np.column_stack([np.random.default_rng(0).normal(size=20), 0.1 + 0.2 * y, np.full(20, 7.0)])
    assert np.isposinf(AnovaF().fit(x, y).importances_).tolist() == [False, True, False]
    assert np.isfinite(KruskalWallis().fit(x, y).importances_).all()


@pytest.mark.parametrize("selector", [KruskalWallis, AnovaF])
def test_any_increasing_scale_or_negative_unit_changes_no_bit(selector):
    x = np.round(np.random.default_rng(1).normal(size=(50, 8)), 1)
    y = np.arange(50) % 3
    plain = selector().fit(x, y).importances_
    np.testing.assert_array_equal(selector().fit(-0.3048 * x + 17, y).importances_, plain)
    if selector is KruskalWallis:
        np.testing.assert_array_equal(selector().fit(np.exp(x), y).importances_, plain)


def test_columns_of_the_other_kind_are_refused_by_name():
    frame = pd.DataFrame({"age": [1.0, 2, 3, 4], "sex": list("fmfm"), "town": list("aabb")})
    for selector in (ChiSquare, FisherExact):
        message = f"^{selector.about.title}: takes nominal .* Got continuous columns: age. "
        with pytest.raises(TableError, match=message):
            selector().fit(frame, [0, 0, 1, 1])
    for selector in (KruskalWallis, AnovaF, TTest):
        message = f"^{selector.about.title}: takes continuous .* Got nominal columns: sex, town. "
        with pytest.raises(TableError, match=message):
            selector().fit(frame, [0, 0, 1, 1])
