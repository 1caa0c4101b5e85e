"""Distances of Gaussian classes against their formulas, scipy, integrals and scikit-learn."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.distance import mahalanobis
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from twins import gaussian_distances as slow

from hetsel.search.criteria.gaussian_classes import Bhattacharyya, Divergence, Mahalanobis
from hetsel.selection import Problem
from hetsel.tables import Classes, Column, Schema, Table

KINDS = ["continuous", "continuous", "nominal", "ordinal", "nominal", "continuous", "continuous"]
FORMULAS = [
    (Bhattacharyya, slow.bhattacharyya),
    (Mahalanobis, slow.mahalanobis),
    (Divergence, slow.divergence),
]


def problem_of(values, y, kinds=KINDS):
    levels = tuple(range(9))
    columns = (Column(f"x{j}", k, levels * (k != "continuous")) for j, k in enumerate(kinds))
    table = Table(np.asarray(values, dtype=float), Schema(tuple(columns)))
    return Problem(table.resolve_missing("separate"), Classes(y, np.unique(y)), (1,))


def mixed(seed, n=60, n_classes=2, missing=0.0):
    """Normal, whole numbers, 3 levels, 4 ordered levels, 2 levels, flat, twin of the first."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes).repeat(4), rng.integers(0, n_classes, n)])[:n]
    columns = [
        rng.normal(size=n) * (1 + y) + y,
        rng.integers(20, 30, size=n) + 2 * y,
        (rng.integers(0, 3, size=n) + y * rng.integers(0, 2, size=n)) % 3,
        np.minimum(rng.integers(0, 3, size=n) + y, 3),
        rng.integers(0, 2, size=n),
        np.full(n, 4.0),
    ]
    values = np.column_stack([*columns, columns[0]]).astype(float)
    values[rng.random(values.shape) < missing] = np.nan
    return problem_of(values, y)


@pytest.mark.seconds
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(("criterion", "formula"), FORMULAS)
def test_every_value_is_that_of_the_formula(criterion, formula, n_classes, missing):
    problem = mixed(1, n_classes=n_classes, missing=missing)
    y, ridge = problem.target.codes, 1e-3
    state = criterion(ridge=ridge).start(problem)
    assert state.value == 0.0

    def expected(subset):
        return slow.mean_of_pairs(problem.table, y, subset, ridge, formula)

    def check(found, subset):
        assert found == pytest.approx(expected(subset), rel=1e-7, abs=1e-7)

    for f in (3, 0, 2, 4, 6, 5, 1):
        rest = [g for g in range(7) if g not in state.subset]
        for g, value in zip(rest, state.values_with(rest), strict=True):
            check(value, [*state.subset, g])
        state.add(f)
        check(state.value, list(state.subset))
        for g, value in zip(state.subset, state.values_without(state.subset), strict=True):
            check(value, [h for h in state.subset if h != g])


def numbers(seed=0, n=400):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 4)) * (1 + 0.5 * y[:, None]) + 0.7 * y[:, None], y


def test_mahalanobis_is_that_of_scipy_and_of_the_discriminant():
    values, y = numbers()
    found = Mahalanobis(ridge=1e-12).start(problem_of(values, y, KINDS[:1] * 4), (0, 1, 3)).value
    x = values[:, [0, 1, 3]]
    pooled = sum(np.mean(y == c) * np.cov(x[y == c].T, bias=True) for c in (0, 1))
    means = [x[y == c].mean(axis=0) for c in (0, 1)]
    assert found == pytest.approx(mahalanobis(*means, np.linalg.inv(pooled)) ** 2, rel=1e-7)
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(x, y)
    assert found == pytest.approx(float(model.coef_[0] @ (means[1] - means[0])), rel=1e-7)


def test_bhattacharyya_and_divergence_are_the_integrals():
    values, y = numbers(2)
    problem = problem_of(values, y, KINDS[:1] * 4)
    one, two = (norm(values[y == c, 0].mean(), values[y == c, 0].std()) for c in (0, 1))
    overlap = quad(lambda x: np.sqrt(one.pdf(x) * two.pdf(x)), -20, 20, epsabs=1e-12)[0]
    found = Bhattacharyya(ridge=1e-12).start(problem, (0,)).value
    assert found == pytest.approx(-np.log(overlap), abs=1e-7)

    def integrand(x):
        return (one.pdf(x) - two.pdf(x)) * (one.logpdf(x) - two.logpdf(x))

    found = Divergence(ridge=1e-12).start(problem, (0,)).value
    assert found == pytest.approx(quad(integrand, -20, 20, epsabs=1e-12)[0], abs=1e-7)


def test_with_one_covariance_the_three_are_one():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(40, 3))
    problem = problem_of(
        np.vstack([x, x + np.array([0.5, 1.0, 0.0])]), np.repeat([0, 1], 40), KINDS[:1] * 3
    )
    squared = Mahalanobis().start(problem, (0, 2, 1)).value
    assert Bhattacharyya().start(problem, (0, 2, 1)).value == pytest.approx(squared / 8, rel=1e-6)
    assert Divergence().start(problem, (0, 2, 1)).value == pytest.approx(squared, rel=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", [Bhattacharyya, Mahalanobis, Divergence])
def test_no_value_falls_when_a_feature_is_added(criterion, n_classes):
    for seed in range(5):
        problem = mixed(seed, n=24, n_classes=n_classes)
        state = criterion().start(problem)
        for f in np.random.default_rng(seed).permutation(7).tolist():
            rest = sorted(set(range(7)) - set(state.subset))
            assert (state.values_with(rest) >= state.value).all()
            state.add(f)
            assert (state.values_without(state.subset) <= state.value).all()


@pytest.mark.parametrize("criterion", [Bhattacharyya, Mahalanobis, Divergence])
def test_a_second_copy_adds_next_to_nothing_where_no_class_is_flat(criterion):
    problem = mixed(0)
    state = criterion().start(problem, (0, 1))
    copied, other = state.values_with([6, 3])
    assert copied - state.value < 1e-3 * state.value < other - state.value


@pytest.mark.parametrize("ridge", [0.0, -1.0, float("nan"), True])
def test_a_ridge_that_is_not_positive_is_refused(ridge):
    with pytest.raises(ValueError, match="ridge must be a positive number"):
        Bhattacharyya(ridge=ridge).start(mixed(0))
