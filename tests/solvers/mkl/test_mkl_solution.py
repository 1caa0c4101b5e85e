import cvxpy
import numpy as np
import pytest
from frames import kernels_of, mixed_frame
from twins.kernel_sums import feature_gram

from hetsel import Schema
from hetsel.solvers.mkl.mkl_solution import solve_mkl
from hetsel.solvers.svm.two_class_svm import problem_bounds, solve_svm, two_class_problems


def problem(n=40, seed=0, continuous=4, nominal=2, classes=2):
    frame, y = mixed_frame(n, continuous, nominal, seed=seed, classes=classes)
    table = Schema.infer(frame).encode(frame)
    grams = [feature_gram(c, k) for c, k in zip(table.values.T, table.nominal, strict=True)]
    return kernels_of(table), grams, y


def general_solver(grams, labels, C, q):
    """max sum alpha - 1/2 ||(s_f)||_q*, by a general convex solver."""
    dual = np.inf if q == 1 else q / (q - 1)
    betas = [cvxpy.Variable(labels.shape[1]) for _ in labels]
    roots = [np.linalg.cholesky(g + 1e-10 * np.eye(len(g))) for g in grams]
    energy = cvxpy.hstack([sum(cvxpy.sum_squares(root.T @ b) for b in betas) for root in roots])
    bound = cvxpy.Variable(len(grams))
    gain = sum(y @ b for y, b in zip(labels, betas, strict=True))
    limits = [energy <= bound]
    for y, b in zip(labels, betas, strict=True):
        alpha = cvxpy.multiply(y, b)
        limits += [alpha >= 0, alpha <= C, cvxpy.sum(b) == 0]
    goal = cvxpy.Problem(cvxpy.Maximize(gain - 0.5 * cvxpy.pnorm(bound, dual)), limits)
    return goal.solve(solver=cvxpy.CLARABEL)


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 4.0])
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_agrees_with_a_general_solver(q, C):
    kernels, grams, y = problem()
    labels = two_class_problems(y)
    # q = 1 converges slowly; its gap is held to what the alternation reaches in good time
    tolerance = 1e-3 if q == 1.0 else 1e-6
    solution = solve_mkl(kernels, labels, C, q=q, tolerance=tolerance, limit=5000)
    assert solution.gap <= tolerance
    assert solution.objective == pytest.approx(
        general_solver(grams, labels, C, q), rel=1e-5 + 2 * tolerance
    )
    assert (solution.weights**q).sum() == pytest.approx(1.0)
    assert (solution.weights >= 0).all()


def test_three_classes_share_the_weights():
    kernels, grams, y = problem(45, classes=3)
    labels = two_class_problems(y)
    solution = solve_mkl(kernels, labels, 0.5, tolerance=1e-6)
    assert labels.shape == (3, 45)
    assert solution.objective == pytest.approx(general_solver(grams, labels, 0.5, 2), rel=1e-5)


def test_one_kernel_is_the_support_vector_machine():
    kernels, grams, y = problem(60)
    labels = two_class_problems(y)
    solution = solve_mkl(kernels.subset(np.array([0])), labels, 1.0, tolerance=1e-8)
    machine = solve_svm(grams[0], labels[0], 1.0)
    assert solution.weights == pytest.approx([1.0])
    assert solution.objective == pytest.approx(machine.objective, rel=1e-6)
    np.testing.assert_allclose(
        grams[0] @ solution.beta[0] + solution.bias[0],
        grams[0] @ machine.beta + machine.bias,
        atol=1e-4,
    )


def test_infinite_q_is_the_plain_sum():
    kernels, grams, y = problem(60)
    labels = two_class_problems(y)
    solution = solve_mkl(kernels, labels, 0.1, q=np.inf, tolerance=1e-6)
    machine = solve_svm(np.sum(grams, axis=0), labels[0], 0.1)
    np.testing.assert_array_equal(solution.weights, 1.0)
    assert solution.objective == pytest.approx(machine.objective, rel=1e-5)


def test_gap_and_trace():
    kernels, grams, y = problem(60)
    labels = two_class_problems(y)
    solution = solve_mkl(kernels, labels, 0.1)
    assert solution.gap <= 1e-3
    assert solution.trace[-1] == (solution.objective, solution.gap)
    gram = sum(w * g for w, g in zip(solution.weights, grams, strict=True))
    beta, y = solution.beta[0], labels[0]
    slack = np.maximum(0, 1 - y * (gram @ beta + solution.bias[0])).sum()
    primal = 0.5 * beta @ gram @ beta + 0.1 * slack
    energy = np.array([beta @ g @ beta for g in grams])
    dual = y @ beta - 0.5 * np.sqrt((energy**2).sum())
    assert solution.objective == pytest.approx(primal, rel=1e-9)
    assert solution.gap == pytest.approx((primal - dual) / primal, abs=1e-9)


def test_warm_start():
    kernels, _, y = problem(60)
    labels = two_class_problems(y)
    cold = solve_mkl(kernels, labels, 0.1, tolerance=1e-6)
    warm = solve_mkl(kernels, labels, 0.1, tolerance=1e-6, start=cold)
    assert len(warm.trace) == 1 < len(cold.trace)


def test_bounds_of_the_problems():
    y = np.array([0, 0, 0, 1, 2, 2])
    balanced = problem_bounds(y, 1.0, "balanced")
    np.testing.assert_allclose(balanced[0], [1, 1, 1, 1, 1, 1])
    np.testing.assert_allclose(balanced[1], [0.6, 0.6, 0.6, 3, 0.6, 0.6])
    named = problem_bounds(y, 2.0, {"b": 3.0}, ["a", "b", "c"])
    np.testing.assert_allclose(named, np.tile([2, 2, 2, 6, 2, 2], (3, 1)))
    with pytest.raises(ValueError, match="class_weight must be None, 'balanced' or a mapping"):
        problem_bounds(y, 1.0, "even")
    with pytest.raises(ValueError, match="C must be a positive number. Got -1"):
        problem_bounds(y, -1.0)
    with pytest.raises(ValueError, match="q must be at least 1. Got 0.5"):
        solve_mkl(problem()[0], two_class_problems(problem()[2]), 1.0, q=0.5)
