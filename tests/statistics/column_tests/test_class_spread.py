"""Fisher's score and the correlation ratio against numpy, scipy and least squares."""

import numpy as np
import pytest
from frames import NAN

from hetsel.statistics.column_tests.class_contrasts import correlation_ratio, fisher_scores


def numbers(classes, n=70):
    rng = np.random.default_rng(classes)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 5)) * [1, 9, 1e-6, 1e6, 1] + np.outer(y, [0, 3, 1e-7, 1e7, 1]), y


@pytest.mark.parametrize("classes", [2, 4])
def test_fishers_score_is_the_formula(classes):
    x, y = numbers(classes)
    for column, found in zip(x.T, fisher_scores(x, y), strict=True):
        groups = [column[y == c] for c in range(classes)]
        between = sum(len(g) * (g.mean() - column.mean()) ** 2 for g in groups)
        assert found == pytest.approx(between / sum(len(g) * g.var() for g in groups))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_ratio_is_the_multiple_correlation_of_least_squares(classes):
    x, y = numbers(classes)
    indicators = (y[:, None] == np.arange(classes)).astype(float)
    for column, found in zip(x.T, correlation_ratio(x, y), strict=True):
        fitted = indicators @ np.linalg.lstsq(indicators, column, rcond=None)[0]
        assert found == pytest.approx(np.corrcoef(fitted, column)[0, 1])


def test_constant_and_separated_columns():
    y = np.array([0, 0, 0, 1, 1])
    x = np.column_stack([np.full(5, 0.1), 0.1 + 0.2 * y, [NAN, NAN, NAN, 1, 2]])
    assert fisher_scores(x, y).tolist() == [0, np.inf, 0]
    assert correlation_ratio(x, y).tolist() == [0, 1, 0]
