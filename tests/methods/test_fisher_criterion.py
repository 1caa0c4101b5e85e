"""The Fisher criterion as printed, by hand and by scipy, and where it leaves Fisher's score."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from hetsel import get_method
from hetsel.statistics.column_tests.group_means import fisher_criterion


def columns(seed, counts):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(counts)), counts)
    return rng.normal(size=(len(y), 12)) * rng.lognormal(size=12) + np.outer(
        y, rng.normal(size=12)
    ), y


@pytest.mark.parametrize("counts", [(8, 21), (5, 9, 14)])
def test_it_is_the_formula_of_the_paper(counts):
    x, y = columns(1, counts)
    means = np.array([x[y == c].mean(axis=0) for c in range(len(counts))])
    variances = np.array([x[y == c].var(axis=0, ddof=1) for c in range(len(counts))])
    pairs = [(a, b) for b in range(len(counts)) for a in range(b)]
    each = [(means[a] - means[b]) ** 2 / (variances[a] + variances[b]) for a, b in pairs]
    np.testing.assert_allclose(fisher_criterion(x, y), np.mean(each, axis=0), rtol=1e-12)


def test_of_classes_of_one_size_it_is_the_squared_t_over_their_size():
    x, y = columns(2, (15, 15))
    t = ttest_ind(x[y == 0], x[y == 1], equal_var=False).statistic
    np.testing.assert_allclose(15 * fisher_criterion(x, y), t**2, rtol=1e-12)


def test_classes_count_alike_where_fishers_score_weighs_them():
    """The first column is wide in the class of 4 rows, the second in that of 40."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [4, 40])
    x = np.stack([np.where(y == k, 6.0, 1.0) for k in (0, 1)], axis=1) * rng.normal(size=(44, 2))
    x -= np.array([x[y == c].mean(axis=0) for c in (0, 1)])[y]
    x += 4.0 * y[:, None]
    criterion, score = (
        get_method(key)().fit(x, y).answer_.importance
        for key in ("fisher-criterion", "fisher-score")
    )
    assert score[0] > 5 * score[1]
    assert criterion[0] < 3 * criterion[1]


def test_a_column_without_spread_and_a_class_of_one_value():
    y = np.array([0, 0, 1, 1])
    x = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0], [3.0, 2.0, np.nan], [3.0, 2.0, 4.0]])
    assert fisher_criterion(x, y).tolist() == [np.inf, 0.0, 0.0]
