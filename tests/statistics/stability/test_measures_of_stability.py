"""Measures of stability: cases by hand, exact fractions over pairs, known special cases."""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from twins.stability_fractions import (
    ati_fraction,
    cw_rel_fraction,
    kuncheva_fraction,
    nogueira_fraction,
    nogueira_variance_fraction,
    random_subsets,
)

from hetsel.statistics.stability.measures_of_stability import (
    MEASURES,
    ati,
    compare_nogueira,
    cw_rel,
    kuncheva,
    nogueira,
    nogueira_interval,
)


class Property(NamedTuple):
    measure: Callable
    corrected: bool  # for chance
    minimum: float
    sizes_differ: bool
    needs_p: bool
    twin: Callable


PROPERTIES = {
    "kuncheva": Property(kuncheva, True, -1.0, False, True, kuncheva_fraction),
    "cw_rel": Property(cw_rel, True, 0.0, True, True, cw_rel_fraction),
    "ati": Property(ati, False, 0.0, True, False, ati_fraction),
    "nogueira": Property(nogueira, True, -1.0, True, True, nogueira_fraction),
}


def test_every_measure_has_its_properties():
    assert {name: row.measure for name, row in PROPERTIES.items()} == MEASURES


@pytest.mark.parametrize("name", PROPERTIES)
def test_agrees_with_the_definition_in_fractions(name):
    rng = np.random.default_rng(1)
    values = []
    for k, p in [(2, 3), (3, 5), (5, 7), (8, 12), (11, 30)]:
        for _ in range(6):
            size = int(rng.integers(1, p)) if name == "kuncheva" else None
            subsets = random_subsets(rng, k, p, size)
            expected = PROPERTIES[name].twin(subsets, p)
            found = MEASURES[name](subsets, p)
            assert found == pytest.approx(float(expected), abs=1e-14)
            values.append(found)
    assert np.ptp(values) > 0.3


# Three subsets of size 2 of 4 features with intersections 1, 2, 1; four of any size of 5.
THREE = [[0, 1], [0, 2], [0, 1]]
FOUR = [[0, 1, 2], [0], [0, 1], [3, 0]]


def test_by_hand():
    """KI: (1 + 2 + 1)/3 = 4/3, (4/3 - 1)/(2 - 1). CW of THREE: counts 3 2 1, N = 6: 8/12; D = 2:
    the evenest counts 2 2 1 1 give 4/12; H = 0: 1; (8 - 4)/(12 - 4) = 1/2. CW of FOUR: counts
    4 2 1 1, N = 8: 14/24; evenest 2 2 2 1 1: 6/24; most 4 4: 1; (14 - 6)/(24 - 6) = 4/9. ATI of
    FOUR: 1/3, 2/3, 1/4, 1/2, 1/2, 1/3. Nogueira of FOUR: 4/3 (0 + 4 + 3 + 3)/16 / 5 = 1/6 against
    2/5 3/5 = 6/25: 1 - 25/36."""
    assert kuncheva(THREE, 4) == pytest.approx(1 / 3, rel=1e-15)
    assert cw_rel(THREE, 4) == 0.5
    assert cw_rel(FOUR, 5) == pytest.approx(4 / 9, rel=1e-15)
    assert ati(FOUR) == pytest.approx((1 / 3 + 2 / 3 + 1 / 4 + 1 / 2 + 1 / 2 + 1 / 3) / 6)
    assert nogueira(FOUR, 5) == pytest.approx(11 / 36, rel=1e-14)


@pytest.mark.parametrize("measure", PROPERTIES.values(), ids=PROPERTIES)
class TestProperties:
    def test_identical_subsets_give_the_maximum(self, measure):
        for subset in ([2], [0, 3, 4], [0, 1, 2, 3, 4, 5, 6], list(range(8))):
            assert measure.measure([subset] * 5, p=8) == 1

    def test_range(self, measure):
        rng = np.random.default_rng(2)
        found = [measure.measure(random_subsets(rng, 3, 6, 3), p=6) for _ in range(200)]
        assert measure.minimum <= min(found) < 0.25
        assert max(found) <= 1

    def test_the_minimum_is_reached(self, measure):
        assert measure.measure([[0, 1], [2, 3]], p=4) == measure.minimum

    def test_correction_for_chance(self, measure):
        """Random subsets of 10, 50 and 90 of 100 features: near 0 at every size, or not."""
        rng = np.random.default_rng(3)
        means = [
            np.mean([measure.measure(random_subsets(rng, 100, 100, s), p=100) for _ in range(4)])
            for s in (10, 50, 90)
        ]
        if measure.corrected:
            assert np.abs(means).max() < 0.02
        else:
            assert means[2] > 0.8

    def test_different_sizes(self, measure):
        subsets = [[0, 1], [0], [0, 2]]
        if measure.sizes_differ:
            assert measure.minimum < measure.measure(subsets, p=4) < 1
        else:
            with pytest.raises(ValueError, match=r"of one size. Got 1 to 2 features.*nogueira"):
                measure.measure(subsets, p=4)

    def test_number_of_features(self, measure):
        small, large = (measure.measure(THREE, p=p) for p in (4, 40))
        if measure.needs_p:
            assert small < large
            with pytest.raises(ValueError, match=r"p, the number of features, is needed"):
                measure.measure(THREE)
        else:
            assert small == large == measure.measure(THREE)

    def test_form_and_order_change_nothing(self, measure):
        rng = np.random.default_rng(4)
        subsets = random_subsets(rng, 6, 20, 8)
        matrix = np.zeros((6, 20), dtype=bool)
        for row, subset in zip(matrix, subsets, strict=True):
            row[subset] = True
        value = measure.measure(subsets, 20)
        assert value < 0.9
        shuffled = matrix[rng.permutation(6)][:, rng.permutation(20)]
        forms = (matrix, matrix.tolist(), shuffled, np.array(subsets), map(np.array, subsets))
        for form in forms:
            assert measure.measure(form, 20) == pytest.approx(value, abs=1e-15)

    @pytest.mark.parametrize(
        ("subsets", "p", "message"),
        [
            ([[0, 1]], 4, r"2 subsets or more. Got 1"),
            ([], 4, r"2 subsets or more. Got 0"),
            ([[], []], 4, r"no subset contains a feature"),
            ([[0, 4], [0, 1]], 4, r"must be in 0..3. Got 4"),
            ([[0, -1], [0, 1]], 4, r"must be in 0..3. Got -1"),
            ([[0, 0], [0, 1]], 4, r"no feature twice. Got \[0 0\]\. Convert a matrix of 0 and 1"),
            ([[0.5, 1], [0, 1]], 4, r"whole numbers. Got \[0.5 1. \]"),
            ([[[0], [1]], [[0], [2]]], 4, r"must be an array of whole numbers"),
            (np.eye(3, dtype=bool), 4, r"p must be 3, the number of columns of subsets. Got 4"),
        ],
    )
    def test_bad_subsets(self, measure, subsets, p, message):
        with pytest.raises(ValueError, match=message):
            measure.measure(subsets, p)


def test_for_one_size_the_measures_are_one():
    """Nogueira = KI, and with K s a multiple of p CWrel = (1 + (K - 1) KI) / K."""
    rng = np.random.default_rng(5)
    for k, p, s in [(4, 10, 5), (10, 30, 6), (6, 9, 3), (20, 5, 2)]:
        subsets = random_subsets(rng, k, p, s)
        index = kuncheva(subsets, p)
        assert nogueira(subsets, p) == pytest.approx(index, abs=1e-14)
        assert k * s % p == 0
        assert cw_rel(subsets, p) == pytest.approx((1 + (k - 1) * index) / k, abs=1e-14)


def test_random_subsets_are_at_0_on_average_exactly():
    """All pairs of subsets of size 2 of 4 features: KI averages to 0 over the 36 ordered pairs."""
    every = list(combinations(range(4), 2))
    values = [kuncheva([a, b], 4) for a in every for b in every]
    assert sum(values) == pytest.approx(0, abs=1e-12)


def test_two_empty_subsets_agree():
    assert ati([[], [], [0]]) == pytest.approx(1 / 3)


def test_large_subsets():
    """200 subsets of 5000 features, where products pass 2^32."""
    rng = np.random.default_rng(7)
    rankings = np.argsort(rng.standard_normal(5000) + rng.standard_normal((200, 5000)), axis=1)
    subsets = rankings[:, :2500]
    index = kuncheva(subsets, 5000)
    assert index == pytest.approx(1 / 3, abs=0.05)  # arcsin(1/2)
    assert nogueira(subsets, 5000) == pytest.approx(index, abs=1e-13)
    assert cw_rel(subsets, 5000) == pytest.approx((1 + 199 * index) / 200, abs=1e-13)
    few = [np.isin(subsets[0], subset).sum() for subset in subsets[1:]]
    first = np.mean([c / (5000 - c) for c in few])
    assert ati(subsets) == pytest.approx(first, abs=0.02)


def test_variance_agrees_with_theorem_7_in_fractions():
    rng = np.random.default_rng(8)
    for k, p in [(4, 4), (5, 7), (8, 12), (11, 30)]:
        subsets = random_subsets(rng, k, p)
        result = nogueira_interval(subsets, p, level=0.9)
        expected = float(nogueira_variance_fraction(subsets, p))
        assert expected > 0
        assert result.variance == pytest.approx(expected, rel=1e-11)
        assert result.stability == nogueira(subsets, p)
        reach = 1.6448536269514722 * np.sqrt(expected)
        assert result.low == pytest.approx(result.stability - reach)
        assert result.high == pytest.approx(result.stability + reach)
        assert (result.level, result.n_subsets, result.n_features) == (0.9, k, p)


def test_variance_is_the_spread_between_repetitions():
    rng = np.random.default_rng(9)
    shares = rng.uniform(0, 1, 20) ** 2
    runs = [nogueira_interval(rng.random((80, 20)) < shares) for _ in range(600)]
    spread = np.var([run.stability for run in runs])
    assert np.mean([run.variance for run in runs]) / spread == pytest.approx(1, abs=0.15)
    truth = 1 - np.mean(shares * (1 - shares)) / (shares.mean() * (1 - shares.mean()))
    covered = np.mean([run.low <= truth <= run.high for run in runs])
    assert 0.92 < covered < 0.98


def test_comparison():
    rng = np.random.default_rng(10)
    steady, loose = rng.random((40, 15)) < 0.5, rng.random((60, 15)) < 0.5
    steady[:, :6] = True
    result = compare_nogueira(steady, loose)
    one, other = nogueira_interval(steady), nogueira_interval(loose)
    z = (one.stability - other.stability) / np.sqrt(one.variance + other.variance)
    assert result.statistic == pytest.approx(z)
    assert result.pvalue == pytest.approx(2 * stats.norm.cdf(-z))
    assert (result.first, result.second) == (one, other)
    assert result.difference > 0.2
    swapped = compare_nogueira(loose, steady)
    assert swapped.statistic == -result.statistic
    assert swapped.pvalue == result.pvalue
    assert "difference 0." in str(result)


def test_comparison_of_equal_stabilities_is_seldom_significant():
    rng = np.random.default_rng(11)
    shares = np.linspace(0.1, 0.9, 12)
    pvalues = [
        compare_nogueira(rng.random((50, 12)) < shares, rng.random((50, 12)) < shares).pvalue
        for _ in range(400)
    ]
    assert 0.025 < np.mean(np.array(pvalues) < 0.05) < 0.085


def test_no_spread_no_interval():
    same, other = [[0, 1]] * 4, [[2]] * 3
    result = nogueira_interval(same, 5)
    assert (result.stability, result.variance, result.n_apart) == (1, 0, 0)
    assert np.isnan([result.low, result.high]).all()
    full = nogueira_interval([[0, 1, 2]] * 4, 3)
    assert (full.stability, full.variance) == (1, 0)
    alone = nogueira_interval([[0], [1], [2], [3]], 4)  # all differ, alike: no spread either
    assert (alone.n_apart, alone.variance) == (3, 0)
    assert np.isnan(alone.low)
    for one in (other, [[0, 1], [2, 3]]):
        comparison = compare_nogueira(same, one, 5)
        assert np.isnan([comparison.statistic, comparison.pvalue]).all()
        assert all(fact in str(comparison) for fact in ("no test", "there are 0"))
    for fact in ("1.000", "no interval", "there are 0", "4 subsets of 5 features"):
        assert fact in str(result)


def nearly_constant(rng, n_subsets, expected):
    """5 of 13 features; one of them leaves for another with probability expected / K."""
    chosen = np.tile(np.arange(13) < 5, (n_subsets, 1))
    for row in np.flatnonzero(rng.random(n_subsets) < expected / n_subsets):
        chosen[row, rng.integers(5)] = False
        chosen[row, 5 + rng.integers(8)] = True
    return chosen


@pytest.mark.parametrize("n_subsets", [20, 50])
@pytest.mark.parametrize("expected", [0.2, 1, 2, 4, 8])
def test_intervals_of_nearly_constant_selections_are_refused_or_cover(n_subsets, expected):
    """The formula alone covers in 18 % of the cases at 0.2 expected changes; see the docstring."""
    rng = np.random.default_rng(12)
    share = expected / n_subsets
    kept = 5 * (1 - share / 5) * share / 5 + 8 * share / 8 * (1 - share / 8)
    truth = 1 - kept / 13 / (5 / 13 * 8 / 13)
    found = [nogueira_interval(nearly_constant(rng, n_subsets, expected)) for _ in range(400)]
    given = [run for run in found if not run.without_interval]
    covered = sum(run.low <= truth <= run.high for run in given)
    assert len(given) - covered < 0.16 * len(found)
    assert len(given) >= (0.7 if expected >= 4 else 0) * len(found)
    assert all(np.isnan(run.low) == (run.n_apart < 3) for run in found)
