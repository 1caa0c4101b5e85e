"""Generalized multiple kernel learning against outside machines and finite differences."""

import warnings

import numpy as np
import pytest
from frames import mixed_frame
from mixed_tables import varying
from sklearn.svm import SVC
from twins import scaled_kernels as twin

from hetsel import GMKL, Schema
from hetsel.kernels.scaled_kernels import SHAPES, Expansion
from hetsel.solvers.ascent import bounded_ascent
from hetsel.solvers.svm.two_class_svm import two_class_problems
from hetsel.tables import Classes


def dual_value(gram, y, C):
    """Mean dual value of scikit-learn's machines."""
    total, problems = 0.0, two_class_problems(y)
    for labels in problems:
        machine = SVC(kernel="precomputed", C=C, tol=1e-9).fit(gram, labels)
        beta = machine.dual_coef_[0]
        part = gram[np.ix_(machine.support_, machine.support_)]
        total += np.abs(beta).sum() - 0.5 * beta @ part @ beta
    return total / len(problems)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_the_cost_is_that_of_the_definition(shape, classes, penalty):
    features, cells, y = varying(1, classes, 0.1)
    d = np.random.default_rng(0).random(5)
    method = GMKL(C=2.0, sigma=0.3, penalty=penalty, kernel=shape)
    found = method._objective(features, Classes.of(y))(2.0 * d)[0]
    # exp(-d |z - z'|^2) is exp(-u |z - z'|^2 / 2) with u = 2 d
    gram = np.array(twin.gram(*cells, (2.0 * d).tolist(), shape))
    price = 0.3 * (d.sum() if penalty == "l1" else (d**2).sum() / 2)
    assert -found == pytest.approx(dual_value(gram, y, 2.0) + price, rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("penalty", ["l1", "l2"])
@pytest.mark.parametrize("classes", [2, 3])
def test_derivatives_are_finite_differences(shape, penalty, classes):
    features, _, y = varying(2, classes, n=60)
    method = GMKL(C=1.0, sigma=0.5, penalty=penalty, kernel=shape, degree=2)
    objective = method._objective(features, Classes.of(y))
    u = np.random.default_rng(1).random(5)
    step = 1e-4 * np.eye(5)
    differences = [(objective(u + e)[0] - objective(u - e)[0]) / 2e-4 for e in step]
    np.testing.assert_allclose(objective(u)[1], differences, rtol=1e-3, atol=2e-3)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_the_factors_are_those_of_a_minimum(penalty):
    frame, y = mixed_frame(70, 6, 3)
    found = GMKL(penalty=penalty).fit(frame, y)
    u = found.answer_.extras["scale_factor"] ** 2
    table = found.schema_.encode(frame)
    objective = found._objective(Expansion.of(table.values.T, table.nominal), Classes.of(y))
    value, slopes = objective(u)
    assert np.abs(slopes * u).max() < 1e-3 * abs(value)
    assert (slopes[u == 0] <= 1e-3).all()
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert objective(u * np.exp(0.2 * rng.normal(size=9)))[0] <= value + 1e-6 * abs(value)


def projected_descent(objective, d, iterations=1000):
    """The least cost along projected gradients with Armijo's rule, as section 4 of the paper."""
    cost, slopes = objective(2.0 * d)
    step, evaluations = 1.0, 1
    for _ in range(iterations):
        for _ in range(30):
            moved = np.maximum(d + step * 2.0 * slopes, 0.0)
            found = objective(2.0 * moved)
            evaluations += 1
            if found[0] >= cost + 0.3 / step * ((moved - d) ** 2).sum():
                break
            step *= 0.3
        else:
            break
        small = np.abs(moved - d).max() < 1e-9
        d, (cost, slopes), step = moved, found, 2.1 * step
        if small:
            break
    return cost, evaluations


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(3))
def test_projected_gradients_end_no_lower_and_take_longer(seed):
    frame, y = mixed_frame(70, 6, 3, seed=seed)
    table = Schema.infer(frame).encode(frame)
    features, equal = Expansion.of(table.values.T, table.nominal), np.full(9, 1 / 9)
    method = GMKL()
    bounded = bounded_ascent(method._objective(features, Classes.of(y)), equal, equal)
    value, evaluations = projected_descent(method._objective(features, Classes.of(y)), equal / 2)
    assert bounded.value > value - 1e-3
    assert bounded.evaluations < evaluations


def test_what_tells_the_class_together_only_is_found():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, size=(160, 5))
    x = np.column_stack([bits, rng.normal(size=160)]).astype(float)
    found = GMKL(nominal=range(5)).fit(x, bits[:, 1] ^ bits[:, 3])
    assert set(found.signature(2)) == {1, 3}


def test_too_high_a_price_leaves_no_feature_and_orders_them_by_the_derivative():
    frame, y = mixed_frame(70, 6, 3)
    found = GMKL(sigma=1e6).fit(frame, y)
    assert (found.answer_.extras["scale_factor"] == 0).all()
    assert (found.importances_ == 0).all()
    assert found.get_feature_names_out()[0] in {"c0", "n0"}


def test_other_kernels_and_the_fixed_step_put_the_signal_first():
    frame, y = mixed_frame(90, 5, 3)
    for options in ({"kernel": "linear"}, {"kernel": "polynomial", "degree": 2}):
        found = GMKL(**options).fit(frame, y)
        assert found.get_feature_names_out()[0] in {"c0", "n0"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # stopped
        found = GMKL(solver="gradient", iterations=100).fit(frame, y)
    assert found.get_feature_names_out()[0] in {"c0", "n0"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"C": 0}, "C must be a positive number or 'radius'. Got 0"),
        ({"sigma": 0.0}, "sigma must be a positive number. Got 0.0"),
        ({"sigma": True}, "sigma must be a number. Got True"),
        ({"penalty": "l0"}, "penalty must be one of l1, l2. Got 'l0'"),
    ],
)
def test_impossible_parameters_are_named(options, words):
    frame, y = mixed_frame(30, 3, 2)
    with pytest.raises(ValueError, match=words):
        GMKL(**options).fit(frame, y)
