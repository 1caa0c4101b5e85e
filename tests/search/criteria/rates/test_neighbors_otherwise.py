"""Nearest neighbors of numbers and of survival times: R^2 and concordance of held-out rows."""

import numpy as np
import pytest
from mixed_tables import mixed
from sklearn.metrics import r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import minmax_scale
from sksurv.metrics import concordance_index_censored
from sksurv.nonparametric import nelson_aalen_estimator
from twins import held_out_rates as slow

from hetsel import Schema
from hetsel.ground.errors import TableError
from hetsel.search.criteria.rates import neighbors_rate
from hetsel.search.criteria.rates.held_out_rates import R2, Concordance
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate, NeighborsRates
from hetsel.selection import Problem
from hetsel.tables import Numbers, Survival

KINDS = ("numbers", "survival")


def target_of(kind, n, seed, told=None):
    """A target that `told` (n,) has a part in; times repeat, some rows are censored."""
    rng = np.random.default_rng(seed)
    y = np.round(rng.normal(size=n) + (0 if told is None else told), 1)
    if kind == "numbers":
        return Numbers(10.0 * y)
    return Survival(np.round(np.exp(-y), 1), rng.random(n) < 0.6)


def problem_of(kind, seed=0, n=30, missing=0.0):
    table, y = mixed(seed, n=n, missing=missing)
    return Problem(table, target_of(kind, n, seed, y), (1,), seed=3)


def measured(target, predicted):
    """R^2 by scikit-learn, or the concordance by scikit-survival."""
    if isinstance(target, Numbers):
        return r2_score(target.values, predicted)
    return concordance_index_censored(target.events, target.times, predicted)[0]


def by_twin(problem, fold, subset, neighbors):
    table, target = problem.table, problem.target
    where = (fold, list(subset), neighbors)
    if isinstance(target, Numbers):
        found = slow.neighbor_means(table.values, table.nominal, target.values, *where)
    else:
        told = target.times, target.events
        found = slow.neighbor_mortalities(table.values, table.nominal, *told, *where)
    return measured(target, np.round(found, 9))


@pytest.mark.seconds
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("neighbors", [1, 5, 100])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_subsets_equal_the_slow_twin(kind, neighbors, missing):
    problem = problem_of(kind, 1, missing=missing)
    state = NeighborsRate(neighbors, folds=3).start(problem, (4,))
    fold = state.fold[0]
    assert state.value == pytest.approx(by_twin(problem, fold, (4,), neighbors), abs=1e-6)
    for f, found in zip((0, 1, 2), state.values_with((0, 1, 2)), strict=True):
        assert found == pytest.approx(by_twin(problem, fold, (4, f), neighbors), abs=1e-6)
    state.add(2)
    state.add(0)
    without = state.values_without((4, 2))
    for f, found in zip(((0, 2), (0, 4)), without, strict=True):
        assert found == pytest.approx(by_twin(problem, fold, f, neighbors), abs=1e-6)


def test_without_ties_the_numbers_are_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(80, 3))
    y = x @ [2.0, 1.0, 0.0] + rng.normal(size=80)
    problem = Problem(Schema.infer(x).encode(x), Numbers(y), (1,), seed=5)
    state = NeighborsRate(4, folds=4, repeats=2).start(problem, (0, 1))
    cells, model = minmax_scale(x[:, :2]), KNeighborsRegressor(4)
    predicted = [cross_val_predict(model, cells, y, cv=PredefinedSplit(f)) for f in state.fold]
    np.testing.assert_allclose(y.min() + np.ptp(y) * state.predict(), predicted, atol=1e-6)
    assert state.value == pytest.approx(np.mean([r2_score(y, p) for p in predicted]), abs=1e-6)


def test_without_ties_the_risk_is_the_summed_hazard_of_scikit_survival():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 2))
    target = target_of("survival", 60, 3, x[:, 0])
    problem = Problem(Schema.infer(x).encode(x), target, (1,), seed=5)
    state = NeighborsRate(7, folds=5).start(problem, (0, 1))
    cells, fold = minmax_scale(x), state.fold[0]
    for i, risk in enumerate(state.predict()[0]):
        others = np.flatnonzero(fold != fold[i])
        near = others[np.argsort(((cells[others] - cells[i]) ** 2).sum(axis=1))[:7]]
        times, hazard = nelson_aalen_estimator(target.events[near], target.times[near])
        at = np.searchsorted(times, target.times, side="right")
        assert risk == pytest.approx(np.append(0.0, hazard)[at].sum(), abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_measures_are_those_of_scikit_learn_and_scikit_survival(kind, seed):
    target = target_of(kind, 40, seed)
    predicted = np.round(np.random.default_rng(seed).normal(size=(2, 3, 40)), 1)
    measure = R2(target) if kind == "numbers" else Concordance(target)
    given = predicted
    if kind == "numbers":
        given = (predicted - target.values.min()) / np.ptp(target.values)
    wanted = [np.mean([measured(target, one) for one in part]) for part in predicted]
    np.testing.assert_allclose(measure.of(given), wanted, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_several_numbers_of_neighbors_threads_and_parts_change_nothing(kind, monkeypatch):
    problem = problem_of(kind, 4, n=60)
    numbers, candidates = (5, 1, 200, 3), [0, 1, 3, 4, 5]
    alone = [NeighborsRate(k, repeats=2).start(problem, (2,)) for k in numbers]
    expected = np.transpose([one.values_with(candidates) for one in alone])
    monkeypatch.setattr(neighbors_rate, "WORTH_A_THREAD", 1)
    monkeypatch.setattr(neighbors_rate, "AT_ONCE", 60 * 2 * 4 * 2)
    state = NeighborsRates(numbers, repeats=2, n_jobs=2).start(problem, (2,))
    np.testing.assert_array_equal(state.values_with(candidates), expected)
    assert state.value.tolist() == [one.value for one in alone]
    assert len(set(state.value.tolist())) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_how_a_subset_came_about_leaves_no_trace(kind):
    problem = problem_of(kind, 5, n=50, missing=0.1)
    state = NeighborsRate(3).start(problem, (5, 4))
    empty = NeighborsRate(3).start(problem).value
    for f in (0, 1, 2):
        state.add(f)
    assert state.value == NeighborsRate(3).start(problem, (2, 1, 0, 4, 5)).value
    for f in (5, 2, 0, 4, 1):
        state.remove(f)
    assert state.value == empty


@pytest.mark.parametrize("kind", KINDS)
def test_units_and_the_order_of_rows_change_nothing(kind):
    problem = problem_of(kind, 6, n=50)
    here = NeighborsRate(3).start(problem, (0, 2))
    target, rows = problem.target, np.random.default_rng(0).permutation(50)
    if kind == "numbers":
        other = Numbers(7.0 - 0.3 * target.values)
    else:
        other = Survival(target.times**3 / 7, target.events)
    there = NeighborsRate(3).start(Problem(problem.table, other, (1,), seed=3), (0, 2))
    there.fold[:] = here.fold  # numbers in another order have strata in another order
    assert there.values_with([1, 3, 4]).tolist() == here.values_with([1, 3, 4]).tolist()
    moved = Problem(problem.table.take(rows=rows), target.take(rows), (1,), seed=3)
    there = NeighborsRate(3).start(moved, (0, 2))
    there.fold[:] = here.fold[:, rows]
    assert there.values_with([1, 3, 4]).tolist() == here.values_with([1, 3, 4]).tolist()


def test_a_rate_of_another_kind_of_target_is_refused():
    for kind, wanted in (("numbers", "r2"), ("survival", "concordance")):
        with pytest.raises(TableError, match=f"rate must be {wanted} for {kind}. Got 'bcr'"):
            NeighborsRate(rate="bcr").start(problem_of(kind))
