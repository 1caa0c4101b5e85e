"""Every search on criteria that are written down: the path is known beforehand."""

import numpy as np
import pytest
from search.subsets.scripted import Scripted, all_subsets, course_of, letters, problem_of, subset_at
from twins import searches as slow

from hetsel.search.subsets.one_search import SearchOptions, search_subsets

FLOATING = {
    "a": 0.5, "b": 0.3, "c": 0.2, "d": 0.4, "e": 0.1,
    "ab": 0.6, "cd": 0.65,
    "abc": 0.7, "bcd": 0.75, "cde": 0.78,
    "abcd": 0.8, "bcde": 0.9,
    "abcde": 0.85,
}  # fmt: skip


def find(criterion, p, search, sizes=(), **options):
    return search_subsets(problem_of(p, sizes), criterion, SearchOptions(search, **options))


def random_values(seed, p):
    """A value for each subset: a noisy sum, on a coarse grid so that many are equal."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=p)
    noise = np.round(rng.normal(scale=1.0, size=2**p), 1)

    def value(subset):
        key = sum(1 << f for f in subset)
        return round(float(sum(weights[f] for f in subset)), 1) + float(noise[key])

    return value


def test_several_features_leave_in_one_floating_step_and_a_better_smaller_subset_comes_late():
    path = find(Scripted(FLOATING), 5, "sffs")
    assert course_of(path) == ["a", "ab", "abc", "abcd", "bcd", "cd", "cde", "bcde", "abcde"]
    assert [subset_at(path, size) for size in path.sizes] == ["a", "cd", "cde", "bcde", "abcde"]
    assert [path.score(size) for size in path.sizes] == [0.5, 0.65, 0.78, 0.9, 0.85]
    assert path.best_size == 4


def test_forward_selection_never_looks_back():
    path = find(Scripted(FLOATING), 5, "sfs")
    assert course_of(path) == ["a", "ab", "abc", "abcd", "abcde"]
    assert course_of(find(Scripted(FLOATING), 5, "sfs", (3,))) == ["a", "ab", "abc"]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_early_stopping_ends_where_the_value_no_longer_rises(seed, count):
    value = random_values(seed, 6)
    none, every = frozenset(), frozenset(range(6))
    options = {"early_stopping": True, "count": count}
    for always in ((), (2,)):
        path = find(Scripted(value), 6, "sfs", always=always, **options)
        start = none | set(always)
        up = slow.early_stopped(value, 6, start, slow.add, lambda new, old: new > old, count)
        assert course_of(path) == [letters(s - start) for s in up]
        assert path.best_size == len(up[-1])
    path = find(Scripted(value), 6, "sbs", **options)
    down = slow.early_stopped(value, 6, every, slow.remove, lambda new, old: new >= old, count)
    assert course_of(path) == [letters(s) for s in down]
    assert path.best_size == len(down[-1])


def test_early_stopping_leaves_a_gain_of_several_features_unseen():
    apart = Scripted({"a": 0.5, "b": 0.4, "ab": 0.5, "abc": 0.9}, rest=0.1)
    assert course_of(find(apart, 3, "sfs", early_stopping=True)) == ["a"]
    assert course_of(find(apart, 3, "sfs")) == ["a", "ab", "abc"]


def test_backward_selection():
    path = find(Scripted(FLOATING), 5, "sbs")
    assert course_of(path) == ["abcde", "bcde", "cde", "cd", "d"]
    assert course_of(find(Scripted(FLOATING), 5, "sbs", (3,))) == ["abcde", "bcde", "cde"]


def test_backward_floating_is_forward_floating_of_what_is_left_out():
    mirrored = {"".join(sorted(set("abcde") - set(out))): v for out, v in FLOATING.items()}
    path = find(Scripted(mirrored), 5, "sbfs")
    # de: after e (0.8), ae comes back (0.75 > 0.7), then abe (0.65 > 0.6)
    assert course_of(path) == ["abcde", "bcde", "cde", "de", "e", "ae", "abe", "ab", "a"]
    assert [subset_at(path, size) for size in path.sizes] == ["a", "ab", "abe", "bcde", "abcde"]


def test_best_individual_features_are_taken_in_order_of_their_own_values():
    path = find(Scripted(FLOATING), 5, "bif", (3,))
    assert course_of(path) == ["a", "ad", "abd"]
    assert path.score(3) == 0.0


XOR = {"a": 0.5, "b": 0.5, "c": 0.6, "ac": 0.62, "bc": 0.61, "ab": 1.0, "abc": 1.0}


def test_forward_selection_fails_on_xor_and_the_others_do_not():
    assert subset_at(find(Scripted(XOR), 3, "sfs", (2,)), 2) == "ac"
    assert subset_at(find(Scripted(XOR), 3, "sfs", (2,), count=2), 2) == "ab"
    assert subset_at(find(Scripted(XOR), 3, "sffs", (2,), depth=1), 2) == "ab"
    assert subset_at(find(Scripted(XOR), 3, "os", (2,)), 2) == "ab"
    assert subset_at(find(Scripted(XOR), 3, "exhaustive", (2,)), 2) == "ab"
    assert find(Scripted(XOR), 3, "dos").best_size == 2


def test_oscillation_by_hand():
    values = {"a": 0.95, "b": 0.94, "ab": 0.5, "cd": 0.9, "ac": 0.4, "ad": 0.4, "bc": 0.1}
    values |= {"abc": 0.3, "abd": 0.2, "acd": 0.4, "bcd": 0.5, "abcd": 0.6}
    # depth 1: down to a, back to ab; up to abc, back to ab. depth 2 cannot go down: one must stay
    shallow = find(Scripted(values), 4, "os", (2,), depth=1)
    assert course_of(shallow) == ["a", "ab", "a", "ab", "abc", "ab"]
    assert subset_at(shallow, 2) == "ab"
    deep = find(Scripted(values), 4, "os", (2,), depth=2)
    assert course_of(deep)[:11] == [
        "a", "ab", "a", "ab", "abc", "ab", "a", "ab", "abc", "abcd", "bcd",
    ]  # fmt: skip
    assert subset_at(deep, 2) == "cd"


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("count", [1, 2])
def test_searches_follow_the_paper_step_by_step(seed, count):
    p = 7
    value = random_values(seed, p)
    scripted = Scripted(value)
    stood = slow.forward_floating(value, p, p, count)
    assert course_of(find(scripted, p, "sffs", count=count)) == [letters(s) for s in stood]
    stood = slow.backward_floating(value, p, 1, count)
    assert course_of(find(scripted, p, "sbfs", count=count)) == [letters(s) for s in stood]
    for depth in (1, 2, 3, 6):
        singles = sorted(range(p), key=lambda f: -value((f,)))
        end = slow.oscillating(value, p, frozenset(singles[:4]), depth, count)
        assert subset_at(find(scripted, p, "os", (4,), count=count, depth=depth), 4) == letters(end)
        start = frozenset()
        for _ in range(3):
            start = slow.add(value, p, start, count) or start
        end = slow.dynamic_oscillating(value, p, start, depth, count)
        path = find(scripted, p, "dos", count=count, depth=depth)
        seen = {letters(s) for s in path.evaluated}
        assert letters(end) in seen
        assert path.score(path.best_size) >= value(tuple(end))
        ends = [m for m in path.moves if m.score == value(tuple(sorted(end)))]
        assert ends


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("p", [3, 6, 10])
def test_no_search_beats_the_exhaustive_one_and_that_one_finds_the_best(seed, p):
    value = random_values(seed, p)
    best = find(Scripted(value), p, "exhaustive")
    assert len(best.evaluated) == 2**p - 1
    for size in range(1, p + 1):
        largest = max(all_subsets(p, size), key=value)
        assert best.score(size) == value(largest)
        assert tuple(best.signature(size)) == largest
    for search in ("bif", "sfs", "sbs", "sffs", "sbfs", "dos"):
        path = find(Scripted(value), p, search)
        for size in path.sizes:
            assert path.score(size) <= best.score(size)
    half = max(1, p // 2)
    assert find(Scripted(value), p, "os", (half,)).score(half) <= best.score(half)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("size", [1, 4, 8])
def test_branch_and_bound_is_exhaustive_and_looks_at_less(seed, size):
    rng = np.random.default_rng(seed)
    covers = [set(rng.integers(0, 40, size=9).tolist()) for _ in range(9)]

    def covered(subset):
        return float(len(set().union(*(covers[f] for f in subset))))

    sure = find(Scripted(covered), 9, "exhaustive", (size,))
    quick = find(Scripted(covered), 9, "branch-and-bound", (size,))
    assert sure.score(size) == quick.score(size) == covered(quick.signature(size))


def test_branch_and_bound_leaves_subsets_out():
    weights = 2.0 ** np.arange(12)
    path = find(Scripted(lambda s: float(weights[list(s)].sum())), 12, "branch-and-bound", (6,))
    assert path.signature(6).tolist() == [6, 7, 8, 9, 10, 11]
    assert len(path.evaluated) < 400  # of 2,510 subsets of 6 features or more


def test_branch_and_bound_refuses_a_criterion_that_grows():
    with pytest.raises(ValueError, match="branch-and-bound' needs .* rose from 0.9 to 0.95"):
        find(Scripted(XOR | {"abc": 0.9, "bc": 0.95}), 3, "branch-and-bound", (1,))


def test_the_or_problem_of_the_slides():
    """C = OR(F1, F2), F3 = not F2, F5 = not F4: the optimum is {F1, F2} or {F1, F3}."""
    f1, f2, f4 = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, -1)
    table, c = np.column_stack([f1, f2, 1 - f2, f4, 1 - f4]), f1 | f2

    def consistent(subset):
        groups = {}
        for row, label in zip(table[:, list(subset)].tolist(), c.tolist(), strict=True):
            groups.setdefault(tuple(row), []).append(label)
        return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(c)

    for search in ("sfs", "sbs", "sffs", "sbfs", "dos", "exhaustive"):
        path = find(Scripted(consistent), 5, search)
        assert path.best_size == 2, search
        assert subset_at(path, 2) in ("ab", "ac")
    for search in ("os", "branch-and-bound"):
        assert subset_at(find(Scripted(consistent), 5, search, (2,)), 2) in ("ab", "ac")
