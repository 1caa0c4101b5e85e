"""Ascents over squared scale factors against solutions known otherwise."""

import numpy as np
import pytest
from scipy.optimize import minimize, nnls
from scipy.special import expit

from hetsel.solvers.ascent import bounded_ascent, gradient_ascent


def quadratic(seed, p=6):
    """-|A u - b|^2 with its derivatives, and the solution of scipy's nonnegative least squares."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(20, p)), rng.normal(size=20)

    def objective(u):
        rest = a @ u - b
        return -float(rest @ rest), -2.0 * a.T @ rest

    return objective, nnls(a, b)[0]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [1.0, 1e-3])
def test_the_bounded_maximum_is_that_of_nonnegative_least_squares(seed, scale):
    objective, solution = quadratic(seed)
    found = bounded_ascent(objective, np.full(6, scale), scale, tolerance=1e-9)
    np.testing.assert_allclose(found.u, solution, atol=1e-6)
    assert found.converged
    assert (found.slopes[found.u == 0] <= 0).all()
    assert np.abs(found.slopes[found.u > 0]).max() < 1e-4


def test_no_point_is_outside_the_bounds():
    seen, best = [], np.array([-1.0, 1.0])

    def objective(u):
        seen.append(u.min())
        return -float(((u - best) ** 2).sum()), -2.0 * (u - best)

    assert bounded_ascent(objective, np.ones(2), 1.0).u == pytest.approx([0.0, 1.0])
    assert min(seen) == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_it_ends_as_high_as_scipys_l_bfgs_b(seed):
    """Of functions with one maximum and curvatures of very different size."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(12, 30)) * np.geomspace(1e-2, 1.0, 30)
    b = rng.normal(size=12)

    def objective(u):
        margins = a @ u - b
        logs = np.logaddexp(0.0, margins)
        return -float(logs.sum()) - 0.01 * float(u @ u), -a.T @ expit(margins) - 0.02 * u

    found = bounded_ascent(objective, np.full(30, 0.1), 1.0, tolerance=1e-8)
    outside = minimize(
        lambda u: tuple(-np.asarray(x) for x in objective(u)),
        np.full(30, 0.1),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * 30,
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    assert found.converged
    assert found.value >= -outside.fun - 1e-9 * abs(outside.fun)


def test_the_unit_of_the_value_changes_nothing():
    objective, _ = quadratic(7)
    small = bounded_ascent(objective, np.ones(6), 1.0)
    large = bounded_ascent(lambda u: tuple(2.0**40 * x for x in objective(u)), np.ones(6), 1.0)
    np.testing.assert_array_equal(small.u, large.u)


def test_the_gradient_ends_lower_and_takes_longer():
    objective, solution = quadratic(3)
    printed = gradient_ascent(objective, np.ones(6), rate=1e-3, tolerance=1e-6)
    bounded = bounded_ascent(objective, np.ones(6), 1.0)
    assert printed.value < bounded.value <= objective(solution)[0] + 1e-9
    assert printed.value == pytest.approx(bounded.value, abs=1e-2)
    assert printed.evaluations > bounded.evaluations


def test_ten_iterations_of_the_gradient_are_ten_steps():
    """Each step as Algorithm 1 of ramona2012 has it: the factor plus eta times its derivative."""
    objective, _ = quadratic(3)
    factors = np.ones(6)
    for _ in range(10):
        factors = factors + 1e-3 * 2 * factors * objective(factors**2)[1]
    found = gradient_ascent(objective, np.ones(6), rate=1e-3, iterations=10)
    np.testing.assert_allclose(found.u, factors**2, rtol=1e-12)
    assert found.value == objective(found.u)[0]
    assert not found.converged


def test_an_ascent_that_is_stopped_says_so():
    objective, _ = quadratic(4)
    assert not bounded_ascent(objective, np.ones(6), 1.0, iterations=2).converged
    assert not gradient_ascent(objective, np.ones(6), rate=1e-3, iterations=3).converged
