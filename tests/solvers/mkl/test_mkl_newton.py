"""Newton's method of multiple kernel learning: what it asks of the kernels, and how it ends."""

from dataclasses import replace

import numpy as np
import pytest
from frames import kernels_of, mixed_frame
from twins.kernel_sums import feature_gram

from hetsel import Schema, Table
from hetsel.solvers.mkl.mkl_newton import dual_curvature
from hetsel.solvers.mkl.mkl_solution import solve_mkl
from hetsel.solvers.svm.machines import feasible
from hetsel.solvers.svm.two_class_svm import two_class_problems


def kernels_with_gaps(seed=0):
    """Kernels of a table with missing cells of their own, and their matrices by the slow twin."""
    frame, y = mixed_frame(50, 4, 3, seed=seed)
    frame = frame.mask(np.random.default_rng(seed).random(frame.shape) < 0.1)
    table = Schema.infer(frame).encode(frame).resolve_missing("separate")
    grams = [feature_gram(c, k) for c, k in zip(table.values.T, table.nominal, strict=True)]
    return kernels_of(table), np.array(grams), y


def test_products_and_norms_are_those_of_the_matrices():
    kernels, grams, _ = kernels_with_gaps()
    for features in (np.arange(7), np.array([5, 1, 3])):
        beta = np.random.default_rng(1).normal(size=50)
        products, norms = kernels.subset(features).products(beta)
        np.testing.assert_allclose(products, grams[features] @ beta, atol=1e-12)
        np.testing.assert_allclose(norms, grams[features] @ beta @ beta, atol=1e-12)


@pytest.mark.seconds
@pytest.mark.parametrize("power", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("machines", [1, 3])
def test_the_model_is_minus_the_second_derivative_of_the_dual(power, machines):
    kernels, grams, _ = kernels_with_gaps()
    features = np.array([0, 1, 2, 4, 6])
    kernels, grams = kernels.subset(features), grams[features]
    betas = np.random.default_rng(1).normal(size=(machines, 50))
    images, energies = kernels.images(betas)
    energy = energies.sum(axis=0)
    size = np.linalg.norm(energy, power + 1.0)
    weights = (energy / size) ** power
    slopes = np.tensordot(weights, images, ([0], [1]))
    rows = np.array([3, 4, 17, 49, 0, 8, 20][: 3 if machines == 1 else 7])
    ends = np.array([0, 3] if machines == 1 else [0, 3, 5, 7])
    own = np.repeat(np.arange(machines), np.diff(ends))
    found = dual_curvature(kernels.family, images, energy, size, weights, slopes, rows, ends, power)

    def gradient(step):
        moved = betas.copy()
        np.add.at(moved, (own, rows), step)
        image = np.einsum("fij,cj->cfi", grams, moved)
        energy = np.einsum("cfi,ci->f", image, moved)
        share = (energy / np.linalg.norm(energy, power + 1.0)) ** power
        return np.einsum("f,cfi->ci", share, image)[own, rows]

    eye = 1e-5 * np.eye(len(rows))
    slow = np.array([(gradient(step) - gradient(-step)) / 2e-5 for step in eye])
    np.testing.assert_allclose(found, slow, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("q", [1.05, 1.3, 2.0, 3.0, 20.0])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_it_ends_near_the_optimum_whatever_the_norm_and_the_bound(q, C):
    kernels, grams, y = kernels_with_gaps()
    labels = two_class_problems(y)
    solution = solve_mkl(kernels, labels, C, q=q, tolerance=1e-8)
    assert len(solution.trace) < 60
    assert gap_by_matrices(solution, grams, labels, C, q) <= 1.1e-8
    beta = solution.beta[0]
    assert abs(beta.sum()) <= 1e-10 * C
    assert ((labels[0] * beta >= 0) & (labels[0] * beta <= C)).all()


def gap_by_matrices(solution, grams, labels, C, q):
    """The relative duality gap again, from the matrices alone."""
    beta, dual_norm = solution.beta, q / (q - 1.0)
    images = np.einsum("fij,cj->cfi", grams, beta)
    decisions = np.einsum("f,cfi->ci", solution.weights, images) + solution.bias[:, None]
    energy = np.einsum("cfi,ci->f", images, beta)
    loss = C * np.maximum(0.0, 1.0 - labels * decisions).sum()
    primal = 0.5 * solution.weights @ energy + loss
    dual = (labels * beta).sum() - 0.5 * np.linalg.norm(energy, dual_norm)
    return (primal - dual) / primal


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("q", [1.3, 2.0, 20.0])
def test_a_model_that_serves_several_steps_ends_at_the_gap_that_is_allowed(classes, q):
    """Of more rows than a new model is cheap for, from the start and from other kernels."""
    rng = np.random.default_rng(2)
    table = Table.read(rng.normal(size=(90, 40)))
    codes = np.arange(90) % classes
    grams = np.array([feature_gram(c, False) for c in table.values.T])
    kernels, labels = kernels_of(table), two_class_problems(codes)
    first = solve_mkl(kernels, labels, 1.0, q=q, tolerance=1e-6)
    assert gap_by_matrices(first, grams, labels, 1.0, q) <= 1.01e-6
    some, sharp = np.arange(0, 40, 2), {"q": q, "tolerance": 0.0}
    fewer = replace(first, weights=first.weights[some])
    again = solve_mkl(kernels.subset(some), labels, 1.0, q=q, start=fewer, tolerance=1e-6)
    assert gap_by_matrices(again, grams[some], labels, 1.0, q) <= 1.01e-6
    best = solve_mkl(kernels.subset(some), labels, 1.0, **sharp)
    assert best.objective <= again.objective <= best.objective * (1 + 1.01e-6)


def test_a_start_whose_sum_is_0_but_for_rounding_stays_on_its_bounds():
    y = np.array([1.0] * 3 + [-1.0] * 30)
    start = np.where(y > 0, 1.0, -0.1)
    assert start.sum() != 0.0
    np.testing.assert_array_equal(feasible(start, y, np.where(y > 0, 1.0, 0.1)), start)
