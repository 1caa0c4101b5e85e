"""The bounds of kernel weights: the inequality that they rest on, and refined models."""

import numpy as np
import pytest
from frames import kernels_of, mixed_frame

from hetsel import Schema
from hetsel.solvers.mkl.mkl_certificate import certify, certify_roughly, norm_radius, refine
from hetsel.solvers.mkl.mkl_solution import solve_mkl
from hetsel.solvers.svm.machines import check_bounds
from hetsel.solvers.svm.two_class_svm import two_class_problems
from hetsel.tables import Numbers


@pytest.mark.slow
@pytest.mark.parametrize("q", [1.1, 1.5, 2.0, 3.0, 20.0])
def test_no_norm_is_farther_than_the_radius(q):
    """Of any two vectors of norms, with the sum of products between them for the gap."""
    rng = np.random.default_rng(0)
    m = 2.0 * q / (q - 1.0)

    def image(t):
        return t ** (m - 1.0) * np.linalg.norm(t, m) ** (2.0 - m)

    tight, told = 0.0, 0
    for _ in range(3000):
        t = rng.uniform(0.01, 1.0, rng.integers(1, 8)) ** rng.integers(1, 4)
        other = np.maximum(t + rng.normal(size=len(t)) * 10.0 ** rng.uniform(-9, -2), 1e-7)
        if rng.random() < 0.5:  # one norm only
            other = np.where(np.arange(len(t)) == rng.integers(len(t)), other, t)
        gap = float((image(t) - image(other)) @ (t - other))
        radius = norm_radius(t * t, image(t) / t, gap, q)
        assert (np.abs(t - other) <= radius * (1.0 + 1e-7) + 1e-12).all()
        fine = (radius < np.linalg.norm(t, m)).all()  # which no norm can exceed
        told += fine
        tight = max(tight, (np.abs(t - other) / radius).max() if fine else 0.0)
    assert told > 1000
    assert tight > 0.1  # no bound that nothing comes near


@pytest.mark.parametrize("classes", [2, 3, 0])
@pytest.mark.parametrize("q", [1.5, 2.0, 4.0])
def test_a_refined_model_is_nearer_and_within_the_radius(classes, q):
    """Of classes, and (0) of numbers."""
    frame, y = mixed_frame(60, 5, 3, seed=classes or 4, classes=classes or 2)
    kernels, labels = kernels_of(Schema.infer(frame).encode(frame)), two_class_problems(y)
    tube = 0.0 if classes else 0.125
    if not classes:
        noise = np.random.default_rng(2).normal(size=60)
        values = 2.0 * y + frame["c1"].to_numpy() + 0.5 * noise
        labels = Numbers(values).standardized(np.arange(60))[None]
    bounds = check_bounds(0.3, labels.shape)
    solved = solve_mkl(kernels, labels, bounds, q=q, tolerance=0.0, tube=tube)
    rests = np.zeros(labels.shape)
    rough = certify_roughly(kernels, labels, bounds, solved.beta, q, tube)
    fine = certify(kernels, labels, bounds, solved.beta, rests, q, tube)
    assert fine.gap <= rough.gap < 1e-8
    before = np.sqrt(fine.energy)
    refine(kernels, labels, bounds, solved.beta, rests, q, fine, tube)
    last = certify(kernels, labels, bounds, solved.beta, rests, q, tube)
    assert last.gap < (1e-20 if q == 2.0 else 1e-10)
    assert (np.abs(np.sqrt(last.energy) - before) <= fine.radius + 1e-13).all()
    # a rough model is as far as its radius says, at most
    loose = solve_mkl(kernels, labels, bounds, q=q, tolerance=1e-8, tube=tube)
    found = certify_roughly(kernels, labels, bounds, loose.beta, q, tube)
    assert (np.abs(np.sqrt(found.energy) - np.sqrt(last.energy)) <= found.radius + 1e-13).all()
    assert (found.radius < 0.2 * np.sqrt(last.energy.max())).all()
