"""What chance shares of classes cost, against tables of which the truth is known."""

import numpy as np
import pytest

from hetsel.statistics.probabilities.brier_score import brier_score, share_covariance, share_losses


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
    told = [share_covariance(np.arange(3).repeat(one), 3) for one in counts[:200]]
    np.testing.assert_allclose(np.mean(told, axis=0), seen, atol=0.06 * seen.max())


def test_who_knows_the_shares_alone_explains_less_than_nothing_elsewhere():
    """Elsewhere the score is s (1 - s) + (own - s)^2 of which s (1 - s) is explained by none."""
    draw, share, n = np.random.default_rng(9), 0.3, 50
    told, known = [], []
    for cases in draw.binomial(n, share, 500):
        y, own = (np.arange(n) < cases).astype(int), cases / n
        p = np.tile([1 - own, own], (n, 1))
        more = {"gains": -share_losses(y, p), "share_variance": share_covariance(y, 2)[1, 1]}
        told.append(brier_score(y, p[:, 1], **more).scaled.rate)
        known.append(-((own - share) ** 2) / (share * (1 - share)))
    assert np.mean(told) == pytest.approx(np.mean(known), abs=0.002)
    assert np.mean(known) == pytest.approx(-1 / n, abs=0.002)
