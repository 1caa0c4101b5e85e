"""Products in twice the precision against fractions."""

from fractions import Fraction

import numpy as np
import pytest

from hetsel.kernels.feature_kernels import FeatureKernels


def cells_of(n, rng, missing):
    """A column of numbers on a grid, one with few values, a constant and a nominal one."""
    cells = rng.integers(0, 2**24, size=(4, n)) / 2.0**24
    cells[1] = rng.integers(0, 3, size=n) / 2.0
    cells[2] = 0.25
    cells[3] = rng.integers(0, 3, size=n)
    cells[rng.random(cells.shape) < missing] = np.nan
    return cells, np.array([False, False, False, True])


def similarity(a, b, nominal):
    if np.isnan(a) or np.isnan(b):
        return Fraction(int(np.isnan(a) and np.isnan(b)))
    return Fraction(int(a == b)) if nominal else 1 - abs(Fraction(a) - Fraction(b))


def exact(high, low):
    return Fraction(float(high)) + Fraction(float(low))


@pytest.mark.seconds
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("machines", [1, 3])
def test_sums_of_products_have_thirty_digits(missing, balanced, scaled, machines):
    rng = np.random.default_rng(3)
    cells, nominal = cells_of(23, rng, missing)
    kernels = FeatureKernels(cells, nominal)
    factors = rng.random(4) if scaled else np.ones(4)
    if scaled:
        kernels = kernels.scaled(factors)
    betas = rng.normal(size=(machines, 23))
    betas[:, ::3] = 0.0
    if balanced:
        betas[:, -1] -= betas.sum(axis=1)
    rests = betas * rng.normal(size=betas.shape) * 1e-17
    (high, low), (energy, left) = kernels.precise_slopes(betas, rests)
    slopes = [[Fraction(0)] * 23 for _ in range(machines)]
    for f in range(4):
        images, square = [], Fraction(0)
        for beta, rest in zip(betas, rests, strict=True):
            whole = [exact(b, r) for b, r in zip(beta, rest, strict=True)]
            pairs = list(zip(whole, cells[f], strict=True))
            factor = Fraction(float(factors[f]))
            own = [
                factor * sum(b * similarity(a, c, nominal[f]) for b, c in pairs) for a in cells[f]
            ]
            images.append(own)
            square += sum(b * image for b, image in zip(whole, own, strict=True))
        assert abs(exact(energy[f], left[f]) - square) < Fraction(1, 10**27)
        for c, own in enumerate(images):
            slopes[c] = [u + square * v for u, v in zip(slopes[c], own, strict=True)]
    for c in range(machines):
        for i in range(23):
            assert abs(exact(high[c, i], low[c, i]) - slopes[c][i]) < Fraction(1, 10**25)
    powered, _ = kernels.precise_slopes(betas, rests, 0.5, 3.0)
    images = kernels.images(betas)[0]
    np.testing.assert_allclose(
        powered[0], np.einsum("f,cfi->ci", (energy / 3.0) ** 0.5, images), atol=1e-10
    )
