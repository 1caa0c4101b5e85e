"""Ridge left one out against fits without each row, by numpy and by scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from mixed_tables import mixed, paths_of, problem_of, renamed, with_a_copy
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from twins import ridge_leave_one_out as slow

from hetsel.search.criteria.rates.ridge_leave_one_out import RATES, RidgeLeaveOneOut
from hetsel.selection import Problem
from hetsel.tables import Numbers


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("rate", RATES["classes"])
def test_values_equal_fits_without_each_row(rate, classes, missing):
    table, y = mixed(classes, classes=classes, missing=missing)
    state = RidgeLeaveOneOut(penalty=0.03, rate=rate).start(problem_of(table, y))

    def expected(subset):
        predicted = slow.predictions(table.values, table.nominal, y, 0.03, subset)
        return slow.rates(predicted, y)[rate]

    subset = []
    assert state.value == pytest.approx(expected(subset), abs=1e-9)
    for f in (1, 4, 2, 0, 5, 3):
        left = [g for g in range(6) if g not in subset]
        found = state.values_with(left)
        np.testing.assert_allclose(found, [expected([*subset, g]) for g in left], atol=1e-9)
        state.add(f)
        subset.append(f)
        assert state.value == pytest.approx(expected(subset), abs=1e-9)
    found = state.values_without(subset)
    rests = [[g for g in subset if g != f] for f in subset]
    np.testing.assert_allclose(found, [expected(rest) for rest in rests], atol=1e-9)


def test_errors_equal_scikit_learn():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 3)) * [1.0, 10.0, 0.1] + 5
    y = rng.permutation(np.arange(30) % 3)
    scaled = x / x.std(axis=0)
    indicators = np.eye(3)[y]
    expected = []
    for i in range(30):
        rest = np.arange(30) != i
        model = Ridge(alpha=0.2 * 30).fit(scaled[rest], indicators[rest])
        expected.append(indicators[i] - model.predict(scaled[i : i + 1])[0])
    state = RidgeLeaveOneOut(penalty=0.2).start(problem_of(x, y), (0, 2))
    np.testing.assert_allclose(state.errors(1), expected, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1e-6, 0.01, 10.0])
@pytest.mark.parametrize("seed", range(6))
def test_any_path_to_a_subset_gives_its_value(seed, penalty):
    table, y = mixed(seed, n=50, classes=3, missing=0.1)
    problem = problem_of(with_a_copy(table), y)
    criterion = RidgeLeaveOneOut(penalty=penalty, rate="press")
    close = {"rtol": 1e-9, "atol": 1e-9}
    for state, fresh, left, inside in paths_of(criterion, problem, seed):
        assert state.value == pytest.approx(fresh.value, rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(state.values_with(left), fresh.values_with(left), **close)
        rests = [[g for g in inside if g != f] for f in inside]
        expected = [criterion.start(problem, rest).value for rest in rests]
        np.testing.assert_allclose(state.values_without(inside), expected, **close)


def test_without_features_rows_go_to_the_class_of_most_others():
    table, y = mixed(0, n=30)
    y = np.where(np.arange(30) < 10, 1, 0)
    problem = problem_of(table, y)
    assert RidgeLeaveOneOut().start(problem).value == 0.5
    assert RidgeLeaveOneOut(rate="accuracy").start(problem).value == pytest.approx(2 / 3)
    # the others predict 9/29 for a row of the rare class, 10/29 for another one
    press = (10 * 2 * (20 / 29) ** 2 + 20 * 2 * (10 / 29) ** 2) / 30
    assert RidgeLeaveOneOut(rate="press").start(problem).value == pytest.approx(-press)


def test_a_constant_column_changes_nothing():
    table, y = mixed(1)
    for rate in RATES["classes"]:
        state = RidgeLeaveOneOut(rate=rate).start(problem_of(table, y), (0, 2))
        assert state.values_with([5])[0] == state.value


def test_units_level_names_and_the_order_of_rows_change_no_value():
    table, y = mixed(6, classes=3, missing=0.1)
    turn = np.random.default_rng(0).permutation(len(y))
    other = renamed(table, turn)
    for rate in RATES["classes"]:
        criterion = RidgeLeaveOneOut(rate=rate)
        one = criterion.start(problem_of(table, y), (1, 3))
        two = criterion.start(problem_of(other, y[turn]), (1, 3))
        np.testing.assert_array_equal(one.values_with([0, 2, 4]), two.values_with([0, 2, 4]))
        np.testing.assert_array_equal(one.values_without([1, 3]), two.values_without([1, 3]))


def test_impossible_parameters_are_named():
    with pytest.raises(ValueError, match=r"penalty must be 1e-06 or larger. Got 0"):
        RidgeLeaveOneOut(penalty=0)
    legal = "bcr, accuracy, press for classes"
    with pytest.raises(ValueError, match=f"rate must be one of {legal}. Got 'auc'"):
        RidgeLeaveOneOut(rate="auc").start(problem_of(*mixed(0)))


def test_groups_of_rows_are_refused():
    table, y = mixed(0)
    problem = replace(problem_of(table, y), row_groups=np.arange(40) // 2)
    with pytest.raises(ValueError, match="leave-one-out holds out single rows"):
        RidgeLeaveOneOut().start(problem)


def number_of(table, seed=0):
    """A number that the first two columns tell, with noise."""
    rng = np.random.default_rng(seed)
    present = np.nan_to_num(table.values)
    return Numbers(present[:, 0] - 0.4 * present[:, 1] + rng.normal(size=len(present)))


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_of_a_number_it_is_the_r2_of_fits_without_each_row(missing):
    table, _ = mixed(3, missing=missing)
    told = number_of(table)
    state = RidgeLeaveOneOut(penalty=0.03).start(Problem(table, told, ()))
    nominal = table.nominal.tolist()

    def wanted(subset):
        blocks = [slow.block(table.values[:, f], nominal[f]) for f in subset]
        design = np.column_stack(blocks) if subset else np.zeros((40, 1))
        ridge = Ridge(alpha=0.03 * 40)
        predicted = cross_val_predict(ridge, design, told.values, cv=LeaveOneOut())
        return r2_score(told.values, predicted)

    assert state.value == pytest.approx(wanted([]), abs=1e-8)
    for f in (1, 3, 0):
        others = [g for g in range(6) if g not in state.subset]
        found = state.values_with(others)
        assert found == pytest.approx([wanted([*state.subset, g]) for g in others], abs=1e-7)
        state.add(f)
    less = [wanted([g for g in state.subset if g != f]) for f in state.subset]
    assert state.values_without(state.subset) == pytest.approx(less, abs=1e-7)
    state.remove(3)
    assert state.value == pytest.approx(wanted([1, 0]), abs=1e-7)


def test_the_error_of_a_number_is_on_the_scale_of_its_range():
    table, _ = mixed(3)
    told = number_of(table)
    r2, press = (
        RidgeLeaveOneOut(rate=rate).start(Problem(table, told, ()), (0,)).value
        for rate in ("r2", "press")
    )
    scaled = told.values / np.ptp(told.values)
    assert r2 == pytest.approx(1 + press / scaled.var(), abs=1e-8)


def test_a_rate_of_the_other_kind_of_target_is_refused():
    table, y = mixed(3)
    with pytest.raises(ValueError, match="rate must be one of r2, press for numbers. Got 'bcr'"):
        RidgeLeaveOneOut(rate="bcr").start(Problem(table, number_of(table), ()))
    with pytest.raises(ValueError, match="rate must be one of bcr, .* for classes. Got 'r2'"):
        RidgeLeaveOneOut(rate="r2").start(problem_of(table, y))
