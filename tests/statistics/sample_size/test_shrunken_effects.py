"""Effects of columns: little of noise, most of what is strong, by column wherever it stands."""

import numpy as np

from hetsel.statistics.sample_size.shrunken_effects import chances_of_place, drawn_effects


def test_of_noise_little_is_kept_and_of_a_strong_association_all():
    z = np.abs(np.random.default_rng(1).normal(size=200))
    z[7] = 9.0
    effects = drawn_effects(z, 100, 100, np.random.default_rng(0))
    assert abs(effects[:, 7].mean() - 9) < 0.5
    assert 0.5 < effects[:, 7].std() < 1.5  # on both sides of what the table shows
    assert np.delete(effects, 7, axis=1).mean() < 0.05


def test_the_order_of_the_columns_changes_nothing():
    z = np.array([0.0, 3.0, 1.2, 6.5])
    first = drawn_effects(z, 60, 20, np.random.default_rng(3))
    second = drawn_effects(z[::-1], 60, 20, np.random.default_rng(3))
    np.testing.assert_allclose(first, second[:, ::-1])


def test_the_chance_of_a_place_is_that_of_draws():
    rng, effects = np.random.default_rng(5), np.array([[0.0, 1, 2, 3], [0, 0, 0, 0], [4, 4, 4, 0]])
    for own, size in ((0.0, 1), (2.0, 2), (3.0, 3), (1.0, 9)):
        others = np.abs(effects[:, None] + rng.normal(size=(3, 20_000, 4)))
        planted = np.abs(own + rng.normal(size=(3, 20_000, 1)))
        drawn = ((others > planted).sum(axis=2) < size).mean(axis=1)
        np.testing.assert_allclose(chances_of_place(effects, own, size), drawn, atol=0.012)
    np.testing.assert_array_equal(
        chances_of_place(effects, 1.0, 2), chances_of_place(effects[:, ::-1], 1.0, 2)
    )
