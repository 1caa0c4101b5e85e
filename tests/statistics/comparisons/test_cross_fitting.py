"""Sizes chosen on one half of the resamplings and judged on the other."""

import numpy as np
import pytest

from hetsel.statistics.comparisons.resampled_means import crossfitted_sizes, smallest_good_size


def test_a_resampling_has_no_part_in_its_own_size():
    rng = np.random.default_rng(0)
    scores, sizes = rng.random((12, 4)), [1, 2, 4, 8]
    found = crossfitted_sizes(scores, sizes, test_share=0.1)
    for half in (0, 1):
        chosen = smallest_good_size(scores[1 - half :: 2], sizes, test_share=0.1).size
        assert set(found[half::2]) == {chosen}
        changed = scores.copy()
        changed[half::2] = rng.random((6, 4))
        again = crossfitted_sizes(changed, sizes, test_share=0.1)
        np.testing.assert_array_equal(again[half::2], found[half::2])


def test_halves_go_by_the_number_and_not_by_the_place():
    scores = np.array([[0.5, 0.9], [0.9, 0.5], [0.5, 0.9], [0.9, 0.5], [0.9, 0.5]])
    numbers = [4, 7, 10, 1, 3]
    found = crossfitted_sizes(scores, [3, 6], numbers, test_share=0.1)
    assert found.tolist() == [3, 6, 3, 6, 6]
    order = [3, 0, 4, 2, 1]
    moved = crossfitted_sizes(scores[order], [3, 6], np.array(numbers)[order], test_share=0.1)
    assert moved.tolist() == found[order].tolist()


def test_the_best_of_equal_sizes_is_judged_without_its_luck():
    """Noise: the mean at the best of 20 sizes is too large, the cross-fitted one is not."""
    rng = np.random.default_rng(1)
    lucky, fair = [], []
    for _ in range(300):
        scores = rng.normal(size=(20, 20))
        lucky.append(scores.mean(axis=0).max())
        at = crossfitted_sizes(scores, np.arange(20), test_share=0.1)
        fair.append(scores[np.arange(20), at].mean())
    assert np.mean(lucky) > 0.3
    assert abs(np.mean(fair)) < 3 / np.sqrt(300 * 20)


@pytest.mark.parametrize("numbers", [[0, 2, 4, 1], [1, 3, 5, 7]])
def test_two_of_each_half_are_needed(numbers):
    even = sum(number % 2 == 0 for number in numbers)
    with pytest.raises(ValueError, match=rf"Got {even} and {4 - even}"):
        crossfitted_sizes(np.zeros((4, 1)), [1], numbers, test_share=0.1)
    with pytest.raises(ValueError, match=r"Got 3 for 4"):
        crossfitted_sizes(np.zeros((4, 1)), [1], [0, 1, 2], test_share=0.1)
