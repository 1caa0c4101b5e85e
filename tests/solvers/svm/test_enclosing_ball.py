"""The smallest enclosing ball against geometry and another optimizer."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hetsel.solvers.svm.sequential_minimal import enclosing_ball


def test_three_points_of_the_plane_lie_on_the_circle_through_them():
    x = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0], [2.0, 1.0]])
    weights, square = enclosing_ball(x @ x.T, tolerance=1e-12)
    # circumradius: the product of the sides over four times the area
    sides = np.sqrt([16.0, 13.0, 13.0])
    assert square == pytest.approx((sides.prod() / (4 * 6.0)) ** 2)
    np.testing.assert_allclose(weights @ x, [2.0, 5 / 6], atol=1e-8)
    assert weights[3] == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_the_radius_is_the_least_largest_distance(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 3))
    gram = np.exp(-((x[:, None] - x) ** 2).sum(axis=2)) + np.eye(30) / 5
    weights, square = enclosing_ball(gram)
    root = np.linalg.cholesky(gram)
    # min r over (center, r) with |x_i - center|^2 <= r
    best = minimize(
        lambda v: v[-1],
        np.append(root.mean(axis=0), 2.0),
        jac=lambda v: np.append(np.zeros(30), 1.0),
        constraints={
            "type": "ineq",
            "fun": lambda v: v[-1] - ((root - v[:-1]) ** 2).sum(axis=1),
            "jac": lambda v: np.column_stack([2 * (root - v[:-1]), np.ones(30)]),
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert best.success
    assert square == pytest.approx(best.x[-1], rel=1e-6)
    np.testing.assert_allclose(weights @ root, best.x[:-1], atol=1e-3)
    farthest = ((root - weights @ root) ** 2).sum(axis=1).max()
    assert square <= best.x[-1] * (1 + 1e-9) <= farthest * (1 + 2e-9)


def test_the_scale_of_the_matrix_and_a_start_change_nothing_but_the_work():
    x = np.random.default_rng(5).normal(size=(40, 4))
    one, large = (enclosing_ball(factor * (x @ x.T)) for factor in (1.0, 1e6))
    assert large[1] == pytest.approx(1e6 * one[1], rel=1e-5)
    again = enclosing_ball(x @ x.T, start=one[0])
    np.testing.assert_allclose(again[0], one[0], atol=1e-4)


def test_equal_rows_have_no_radius():
    assert enclosing_ball(np.ones((4, 4)))[1] == 0.0
