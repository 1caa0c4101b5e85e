"""The radius-margin bound against outside machines, finite differences and its minimum."""

import numpy as np
import pytest
from frames import mixed_frame
from mixed_tables import varying
from scipy.optimize import minimize
from sklearn.svm import SVC
from twins import scaled_kernels as twin

from hetsel import R2W2, Schema
from hetsel.kernels.scaled_kernels import SHAPES, Expansion, ScaledKernel
from hetsel.methods.embedded.r2w2 import radius_margin
from hetsel.solvers.ascent import bounded_ascent, gradient_ascent
from hetsel.solvers.svm.two_class_svm import numeric_bound, two_class_problems
from hetsel.tables import Classes


def bound(gram, y, C):
    """R^2 sum ||v||^2 by scikit-learn's machines and scipy's minimum."""
    modified = np.array(gram) + np.eye(len(y)) / C
    normal = 0.0
    for labels in two_class_problems(y):
        machine = SVC(kernel="precomputed", C=1e8, tol=1e-8).fit(modified, labels)
        # ||v||^2 of the machine without bounds on alpha
        beta = np.zeros(len(y))
        beta[machine.support_] = machine.dual_coef_[0]
        normal += beta @ modified @ beta
    ball = minimize(
        lambda b: b @ modified @ b - b @ np.diag(modified),
        np.full(len(y), 1 / len(y)),
        jac=lambda b: 2 * modified @ b - np.diag(modified),
        bounds=[(0, 1)] * len(y),
        constraints={"type": "eq", "fun": lambda b: b.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return -ball.fun * normal


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_bound_is_that_of_the_definition(shape, classes, missing):
    features, cells, y = varying(1, classes, missing)
    u = np.random.default_rng(0).random(5)
    found = radius_margin(features, ScaledKernel(shape), two_class_problems(y), 2.0)(u)[0]
    expected = bound(twin.gram(*cells, u.tolist(), shape), y, 2.0)
    assert np.exp(-found) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("classes", [2, 3])
def test_derivatives_are_finite_differences(shape, classes):
    features, _, y = varying(2, classes, n=60)
    kernel = ScaledKernel(shape, degree=2)
    objective = radius_margin(features, kernel, two_class_problems(y), 3.0)
    u = np.random.default_rng(1).random(5)
    step = 1e-4 * np.eye(5)
    differences = [(objective(u + e)[0] - objective(u - e)[0]) / 2e-4 for e in step]
    np.testing.assert_allclose(objective(u)[1], differences, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kernel", SHAPES)
def test_the_factors_are_those_of_a_minimum(kernel):
    frame, y = mixed_frame(70, 6, 3)
    found = R2W2(kernel=kernel, degree=2).fit(frame, y)
    u = found.answer_.extras["scale_factor"] ** 2
    table = found.schema_.encode(frame)
    features = Expansion.of(table.values.T, table.nominal)
    value, slopes = found._objective(features, Classes.of(y))(u)
    assert np.abs(slopes * u).max() < 1e-3
    assert (slopes[u == 0] <= 1e-3).all()
    rng = np.random.default_rng(0)
    objective = found._objective(features, Classes.of(y))
    for _ in range(20):
        assert objective(u * np.exp(0.2 * rng.normal(size=9)))[0] <= value + 1e-6


@pytest.mark.parametrize("classes", [2, 3])
def test_what_tells_the_class_together_only_is_found(classes):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, classes, size=(160, 5))
    x = np.column_stack([bits, rng.normal(size=160)]).astype(float)
    y = (bits[:, 1] + bits[:, 3]) % classes
    found = R2W2(nominal=range(5)).fit(x, y)
    assert set(found.signature(2)) == {1, 3}


def test_the_printed_descent_reaches_no_less_than_the_bounded_one_but_for_a_thousandth():
    bounds = []
    for seed in (0, 2, 3, 6):
        frame, y = mixed_frame(70, 6, 3, seed=seed)
        table = Schema.infer(frame).encode(frame)
        features, equal = Expansion.of(table.values.T, table.nominal), np.full(9, 1 / 9)
        labels = two_class_problems(y)
        ends = [
            bounded_ascent(radius_margin(features, ScaledKernel(), labels, 1.0), equal, equal),
            gradient_ascent(radius_margin(features, ScaledKernel(), labels, 1.0), equal, rate=3.0),
        ]
        bounds.append([-end.value for end in ends])
    bounded, printed = np.array(bounds).T
    assert (bounded < printed + 1e-3).all()
    assert bounded.mean() < printed.mean()


def test_c_has_no_effect_on_the_ranking_by_a_linear_kernel():
    frame, y = mixed_frame(70, 6, 3)
    ranks = [R2W2(kernel="linear", C=C).fit(frame, y).importances_ for C in (1.0, 30.0)]
    np.testing.assert_allclose(*ranks, atol=2e-3)


def test_the_mean_radius_gives_c():
    frame, y = mixed_frame(50, 4, 2)
    by_radius = R2W2(C="radius").fit(frame, y)
    table = by_radius.schema_.encode(frame)
    features = Expansion.of(table.values.T, table.nominal)
    C = numeric_bound("radius", ScaledKernel().from_origin(features, np.full(6, 1 / 6)))
    by_number = R2W2(C=C).fit(frame, y)
    np.testing.assert_allclose(by_radius.importances_, by_number.importances_, atol=1e-4)


@pytest.mark.parametrize("C", [0.0, -1.0, "span", True, np.inf])
def test_an_impossible_c_is_refused(C):
    frame, y = mixed_frame(30, 3, 2)
    with pytest.raises(ValueError, match="C must be a positive number or 'radius'. Got"):
        R2W2(C=C).fit(frame, y)
