"""Regression with a tube: the optimum, the bound on the gap, kernel weights."""

import numpy as np
import pytest
from frames import kernels_of, mixed_frame
from sklearn.svm import SVR

from hetsel import Schema
from hetsel.solvers.mkl.mkl_solution import solve_mkl
from hetsel.solvers.svm.machines import MachineProblem, refine_machines, solve_machines
from hetsel.tables import Numbers

TUBE = 0.125


def problem(n=80, seed=0, ties=False):
    frame, y = mixed_frame(n, 4, 3, seed=seed)
    rng = np.random.default_rng(seed)
    values = 2.0 * y + frame["c1"].to_numpy() + 0.5 * rng.normal(size=n)
    if ties:
        values = np.round(values)
    y = Numbers(values).standardized(np.arange(n))
    return kernels_of(Schema.infer(frame).encode(frame)), y[None]


def dual(kernel, y, beta):
    return float(y @ beta - TUBE * np.abs(beta).sum() - 0.5 * beta @ kernel @ beta)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("C", [0.01, 0.1, 1.0, 100.0])
def test_one_machine_is_that_of_libsvm_and_no_worse(C, ties):
    kernels, y = problem(ties=ties)
    kernel = kernels.gram(np.full(kernels.p, 1 / kernels.p)).copy()
    asked = MachineProblem(kernel, y, np.full(y.shape, C), tube=TUBE)
    found = solve_machines(asked, np.zeros(y.shape))
    theirs = SVR(kernel="precomputed", C=C, epsilon=TUBE, tol=1e-9).fit(kernel, y[0])
    beta = np.zeros(y.shape[1])
    beta[theirs.support_] = theirs.dual_coef_[0]
    best = dual(kernel, y[0], beta)
    assert dual(kernel, y[0], found.beta[0]) >= best - 1e-9 * abs(best)
    assert found.objective == pytest.approx(best, rel=1e-6)
    np.testing.assert_allclose(found.beta[0] @ kernel, beta @ kernel, atol=1e-3)
    assert found.gap < 1e-10
    assert (np.abs(found.beta) <= C).all()
    # another start ends at the same machine, within what is proved
    start = np.random.default_rng(1).uniform(-C, C, size=y.shape)
    again = solve_machines(asked, start)
    away = again.beta[0] - found.beta[0]
    assert away @ kernel @ away <= (np.sqrt(again.square) + np.sqrt(found.square)) ** 2
    finer = refine_machines(asked, found)
    assert finer.square <= found.square
    assert finer.square < 1e-20 * max(1.0, C)


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")  # it is compared to 1e-6 below
@pytest.mark.parametrize("q", [1.5, 2.0, 4.0])
def test_kernel_weights_are_those_of_a_general_solver(q):
    import cvxpy

    kernels, y = problem(50)
    found = solve_mkl(kernels, y, 0.5, q=q, tolerance=0.0, tube=TUBE)
    parts = [kernels.subset(np.array([f])).gram(np.ones(1)).copy() for f in range(kernels.p)]
    beta = cvxpy.Variable(y.shape[1])
    energies = []
    for part in parts:
        values, vectors = np.linalg.eigh(part)
        energies.append(cvxpy.sum_squares((vectors * np.sqrt(np.maximum(values, 0))).T @ beta))
    value = y[0] @ beta - TUBE * cvxpy.norm1(beta)
    value -= 0.5 * cvxpy.pnorm(cvxpy.hstack(energies), q / (q - 1))
    asked = cvxpy.Problem(
        cvxpy.Maximize(value), [cvxpy.sum(beta) == 0, cvxpy.norm_inf(beta) <= 0.5]
    )
    best = asked.solve(solver="CLARABEL")
    assert found.objective == pytest.approx(best, rel=1e-6)
    assert found.gap < 1e-10
