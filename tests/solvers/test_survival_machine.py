"""Machines that rank survival times: their optimum, what is proved of it, rows that weigh."""

import numpy as np
import pytest
from frames import kernels_of, mixed_frame
from sksurv.svm import FastKernelSurvivalSVM
from twins.exact_regression import comparable

from hetsel import Schema
from hetsel.solvers.comparable_pairs import comparable_pairs, pull_at_rest
from hetsel.solvers.survival_machine import solve_ranking
from hetsel.tables import Survival


def problem(n=60, seed=0, ties=False):
    frame, y = mixed_frame(n, 4, 3, seed=seed)
    rng = np.random.default_rng(seed)
    times = rng.exponential(np.where(y == 1, 1.0, 3.0))
    if ties:
        times = np.ceil(4 * times) / 4
    events = rng.random(n) < 0.6
    return kernels_of(Schema.infer(frame).encode(frame)), Survival(times, events)


def primal(kernel, target, beta, gamma, weights=None):
    """The objective by a loop over the pairs of rows."""
    own = np.ones(len(target)) if weights is None else weights
    risks, total = kernel @ beta, 0.0
    for i, j in comparable(target.times, target.events):
        total += own[i] * own[j] * max(0.0, 1.0 - (risks[i] - risks[j])) ** 2
    return 0.5 * beta @ risks + 0.5 * gamma * total


@pytest.mark.parametrize("ties", [False, True])
def test_the_pairs_are_those_of_which_it_is_known_whose_event_was_first(ties):
    _, target = problem(ties=ties)
    pairs = comparable_pairs(target.content, 0.5)
    found = {
        (int(pairs.order[a]), int(j))
        for a in range(len(target))
        for j in pairs.order[pairs.after[a] :]
    }
    wanted = set(comparable(target.times, target.events))
    assert found == wanted
    assert pairs.gamma == pytest.approx(0.5 * len(target) / len(wanted))


@pytest.mark.filterwarnings("ignore:Optimization did not converge")  # to the last digit
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_one_machine_is_that_of_scikit_survival(C):
    kernels, target = problem()
    pairs = comparable_pairs(target.content, C)
    found = solve_ranking(kernels, pairs, np.inf)
    kernel = kernels.gram(np.full(kernels.p, 1 / kernels.p)).copy()
    options = {"kernel": "precomputed", "rank_ratio": 1.0, "max_iter": 5000, "tol": 1e-10}
    theirs = FastKernelSurvivalSVM(alpha=pairs.gamma, **options).fit(kernel, target.structured)
    beta = -theirs.coef_  # larger where the event is later
    np.testing.assert_allclose(kernel @ found.beta[0], kernel @ beta, atol=2e-4)
    ours = primal(kernel, target, found.beta[0], pairs.gamma)
    assert ours <= primal(kernel, target, beta, pairs.gamma) * (1 + 1e-12)
    assert found.objective == pytest.approx(ours, rel=1e-12)
    assert abs(found.beta.sum()) < 1e-12


@pytest.mark.seconds
@pytest.mark.parametrize("q", [1.5, 2.0, 4.0])
def test_kernel_weights_are_those_of_a_general_solver(q):
    import cvxpy

    kernels, target = problem(40)
    pairs = comparable_pairs(target.content, 0.3)
    found = solve_ranking(kernels, pairs, q)
    parts = [kernels.subset(np.array([f])).gram(np.ones(1)).copy() for f in range(kernels.p)]
    # f = sum_f L_f w_f, minimize ||(|w_f|)||^2 / 2 in the norm 2q / (q + 1), plus the loss
    roots = []
    for part in parts:
        values, vectors = np.linalg.eigh(part)
        roots.append(vectors * np.sqrt(np.maximum(values, 0.0)))
    w = [cvxpy.Variable(len(target)) for _ in parts]
    risks = sum(root @ one for root, one in zip(roots, w, strict=True))
    i, j = np.array(comparable(target.times, target.events)).T
    loss = cvxpy.sum_squares(cvxpy.pos(1 - (risks[i] - risks[j])))
    norms = cvxpy.hstack([cvxpy.norm(one) for one in w])
    size = cvxpy.pnorm(norms, 2 * q / (q + 1))
    asked = cvxpy.Problem(cvxpy.Minimize(0.5 * cvxpy.square(size) + 0.5 * pairs.gamma * loss))
    best = asked.solve(solver="CLARABEL")
    assert found.objective == pytest.approx(best, rel=1e-6)
    assert found.objective <= best * (1 + 1e-7)


@pytest.mark.parametrize("q", [1.5, 2.0, np.inf])
def test_a_rough_start_ends_within_the_radius(q):
    kernels, target = problem(80, seed=3, ties=True)
    pairs = comparable_pairs(target.content, 1.0)
    found = solve_ranking(kernels, pairs, q)
    other = np.random.default_rng(0).normal(size=(1, 80)) * found.beta.std()
    again = solve_ranking(kernels, pairs, q, other - other.mean())
    away = np.abs(np.sqrt(found.energy) - np.sqrt(again.energy))
    assert (away <= found.radius + again.radius).all()
    assert found.radius.max() < 1e-6 * np.sqrt(found.energy.max())


@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
@pytest.mark.parametrize("q", [1.5, 2.0, np.inf])
def test_a_machine_may_end_at_a_gap(q, C):
    kernels, target = problem(80, seed=4)
    pairs = comparable_pairs(target.content, C)
    found = solve_ranking(kernels, pairs, q)
    nearly = solve_ranking(kernels, pairs, q, tolerance=1e-6)
    away = np.abs(np.sqrt(found.energy) - np.sqrt(nearly.energy))
    assert (away <= found.radius + nearly.radius).all()
    assert found.gap < 1e-10
    assert nearly.gap < 1.01e-6
    assert nearly.objective <= found.objective * (1 + 1.01e-6)


def test_a_row_of_weight_two_is_two_rows():
    kernels, target = problem(40)
    twice = np.arange(40) % 4 == 0
    rows = np.concatenate([np.arange(40), np.flatnonzero(twice)])
    frame, _ = mixed_frame(40, 4, 3, seed=0)
    again = kernels_of(Schema.infer(frame).encode(frame.iloc[rows]))
    weighed = solve_ranking(kernels, comparable_pairs(target.content, 1.0, 1.0 + twice), 2.0)
    written = solve_ranking(again, comparable_pairs(target.take(rows).content, 1.0), 2.0)
    assert weighed.objective == pytest.approx(written.objective, rel=1e-10)
    np.testing.assert_allclose(weighed.energy, written.energy, rtol=1e-7, atol=1e-10)


def test_the_pull_at_rest_counts_who_was_later_less_who_was_earlier():
    _, target = problem(30, ties=True)
    pairs = comparable_pairs(target.content, 1.0)
    counts = np.zeros(30)
    for i, j in comparable(target.times, target.events):
        counts[i] += 1
        counts[j] -= 1
    np.testing.assert_allclose(pull_at_rest(pairs)[0], pairs.gamma * counts, rtol=1e-12)
