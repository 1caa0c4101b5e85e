"""The test against chance: when its draws end, what p is then, and what its seed depends on."""

import numpy as np
import pandas as pd
import pytest
from frames import mixed_frame

from hetsel import Schema
from hetsel.signature.nested.against_chance import (
    FIRST_LOOK,
    SECOND_LOOK,
    ChanceTest,
    Race,
    content_seed,
    few_rows,
    next_look,
    too_few,
)
from hetsel.signature.nested.nested_performance import Performance, agreed
from hetsel.statistics.column_tests.permutation_p_values import looked_pvalue
from hetsel.statistics.performance.rate_intervals import RateInterval


@pytest.mark.parametrize(("rate", "pvalue"), [(0.9, 0.25), (0.7, 0.75), (0.5, 1.0), (0.1, 1.0)])
def test_the_p_value_counts_equal_areas_and_is_never_0(rate, pvalue):
    assert ChanceTest(rate, np.array([0.5, 0.7, 0.7 - 1e-12]), 5).pvalue == pvalue


def outcomes(most):
    """Probability of each (drawn, reaching) where drawing ends, under the null hypothesis.

    The next permutation reaches with probability (b + 1) / (m + 2): ranks are exchangeable.
    """
    at, ended = {0: 1.0}, {}
    for done in range(most + 1):
        for above in list(at):
            looked = done in (FIRST_LOOK, SECOND_LOOK, most)
            if looked and next_look(above, done, most) == done:
                ended[done, above] = at.pop(above)
        new = {}
        for above, share in at.items():
            more = share * (above + 1) / (done + 2)
            new[above + 1] = new.get(above + 1, 0.0) + more
            new[above] = new.get(above, 0.0) + share - more
        at = new
    return ended


@pytest.mark.parametrize("most", [39, 99, 199, 500, 999])
def test_no_p_value_is_met_more_often_than_it_says(most):
    ended = outcomes(most)
    assert sum(ended.values()) == pytest.approx(1.0)
    pvalues = []
    for (done, above), share in ended.items():
        permuted = np.concatenate([np.ones(above), np.zeros(done - above)])
        pvalues.append((ChanceTest(0.5, permuted, 5).pvalue, share))
    pvalues.sort()
    reached = np.cumsum([share for _, share in pvalues])
    stated = np.array([p for p, _ in pvalues])
    assert (reached <= stated + 1e-12).all()
    near = stated < 0.05
    assert (reached[near] >= 0.9 * stated[near]).all()  # and hardly less often


def test_the_p_value_after_a_look_by_drawing():
    draw = np.random.default_rng(0)
    share = draw.random(400_000)
    first, rest = draw.binomial(19, share), draw.binomial(80, share)
    met = (first == 0) | (first + rest <= 3)
    assert met.mean() == pytest.approx(looked_pvalue(3, 99, look=19), abs=0.001)


def test_draws_end_where_the_others_cannot_turn_the_order():
    race = Race(rate=0.7, noise=0.05, draws=10)
    assert race.over(np.array([[0.4, 0.45]]))
    assert not race.over(np.array([[0.4, 0.6]]))
    assert race.over(np.full((9, 2), 0.66))
    assert race.over(np.full((10, 2), 0.7))


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
    return Performance(recall, (recall, recall), ("a", "b"), (9, 9), 0.5, 0.5, 0, 0, 5, 1)


def test_the_interval_and_the_test_are_on_one_side_of_chance():
    assert agreed(performance_of(0.6, 0.45), True).bcr.low == 0.5
    assert agreed(performance_of(0.6, 0.45), True).low_alone == 0.45
    assert agreed(performance_of(0.6, 0.52), False).bcr.low == 0.5
    for rate, low, above in ((0.6, 0.52, True), (0.6, 0.45, False), (0.48, 0.4, True)):
        found = performance_of(rate, low)
        assert agreed(found, above) is found


def test_the_rarest_class_is_the_one_that_is_named():
    assert "class b" in too_few([20, 5, 9], ["a", "b", "c"], 10, "rows")
    assert too_few([20, 10], ["a", "b"], 10, "rows") == ""
    assert "5 groups" in few_rows(np.array([20, 5, 9]), pd.Index(["a", "b", "c"]), True)
    assert few_rows(np.array([20, 10]), ["a", "b"], False) == ""
