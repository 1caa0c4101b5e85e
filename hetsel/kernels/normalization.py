"""Normalization of kernels, against the bias toward columns of many levels.

Let A_f = H K_f H with H = I - 11'/n. The energy beta' K_f beta of an uninformative column is about
|beta|^2 / (n - 1) times a sum of chi-squared variables with one degree of freedom each, weighted by
the eigenvalues of A_f. Its mean is proportional to tr A_f and its standard deviation to ||A_f||.
Dividing by one of them leaves differences in the other; p-values under permuted rows are
comparable.
"""

from typing import NamedTuple

import numpy as np

from hetsel.ground import TableError
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.statistics.column_tests.chi_squared import log_chi2_tail

NORMALIZATIONS = ("none", "norm", "trace", "p-value")
ROUNDING = 1e-12  # a smaller variance, relative to the squared mean, is 0


class CenteredSums(NamedTuple):
    """Sums over the centered kernels A_f (p,) of n rows; 0 for a constant column."""

    n: int
    trace: np.ndarray  # tr A_f
    square: np.ndarray  # tr A_f^2 = ||A_f||^2
    cube: np.ndarray  # tr A_f^3: sums of powers of the eigenvalues
    diagonal: np.ndarray  # sum of the squares of the diagonal of A_f

    def take(self, features: np.ndarray) -> "CenteredSums":
        """Return the sums of these features."""
        return CenteredSums(self.n, *(part[features] for part in self[1:]))


class Normalization:
    """Normalization of kernels by ||A_f|| or tr A_f, times n / 2, or of energies by p-values."""

    def __init__(self, kind: str, kernels: FeatureKernels) -> None:
        check_normalization(kind)
        self.kernels = kernels
        self._sums: CenteredSums | None = None
        if kind in ("norm", "trace"):
            self.kernels = kernels.scaled(scale_factors(kind, centered_sums(kernels)))
        elif kind == "p-value":
            self._sums = centered_sums(kernels)

    def keys(
        self, energy: np.ndarray, beta: np.ndarray, features: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Return keys (k,) that order features: their energies, or their p-value importances."""
        if self._sums is None:
            return (energy,)
        return permutation_importance(energy, beta, self._sums.take(features))


def check_normalization(kind: str) -> None:
    """Refuse an unknown normalization."""
    if kind not in NORMALIZATIONS:
        raise TableError(f"normalize must be one of {', '.join(NORMALIZATIONS)}. Got {kind!r}")


def scale_factors(kind: str, sums: CenteredSums) -> np.ndarray:
    """Return n / (2 ||A_f||) for "norm", n / (2 tr A_f) for "trace" (p,); 0 if constant."""
    size = sums.trace if kind == "trace" else np.sqrt(sums.square)
    return np.divide(0.5 * sums.n, size, out=np.zeros_like(size), where=size > 0)


def permutation_importance(
    energy: np.ndarray, beta: np.ndarray, sums: CenteredSums
) -> tuple[np.ndarray, np.ndarray]:
    """Compute -log10 p-values of energies (p,) under permuted rows of the feature, with fixed beta.

    The null distribution is Pearson's type III with the exact mean and variance over all
    permutations and the skewness of the weighted sum of chi-squared variables,

        sqrt(8) tr A^3 / (tr A^2)^(3/2) tr B^3 / (tr B^2)^(3/2),   B = sum over problems beta beta',

    for beta (problems, n) whose rows sum to 0. The importance (p,) is 0 if no permutation changes
    the energy, or if the energy is far below the mean, so that p is 1. The second result (p,), (s_f
    - mean) / standard deviation, orders features with p = 1; it is -n if no permutation changes the
    energy.

    Kazi-Aoual, Hitier, Sabatier and Lebreton 1995, Computational Statistics and Data Analysis 20,
    643-656 (moments); Gretton, Fukumizu, Teo, Song, Schoelkopf and Smola 2008, NeurIPS 20 (gamma
    approximation); Minas and Montana 2014, Statistical Analysis and Data Mining 7 (type III).
    """
    n, other = sums.n, direction_sums(beta)
    mean = sums.trace * other.trace / (n - 1)
    variance = 2 * _spread(sums) * _spread(other) / ((n - 1) ** 2 * (n + 1) * (n - 2))
    variance += _peaks(sums) * _peaks(other) / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3))
    varies = variance > ROUNDING * mean**2
    with np.errstate(invalid="ignore", divide="ignore"):
        squared_skewness = 8 * (sums.cube * other.cube) ** 2 / (sums.square * other.square) ** 3
        standardized = np.where(varies, (energy - mean) / np.sqrt(variance), -n)
    shape = 4 / np.where(varies, squared_skewness, 1.0)
    statistic = np.maximum(shape + standardized * np.sqrt(shape), 0.0)
    logs = log_chi2_tail(2 * np.where(varies, statistic, 0.0), 2 * shape)
    return -logs / np.log(10.0) + 0.0, standardized


def _spread(sums: CenteredSums) -> np.ndarray:
    return (sums.n - 1) * sums.square - sums.trace**2


def _peaks(sums: CenteredSums) -> np.ndarray:
    n = sums.n
    return n * (n + 1) * sums.diagonal - (n - 1) * (sums.trace**2 + 2 * sums.square)


def direction_sums(beta: np.ndarray) -> CenteredSums:
    """Return the sums of B = sum over problems beta beta', for beta (problems, n) with sums 0."""
    across = beta @ beta.T
    square = across @ across
    parts = (np.trace(across), np.trace(square), (square * across).sum())
    diagonal = ((beta**2).sum(axis=0) ** 2).sum()
    return CenteredSums(beta.shape[1], *(np.array([part]) for part in (*parts, diagonal)))


def centered_sums(kernels: FeatureKernels) -> CenteredSums:
    """Compute the sums of all features, in O(n) each; O(n^3) for numbers with missing values."""
    n = kernels.n
    rows, totals = (part.copy() for part in kernels.products(np.ones(n)))
    trace = n - totals / n
    diagonal = ((1.0 - 2.0 / n * rows + (totals / n**2)[:, None]) ** 2).sum(axis=1)
    square, cube = np.empty((2, len(trace)))
    counts = rows[kernels.nominal]  # K_f 1 of a nominal column: the number of rows of the level
    c2, c3, c4 = counts.sum(axis=1), (counts**2).sum(axis=1), (counts * counts**2).sum(axis=1)
    square[kernels.nominal] = c2 - 2 * c3 / n + c2**2 / n**2
    cube[kernels.nominal] = c3 - 3 * c4 / n + 3 * c2 * c3 / n**2 - c2**3 / n**3
    numbers = np.flatnonzero(~kernels.nominal)
    square[numbers], cube[numbers] = number_sums(kernels.ascending(numbers))
    for f in np.flatnonzero(np.isnan(square)):  # numbers with missing values
        _, square[f], cube[f], _ = matrix_sums(kernels.subset(np.array([f])).gram(np.ones(1)))
    constant = trace < 0.5  # the smallest trace of a non-constant column is 2 - 2/n
    for part in (trace, square, cube, diagonal):
        part[constant] = 0.0
    return CenteredSums(n, trace, square, cube, diagonal)


def number_sums(ascending: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute tr A^2 and tr A^3 (k,) of numeric columns (k, n) in ascending order; NaN if missing.

    The integral over t of (I(a > t) - I(b > t))^2 is |a - b|. Let N_k be the rows up to the k-th
    gap d_k, u_k = N_k / n and v_k = 1 - u_k. Then the nonzero eigenvalues of A are those of M_kl =
    2 n sqrt(d_k d_l) u_k v_l, k <= l: the covariances of a Brownian bridge.
    """
    n = ascending.shape[1]
    u = np.arange(1, n) / n
    v = 1.0 - u
    gaps = 2 * n * np.diff(ascending, axis=1)
    own, low, high = gaps * (u * v), gaps * (u * u), gaps * (v * v)
    before = np.cumsum(low, axis=1) - low
    after = np.cumsum(high[:, ::-1], axis=1)[:, ::-1] - high
    square = (own * own + 2 * before * high).sum(axis=1)
    pairs = own * own + 3 * (low * after + high * before) + 6 * before * after
    return square, (own * pairs).sum(axis=1)


def matrix_sums(gram: np.ndarray) -> tuple[float, float, float, float]:
    """Compute the sums of :class:`CenteredSums` of one kernel (n, n)."""
    means = gram.mean(axis=0)
    centered = gram - means - means[:, None] + means.mean()
    square = centered @ centered
    own = np.diag(centered)
    cube = float((square * centered).sum())
    return float(own.sum()), float(np.trace(square)), cube, float((own**2).sum())
