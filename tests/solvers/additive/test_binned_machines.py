"""Machines without a Gram matrix against scikit-learn's and cvxpy's, and against 50 digits."""

import cvxpy as cp
import numpy as np
import pytest
from binned_cells import binned
from sklearn.svm import SVC, SVR

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive import binned_machines
from hetsel.solvers.additive.additive_certificate import certify_additive
from hetsel.solvers.additive.additive_problem import EqualRows
from hetsel.solvers.additive.binned_machines import solve_additive
from hetsel.solvers.additive.dual_grid import put_on_grid
from hetsel.solvers.additive.proximal_rows import balance

STEPS = 2**24


def table(seed, n, p=5, levels=2):
    """Cells of columns of numbers and of levels, and a risk that the first of either tells."""
    rng = np.random.default_rng(seed)
    cells = np.rint(rng.random((p, n)) * STEPS) / STEPS
    nominal = np.arange(p) >= p - levels
    cells[nominal] = rng.integers(0, 4, size=(levels, n))
    risk = 3 * cells[0] + (cells[p - levels] == 1) + 0.8 * rng.normal(size=n)
    return cells, nominal, risk


def matrices(cells, nominal):
    """Gram matrices (p, n, n)."""
    away = np.abs(cells[:, :, None] - cells[:, None, :])
    return np.where(nominal[:, None, None], away == 0, 1 - away)


def classes(risk, k):
    """One label of k a row, as labels (machines, n)."""
    codes = np.searchsorted(np.quantile(risk, np.arange(1, k) / k), risk)
    return np.where(codes == np.arange(k)[:, None], 1.0, -1.0)[0 if k > 2 else 1 :]


@pytest.mark.parametrize("tube", [0.0, 0.25])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_machine_on_a_sum_is_that_of_scikit_learn(tube, weighted):
    cells, nominal, risk = table(0, 300)
    y = (risk - risk.mean()) / risk.std() if tube else classes(risk, 2)[0]
    weights = 1.0 + np.arange(300) % 3 if weighted else np.ones(300)
    kernels = BinnedKernels(binned(cells, nominal, 2**15))
    found = solve_additive(
        kernels, y[None], 0.5 * weights[None], np.inf, tube=tube, tolerance=1e-12
    )
    machine = SVR(epsilon=tube, C=0.5) if tube else SVC(C=0.5)
    machine.set_params(kernel="precomputed", tol=1e-9)
    gram = matrices(cells, nominal).sum(axis=0)
    machine.fit(gram, y, sample_weight=weights)
    beta = np.zeros(300)
    beta[machine.support_] = machine.dual_coef_[0]
    margin = gram @ beta + machine.intercept_[0]
    np.testing.assert_allclose(found.decisions(kernels)[0], margin, atol=1e-5)
    np.testing.assert_allclose(found.beta[0], beta, atol=1e-4)
    lost = np.maximum(0.0, np.abs(y - margin) - tube) if tube else np.maximum(0.0, 1 - y * margin)
    primal = 0.5 * beta @ gram @ beta + 0.5 * weights @ lost
    assert primal * (1 - 1e-6) <= found.objective <= primal * (1 + 1e-10)
    assert found.gap <= 1e-12


@pytest.mark.parametrize(("q", "k"), [(2.0, 2), (2.0, 3), (1.5, 2), (4.0, 2)])
def test_kernel_weights_are_those_of_a_conic_program(q, k):
    """The primal over functions of columns, sum over f ||h_f||^2 / mu_f at the best mu."""
    n = 60
    cells, nominal, risk = table(1, n, p=4, levels=1)
    labels = classes(risk, k)
    kernels = BinnedKernels(binned(cells, nominal))
    found = solve_additive(kernels, labels, np.full(labels.shape, 0.4), q, tolerance=1e-11)
    grams = matrices(cells, nominal)
    roots = [np.linalg.cholesky(gram + 1e-9 * np.eye(n)) for gram in grams]
    parts = [cp.Variable((n, len(labels))) for _ in roots]
    bias = cp.Variable(len(labels))
    rows = sum(root @ part for root, part in zip(roots, parts, strict=True))
    loss = sum(
        cp.sum(cp.pos(1 - cp.multiply(y, rows[:, c] + bias[c]))) for c, y in enumerate(labels)
    )
    norms = cp.hstack([cp.norm(part, "fro") for part in parts])
    objective = 0.4 * loss + 0.5 * cp.square(cp.pnorm(norms, 2 * q / (q + 1)))
    value = cp.Problem(cp.Minimize(objective)).solve(solver="CLARABEL")
    assert found.objective == pytest.approx(value, rel=1e-5)
    own = np.array([np.linalg.norm(part.value) for part in parts]) ** (2 / (q + 1))
    np.testing.assert_allclose(found.weights, own / np.linalg.norm(own, q), atol=2e-3)
    np.testing.assert_allclose(np.linalg.norm(found.weights, q), 1.0)


def test_many_rows_start_from_few_and_end_where_all_would(monkeypatch):
    cells, nominal, risk = table(2, 3_000)
    labels = classes(risk, 2)
    kernels, bounds = BinnedKernels(binned(cells, nominal)), np.full(labels.shape, 0.1)
    whole = solve_additive(kernels, labels, bounds, 2.0, tolerance=1e-11)
    monkeypatch.setattr(binned_machines, "FIRST", 50)
    assert binned_machines._samples(labels, 0.0) == [120, 600, 3_000]
    grown = solve_additive(kernels, labels, bounds, 2.0, tolerance=1e-11)
    assert grown.objective == pytest.approx(whole.objective, rel=1e-10)
    np.testing.assert_allclose(grown.energy, whole.energy, rtol=1e-4)
    rare = np.where(np.arange(3_000) < 2_950, 1.0, -1.0)[None]
    assert binned_machines._samples(rare, 0.0) == [3_000]


@pytest.mark.parametrize("tube", [0.0, 0.25])
@pytest.mark.parametrize("q", [2.0, np.inf])
def test_a_model_of_fewer_columns_starts_from_the_last_and_ends_where_a_fresh_one_does(tube, q):
    cells, nominal, risk = table(3, 400)
    y = (risk - risk.mean()) / risk.std() if tube else classes(risk, 2)[0]
    bounds = np.full((1, 400), 0.2)
    kernels = BinnedKernels(binned(cells, nominal))
    options = {"tube": tube, "tolerance": 1e-10}
    whole = solve_additive(kernels, y[None], bounds, q, **options)
    some = np.array([0, 2, 3])
    part = kernels.subset(some)
    start = whole.on(kernels.bins_of(some))
    found = solve_additive(part, y[None], bounds, q, start=start, **options)
    fresh = solve_additive(part, y[None], bounds, q, **options)
    assert found.objective == pytest.approx(fresh.objective, rel=1e-9)
    np.testing.assert_allclose(found.energy, fresh.energy, rtol=1e-3, atol=1e-4)


@pytest.mark.seconds
@pytest.mark.parametrize("tube", [0.0, 0.25])
@pytest.mark.parametrize("q", [2.0, 3.0, np.inf])
def test_no_certificate_of_a_rough_machine_leaves_the_optimum_out(tube, q):
    """Machines that are stopped early, against those solved until rounding is left."""
    for seed in range(6):
        cells, nominal, risk = table(seed, 200)
        y = (risk - risk.mean()) / risk.std() if tube else classes(risk, 2)[0]
        problem = BinnedKernels(binned(cells, nominal)), y[None], np.full((1, 200), 0.3)
        best = solve_additive(*problem, q, tube=tube, tolerance=1e-13)
        known = certify_additive(*problem, best, q, tube)
        assert known.gap < 1e-10 * best.objective
        np.testing.assert_allclose(known.energy, best.energy, rtol=1e-6, atol=1e-9)
        for tolerance in (1e-1, 1e-2, 1e-3, 1e-5):
            rough = solve_additive(*problem, q, tube=tube, tolerance=tolerance)
            told = certify_additive(*problem, rough, q, tube)
            off = np.abs(np.sqrt(told.energy) - np.sqrt(known.energy))
            assert (off <= told.radius + known.radius + told.rounding).all()
            # the objective of beta itself, and of the functions of the last step
            assert best.objective <= rough.objective * (1 + 1e-12)


def test_sums_on_the_grid_are_exact_and_zero():
    rng = np.random.default_rng(0)
    high = 0.5 + rng.random(1_000)
    low = -0.5 - rng.random(1_000)
    half = rng.uniform(-0.5, 0.5, size=500)
    beta = np.append(half, -half)
    whole = np.empty(1_000, dtype=np.int64)
    assert put_on_grid(beta, low, high, 2.0**-40, whole)
    assert whole.sum() == 0
    assert (np.abs(whole * 2.0**-40 - beta) < 1e-9).all()
    assert ((whole * 2.0**-40 >= low) & (whole * 2.0**-40 <= high)).all()
    assert not put_on_grid(high, high, high, 2.0**-40, whole)


@pytest.mark.parametrize("tube", [0.0, 0.3])
def test_the_bias_balances_the_rows(tube):
    """Against bisection, from starts that are far away, with rows at their ends only."""
    rng = np.random.default_rng(int(10 * tube))
    for _ in range(200):
        n = int(rng.integers(2, 40))
        y = np.where(np.arange(n) % 2, 1.0, -1.0)
        bounds = rng.random(n) + 0.1
        low, high = (
            (-bounds, bounds) if tube else (np.minimum(0, y * bounds), np.maximum(0, y * bounds))
        )
        residual = 10.0 ** rng.integers(-3, 3) * rng.normal(size=n)
        sigma = bounds / (2.0 * 10.0 ** rng.integers(-6, 2))
        center = rng.uniform(low, high)
        beta, rows = np.empty(n), np.empty(n, dtype=np.int64)
        start = 100.0 * rng.normal()
        bias = balance(residual, start, center, sigma, low, high, tube, beta, rows)

        def at(b, given=(center, sigma, residual, low, high)):
            center, sigma, residual, low, high = given
            z = center + sigma * (residual - b)
            return np.clip(np.sign(z) * np.maximum(np.abs(z) - sigma * tube, 0.0), low, high)

        left, right = -1e5, 1e5
        for _ in range(200):
            middle = 0.5 * (left + right)
            left, right = (middle, right) if at(middle).sum() > 0 else (left, middle)
        assert abs(beta.sum()) <= 1e-12 * bounds.sum() or bias == pytest.approx(left, abs=1e-9)
        np.testing.assert_allclose(beta, at(bias), atol=1e-13)


@pytest.mark.parametrize("k", [2, 3])
def test_rows_that_are_alike_are_one_row_of_their_sum(k):
    rng = np.random.default_rng(5)
    cells = rng.integers(0, [[3], [4]], size=(2, 500)) / [[2.0], [1.0]]
    nominal = np.array([False, True])
    risk = cells[0] + (cells[1] == 2) + rng.normal(size=500)
    labels = classes(risk, k)
    bounds = np.tile(0.1 * (1.0 + np.arange(500) % 2), (len(labels), 1))
    kernels = BinnedKernels(binned(cells, nominal))
    groups = EqualRows.of(kernels, labels, bounds)
    assert groups is not None
    assert groups.kernels.n == 12 * k
    assert groups.bounds.sum() == pytest.approx(bounds.sum())
    whole = solve_additive(kernels, labels, bounds, 2.0, tolerance=1e-10)
    few = solve_additive(
        groups.kernels, groups.labels_of(labels), groups.bounds, 2.0, tolerance=1e-10
    )
    assert few.objective == pytest.approx(whole.objective, rel=1e-9)
    spread = groups.for_rows(few)
    assert (np.abs(spread.beta) <= bounds * (1 + 1e-12)).all()
    np.testing.assert_allclose(kernels.energies(spread.beta), few.energy, rtol=1e-9)
    again = groups.start_of(spread)
    np.testing.assert_allclose(again.beta, few.beta, atol=1e-13)
    wide = BinnedKernels(binned(*table(0, 500)[:2]))
    assert EqualRows.of(wide, labels, bounds) is None
