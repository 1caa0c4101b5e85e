"""Newton's equations over functions of the columns against dense algebra."""

import numpy as np
import pytest
from binned_cells import binned

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive.additive_problem import Functions
from hetsel.solvers.additive.binned_machines import curvature_at
from hetsel.solvers.additive.conjugate_steps import (
    invert_columns,
    set_curved,
    set_pulls,
    solve_each_column,
    solve_functions,
    springs_of,
)


def kernels_of(n=400):
    """Columns of numbers, one of them nearly another, one with gaps and one of one cell; levels."""
    rng = np.random.default_rng(5)
    cells = np.rint(rng.random((6, n)) * 40) / 40
    cells[1] = np.clip(cells[0] + np.rint(rng.normal(size=n)) / 40, 0, 1)
    cells[2] = 0.1 + 0.5 * cells[2]  # not the whole range
    cells[2][rng.random(n) < 0.2] = np.nan
    cells[3] = 0.5
    cells[4:] = rng.integers(0, 5, size=(2, n))
    cells[5][rng.random(n) < 0.1] = np.nan
    return BinnedKernels(binned(cells, np.arange(6) >= 4, 2**15), np.linspace(1.0, 2.0, 6))


def asked(q, machines=2):
    """Kernels, a curvature, free rows with sigma, and a gradient."""
    kernels, rng = kernels_of(), np.random.default_rng(6)
    sums = rng.normal(size=(machines, kernels.columns.starts[-1]))
    curvature = curvature_at(kernels, Functions.of(kernels, sums, q), q)
    ends = np.array([0, 150, 400])[: machines + 1]
    codes = np.concatenate([kernels.columns.codes[:150], kernels.columns.codes[60:310]])
    return kernels, curvature, codes[: ends[-1]], ends, 10.0 ** rng.uniform(-1, 3, ends[-1]), sums


def dense(change, shape):
    """The matrix of a linear map of tables."""
    columns = []
    for unit in np.eye(np.prod(shape)):
        out = np.empty(shape)
        change(unit.reshape(shape), out)
        columns.append(out.ravel())
    return np.array(columns).T


def row_terms(kernels, codes, ends, sigma):
    """A' Sigma A less the biases, of all machines."""
    width = kernels.columns.starts[-1]
    whole = np.zeros((len(ends) - 1, width, len(ends) - 1, width))
    for c in range(len(ends) - 1):
        own = slice(ends[c], ends[c + 1])
        looked = np.zeros((ends[c + 1] - ends[c], width))
        for f in range(kernels.p):
            looked[np.arange(len(looked)), kernels.columns.starts[f] + codes[own, f]] = 1.0
        even = np.diag(sigma[own]) - np.outer(sigma[own], sigma[own]) / sigma[own].sum()
        whole[c, :, c] = looked.T @ even @ looked
    return whole.reshape(2 * (width * (len(ends) - 1),))


@pytest.mark.parametrize("q", [np.inf, 1.2, 2.0, 7.0])
def test_pulls_are_the_inverse_of_the_second_derivative(q):
    _, curvature, *_, sums = asked(q)
    forward = dense(lambda table, out: set_curved(curvature, table, out), sums.shape)
    springs = springs_of(curvature)
    back = dense(lambda table, out: set_pulls(curvature, springs, table, out), sums.shape)
    np.testing.assert_allclose(back @ forward, np.eye(len(back)), atol=1e-8)


@pytest.mark.parametrize("q", [np.inf, 1.2, 2.0, 7.0])
def test_a_step_solves_the_equations_of_dense_algebra(q):
    kernels, curvature, codes, ends, sigma, sums = asked(q)
    springs = springs_of(curvature)
    matrix = dense(lambda table, out: set_pulls(curvature, springs, table, out), sums.shape)
    found = np.linalg.solve(matrix + row_terms(kernels, codes, ends, sigma), -sums.ravel())
    pulls = np.empty_like(sums)
    turns = solve_functions(curvature, codes, ends, sigma, sums, 1e-13, 1_000, pulls)
    assert turns < 1_000
    expected = (matrix @ found).reshape(sums.shape)
    np.testing.assert_allclose(pulls, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.seconds
def test_a_column_without_weight_stays_without_a_function():
    kernels, _, codes, ends, sigma, sums = asked(2.0)
    sums[:, kernels.bins_of(np.array([1, 4]))] = 0.0
    curvature = curvature_at(kernels, Functions.of(kernels, sums, 2.0), 2.0)
    left = kernels.subset(np.array([0, 2, 3, 5]))
    at = kernels.bins_of(np.array([0, 2, 3, 5]))
    smaller = curvature_at(left, Functions.of(left, sums[:, at], 2.0), 2.0)
    gradient = np.random.default_rng(7).normal(size=sums.shape)
    pulls, fewer = np.empty_like(sums), np.empty((2, len(at)))
    rest = ends, sigma
    solve_functions(curvature, codes, *rest, gradient, 1e-13, 1_000, pulls)
    own = np.ascontiguousarray(codes[:, [0, 2, 3, 5]])
    solve_functions(smaller, own, *rest, np.ascontiguousarray(gradient[:, at]), 1e-13, 1_000, fewer)
    np.testing.assert_allclose(pulls[:, at], fewer, atol=1e-6 * np.abs(fewer).max())
    assert not np.delete(pulls, at, axis=1).any()


def test_each_column_alone_is_solved_at_once():
    kernels, curvature, codes, ends, sigma, sums = asked(np.inf, machines=1)
    springs, starts = springs_of(curvature), kernels.columns.starts
    rows = row_terms(kernels, codes, ends, sigma)
    matrix = dense(lambda table, out: set_pulls(curvature, springs, table, out), sums.shape)
    values = -sums
    mass = np.zeros(starts[-1])
    for f in range(kernels.p):
        np.add.at(mass, starts[f] + codes[:, f], sigma)
    solve_each_column(starts, springs, invert_columns(starts, springs, mass[None]), values)
    for f in range(kernels.p):
        own = slice(starts[f], starts[f + 1])
        alone = np.linalg.solve((matrix + rows)[own, own], -sums[0, own])
        np.testing.assert_allclose(values[0, own], alone, rtol=1e-6, atol=1e-9)
