import numpy as np
import pytest
from frames import mixed_frame
from sklearn.svm import SVC

from hetsel import clinical_kernel
from hetsel.solvers.svm.two_class_svm import solve_svm


def problem(n=120, seed=0, **options):
    frame, y = mixed_frame(n, 6, 3, seed=seed, **options)
    return clinical_kernel(frame), np.where(y == 1, 1.0, -1.0)


def dual(gram, y, beta):
    return y @ beta - 0.5 * beta @ gram @ beta


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("C", [0.01, 0.1, 1.0, 10.0, 1000.0])
def test_equals_scikit_learn(C, seed):
    gram, y = problem(seed=seed)
    solution = solve_svm(gram, y, C)
    oracle = SVC(kernel="precomputed", C=C, tol=1e-5).fit(gram, y)
    beta = np.zeros(len(y))
    beta[oracle.support_] = oracle.dual_coef_[0]
    best = dual(gram, y, beta)
    assert solution.objective >= best - 1e-6 * abs(best)
    assert solution.objective == pytest.approx(dual(gram, y, solution.beta), rel=1e-9)
    np.testing.assert_allclose(
        gram @ solution.beta + solution.bias, oracle.decision_function(gram), atol=1e-3
    )


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_every_row_meets_the_conditions(C):
    # few features and many rows: rows alike, a Gram matrix of low rank, hundreds of free rows
    frame, y = mixed_frame(300, 2, 2, seed=1)
    gram, y = clinical_kernel(frame), np.where(y == 1, 1.0, -1.0)
    beta = solve_svm(gram, y, C).beta
    gradient = y - gram @ beta
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    assert (beta >= low).all()
    assert (beta <= high).all()
    assert gradient[beta < high].max() - gradient[beta > low].min() <= 1e-11


def test_weights_of_the_rows():
    gram, y = problem()
    y[:100] = 1.0  # uneven classes
    y[::7] = -1.0
    oracle = SVC(kernel="precomputed", C=0.5, tol=1e-6, class_weight="balanced").fit(gram, y)
    C = 0.5 * len(y) / (2 * np.where(y > 0, (y > 0).sum(), (y < 0).sum()))
    solution = solve_svm(gram, y, C)
    np.testing.assert_allclose(
        gram @ solution.beta + solution.bias, oracle.decision_function(gram), atol=1e-4
    )
    assert (np.abs(solution.beta) <= C).all()
    assert (solution.beta * y >= 0).all()
    assert abs(solution.beta.sum()) < 1e-12


def test_the_gap_is_the_gap():
    gram, y = problem()
    for C in (0.01, 1.0, 100.0):
        solution = solve_svm(gram, y, C)
        slack = np.maximum(0, 1 - y * (gram @ solution.beta + solution.bias)).sum() * C
        primal = 0.5 * solution.beta @ gram @ solution.beta + slack
        assert solution.gap == pytest.approx((primal - solution.objective) / primal, abs=1e-12)
        assert solution.gap < 1e-10


def test_warm_start_reaches_the_same_solution():
    gram, y = problem()
    cold = solve_svm(gram, y, 1.0)
    warm = solve_svm(gram, y, 1.0, start=cold.beta)
    np.testing.assert_allclose(warm.beta, cold.beta, atol=1e-12)
    for seed in range(5):
        own, y = problem(seed=seed)
        like, _ = problem(seed=seed, missing=0.02)
        cold_like = solve_svm(like, y, 1.0)
        start = solve_svm(own, y, 1.0).beta
        warm_like = solve_svm(like, y, 1.0, start=start)
        assert warm_like.objective == pytest.approx(cold_like.objective, rel=1e-12)
    gram, y = problem()
    # a start outside the box, whose sum is not 0, is moved into it
    wild = solve_svm(gram, y, 1.0, start=5.0 * np.ones(len(y)))
    assert wild.objective == pytest.approx(cold.objective, rel=1e-12)
    assert abs(wild.beta.sum()) < 1e-9


def test_bad_input_is_named():
    gram, y = problem(20)
    with pytest.raises(ValueError, match=r"y must hold -1 and \+1, both. Got \[1.0\]"):
        solve_svm(gram, np.ones(20))
    with pytest.raises(ValueError, match=r"gram must have shape \(20, 20\).*Got \(19, 20\)"):
        solve_svm(gram[1:], y)
    with pytest.raises(ValueError, match="C must be positive and finite. Got 0"):
        solve_svm(gram, y, 0)
