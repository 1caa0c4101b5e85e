"""Nested subsets: smaller ones within larger ones, classes with their shares, groups whole."""

import numpy as np
import pytest

from hetsel.resampling.row_parts import nested_subsets

SIZES = (25, 35, 50, 71, 100)


@pytest.mark.parametrize("seed", range(5))
def test_each_is_within_the_next_and_has_its_rows_and_shares(seed):
    strata = np.repeat([0, 1, 2], [70, 25, 5])
    found = nested_subsets(strata, SIZES, np.random.default_rng(seed))
    assert found.sum(axis=1).tolist() == list(SIZES)
    assert (found[:-1] <= found[1:]).all()
    for rows, size in zip(found, SIZES, strict=True):
        expected = np.array([70, 25, 5]) * size / 100
        assert (np.abs(np.bincount(strata[rows], minlength=3) - expected) <= 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_whole_and_no_more_than_one_is_too_many(seed):
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(30, size=100))
    strata = (groups % 3 == 0).astype(np.int64)
    found = nested_subsets(strata, SIZES, rng, groups)
    largest = np.bincount(groups).max()
    for rows, size in zip(found, SIZES, strict=True):
        inside = np.array([rows[groups == g].mean() for g in np.unique(groups)])
        assert set(inside) <= {0.0, 1.0}
        assert size <= rows.sum() < size + largest
    assert (found[:-1] <= found[1:]).all()


def test_another_draw_is_another_subset_and_each_row_has_its_chance():
    strata = np.repeat([0, 1], [60, 40])
    rng = np.random.default_rng(0)
    drawn = np.mean([nested_subsets(strata, [50], rng)[0] for _ in range(2000)], axis=0)
    np.testing.assert_allclose(drawn, 0.5, atol=0.06)
