"""Alignment and HSIC of subsets against traces of full Gram matrices."""

import numpy as np
import pytest
from mixed_tables import mixed, paths_of, problem_of, renamed
from twins import scaled_kernels, traces

from hetsel.search.criteria.alignment import Alignment
from hetsel.search.criteria.kernel_criteria import (
    ClassSeparability,
    FrobeniusProduct,
    GaussianAlignment,
    HSICValue,
    negative_exponentials,
)

BY_HAND = {
    HSICValue(): traces.hsic,
    GaussianAlignment("even"): lambda k, y: scaled_kernels.alignment(k, y, "even"),
    GaussianAlignment("uneven"): lambda k, y: scaled_kernels.alignment(k, y, "uneven"),
    ClassSeparability(0.1): lambda k, y: scaled_kernels.separability(k, y, 0.1),
    FrobeniusProduct("even"): lambda k, y: scaled_kernels.frobenius(k, y, "even"),
}
CRITERIA = [Alignment(), *BY_HAND]


def expected(criterion, table, y, subset):
    if isinstance(criterion, Alignment):
        return traces.alignment(table.values, table.nominal, y.tolist(), list(subset))
    flat = set() if np.isnan(table.values[:, 5]).any() else {5}
    if not set(subset) - flat:
        return 0.0
    gram = traces.product_gram(table.values, table.nominal, subset)
    return BY_HAND[criterion](gram, y.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_values_equal_traces_of_full_matrices(criterion, classes, missing):
    table, y = mixed(classes, n=31, classes=classes, missing=missing)
    state = criterion.start(problem_of(table, y))
    assert state.value == 0.0
    subset = []
    for f in (1, 4, 2, 0, 5, 3):
        left = [g for g in range(6) if g not in subset]
        wanted = [expected(criterion, table, y, [*subset, g]) for g in left]
        np.testing.assert_allclose(state.values_with(left), wanted, atol=2e-9)
        state.add(f)
        subset.append(f)
        assert state.value == pytest.approx(expected(criterion, table, y, subset), abs=2e-9)
        wanted = [expected(criterion, table, y, [g for g in subset if g != f]) for f in subset]
        np.testing.assert_allclose(state.values_without(subset), wanted, atol=2e-9)
    assert state.value > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_any_path_to_a_subset_gives_its_value(seed, criterion, missing):
    table, y = mixed(seed, classes=3, missing=missing)
    problem = problem_of(table, y)
    for state, fresh, left, inside in paths_of(criterion, problem, seed):
        assert state.value == fresh.value
        np.testing.assert_array_equal(state.values_with(left), fresh.values_with(left))
        rests = [[g for g in inside if g != f] for f in inside]
        wanted = [criterion.start(problem, rest).value for rest in rests]
        np.testing.assert_allclose(state.values_without(inside), wanted, rtol=0, atol=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_constant_column_changes_nothing(criterion):
    table, y = mixed(1)
    problem = problem_of(table, y)
    assert criterion.start(problem).values_with([5])[0] == 0.0
    assert criterion.start(problem, (5,)).value == 0.0
    state = criterion.start(problem, (0, 2))
    assert state.values_with([5])[0] == state.value


@pytest.mark.parametrize("criterion", CRITERIA)
def test_units_level_names_and_the_order_of_rows_change_no_value(criterion):
    table, y = mixed(6, classes=3, missing=0.1)
    turn = np.random.default_rng(0).permutation(len(y))
    one = criterion.start(problem_of(table, y), (1, 3))
    two = criterion.start(problem_of(renamed(table, turn), y[turn]), (1, 3))
    np.testing.assert_allclose(one.values_with([0, 2, 4]), two.values_with([0, 2, 4]), atol=1e-9)
    np.testing.assert_allclose(one.values_without([1]), two.values_without([1]), atol=1e-9)


def test_a_factor_of_two_levels_weighs_as_the_same_column_of_numbers():
    table, y = mixed(2)
    numbers = table.values[:, [0, 4]].copy()
    as_numbers = problem_of(numbers, y)
    levels = problem_of(table, y)
    one = HSICValue().start(as_numbers, (0, 1)).value
    assert one == pytest.approx(HSICValue().start(levels, (0, 4)).value, abs=1e-9)


def test_hsic_sees_two_columns_that_tell_the_class_together_only():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, size=(120, 3)).astype(float)
    problem = problem_of(x, (x[:, 0] != x[:, 1]).astype(int))
    state = HSICValue().start(problem, (0,))
    together, noise = state.values_with([1, 2])
    assert together > 10 * max(noise, state.value)


def test_alignment_is_one_where_the_kernel_is_that_of_the_classes():
    y = np.repeat([0, 1], 10)
    x = np.column_stack([y * 3.0, np.tile([0.0, 1.0], 10)])
    assert Alignment().start(problem_of(x, y)).values_with([0, 1]).tolist() == [1.0, 0.0]


def test_exponentials_have_twelve_digits():
    x = np.linspace(0.0, 100.0, 10_001)
    found = x.copy()
    negative_exponentials(found, 0.8)
    np.testing.assert_allclose(found[x < 79], np.exp(-0.8 * x[x < 79]), rtol=1e-12)
    assert found[-1] == pytest.approx(np.exp(-64.0))


def test_separability_of_classes_that_are_a_point_each_is_large_and_finite():
    y = np.repeat([0, 1], 10)
    state = ClassSeparability().start(problem_of(y[:, None] * 3.0, y), (0,))
    assert 1e6 < state.value < np.inf


def test_impossible_settings_are_named():
    table, y = mixed(0)
    with pytest.raises(ValueError, match="epsilon must be a number, 0 or larger. Got -1"):
        ClassSeparability(-1).start(problem_of(table, y))
    with pytest.raises(ValueError, match="target must be one of uneven, even. Got 'odd'"):
        GaussianAlignment("odd").start(problem_of(table, y))
