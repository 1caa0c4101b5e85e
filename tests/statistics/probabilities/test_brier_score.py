"""Brier scores are scikit-learn's, their intervals those of mean losses."""

import numpy as np
import pytest
from scipy.special import expit, softmax
from scipy.stats import t as student
from sklearn.metrics import brier_score_loss, d2_brier_score

from hetsel.ground.errors import TableError
from hetsel.statistics.performance.loss_intervals import told_interval
from hetsel.statistics.probabilities.brier_score import brier_score, class_covariance, share_losses


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
    assert found.score.estimate == pytest.approx(known, rel=1e-12)
    known = d2_brier_score(y, p, sample_weight=w, labels=np.arange(classes))
    assert found.scaled.estimate == pytest.approx(known, rel=1e-12)


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
    assert (found.estimate, found.low, found.high) == pytest.approx(
        (known.estimate, known.low, known.high)
    )


def test_of_one_class_nothing_is_scaled_and_of_certain_rows_nothing_is_left():
    assert np.isnan(brier_score([0, 0], [0.1, 0.2]).scaled.estimate)
    found = brier_score([0, 1], [0.0, 1.0])
    assert (found.score.estimate, found.scaled.estimate) == (0.0, 1.0)


def test_what_is_no_class_or_probability_is_refused():
    with pytest.raises(TableError, match="with the sum 1"):
        brier_score([0, 1], [[0.5, 0.4], [0.5, 0.5]])
    with pytest.raises(TableError, match="0 to 1"):
        brier_score([0, 2], [[0.5, 0.5], [0.5, 0.5]])


def brier_of_classes(p, classes, dense):
    """Mean Brier score of the rows of each class."""
    losses = np.stack([((p - np.eye(classes)[c]) ** 2).sum(axis=1) for c in range(classes)], axis=1)
    return (losses * dense).sum(axis=0) / (2 if classes == 2 else 1)


def gap(draw, shares, n, means, spread):
    """The Brier score of new rows less that of rows with the shares of the training rows, by table.

    A column of numbers is normal in each class, with known means; only the shares are learned. What
    the best probabilities say of the shares, 0 on average, is taken off, as it is mostly noise.
    """
    classes, apart, told = len(shares), [], []
    grid = np.linspace(-6, 8, 281)
    dense = np.exp(-((grid[:, None] - np.array(means)) ** 2) / (2 * spread**2))
    dense /= dense.sum(axis=0)
    weighed = shares * dense
    best = weighed / weighed.sum(axis=1, keepdims=True)
    base = brier_of_classes(best, classes, dense)
    for _ in range(400):
        counts = draw.multinomial(n, shares)
        if (counts == 0).any():
            continue
        own = counts / n
        p = own * dense / (own * dense).sum(axis=1, keepdims=True)
        of_class = brier_of_classes(p, classes, dense)
        apart.append(float((of_class - base) @ (shares - own)))
        truth = np.arange(classes).repeat(counts)
        x = draw.normal(np.array(means)[truth], spread)
        each = own * np.exp(-((x[:, None] - np.array(means)) ** 2) / (2 * spread**2))
        told.append(share_losses(truth, each / each.sum(axis=1, keepdims=True)).mean())
    return np.array(apart), np.array(told)


@pytest.mark.parametrize(
    ("shares", "means"),
    [
        ([0.5, 0.5], [0.0, 0.0]),
        ([0.6, 0.4], [0.0, 1.0]),
        ([0.8, 0.2], [0.0, 2.0]),
        ([0.5, 0.3, 0.2], [0.0, 1.0, 2.0]),
    ],
)
def test_they_are_what_new_rows_lose_more(shares, means):
    apart, told = gap(np.random.default_rng(7), np.array(shares), 100, means, 1.0)
    error = apart.std() / np.sqrt(len(apart))
    assert error < 0.1 * told.mean()
    assert apart.mean() == pytest.approx(told.mean(), abs=3 * error)


def test_of_two_classes_they_are_the_formula():
    draw = np.random.default_rng(1)
    p = draw.uniform(0.02, 0.98, 300)
    y = (draw.random(300) < p).astype(int)
    own = y.mean()
    expected = 2 * (p * (1 - p)) ** 2 / (299 * own * (1 - own))
    np.testing.assert_allclose(share_losses(y, np.column_stack([1 - p, p])), expected, rtol=1e-12)


def test_rows_of_a_unit_count_as_one_and_weights_by_their_ratios():
    draw = np.random.default_rng(2)
    y = np.repeat(draw.integers(0, 2, 30), 4)
    p = np.full((120, 2), 0.5)
    unit = np.repeat(np.arange(30), 4)
    once = share_losses(y[::4], p[::4])
    np.testing.assert_allclose(share_losses(y, p, units=unit)[::4], once, rtol=1e-12)
    np.testing.assert_allclose(
        share_losses(y, p, np.full(120, 3.0), unit), share_losses(y, p, units=unit), rtol=1e-12
    )
    assert share_losses(y, p, units=np.zeros(120, dtype=int)).tolist() == [0.0] * 120


def test_the_covariance_of_shares_is_that_of_their_draws():
    draw, shares = np.random.default_rng(5), np.array([0.5, 0.3, 0.2])
    counts = draw.multinomial(80, shares, 4000)
    seen = np.cov(counts.T / 80)
    told = [class_covariance(np.arange(3).repeat(one), 3) for one in counts[:200]]
    np.testing.assert_allclose(np.mean(told, axis=0), seen, atol=0.06 * seen.max())


def test_who_knows_the_shares_alone_explains_less_than_nothing_elsewhere():
    """Elsewhere the score is s (1 - s) + (own - s)^2 of which s (1 - s) is explained by none."""
    draw, share, n = np.random.default_rng(9), 0.3, 50
    told, known = [], []
    for cases in draw.binomial(n, share, 500):
        y, own = (np.arange(n) < cases).astype(int), cases / n
        p = np.tile([1 - own, own], (n, 1))
        more = {"gains": -share_losses(y, p), "share_variance": class_covariance(y, 2)[1, 1]}
        told.append(brier_score(y, p[:, 1], **more).scaled.estimate)
        known.append(-((own - share) ** 2) / (share * (1 - share)))
    assert np.mean(told) == pytest.approx(np.mean(known), abs=0.002)
    assert np.mean(known) == pytest.approx(-1 / n, abs=0.002)
