"""The test against chance: when its draws end, what p is then, and what its seed depends on."""

import numpy as np
import pytest
from frames import mixed_frame
from scipy.stats import binom, norm

from hetsel import Schema
from hetsel.signature.nested.against_chance import (
    LEVEL,
    ChanceTest,
    Race,
    content_seed,
    ends_of_drawing,
)
from hetsel.signature.performance import NestedPerformance, class_measures
from hetsel.statistics.performance.rate_intervals import RateInterval
from hetsel.statistics.permutation_p_values import stopped_pvalue


@pytest.mark.parametrize(("rate", "pvalue"), [(0.9, 0.25), (0.7, 0.75), (0.5, 1.0), (0.1, 1.0)])
def test_the_p_value_counts_equal_areas_and_is_never_0(rate, pvalue):
    assert ChanceTest(rate, np.array([0.5, 0.7, 0.7 - 1e-12]), 5).pvalue == pvalue


def outcomes(ends):
    """Probability of each (drawn, reaching) where drawing ends, under the null hypothesis.

    The next permutation reaches with probability (b + 1) / (m + 2): ranks are exchangeable.
    """
    at, ended, looks = {0: 1.0}, {}, {end.permutations: end for end in ends}
    for done in range(ends[-1].permutations + 1):
        for above in list(at):
            look = looks.get(done)
            if look and (above <= look.fewest or above >= look.most or look is ends[-1]):
                ended[done, above] = at.pop(above)
        new = {}
        for above, share in at.items():
            more = share * (above + 1) / (done + 2)
            new[above + 1] = new.get(above + 1, 0.0) + more
            new[above] = new.get(above, 0.0) + share - more
        at = new
    return ended


@pytest.mark.parametrize("tried", [1, 2, 3, 8])
def test_no_p_value_is_met_more_often_than_it_says(tried):
    ended = outcomes(ends_of_drawing(tried))
    assert sum(ended.values()) == pytest.approx(1.0)
    tests = {}
    for (done, above), share in ended.items():
        permuted = np.concatenate([np.ones(above), np.zeros(done - above)])
        tests[done, above] = ChanceTest(0.5, permuted, 5, tried=tried, full=False), share
    pvalues = sorted((test._alone, share) for test, share in tests.values())
    reached = np.cumsum([share for _, share in pvalues])
    stated = np.array([p for p, _ in pvalues])
    last = np.append(stated[1:] != stated[:-1], True)
    assert (reached <= stated + 1e-12).all()
    assert reached[last] == pytest.approx(stated[last])
    rejecting = [share for test, share in tests.values() if test.above_chance]
    assert 0.95 * LEVEL < tried * sum(rejecting) <= LEVEL
    few = {(end.permutations, b) for end in ends_of_drawing(tried) for b in range(end.fewest + 1)}
    told = {place for place, (test, _) in tests.items() if test.above_chance}
    assert told == few & set(tests)  # drawing ends early where the test rejects, and only there


def test_the_p_value_of_an_early_end_by_drawing():
    draw, ends = np.random.default_rng(0), ends_of_drawing()
    share_reaching = draw.random(100_000)  # of all permutations: uniform under the null hypothesis
    b, done = np.zeros(len(share_reaching), dtype=int), 0
    met, going = np.zeros(3), np.ones(len(b), dtype=bool)
    asked = ((69, 0), (119, 1), (39, 4))
    for end in ends:
        b += draw.binomial(end.permutations - done, share_reaching)
        done = end.permutations
        over = going & ((b <= end.fewest) | (b >= end.most) | (end is ends[-1]))
        share = (b + 1) / (end.permutations + 1)
        met += [(over & (share <= (a + 1) / (m + 1))).mean() for m, a in asked]
        going &= ~over
    assert met == pytest.approx([stopped_pvalue(b, m, ends=ends) for m, b in asked], abs=0.002)


def drawn(above, permutations, **options):
    permuted = np.repeat([1.0, 0.0], [above, permutations - above])
    return ChanceTest(0.5, permuted, 5, **options)


@pytest.mark.parametrize(
    ("above", "permutations", "tried", "settled"),
    [(0, 69, 1, True), (6, 69, 1, True), (15, 499, 1, False), (15, 999, 2, False)]
    + [(b, 499, 1, True) for b in (0, 9, 499)],
)
def test_the_last_look_may_leave_the_verdict_open(above, permutations, tried, settled):
    test = drawn(above, permutations, tried=tried, full=False)
    assert test.settled is settled
    assert test.standard_error is None  # of p by other draws, which end elsewhere


def test_the_error_of_p_is_that_of_a_share_times_the_methods():
    assert drawn(9, 199).standard_error == pytest.approx(np.sqrt(0.05 * 0.95 / 200))
    assert drawn(9, 199, tried=3).standard_error == pytest.approx(3 * np.sqrt(0.05 * 0.95 / 200))
    assert not drawn(9, 199).settled


@pytest.mark.parametrize(("shift", "found_by_199"), [(1.0, 0.1642), (1.96, 0.4861), (3.0, 0.8379)])
def test_it_finds_what_199_permutations_find(shift, found_by_199):
    """At a shift of a normal statistic, where the power of 199 permutations is a binomial sum."""
    beyond = norm.sf(norm.ppf((np.arange(4_000) + 0.5) / 4_000) + shift)
    always = binom.cdf(4, 199, beyond).mean()
    assert always == pytest.approx(found_by_199, abs=2e-4)
    at, found = {0: np.ones(len(beyond))}, np.zeros(len(beyond))
    done = 0
    for m, fewest, most in ends_of_drawing():
        steps = binom.pmf(np.arange(m - done + 1)[:, None], m - done, beyond)
        new = {}
        for b, share in at.items():
            for k, step in enumerate(steps):
                if b + k < most or b + k <= fewest:
                    new[b + k] = new.get(b + k, 0.0) + share * step
        found += sum(share for b, share in new.items() if b <= fewest)
        at, done = {b: share for b, share in new.items() if b > fewest}, m
    assert found.mean() >= always - 0.002


def test_folds_end_where_the_others_cannot_turn_the_order():
    race = Race(statistic=0.7, noise=0.05, folds=5, known=50, most=50)
    assert race.over(np.array([[0.4, 0.45]]))
    assert not race.over(np.array([[0.4, 0.62]]))
    assert not race.over(np.array([[0.4, 0.9]]))  # larger is told by a whole draw at the earliest
    assert race.over(np.full((5, 2), 0.9))
    assert race.over(np.full((50, 2), 0.7))
    assert not race.over(np.full((1, 2), np.nan))
    unsure = Race(statistic=0.7, noise=0.05, folds=5, known=5, most=50)
    assert race.over(np.full((5, 2), 0.65))
    assert not unsure.over(np.full((5, 2), 0.65))
    blind = Race(statistic=0.7, noise=0.0, folds=5, known=20, most=50)
    assert not blind.over(np.full((49, 2), 0.4))
    assert blind.over(np.full((50, 2), 0.4))


def test_the_seed_is_that_of_the_cells_and_of_nothing_else():
    frame, y = mixed_frame(40, 3, 2, seed=1)
    counts = np.bincount(y)

    def seed(frame, counts=counts):
        return content_seed(Schema.infer(frame).encode(frame), counts, "impute", "range")

    known = seed(frame)
    other = frame.sample(frac=1, random_state=0)[frame.columns[::-1]]
    other["c0"] = other["c0"] * -2.5 + 7
    other["n0"] = other["n0"].cat.rename_categories(lambda name: f"{name}!")
    assert seed(other) == known
    assert seed(frame, counts[::-1]) == known
    changed = frame.copy()
    changed.loc[3, "c1"] += 0.1
    assert seed(changed) != known


def performance_of(rate, low):
    recall = RateInterval(rate, low, 0.9, 0.95)
    return NestedPerformance(
        kind="classes",
        measures=class_measures(recall, [recall] * 2, recall, "ab", (9, 9)),
        chance_level=0.5,
        inner=0.5,
        optimism=0.0,
        training_gain=0.0,
        folds=5,
        runs=1,
        low_without_test=None,
    )


def test_the_interval_and_the_test_are_on_one_side_of_chance():
    assert performance_of(0.6, 0.45).aligned_with_test(True).main.low == 0.5
    assert performance_of(0.6, 0.45).aligned_with_test(True).low_without_test == 0.45
    assert performance_of(0.6, 0.52).aligned_with_test(False).main.low == 0.5
    for rate, low, above in ((0.6, 0.52, True), (0.6, 0.45, False), (0.48, 0.4, True)):
        found = performance_of(rate, low)
        assert found.aligned_with_test(above) is found
