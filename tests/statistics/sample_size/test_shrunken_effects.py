"""Shares of associations: little of noise, most of what is strong, by column wherever it stands."""

import numpy as np

from hetsel.statistics.sample_size.shrunken_effects import drawn_shares


def test_of_noise_little_is_kept_and_of_a_strong_association_most():
    z = np.abs(np.random.default_rng(1).normal(size=200))
    z[7] = 9.0
    shares = drawn_shares(z, 100, 100, np.random.default_rng(0)).mean(axis=0)
    assert shares[7] > 0.8
    assert np.delete(shares, 7).mean() < 0.05


def test_the_order_of_the_columns_changes_nothing():
    z = np.array([0.0, 3.0, 1.2, 6.5])
    first = drawn_shares(z, 60, 20, np.random.default_rng(3))
    second = drawn_shares(z[::-1], 60, 20, np.random.default_rng(3))
    np.testing.assert_allclose(first, second[:, ::-1])
    assert (first[:, 0] == 0).all()
