"""Kernels with scale factors and the criteria of their Gram matrices."""

from dataclasses import fields

import numpy as np
import pytest
from mixed_tables import mixed
from twins import kernel_sums, traces
from twins import scaled_kernels as twin

from hetsel.kernels.class_separation import alignment, class_separability, frobenius, target_sides
from hetsel.kernels.scaled_kernels import (
    NORMS,
    SHAPES,
    Expansion,
    GramSums,
    ScaledKernel,
    SummedKernels,
    gram_sums,
)
from hetsel.kernels.training_ranges import Scaling
from hetsel.tables import Classes


def of(y):
    return Classes(y, np.unique(y))


CRITERIA = {
    "alignment, even": (
        lambda y: alignment(of(y), "even"),
        lambda k, y: twin.alignment(k, y, "even"),
    ),
    "alignment, uneven": (
        lambda y: alignment(of(y), "uneven"),
        lambda k, y: twin.alignment(k, y, "uneven"),
    ),
    "separability": (
        lambda y: class_separability(of(y), 0.1),
        lambda k, y: twin.separability(k, y, 0.1),
    ),
    "frobenius": (lambda y: frobenius(of(y), "even"), lambda k, y: twin.frobenius(k, y, "even")),
}


def varying(seed, classes, missing, n=18):
    """Cells (p, n) of a mixed table without its constant column, kinds and classes."""
    table, y = mixed(seed, n=n, classes=classes, missing=missing)
    return np.ascontiguousarray(table.values[:, :5].T), table.nominal[:5], y


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_gram_matrix_is_that_of_the_definition(shape, missing):
    cells, nominal, _ = varying(1, 2, missing)
    u = np.random.default_rng(0).random(5)
    found = ScaledKernel(shape).gram(Expansion.of(cells, nominal), u)
    by_hand = twin.gram(cells.tolist(), nominal.tolist(), u.tolist(), shape)
    np.testing.assert_allclose(found, by_hand, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("classes", [2, 3])
def test_criteria_are_those_of_the_definition(name, shape, classes):
    cells, nominal, y = varying(2, classes, 0.1)
    u = np.random.default_rng(1).random(5)
    criterion, by_hand = CRITERIA[name]
    made = criterion(y)
    sums = gram_sums(
        Expansion.of(cells, nominal), ScaledKernel(shape), u, made.sides, made.targets, block_size=7
    )
    k = twin.gram(cells.tolist(), nominal.tolist(), u.tolist(), shape)
    assert made.rate(sums).value == pytest.approx(by_hand(k, y.tolist()), rel=1e-9)


def test_the_frobenius_product_is_the_distance_of_the_class_means():
    """Eq. 5, 20 and 21 of ramona2012: of a linear kernel the means are those of the columns."""
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], [11, 7])
    x = rng.normal(size=(18, 4)) + y[:, None]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    apart = ((x[y == 0].mean(axis=0) - x[y == 1].mean(axis=0)) ** 2).sum()
    features, kernel = Expansion.of(np.ascontiguousarray(x.T), np.zeros(4, bool)), "linear"

    def rate(made):
        parts = (made.sides, made.targets)
        return made.rate(gram_sums(features, ScaledKernel(kernel), np.ones(4), *parts)).value

    between = 11 * 7 / 18 * apart  # n tr S_b of Eq. 12
    assert rate(frobenius(of(y), "uneven")) == pytest.approx(between / 18**2)
    size = np.linalg.norm(x @ x.T)
    assert rate(alignment(of(y), "uneven")) == pytest.approx(between / size)


@pytest.mark.parametrize("normalize", NORMS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", CRITERIA)
def test_derivatives_are_finite_differences(name, shape, normalize):
    cells, nominal, y = varying(3, 3, 0.0, n=60)
    features, kernel = Expansion.of(cells, nominal, normalize), ScaledKernel(shape, degree=2)
    made = CRITERIA[name][0](y)

    def rated(u):
        told = made.sides, made.targets
        sums = gram_sums(features, kernel, u, *told, square=made.square, block_size=25)
        return made.rate(sums)

    u = np.random.default_rng(2).random(5)
    step = 1e-5 * np.eye(5)
    differences = [(rated(u + e).value - rated(u - e).value) / 2e-5 for e in step]
    np.testing.assert_allclose(rated(u).slopes, differences, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("block_size", [1, 8, 100])
def test_blocks_change_nothing(block_size):
    cells, nominal, y = varying(4, 2, 0.0, n=30)
    features, made = Expansion.of(cells, nominal), alignment(of(y))
    u = np.full(5, 0.3)
    whole, parts = (
        made.rate(gram_sums(features, ScaledKernel(), u, made.sides, made.targets, block_size=size))
        for size in (30, block_size)
    )
    assert parts.value == pytest.approx(whole.value, rel=1e-12)
    np.testing.assert_allclose(parts.slopes, whole.slopes, rtol=1e-10)


def test_sums_of_the_linear_kernel_are_quadratic_in_the_factors():
    cells, nominal, y = varying(7, 3, 0.0, n=40)
    features, u = Expansion.of(cells, nominal), np.random.default_rng(4).random(5)
    for made in (alignment(of(y)), class_separability(of(y), 0.1)):
        held = SummedKernels.linear(features, made.sides).sums(made.targets)(u)
        passed = gram_sums(features, ScaledKernel("linear"), u, made.sides, made.targets)
        for field in fields(GramSums):
            one, other = (getattr(sums, field.name) for sums in (held, passed))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=field.name)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("normalize", NORMS)
def test_sums_of_clinical_kernels_are_those_of_their_matrices(normalize, missing):
    table, y = mixed(8, n=30, classes=3, missing=missing)
    cells = Scaling.fit(table).apply(table)
    u = np.random.default_rng(5).random(6)
    grams = []
    for column, kind in zip(cells, table.nominal, strict=True):
        k = traces.centered(kernel_sums.feature_gram(column, kind))
        size = {"trace": np.trace(k), "norm": np.linalg.norm(k), "none": 30.0}[normalize]
        grams.append(30.0 * k / size if np.abs(k).max() > 1e-9 else 0.0 * k)
    k = sum(w * own for w, own in zip(u, grams, strict=True))
    found = SummedKernels.clinical(cells, table.nominal, target_sides(of(y)), normalize)
    for made in (alignment(of(y)), class_separability(of(y), 0.1)):
        sums = found.sums(made.targets)(u)
        targets = [target[np.ix_(y, y)] for target in made.targets]
        np.testing.assert_allclose(sums.targets, [(t * k).sum() for t in targets], atol=1e-8)
        assert sums.square == pytest.approx((k * k).sum())
        assert sums.trace == pytest.approx(np.trace(k))
        np.testing.assert_allclose(
            sums.d_targets[0], [(targets[0] * own).sum() for own in grams], atol=1e-8
        )
        np.testing.assert_allclose(sums.d_square, [2 * (own * k).sum() for own in grams], atol=1e-7)
        np.testing.assert_allclose(sums.d_trace, [np.trace(own) for own in grams], atol=1e-8)


def test_a_contraction_is_a_sum_of_products_with_each_kernel():
    cells, nominal, _ = varying(5, 2, 0.0)
    a = np.random.default_rng(3).normal(size=(18, 18))
    a += a.T
    found = [twin.pieces(c, k) for c, k in zip(cells.tolist(), nominal.tolist(), strict=True)]
    for shape in SHAPES:
        by_hand = [
            sum(a[i, j] * own[shape == "gaussian"](i, j) for i in range(18) for j in range(18))
            for own in found
        ]
        kernel = ScaledKernel(shape)
        contracted = kernel.contract(Expansion.of(cells, nominal), a)
        np.testing.assert_allclose(contracted, by_hand, atol=1e-10)


def test_a_factor_of_two_levels_is_its_column_of_zeros_and_ones():
    column = np.array([0.0, 1, 1, 0, 1, 1, 1])
    for normalize in ("trace", "norm"):
        grams = [
            ScaledKernel("linear").gram(
                Expansion.of(column[None], np.array([kind]), normalize), np.ones(1)
            )
            for kind in (False, True)
        ]
        np.testing.assert_allclose(*grams, atol=1e-12)


def test_norms_of_centered_gram_matrices():
    cells, nominal, _ = varying(6, 2, 0.1)
    for f in range(5):
        by_trace, by_norm = (
            ScaledKernel("linear").gram(
                Expansion.of(cells[[f]], nominal[[f]], normalize), np.ones(1)
            )
            for normalize in ("trace", "norm")
        )
        assert np.trace(by_trace) == pytest.approx(18.0)
        assert np.linalg.norm(by_norm) == pytest.approx(18.0)


def test_a_constant_feature_has_no_part():
    cells = np.array([[1.0, 2.0, 4.0], [5.0, 5.0, 5.0], [0, 0, 0]])
    features = Expansion.of(cells, np.array([False, False, True]))
    assert features.varies.tolist() == [True, False, False]
    assert features.columns.shape == (3, 1)
    assert features.subset(np.array([0, 2])).varies.tolist() == [True, False]


def test_impossible_kernels_are_refused():
    with pytest.raises(ValueError, match=r"kernel must be one of gaussian.*Got 'rbf'"):
        ScaledKernel("rbf")
    with pytest.raises(ValueError, match="degree must be a whole number, 1 or larger. Got 0"):
        ScaledKernel("polynomial", degree=0)
    with pytest.raises(ValueError, match=r"normalize must be one of trace.*Got 'sd'"):
        Expansion.of(np.zeros((1, 3)), np.array([False]), "sd")


@pytest.mark.parametrize("shape", ["linear", "gaussian"])
def test_further_rows_are_seen_as_the_first_ones_teach(shape):
    """A row that repeats a training row has its kernels; one of a new level is unlike all."""
    cells, nominal, _ = varying(5, 2, 0.15)
    more = np.concatenate([cells, cells[:, 3:7], cells[:, :1]], axis=1)
    more[nominal, -1] = 99.0
    kernel, u = ScaledKernel(shape), np.full(5, 0.4)
    first = kernel.gram(Expansion.of(cells, nominal), u)
    n = cells.shape[1]
    found = kernel.gram(Expansion.of(more, nominal, learned=n), u)[:, :n]
    np.testing.assert_allclose(found[:n], first, atol=1e-12)
    np.testing.assert_allclose(found[n : n + 4], first[3:7], atol=1e-12)
    if shape == "gaussian":
        new = Expansion.of(more[nominal], nominal[nominal], learned=n)
        ones = np.full(int(nominal.sum()), 0.4)
        away = 0.4 * sum(
            1.0 / (1.0 - ((np.unique(c, return_counts=True)[1] / n) ** 2).sum())
            for c in cells[nominal]
        )
        np.testing.assert_allclose(kernel.gram(new, ones)[-1, :n], np.exp(-away))
