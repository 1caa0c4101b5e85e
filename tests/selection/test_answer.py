"""Answers: rankings, whole or of the best k, and search paths; what is refused."""

import numpy as np
import pytest

from hetsel import Ranking, SearchPath
from hetsel.selection import Answer, order_best_first
from hetsel.selection.answer import check_size

# the best three of five features
PART = Ranking(np.array([3, 0, 4]), np.array([0.5, 0.0, 0.0, 0.9, 0.2]))
PATH = SearchPath(
    6,
    {4: np.array([5, 0, 1, 2]), 1: np.array([3]), 2: np.array([0, 5])},
    {1: 0.7, 2: 0.9, 4: 0.9},
)


def test_a_whole_ranking():
    ranking = Ranking.from_importance([0.2, 0.9, 0.2, -1.0])
    assert ranking.order.tolist() == [1, 0, 2, 3]
    assert ranking.ranks.tolist() == [2, 1, 3, 4]
    assert ranking.sizes == (1, 2, 3, 4)
    assert ranking.complete
    assert [ranking.signature(size).tolist() for size in (1, 3)] == [[1], [1, 0, 2]]
    assert np.isnan(ranking.score(2))
    ranking.check(4)


def test_a_ranking_of_the_best_three():
    PART.check(5)
    assert not PART.complete
    assert PART.p == 5
    assert PART.sizes == (1, 2, 3)
    assert PART.ranks.tolist() == [2, 4, 4, 1, 3]  # the others share the next rank
    assert PART.signature(3).tolist() == [3, 0, 4]


@pytest.mark.parametrize(
    ("size", "facts"), [(4, ["best 3", "Got 4"]), (6, ["1..5", "Got 6"]), (0, ["1..5", "Got 0"])]
)
def test_a_signature_beyond_the_ranked_features_is_refused(size, facts):
    with pytest.raises(ValueError, match="Got") as reason:
        PART.signature(size)
    for fact in facts:
        assert fact in str(reason.value)


@pytest.mark.parametrize(
    "order",
    [[], [1, 1], [0, 5], [-1, 0], [0.0, 1.0], [[0, 1]], [0, 1, 2, 3, 4, 0]],
    ids=["empty", "twice", "beyond", "negative", "floats", "two dimensions", "too many"],
)
def test_an_order_that_is_none_is_refused(order):
    with pytest.raises(ValueError, match=r"features of 0\.\.4, each once"):
        Ranking(np.array(order), np.zeros(5)).check(5)


def test_importances_of_other_features_are_refused():
    with pytest.raises(ValueError, match=r"each of the 4 features. Got shape \(5,\)"):
        Ranking(np.array([0, 1]), np.zeros(5)).check(4)


def test_a_search_path():
    PATH.check(6)
    assert isinstance(PATH, Answer)
    assert PATH.sizes == (1, 2, 4)
    assert PATH.signature(2).tolist() == [0, 5]
    assert PATH.signature(np.int64(1)).tolist() == [3]
    assert PATH.score(1) == 0.7
    assert np.isnan(PATH.score(3))


def test_the_best_size_is_the_smallest_of_the_largest_score():
    assert PATH.best_size == 2
    assert SearchPath(6, PATH.subsets, {1: 0.9, 2: 0.9, 4: 0.9}).best_size == 1
    assert SearchPath(6, PATH.subsets, {1: -3.0, 2: -2.0, 4: -1.0}).best_size == 4
    assert SearchPath(6, PATH.subsets).best_size == 4  # no score: the largest


@pytest.mark.parametrize(
    ("size", "facts"), [(3, ["1, 2, 4", "Got 3"]), (7, ["1..6", "Got 7"]), (True, ["True"])]
)
def test_a_size_without_a_subset_is_refused(size, facts):
    with pytest.raises(ValueError, match="Got") as reason:
        PATH.signature(size)
    for fact in facts:
        assert fact in str(reason.value)


@pytest.mark.parametrize(
    "subsets",
    [{}, {2: [1]}, {2: [1, 1]}, {2: [1, 1, 2]}, {1: [6]}, {1: [-1]}, {1: [0], 2: [0, 9]}],
    ids=["none", "short", "twice", "one named twice too many", "beyond", "negative", "one of two"],
)
def test_subsets_that_are_none_are_refused(subsets):
    subsets = {size: np.array(subset) for size, subset in subsets.items()}
    with pytest.raises(ValueError, match="Got"):
        SearchPath(6, subsets).check(6)


def test_a_path_of_another_table_is_refused():
    with pytest.raises(ValueError, match="subsets of 5 features"):
        PATH.check(5)


def test_ties_go_to_the_next_key_and_then_to_the_lower_index():
    first, second = np.array([1, 3, 3, 1, 3]), np.array([0, 2, 5, 7, 2])
    assert order_best_first(first, second).tolist() == [2, 1, 4, 3, 0]
    assert order_best_first(np.array([0.0, np.inf, -0.0, -np.inf])).tolist() == [1, 0, 2, 3]


@pytest.mark.parametrize("size", [1, 5, np.int64(3)])
def test_legal_sizes_are_plain_numbers(size):
    assert check_size(size, 5) == size
    assert type(check_size(size, 5)) is int


@pytest.mark.parametrize("size", [0, 6, -1, 2.5, "2", None, True, np.True_])
def test_other_sizes_are_refused(size):
    with pytest.raises(ValueError, match=r"1\.\.5"):
        check_size(size, 5)
