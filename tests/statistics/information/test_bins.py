"""Bins of equal frequency against pandas, and by fractions."""

from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd
import pytest

from hetsel import Table
from hetsel.search.criteria.partition_criteria import discrete_codes
from hetsel.statistics.information.discretization import discretize


def equal_frequency_bins(x, bins):
    return discretize(x[:, None], np.array([False]), bins).cells[0].astype(np.int64)


@pytest.mark.parametrize("bins", [2, 3, 5, 10])
def test_distinct_numbers_are_cut_as_by_pandas(bins):
    x = np.random.default_rng(bins).normal(size=120)
    np.testing.assert_array_equal(equal_frequency_bins(x, bins), pd.qcut(x, bins, labels=False))


def by_fractions(x, bins):
    """The definition, value by value; bins are numbered by what they hold."""
    values = sorted(set(x))
    if len(values) <= bins:
        return [values.index(v) for v in x]
    at = []
    for v in x:
        u = bins * Fraction(2 * sum(w < v for w in x) + sum(w == v for w in x), 2 * len(x))
        edge, half = u == floor(u), Fraction(bins, 2)
        if edge and u == half:
            at.append(u - Fraction(1, 2))
        else:
            at.append(Fraction(floor(u)) - (1 if edge and u > half else 0))
    names = sorted(set(at))
    return [names.index(a) for a in at]


@pytest.mark.parametrize("bins", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(20))
def test_bins_with_ties_are_those_of_the_definition_either_way_round(seed, bins):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, rng.integers(2, 30), size=rng.integers(5, 60)).astype(float)
    found = equal_frequency_bins(x, bins)
    assert found.tolist() == by_fractions(x.tolist(), bins)
    np.testing.assert_array_equal(found.max() - equal_frequency_bins(-x, bins), found)


def test_a_value_on_the_edge_in_the_middle_has_a_bin_of_its_own():
    x = np.arange(5.0)
    assert equal_frequency_bins(x, 2).tolist() == [0, 0, 1, 2, 2]
    assert equal_frequency_bins(np.arange(4.0), 2).tolist() == [0, 0, 1, 1]


def test_missing_is_the_bin_behind_all_others():
    x = np.array([np.nan, 3.0, 1.0, np.nan, 2.0, 4.0])
    assert equal_frequency_bins(x, 2).tolist() == [2, 1, 0, 2, 0, 1]
    assert equal_frequency_bins(np.full(3, np.nan), 2).tolist() == [0, 0, 0]


def test_levels_are_kept_and_numbers_are_cut():
    grades = pd.Categorical([f"g{k}" for k in range(8)] * 2, ordered=True)
    frame = pd.DataFrame({"x": np.arange(16.0), "g": grades, "s": list("abcdefgh") * 2})
    codes = discrete_codes(Table.read(frame), 4)
    assert codes.shape == (3, 16)
    assert codes.max(axis=1).tolist() == [3, 7, 7]


def test_one_bin_is_refused():
    with pytest.raises(ValueError, match="bins must be a whole number, 2 or larger"):
        equal_frequency_bins(np.arange(4.0), 1)
