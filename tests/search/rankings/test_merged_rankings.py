"""Merged answers: loop-only twins in fractions, scripts, an example worked by hand."""

import numpy as np
import pytest
from twins import ensemble_merging as twin

from hetsel import Ranking, SearchPath
from hetsel.search.rankings.ensembles import (
    merge_by_frequency,
    merge_by_rank,
    merge_by_weight,
)


def drawn_rankings(seed, p=7, number=4, best=None):
    """Rankings by whole importances with many ties, complete or of the best few features."""
    rng = np.random.default_rng(seed)
    rankings = []
    for _ in range(number):
        ranking = Ranking.from_importance(rng.integers(-2, 5, size=p).astype(float))
        rankings.append(Ranking(ranking.order[:best], ranking.importance))
    return rankings


def orders(rankings):
    return [ranking.order.tolist() for ranking in rankings]


@pytest.mark.parametrize("best", [None, 3])
@pytest.mark.parametrize("seed", range(15))
def test_the_three_rules_are_those_of_the_loops(seed, best):
    rankings, place = drawn_rankings(seed, best=best), np.arange(7)
    by_rank = merge_by_rank(rankings, place)
    assert by_rank.order.tolist() == twin.by_rank(orders(rankings), 7)
    means = [float(m) for m in twin.mean_ranks(orders(rankings), 7)]
    np.testing.assert_array_equal(by_rank.extras["mean_rank"], means)
    np.testing.assert_array_equal(by_rank.importance, 8 - np.array(means))
    importances = [ranking.importance.tolist() for ranking in rankings]
    by_weight = merge_by_weight(rankings, place)
    assert by_weight.order.tolist() == twin.by_weight(importances, orders(rankings), 7)
    shares = [float(share) for share in twin.mean_shares(importances)]
    np.testing.assert_allclose(by_weight.importance, shares, rtol=1e-14, atol=1e-16)
    sizes = range(1, (best or 7) + 1)
    path = merge_by_frequency(rankings, sizes, place)
    assert path.sizes == tuple(sizes)
    for size in sizes:
        wanted = twin.by_frequency(orders(rankings), 7, size)
        assert path.signature(size).tolist() == wanted


def test_subsets_by_frequency_need_not_be_nested():
    """c is never first and always among the first two."""
    answers = [Ranking(np.array(order), np.zeros(3)) for order in ([0, 2, 1], [0, 2, 1], [1, 2, 0])]
    path = merge_by_frequency(answers, (1, 2), np.arange(3))
    assert path.signature(1).tolist() == [0]
    assert path.signature(2).tolist() == [2, 0]
    answers = [Ranking(np.array(order), np.zeros(3)) for order in ([0, 2, 1], [1, 2, 0])]
    assert merge_by_frequency(answers, (1,), np.arange(3)).signature(1).tolist() == [0]
    assert merge_by_rank(answers, np.arange(3)).order.tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_ties_go_by_the_place(seed):
    """The same features under other numbers come in the same order."""
    rankings = drawn_rankings(seed, number=2)
    mirror = np.arange(7)[::-1]
    mirrored = [Ranking(mirror[r.order], r.importance[mirror]) for r in rankings]
    place = np.arange(7)
    for merge in (merge_by_rank, merge_by_weight):
        here, there = merge(rankings, place), merge(mirrored, mirror)
        np.testing.assert_array_equal(mirror[here.order], there.order)
        np.testing.assert_array_equal(here.importance[mirror], there.importance)
    here = merge_by_frequency(rankings, (3,), place)
    there = merge_by_frequency(mirrored, (3,), mirror)
    np.testing.assert_array_equal(mirror[here.signature(3)], there.signature(3))


def test_subsets_of_searches_have_frequencies_too():
    paths = [SearchPath(4, {2: np.array(s)}) for s in ([0, 3], [1, 3], [1, 3])]
    assert merge_by_frequency(paths, (2,), np.arange(4)).signature(2).tolist() == [3, 1]
    assert merge_by_frequency(paths[:2], (2,), np.arange(4)).signature(2).tolist() == [3, 0]
    with pytest.raises(ValueError, match="signature of size=1"):
        merge_by_frequency(paths, (1,), np.arange(4))


def test_shares_of_infinite_huge_and_no_importance():
    values = ([np.inf, 1.0, np.inf], [1e308, 1e308, 0.0], [0.0, 0.0, 0.0])
    rankings = [Ranking.from_importance(np.array(v)) for v in values]
    merged = merge_by_weight(rankings, np.arange(3))
    np.testing.assert_allclose(merged.importance, np.array([1.0, 0.5, 0.5]) / 3, rtol=1e-15)
