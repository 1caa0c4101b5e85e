"""What holds for the state of every criterion."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from hetsel.search.criteria.gaussian_classes import Bhattacharyya, Divergence, Mahalanobis
from hetsel.search.criteria.partition_criteria import Consistency, JointInformation
from hetsel.search.criteria.rates.estimator_rate import EstimatorRate
from hetsel.search.criteria.rates.naive_bayes_rate import NaiveBayesRate
from hetsel.search.criteria.rates.neighbors_rate import NeighborsRate
from hetsel.search.criteria.rates.svm_rate import ClinicalSVMRate, GaussianSVMRate
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Schema, Table

FILTERS = [
    Bhattacharyya(),
    Divergence(),
    Mahalanobis(ridge=1e-3),
    JointInformation(bins=3),
    JointInformation(bins=4),
    Consistency(bins=3),
]
RATES = [
    NeighborsRate(neighbors=3),
    NaiveBayesRate(),
    ClinicalSVMRate(),
    GaussianSVMRate(folds=3, repeats=2, gamma=0.5),
    GaussianSVMRate(),
    EstimatorRate(GaussianNB(var_smoothing=0.1), folds=2),
    EstimatorRate(GaussianNB(var_smoothing=0.1), encode="codes", folds=2, rate="accuracy"),
]
CRITERIA = FILTERS + RATES
KINDS = ["continuous", "nominal", "continuous", "ordinal", "nominal", "continuous", "continuous"]
COPY = (0, 6)  # the last column is the first once more


def problem_of(values, y, kinds=KINDS):
    levels = tuple(range(9))
    columns = (Column(f"x{j}", k, levels * (k != "continuous")) for j, k in enumerate(kinds))
    table = Table(np.asarray(values, dtype=float), Schema(tuple(columns)))
    return Problem(table.resolve_missing("separate"), Classes(y, np.unique(y)), (1,), seed=3)


def mixed(n_classes=2, missing=0.0, n=48, seed=0):
    """Cells (n, p) with known and useless columns of each kind, and the class codes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    columns = [
        rng.normal(size=n) + y,
        np.where(rng.random(n) < 0.6, y % 2, rng.integers(0, 3, size=n)),
        rng.integers(20, 40, size=n) + 5.0 * (y == 1),
        np.minimum(rng.integers(0, 3, size=n) + y, 3),
        rng.integers(0, 4, size=n),
        np.full(n, 4.0),
    ]
    values = np.column_stack(columns).astype(float)
    values[rng.random(values.shape) < missing] = np.nan
    return np.column_stack([values, values[:, 0]]), y


def everything(state, p):
    """Value of the subset and of all its neighbors."""
    subset = sorted(state.subset)
    rest = [f for f in range(p) if f not in subset]
    return state.value, state.values_with(rest).tolist(), state.values_without(subset).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_how_a_subset_came_about_leaves_no_trace(criterion, n_classes, missing):
    problem = problem_of(*mixed(n_classes, missing))
    state = criterion.start(problem, (4, 0))
    empty = criterion.start(problem).value
    assert np.isfinite(empty)
    for step in (3, 2, -4, 5, 1, 0, -3, 6, 4, -2, -5, -1, -6, 0, -4, 0):
        if step in state.subset or step < 0:
            state.remove(abs(step))
        else:
            state.add(step)
        fresh = criterion.start(problem, sorted(state.subset))
        assert sorted(state.subset) == list(fresh.subset)
        assert state.value == fresh.value
        if len(state.subset) == 3:
            assert everything(state, 7) == everything(fresh, 7)
    assert state.subset == ()
    assert state.value == empty


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_candidates_have_the_value_that_the_subset_gets(criterion):
    problem = problem_of(*mixed(3, 0.1))
    state = criterion.start(problem, (1, 2, 5))
    for f, value in zip((0, 3, 4, 6), state.values_with([0, 3, 4, 6]), strict=True):
        assert value == criterion.start(problem, (1, 2, 5, f)).value
    for f, value in zip((1, 2, 5), state.values_without([1, 2, 5]), strict=True):
        assert value == criterion.start(problem, [g for g in (1, 2, 5) if g != f]).value
    assert criterion.start(problem, (3,)).values_without([3])[0] == criterion.start(problem).value
    assert state.values_with([]).shape == state.values_without([]).shape == (0,)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_the_order_of_the_columns_changes_no_value(criterion):
    values, y = mixed()
    place = np.random.default_rng(1).permutation(7)
    other = problem_of(values[:, place], y, [KINDS[j] for j in place])
    where = np.argsort(place)
    one, two = criterion.start(problem_of(values, y)), criterion.start(other)
    for f in (3, 0, 4, 1):
        rest = [g for g in range(7) if g not in one.subset]
        np.testing.assert_array_equal(one.values_with(rest), two.values_with(where[rest]))
        one.add(f)
        two.add(where[f])
        assert one.value == two.value


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_units_and_names_of_levels_change_no_value(criterion, missing):
    values, y = mixed(3, missing)
    other = values.copy()
    other[:, 2] = 11.0 - 2.54 * values[:, 2]
    other[:, 5] = 7e9 * values[:, 5]
    other[:, 3] = 3 - values[:, 3]
    there = ~np.isnan(values[:, 4])
    other[there, 4] = np.array([7.0, 0.0, 4.0, 2.0])[values[there, 4].astype(int)]
    problems = problem_of(values, y), problem_of(other, y)
    for subset in ((), (2,), (0, 4), (1, 3, 6)):
        one, two = (everything(criterion.start(problem, subset), 7) for problem in problems)
        assert one == two


@pytest.mark.parametrize("criterion", FILTERS, ids=repr)
def test_the_order_of_the_rows_changes_no_value(criterion):
    values, y = mixed(3, 0.1)
    order = np.random.default_rng(0).permutation(len(y))
    problems = problem_of(values, y), problem_of(values[order], y[order])
    for subset in ((), (2,), (0, 4), (1, 3, 6)):
        one, two = (everything(criterion.start(problem, subset), 7) for problem in problems)
        assert one == two


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_copies_of_a_column_tie(criterion):
    problem = problem_of(*mixed(3))
    for subset in ((), (2,), (4, 1), (3, 2, 5)):
        one, two = criterion.start(problem, subset).values_with(COPY)
        assert one == two


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_a_column_that_tells_the_classes_is_worth_more_than_a_constant_one(criterion):
    values, y = mixed(3)
    values[:, 4] = y
    found = criterion.start(problem_of(values, y)).values_with([4, 5])
    assert found[0] > found[1]
