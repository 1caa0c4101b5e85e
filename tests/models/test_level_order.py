"""The order of levels by their classes."""

import itertools

import numpy as np
import pytest

from hetsel.models.train_test_arrays import order_levels


def places_of(codes, y):
    """Place of each level, 0..m-1."""
    cells = order_levels(codes[None], y, np.ones(len(y), dtype=np.int64))[0]
    return np.array([cells[codes == level][0] for level in range(codes.max() + 1)])


def test_two_classes_lose_nothing_by_the_order_of_levels():
    """The best split into two sets of levels is a cut in this order (Breiman et al. 1984)."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        codes = np.concatenate([np.arange(6), rng.integers(0, 6, 40)])
        y = rng.integers(0, 2, len(codes))
        places = places_of(codes, y)

        def gini(left, y=y):
            return sum(part.sum() * (1 - part.mean()) for part in (y[left], y[~left]) if len(part))

        cuts = min(gini(places[codes] <= k) for k in range(5))
        subsets = min(
            gini(np.isin(codes, chosen))
            for size in (1, 2, 3)
            for chosen in itertools.combinations(range(6), size)
        )
        assert cuts == pytest.approx(subsets)


def test_more_classes_go_by_the_first_principal_component():
    # class shares of levels 0..3: they lie on a line from class 0 to class 2, out of order
    codes = np.repeat([0, 1, 2, 3], 12)
    shares = {0: [6, 3, 3], 1: [0, 3, 9], 2: [9, 3, 0], 3: [3, 3, 6]}
    y = np.concatenate([np.repeat([0, 1, 2], shares[level]) for level in range(4)])
    places = places_of(codes, y)
    assert places.tolist() in ([1, 3, 0, 2], [2, 0, 3, 1])
