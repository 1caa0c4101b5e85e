"""Subsets treated as equal, votes, hybrid search and costs: by hand, and against the slow twins."""

import numpy as np
import pytest
from search.subsets.scripted import Scripted, course_of, letters, problem_of, subset_at
from search.subsets.test_paths import FLOATING, find, random_values
from twins import searches as slow

from hetsel import SubsetSearch, get_method
from hetsel.ground.errors import TableError
from hetsel.search.subsets.nearly_best import Pivots, cost_frontier, fewer_features, nearly_best
from hetsel.search.subsets.one_search import SearchOptions, search_subsets
from hetsel.search.subsets.voting_and_prefilter import VOTING, Voting
from hetsel.selection import SearchPath

TAUS = (0.0, 0.01, 0.05, 0.2, 1.0)


def path_of(values):
    """A path that evaluated these subsets, in this order."""
    evaluated = {tuple("abcdefgh".index(letter) for letter in k): v for k, v in values.items()}
    return SearchPath(8, {1: np.array([0])}, evaluated=evaluated)


def mask(text):
    return sum(1 << "abcdefgh".index(letter) for letter in text)


@pytest.mark.parametrize("seed", range(20))
def test_the_update_sequence_is_that_of_the_paper(seed):
    """Secondary values with many ties; J1 on a grid, so that equal values come."""
    rng = np.random.default_rng(seed)
    subsets = [int(s) for s in rng.integers(1, 256, size=60)]
    values = np.round(rng.uniform(0.8, 1.0, size=60), 2).tolist()
    j1 = dict(zip(subsets, values, strict=True))
    for tau in TAUS:
        pivots = Pivots(tau, fewer_features)
        for subset in subsets:
            pivots.update(subset, j1[subset])
        evaluations = [(subset, j1[subset]) for subset in subsets]
        assert pivots.selected == slow.selected(evaluations, tau, fewer_features)
        assert j1[pivots.largest] == max(j1.values())


def test_a_subset_passed_over_once_is_found_again_in_all_that_was_evaluated():
    order = [("abc", 0.90), ("ab", 0.89), ("abcd", 0.93), ("c", 0.86), ("abcde", 0.91)]
    pivots = Pivots(0.05, fewer_features)
    for text, value in order:
        pivots.update(mask(text), value)
    # ab is within 5 % of 0.93 as well, and c (0.86 < 0.8835) is not
    assert pivots.selected == mask("ab")
    path = path_of(dict(order))
    assert letters(nearly_best(path, 0.05)) == "ab"
    assert letters(nearly_best(path, 0.08)) == "c"
    # the rule as printed never looks back: ab went when abc came to be the largest
    forgetful = Pivots(0.1, lambda subset: {1: 3.0, 2: 2.0, 4: 1.0}[subset])
    for subset, value in [(1, 0.85), (2, 0.92), (4, 1.0)]:
        forgetful.update(subset, value)
    assert forgetful.selected == 4
    path = path_of({"a": 0.85, "b": 0.92, "c": 1.0})
    assert letters(nearly_best(path, 0.1, lambda subset: 3.0 - subset[0])) == "b"
    with pytest.raises(ValueError, match=r"must be a number in \[0, 1\]. Got -1"):
        nearly_best(path, -1)


def test_all_thresholds_in_one_run_and_the_first_one_decides(monkeypatch):
    evaluations = []
    update = Pivots.update

    def watched(self, subset, value):
        if self.tau == TAUS[0] and len(fed) == 0:
            evaluations.append((subset, value))
        update(self, subset, value)

    fed = []
    monkeypatch.setattr(Pivots, "update", watched)
    path = find(Scripted(FLOATING), 5, "sffs", equal=TAUS)
    fed.append("once")
    plain = find(Scripted(FLOATING), 5, "sffs")
    assert course_of(path) == course_of(plain)
    # a subset that the search comes by again is looked at again
    assert len(evaluations) > len(plain.evaluated)
    for tau in TAUS:
        chosen = slow.selected(evaluations, tau, fewer_features)
        assert mask(letters(path.equal[tau])) == chosen, tau
        assert find(Scripted(FLOATING), 5, "sffs", equal=[tau]).best_size == chosen.bit_count()
    assert letters(path.equal[0.0]) == "bcde"
    assert letters(path.equal[0.2]) == "cde"


def test_with_a_size_only_subsets_of_that_size_are_equal():
    costs = [5.0, 1.0, 1.0, 1.0, 1.0]
    path = find(Scripted(FLOATING), 5, "sffs", (3,), equal=[0.2], costs=costs, depth=2)
    assert letters(path.equal[0.2]) == "cde"
    assert subset_at(path, 3) == "cde"


def test_costs_decide_between_equals_and_a_budget_is_kept():
    values = {"a": 0.7, "b": 0.69, "c": 0.1, "ab": 0.9, "ac": 0.89, "bc": 0.88, "abc": 0.91}
    costs = [10.0, 1.0, 2.0]
    dear = find(Scripted(values), 3, "exhaustive", equal=[0.05], costs=costs)
    assert letters(dear.equal[0.05]) == "bc"
    cheap = find(Scripted(values), 3, "sfs", costs=costs, budget=11.0)
    assert course_of(cheap) == ["a", "ab"]
    frontier = cost_frontier(dear, costs)
    assert [(c, v) for c, v, _ in frontier] == [(1.0, 0.69), (3.0, 0.88), (11.0, 0.9), (13.0, 0.91)]
    assert [letters(subset) for *_, subset in frontier] == ["b", "bc", "ab", "abc"]


def test_a_secondary_criterion_of_the_user():
    path = find(Scripted(FLOATING), 5, "sffs", equal=[0.2], secondary=lambda s: float(4 in s))
    assert letters(path.equal[0.2]) == "bcde"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "annealing"}, "search must be one of bif, sfs.*Got 'annealing'"),
        ({"voting": "loud"}, "voting must be one of order, median.*or None. Got 'loud'"),
        ({"budget": 3.0}, "budget needs costs"),
        ({"costs": [1.0, 2.0]}, "costs must be 5 numbers"),
        ({"costs": [1.0] * 5, "budget": 0.5}, "budget must be at least 1, .*cheapest.* Got 0.5"),
        ({"costs": [1.0] * 5, "budget": 3.0, "search": "sbs"}, "search='sbs' .* no budget"),
        ({"equal": [1.5]}, r"ties must be a number in \[0, 1\]. Got 1.5"),
        ({"share": 0.5}, "hybrid needs a prefilter"),
        ({"always": [7]}, r"features must be in 0\.\.4. Got 7"),
        ({"always": [1], "never": [1]}, "always, never and column_groups .*twice: 1"),
        ({"never": range(5)}, "always, never and column_groups .* no feature"),
        ({"search": "os"}, "search='os' needs a size"),
        ({"count": 0}, "count must be a whole number, 1 or larger. Got 0"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(ValueError, match=message):
        find(Scripted(FLOATING), 5, **{"search": "sfs", **options})


class Ensemble(Scripted):
    """Several scripted members at once."""

    def __init__(self, *members):
        super().__init__(lambda s: np.array([m(s) for m in members]))


def test_votes_by_hand():
    """Four candidates and two members; equal values share a place and the next place follows."""
    values = np.array([[0.9, 0.2], [0.9, 0.5], [0.7, 0.5], [0.6, 0.1]])
    assert Voting().votes(values).tolist() == [-1.5, -1.0, -1.5, -3.0]
    assert Voting("median").votes(values).tolist() == [-2.25, -1.5, -2.25, -4.0]
    weighted = Voting("weighted").votes(values)
    np.testing.assert_allclose(weighted, [-0.15, 0.0, -0.1, -0.35], atol=1e-9)


@pytest.mark.parametrize("how", VOTING)
@pytest.mark.parametrize("members", [3, 4, 7])
def test_votes_are_those_of_the_slow_twin(how, members):
    rng = np.random.default_rng(members)
    for ties in (2, 5, 1000):
        values = rng.integers(0, ties, (12, members)) / ties
        slow_votes = [float(vote) for vote in slow.votes(values.tolist(), how)]
        np.testing.assert_allclose(Voting(how).votes(values), slow_votes, rtol=1e-9, atol=1e-9)


def test_trimmed_votes_need_three_members():
    x, y = np.random.default_rng(0).normal(size=(20, 3)), [0, 1] * 10
    for criterion in ("1nn,3nn", ["1nn", "3nn"]):
        with pytest.raises(TableError, match="trimmed votes .* three criteria"):
            SubsetSearch(criterion=criterion, voting="trimmed-order").fit(x, y)


def test_a_trimmed_vote_does_not_hear_one_loud_member():
    """By weighted votes the loud member gets a; without the extremes the others get b."""
    loud = Scripted({"a": 1.0, "b": 0.1, "c": 0.0})
    calm = Scripted({"a": 0.5, "b": 0.6, "c": 0.0})
    members = Ensemble(loud, calm, calm, calm)
    first = [
        course_of(find(members, 3, "sfs", (1,), voting=how))[0]
        for how in ("weighted", "trimmed-weighted")
    ]
    assert first == ["a", "b"]


def test_ties_go_to_what_had_the_better_votes_so_far():
    vote = Voting()
    tuples = [(0,), (1,), (2,)]
    assert vote(tuples, np.array([[0.1, 0.1], [0.2, 0.2], [0.9, 0.9]]), 1) == 2
    tied = np.array([[0.5, 0.4], [0.4, 0.5]])
    assert vote(tuples[:2], tied, 1) == 1  # 1 had place 2 before, 0 had place 3
    assert vote(tuples[:2], tied, -1) == 0  # removals have a memory of their own


def test_a_vote_is_not_the_mean():
    """One member shouts for a; two others put b first."""
    loud = Scripted({"a": 1.0, "b": 0.1, "c": 0.0})
    calm = Scripted({"a": 0.5, "b": 0.6, "c": 0.0})
    course = {}
    for voting in (None, "order", "weighted"):
        path = find(Ensemble(loud, calm, calm), 3, "sfs", (1,), voting=voting)
        course[voting] = course_of(path)[0]
    assert course == {None: "a", "order": "b", "weighted": "a"}


def test_one_member_votes_as_it_decides():
    value = random_values(3, 6)
    alone = find(Scripted(value), 6, "sffs")
    for voting in ("order", "median", "weighted"):
        path = find(Scripted(value), 6, "sffs", voting=voting)
        assert [m.score for m in path.moves] == pytest.approx([m.score for m in alone.moves])


def hybrid(share, criterion, prefilter, search="sfs", sizes=()):
    options = SearchOptions(search, share=share)
    return search_subsets(problem_of(6, sizes), criterion, options, prefilter)


@pytest.mark.parametrize(
    ("share", "asked"),
    # T+ = 6, 5, 4, 3, 2, 1: max(1, round(share T))
    [(1.0, 21), (0.0, 6), (0.5, 3 + 3 + 2 + 2 + 1 + 1), (0.25, 2 + 1 + 1 + 1 + 1 + 1)],
)
def test_the_filter_lets_a_share_of_the_candidates_through(share, asked):
    main, filter_ = Scripted(random_values(1, 6)), Scripted(random_values(2, 6))
    path = hybrid(share, main, filter_)
    assert len(path.evaluated) == len(main.asked) == asked
    if share < 1.0:
        assert len(filter_.asked) == sum(
            k for k in (6, 5, 4, 3, 2, 1) if max(1, int(share * k + 0.5)) < k
        )


def test_the_candidates_that_reach_the_criterion_are_the_best_by_the_filter():
    main, filter_ = Scripted(random_values(1, 6)), Scripted(random_values(2, 6))
    first = sorted(range(6), key=lambda f: -filter_((f,)))[:3]
    main.asked.clear()
    hybrid(0.5, main, filter_, sizes=(1,))
    assert main.asked == [(f,) for f in sorted(first)]


def test_removals_keep_a_share_of_one_less():
    """T- = C(6, 1) - 1 = 5 of 6: even with all of the share the worst by the filter stays."""
    main, filter_ = Scripted(random_values(1, 6)), Scripted(random_values(2, 6))
    options = SearchOptions("sbs", share=0.99)
    search_subsets(problem_of(6, (5,)), main, options, filter_)
    # the full set, then five of six removals
    assert len(main.asked) == 6


@pytest.mark.parametrize("search", ["sfs", "sbs", "sffs", "sbfs", "os", "dos"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_every_sequential_search_is_hybrid(search, share):
    path = hybrid(share, Scripted(random_values(1, 6)), Scripted(random_values(2, 6)), search, (3,))
    whole = hybrid(1.0, Scripted(random_values(1, 6)), None, search, (3,))
    assert len(path.signature(3)) == 3
    assert search in ("os", "dos") or len(path.evaluated) < len(whole.evaluated)


def test_a_fitted_search_stands_for_its_path():
    x = np.random.default_rng(0).normal(size=(40, 4))
    search = SubsetSearch(search="sfs", criterion="ridge").fit(x, x[:, 1] > 0)
    assert np.array_equal(nearly_best(search, 0.05), nearly_best(search.answer_, 0.05))
    assert cost_frontier(search, [1, 2, 3, 4]) == cost_frontier(search.answer_, [1, 2, 3, 4])
    for other in (SearchPath(3, {1: np.array([0])}), [1], get_method("hsic")().fit(x, x[:, 1] > 0)):
        with pytest.raises(TableError, match="a search over subsets"):
            nearly_best(other, 0.05)
