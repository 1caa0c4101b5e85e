"""Concordance of Cox regression, each row left out in one step: by twins and scikit-survival."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from mixed_tables import mixed, paths_of, renamed, with_a_copy
from sksurv.metrics import concordance_index_censored
from twins import cox_regression as slow
from twins import ridge_leave_one_out as blocks

from hetsel import get_method
from hetsel.search.criteria.rates.ridge_leave_one_out import RidgeLeaveOneOut
from hetsel.selection import Problem
from hetsel.solvers.cox_ridge import cox_ridge
from hetsel.tables import Survival, survival


def followed(table, seed=0):
    """Survival times that the first and the third column tell, many alike."""
    rng = np.random.default_rng(seed)
    n = len(table.values)
    present = np.nan_to_num(table.values)
    rates = np.exp(0.7 * present[:, 0] + (present[:, 2] == 1))
    happened, seen = rng.exponential(size=n) / rates, rng.exponential(size=n)
    return Survival(np.ceil(12 * np.minimum(happened, seen)), happened <= seen)


def information(z, target, coefficients, alpha):
    """Second derivatives of the penalized partial likelihood, event by event."""
    risks, total = np.exp(z @ coefficients), alpha * np.eye(z.shape[1])
    for time in target.times[target.events]:
        at_risk = target.times >= time
        share = risks[at_risk] / risks[at_risk].sum()
        mean = share @ z[at_risk]
        total += (z[at_risk] * share[:, None]).T @ z[at_risk] - np.outer(mean, mean)
    return total


def expected(table, target, penalty, subset):
    """The twin's: its own columns, scikit-survival's concordance."""
    nominal = table.nominal.tolist()
    design = [blocks.block(table.values[:, f], nominal[f]) for f in subset]
    if not subset:
        return 0.5
    z, alpha = np.column_stack(design), penalty * target.events.sum()
    fit = cox_ridge(z, target.times, target.events, alpha=alpha)
    curved = information(z, target, fit.coefficients, alpha)
    scores = slow.left_out_scores(z, target.times, target.events, fit.coefficients, curved)
    steps = np.rint(scores * 2.0**24)
    return concordance_index_censored(target.events, target.times, steps, tied_tol=0.0)[0]


@pytest.mark.seconds
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_values_equal_those_of_the_twin(missing):
    table, _ = mixed(3, n=60, missing=missing)
    target = followed(table)
    state = RidgeLeaveOneOut(penalty=0.03).start(Problem(table, target, ()))
    subset = []
    assert state.value == 0.5
    for f in (1, 4, 2, 0, 5, 3):
        left = [g for g in range(6) if g not in subset]
        wanted = [expected(table, target, 0.03, [*subset, g]) for g in left]
        np.testing.assert_allclose(state.values_with(left), wanted, atol=1e-9)
        state.add(f)
        subset.append(f)
        assert state.value == pytest.approx(expected(table, target, 0.03, subset), abs=1e-9)
    rests = [[g for g in subset if g != f] for f in subset]
    wanted = [expected(table, target, 0.03, rest) for rest in rests]
    np.testing.assert_allclose(state.values_without(subset), wanted, atol=1e-9)


@pytest.mark.parametrize("penalty", [1e-6, 0.01, 10.0])
def test_any_path_to_a_subset_gives_its_value(penalty):
    table = with_a_copy(mixed(1, n=50, missing=0.1)[0])
    problem = Problem(table, followed(table), ())
    for state, fresh, left, _ in paths_of(RidgeLeaveOneOut(penalty=penalty), problem, 0, 30):
        assert state.value == pytest.approx(fresh.value, abs=1e-9)
        np.testing.assert_allclose(state.values_with(left), fresh.values_with(left), atol=1e-9)


def test_units_level_names_and_the_order_of_rows_change_no_value():
    table, _ = mixed(6, n=70, missing=0.1)
    target = followed(table)
    turn = np.random.default_rng(0).permutation(70)
    later = Survival(365.25 * target.times[turn], target.events[turn])
    other = Problem(renamed(table, turn), later, ())
    criterion = RidgeLeaveOneOut()
    one, two = criterion.start(Problem(table, target, ()), (1, 3)), criterion.start(other, (1, 3))
    np.testing.assert_array_equal(one.values_with([0, 2, 4]), two.values_with([0, 2, 4]))
    np.testing.assert_array_equal(one.values_without([1, 3]), two.values_without([1, 3]))


def test_a_constant_column_changes_nothing_and_other_rates_are_refused():
    table, _ = mixed(1, n=50)
    problem = Problem(table, followed(table), ())
    state = RidgeLeaveOneOut().start(problem, (0, 2))
    assert state.values_with([5])[0] == state.value
    with pytest.raises(ValueError, match="rate must be concordance for survival. Got 'r2'"):
        RidgeLeaveOneOut(rate="r2").start(problem)
    with pytest.raises(ValueError, match="leave-one-out holds out single rows"):
        RidgeLeaveOneOut().start(replace(problem, row_groups=np.arange(50) // 2))


def test_the_search_finds_what_tells_the_times():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(150, 8))).add_prefix("c")
    codes = rng.integers(0, 4, 150)
    frame["town"] = pd.Categorical.from_codes(codes, list("abcd"))
    rates = np.exp(frame["c0"] + np.array([0.0, 1.5, 0.0, -1.5])[codes])
    happened, seen = rng.exponential(size=150) / rates, rng.exponential(size=150) * 2
    y = survival(np.minimum(happened, seen), happened <= seen)
    search = get_method("sffs-ridge")().fit(frame, y)
    assert set(frame.columns[search.answer_.signature(2)]) == {"c0", "town"}
    assert {"c0", "town"} <= set(search.get_feature_names_out())
    columns, rows = rng.permutation(9), rng.permutation(150)
    there = get_method("sffs-ridge")().fit(frame.iloc[rows, columns], y[rows]).answer_
    for size in search.answer_.sizes:
        assert set(search.answer_.signature(size)) == set(columns[there.signature(size)])
        assert search.answer_.score(size) == there.score(size)
