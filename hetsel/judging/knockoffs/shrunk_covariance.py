"""Covariance of many columns of few rows: sample eigenvectors, eigenvalues that are shrunk.

Each sample eigenvalue is given what the true covariance has in the direction of its eigenvector,
estimated from the density of the eigenvalues. A direction in which many columns go together a
little (a large eigenvalue) stays, while the spread that comes of few rows alone is taken back;
shrinking all correlations by one factor would lose the first with the second.
"""

import numpy as np
from scipy import optimize

ROOT5 = 5**0.5


def shrunk_covariance(sample: np.ndarray, n: int) -> np.ndarray:
    """The covariance (p, p) by analytical nonlinear shrinkage of the sample one Z'Z / n.

    Of n independent rows, less one for the mean. It has the same trace, and is positive definite
    where the columns have any variance (Ledoit & Wolf 2020, The Annals of Statistics 48, 3043-3065,
    Section 4.7 and the case p > n of its supplement).
    """
    p = len(sample)
    if p <= 1:
        return np.array(sample, dtype=np.float64)
    sizes, directions = np.linalg.eigh(sample)
    positive = np.maximum(sizes[max(0, p - n) :], 1e-12 * sizes[-1])
    width = n ** (-1 / 3) * positive  # of the kernel at each eigenvalue
    distance = (positive[:, None] - positive) / width
    inside = np.maximum(1 - distance**2 / 5, 0.0)
    density = 3 / (4 * ROOT5) * (inside / width).mean(axis=1)
    transform = (_hilbert(distance) / width).mean(axis=1)
    if p <= n:
        share = p / n
        real = 1 - share - np.pi * share * positive * transform
        shrunk = positive / ((np.pi * share * positive * density) ** 2 + real**2)
    else:
        h = n ** (-1 / 3)
        peak = 3 / (10 * h**2) + 3 / (4 * ROOT5 * h) * (1 - 1 / (5 * h**2)) * np.log(
            (1 + ROOT5 * h) / abs(1 - ROOT5 * h)
        )
        at_zero = peak / np.pi * (1 / positive).mean()
        rest = 1 / (np.pi * (p - n) / n * at_zero)
        shrunk = positive / (np.pi**2 * positive**2 * (density**2 + transform**2))
        shrunk = np.concatenate([np.full(p - n, rest), shrunk])
    shrunk = np.asarray(optimize.isotonic_regression(shrunk).x)  # in the order of the eigenvalues
    shrunk *= np.trace(sample) / shrunk.sum()
    return np.asarray((directions * shrunk) @ directions.T)


def beyond_noise(sizes: np.ndarray, n: int) -> np.ndarray:
    """Which eigenvalues (p,) are larger than those of independent columns, of n rows.

    Those above (1 + sqrt(p/n))^2, of columns of variance 1 (Marchenko & Pastur 1967, Mathematics of
    the USSR-Sbornik 1, 457-483).
    """
    return np.asarray(sizes > (1 + np.sqrt(len(sizes) / n)) ** 2)


def _hilbert(x: np.ndarray) -> np.ndarray:
    """Hilbert transform of the Epanechnikov kernel of variance 1."""
    near = np.abs(np.abs(x) - ROOT5) < 1e-12
    inner = np.where(near, 0.0, x)
    ratio = np.abs((ROOT5 - inner) / (ROOT5 + inner))
    value = -3 / (10 * np.pi) * inner + 3 / (4 * ROOT5 * np.pi) * (1 - inner**2 / 5) * np.log(ratio)
    return np.where(near, -3 / (10 * np.pi) * x, value)
