"""Merging of two rankings, by scripts."""

import numpy as np
import pytest

from hetsel.search.rankings.two_filters_merged import merge_rankings


def merged(first, second, choose):
    asked = []

    def script(one, other):
        asked.append((one, other))
        return choose(one, other)

    order = merge_rankings(np.array(first, dtype=int), np.array(second, dtype=int), script)
    return order.tolist(), asked


def test_the_heads_are_asked_about_and_the_rest_follows():
    order, asked = merged([4, 0], [3, 1, 2], min)
    assert order == [3, 1, 2, 4, 0]
    # once the second is used up the first follows, each head told
    assert asked == [(4, 3), (4, 1), (4, 2), (4, 4), (0, 0)]


@pytest.mark.parametrize(
    ("choose", "expected"),
    [
        (lambda one, other: one, [4, 0, 3, 1, 2]),
        (lambda one, other: other, [3, 1, 2, 4, 0]),
        (max, [4, 3, 1, 2, 0]),
    ],
    ids=["first", "second", "largest"],
)
def test_each_list_keeps_its_order(choose, expected):
    assert merged([4, 0], [3, 1, 2], choose)[0] == expected


@pytest.mark.parametrize(("first", "second"), [([2, 1], []), ([], [2, 1])])
def test_one_list_alone_is_the_ranking(first, second):
    assert merged(first, second, min) == ([2, 1], [(2, 2), (1, 1)])


def test_nothing_is_merged_to_nothing():
    assert merged([], [], min) == ([], [])


def test_a_choice_of_neither_head_is_refused():
    with pytest.raises(ValueError, match="one of the two heads 0, 2. Got 7"):
        merge_rankings(np.array([0, 1]), np.array([2]), lambda one, other: 7)
