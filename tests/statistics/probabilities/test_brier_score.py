"""Brier scores are scikit-learn's, their intervals those of mean losses."""

import numpy as np
import pytest
from scipy.special import expit, softmax
from scipy.stats import t as student
from sklearn.metrics import brier_score_loss, d2_brier_score

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.loss_intervals import told_interval
from hetsel.statistics.probabilities.brier_score import brier_score


def drawn(seed=0, n=80, classes=2):
    rng = np.random.default_rng(seed)
    if classes == 2:
        p = expit(1.5 * rng.normal(size=n))
        return (rng.random(n) < p).astype(int), p, rng.uniform(0.3, 3, n)
    p = softmax(rng.normal(size=(n, classes)), axis=1)
    y = (rng.random(n)[:, None] > p.cumsum(axis=1)).sum(axis=1)
    return np.minimum(y, classes - 1), p, rng.uniform(0.3, 3, n)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_and_the_scaled_one_are_scikit_learns(classes, weighted):
    y, p, w = drawn(classes=classes)
    w = w if weighted else None
    found = brier_score(y, p, w)
    known = brier_score_loss(y, p, sample_weight=w, labels=np.arange(classes))
    assert found.score.rate == pytest.approx(known, rel=1e-12)
    known = d2_brier_score(y, p, sample_weight=w, labels=np.arange(classes))
    assert found.scaled.rate == pytest.approx(known, rel=1e-12)


def test_of_two_columns_it_is_twice_that_of_one():
    y, p, w = drawn()
    one, two = brier_score(y, p, w), brier_score(y, np.column_stack([1 - p, p]), w)
    assert two.score.high == pytest.approx(2 * one.score.high)
    assert two.scaled.low == pytest.approx(one.scaled.low)


def test_the_upper_end_is_that_of_the_logarithm_of_a_mean():
    """By scipy: of the mean of independent rows, and of twice its variance."""
    y, p, _ = drawn(2)
    losses = (y - p) ** 2
    error = losses.std(ddof=1) / np.sqrt(80) / losses.mean()
    for spread in (1.0, 2.0):
        apart = student.ppf(0.975, 79) * np.sqrt(spread) * error
        found = brier_score(y, p, spread=spread).score
        assert found.high == pytest.approx(losses.mean() * np.exp(apart), rel=1e-9)
        assert found.low == pytest.approx(losses.mean() * (1 - apart), rel=1e-9)


def test_a_row_of_several_runs_counts_once():
    y, p, _ = drawn(3)
    once = brier_score(y, p)
    runs = brier_score(np.tile(y, 4), np.tile(p, 4), np.full(320, 0.25), np.tile(np.arange(80), 4))
    assert runs.score.low == pytest.approx(once.score.low)
    assert runs.scaled.high == pytest.approx(once.scaled.high)


def test_the_scaled_one_is_r_squared_of_the_classes():
    y, p, w = drawn(4)
    mean = np.average(y, weights=w)
    known = told_interval((y - p) ** 2, (y - mean) ** 2, w, spread=3.0)
    found = brier_score(y, p, w, spread=3.0).scaled
    assert (found.rate, found.low, found.high) == pytest.approx((known.rate, known.low, known.high))


def test_of_one_class_nothing_is_scaled_and_of_certain_rows_nothing_is_left():
    assert np.isnan(brier_score([0, 0], [0.1, 0.2]).scaled.rate)
    found = brier_score([0, 1], [0.0, 1.0])
    assert (found.score.rate, found.scaled.rate) == (0.0, 1.0)


def test_what_is_no_class_or_probability_is_refused():
    with pytest.raises(TableError, match="with the sum 1"):
        brier_score([0, 1], [[0.5, 0.4], [0.5, 0.5]])
    with pytest.raises(TableError, match="0 to 1"):
        brier_score([0, 2], [[0.5, 0.5], [0.5, 0.5]])
