"""Products in twice the precision against fractions."""

from fractions import Fraction

import numpy as np
import pytest

from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.precise_products import subtract_weighted


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


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
def test_products_have_thirty_digits(missing, balanced, scaled):
    rng = np.random.default_rng(3)
    cells, nominal = cells_of(23, rng, missing)
    kernels = FeatureKernels(cells, nominal)
    factors = rng.random(4)
    if scaled:
        kernels = kernels.scaled(factors)
    beta = rng.normal(size=23)
    beta[::3] = 0.0
    if balanced:
        beta[-1] -= beta.sum()
    rest = beta * rng.normal(size=23) * 1e-17
    whole = [exact(b, r) for b, r in zip(beta, rest, strict=True)]
    high, low, energy, energy_low = kernels.precise_products(beta, rest)
    for f in range(4):
        factor = Fraction(float(factors[f])) if scaled else 1
        pairs = list(zip(whole, cells[f], strict=True))
        images = [
            factor * sum(b * similarity(a, c, nominal[f]) for b, c in pairs) for a in cells[f]
        ]
        for i, image in enumerate(images):
            assert abs(exact(high[f, i], low[f, i]) - image) < Fraction(1, 10**28)
        square = sum(b * image for b, image in zip(whole, images, strict=True))
        assert abs(exact(energy[f], energy_low[f]) - square) < Fraction(1, 10**27)


def test_a_weighted_sum_has_thirty_digits():
    rng = np.random.default_rng(0)
    high, weights = rng.normal(size=(50, 7)), rng.random(50)
    low, rests = high * 1e-17, weights * 1e-17
    total, total_low = rng.normal(size=7), np.zeros(7)
    wanted = [Fraction(x) for x in total.tolist()]
    subtract_weighted(high, low, weights, rests, total, total_low)
    for i in range(7):
        parts = (exact(weights[f], rests[f]) * exact(high[f, i], low[f, i]) for f in range(50))
        assert abs(wanted[i] - sum(parts) - exact(total[i], total_low[i])) < Fraction(1, 10**29)
