import numpy as np
import pytest

from hetsel.ground.equal_numbers import (
    GRID,
    LONGEST_TIE,
    TIE_WIDTH,
    equalized,
    on_grid,
    tied,
    unit_scale,
)


def test_unit_scale_by_hand():
    values = np.array([[1.0, 5.0, -1e308], [3.0, 5.0, 1e308], [np.nan, 5.0, 0.0], [2.0, 5.0, 0.0]])
    expected = [[0, 0, 0], [1, 0, 1], [np.nan, 0, 0.5], [0.5, 0, 0.5]]
    np.testing.assert_array_equal(unit_scale(values), expected)


def test_grid_keeps_what_is_larger_than_its_step():
    third = 1 / 3
    assert on_grid(np.array([third]))[0] == on_grid(np.array([third + 1e-15]))[0]
    assert on_grid(np.array([third]))[0] != on_grid(np.array([third + 1e-9]))[0]
    assert np.isneginf(on_grid(np.array([-np.inf]))[0])


def test_noise_makes_no_order():
    rng = np.random.default_rng(0)
    paper = np.repeat([0.0, 0.25, 0.5, 1.0], 5)
    found = tied(paper + 0.1 * TIE_WIDTH * rng.random(20))
    assert len(np.unique(found)) == 4
    np.testing.assert_allclose(found, paper, atol=TIE_WIDTH)
    for value in (0.0, 0.25, 0.5, 1.0):
        assert len(np.unique(found[paper == value])) == 1


def test_wherever_equal_values_lie_noise_does_not_part_them():
    """A grid would part two equal values in one of 64 places of this finer grid."""
    for k in range(64):
        value = 0.5 + k * TIE_WIDTH / 64
        a, b, _ = tied(np.array([value, value + 0.01 * TIE_WIDTH, 1.0]))
        assert a == b


def test_values_further_apart_stay_as_they_are():
    values = np.array([0.3, 1.0, 0.3 + 3 * TIE_WIDTH, -0.2])
    np.testing.assert_array_equal(tied(values), values)


def test_a_crowd_is_no_tie():
    crowd = np.arange(50) * 0.9 * TIE_WIDTH
    values = np.concatenate([crowd, [1.0]])
    assert crowd[-1] > LONGEST_TIE * TIE_WIDTH
    np.testing.assert_array_equal(tied(values), values)


@pytest.mark.parametrize("values", [[], [2.0], [0.0, 0.0], [-1.0, -1.0, -1.0]])
def test_few_and_equal_values(values):
    np.testing.assert_array_equal(tied(np.array(values)), values)


def test_the_width_refers_to_the_largest():
    values = np.array([1.0, 1.0 + 0.5 * TIE_WIDTH, 1.0 + 5 * TIE_WIDTH])
    assert len(np.unique(tied(values))) == 2
    assert len(np.unique(tied(np.append(values, 10.0)))) == 2  # the others are one


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e5])
def test_numbers_equal_to_rounding_are_equal_wherever_they_lie(size):
    """On a grid alone they would be parted, at each of these edges of it."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        step = np.exp2(np.ceil(np.log2(max(size, 1.0)))) / GRID
        edge = (np.rint(size * (0.5 + 0.4 * rng.random()) / step) + 0.5) * step
        values = -np.array([edge * (1 - 1e-14) - 1e-15, edge * (1 + 1e-14) + 1e-15, 10 * size])
        found = equalized(values)
        assert found[0] == found[1] != found[2]
        np.testing.assert_allclose(found, values, rtol=1e-9, atol=1e-9)
        assert np.rint(values[0] / step) != np.rint(values[1] / step)


def test_different_numbers_stay_different():
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.random(50), 1e4 * rng.random(50), [np.inf, -np.inf, np.nan, 0.0]])
    found = equalized(values)
    np.testing.assert_allclose(found, values, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(np.argsort(found), np.argsort(values))
    assert equalized(np.array([])).shape == (0,)
