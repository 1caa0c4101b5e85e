"""Columns that are the same but for their unit have one importance, near an edge of a grid too."""

import numpy as np
import pytest

from hetsel import get_method

KEYS = [
    "anova-f",
    "fisher-criterion",
    "fisher-score",
    "hsic",
    "kruskal-wallis",
    "mi-parzen",
    "pearson",
    "relieff",
    "spearman",
    "t-test",
    "variance",
]


def columns_and_copies(seed, n=60, p=300):
    """Columns that tell the class by little and by very much, and each in another unit."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p)) + y[:, None] * np.geomspace(1e-3, 1e6, p)
    return X, rng.normal(size=p) + rng.lognormal(0, 3, size=p) * rng.choice([-1, 1], p) * X, y


@pytest.mark.parametrize("key", KEYS)
def test_a_column_in_another_unit_has_the_same_importance(key):
    X, copies, y = columns_and_copies(len(key))
    few = 60 if key in ("hsic", "mi-parzen", "relieff") else 300
    both = np.hstack([X[:, :few], copies[:, :few]])
    importance = get_method(key)().fit(both, y).answer_.importance
    np.testing.assert_array_equal(importance[:few], importance[few:])
