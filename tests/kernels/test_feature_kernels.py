import numpy as np
import pytest
from frames import kernels_of, mixed_frame
from twins.kernel_sums import feature_gram, weighted_gram

from hetsel import Schema


def kernels_and_table(seed=0, n=41, missing="impute", share=0.0, continuous=6, nominal=3):
    frame, _ = mixed_frame(n, continuous, nominal, seed=seed, missing=share)
    frame["constant"] = 2.5
    table = Schema.infer(frame).encode(frame).resolve_missing(missing)
    return kernels_of(table), table


@pytest.mark.seconds
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", ["impute", "separate"])
def test_gram_sums_equal_the_loops(seed, missing):
    kernels, table = kernels_and_table(seed, missing=missing, share=0.15)
    weights = np.random.default_rng(seed).random(table.shape[1])
    slow = weighted_gram(table.values, table.nominal, weights)
    np.testing.assert_allclose(kernels.gram(weights), slow, atol=1e-13)
    some = np.array([8, 1, 6, 3])
    slow = weighted_gram(table.values[:, some], table.nominal[some], weights[some])
    np.testing.assert_allclose(kernels.subset(some).gram(weights[some]), slow, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", ["impute", "separate"])
@pytest.mark.parametrize("centered", [True, False])
def test_energies_equal_the_matrix_form(seed, missing, centered):
    kernels, table = kernels_and_table(seed, missing=missing, share=0.15)
    beta = np.random.default_rng(seed).normal(size=(2, kernels.n))
    if centered:
        beta -= beta.mean(axis=1, keepdims=True)
    slow = [
        sum(b @ feature_gram(column, kind) @ b for b in beta)
        for column, kind in zip(table.values.T, table.nominal, strict=True)
    ]
    np.testing.assert_allclose(kernels.energies(beta), slow, atol=5e-12)
    some = np.array([5, 0])
    np.testing.assert_allclose(
        kernels.subset(some).energies(beta), np.array(slow)[some], atol=5e-12
    )


def test_a_constant_column_has_no_energy():
    kernels, table = kernels_and_table()
    beta = np.random.default_rng(1).normal(size=kernels.n)
    energy = kernels.energies((beta - beta.mean())[None])
    assert energy[table.names.index("constant")] < 1e-28
    assert (energy[:-1] > 1e-6).all()


def test_products_of_an_elimination_are_those_of_a_fresh_start():
    """The next model asks for the same beta of fewer features; another beta or feature is new."""
    kernels, table = kernels_and_table(missing="separate", share=0.1)
    beta = np.random.default_rng(1).normal(size=(2, kernels.n))
    fewer, others = np.array([1, 2, 5, 9]), np.array([0, 2, 5, 9])
    for b, features in zip(beta[[0, 0, 0, 1]], (np.arange(10), fewer, others, others), strict=True):
        images, norms = kernels.subset(features).products(b)
        fresh_images, fresh_norms = kernels_of(table).subset(features).products(b)
        assert np.array_equal(images, fresh_images)
        assert np.array_equal(norms, fresh_norms)
