"""Kernels with a scale factor for each feature, and sums over their Gram matrices in blocks.

    k_w(x, y) = h(t),   t = sum_f u_f kappa_f(x, y),   u_f = w_f^2   (ramona2012, section III-D),

    linear      h(t) = t               kappa_f the inner product of feature f
    polynomial  h(t) = (1 + c t)^q     the same
    gaussian    h(t) = exp(-t)         kappa_f half the squared distance of feature f.

Derivatives are those by u_f; by w_f they are 2 w_f times as large. The sums that a criterion of K
needs, such as sum_ij T_ij K_ij, and their derivatives are taken block by block of the rows: no (n,
n) matrix is ever held.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import column_products, exponentiate, product, squared_lengths
from hetsel.ground.errors import TableError
from hetsel.ground.parameters import is_number
from hetsel.kernels.expanded_features import Expansion

SHAPES = ("gaussian", "linear", "polynomial")
BLOCK_SIZE = 256  # rows whose passing matrices stay in the second cache


@dataclass(frozen=True)
class ScaledKernel:
    """The function h of a kernel with scale factors; degree and c are of the polynomial."""

    shape: str = "gaussian"
    degree: int = 3
    coefficient: float = 1.0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise TableError(f"kernel must be one of {', '.join(SHAPES)}. Got {self.shape!r}")
        if isinstance(self.degree, bool) or not (self.degree == int(self.degree) >= 1):
            raise TableError(f"degree must be a whole number, 1 or larger. Got {self.degree!r}")
        if not 0.0 < self.coefficient < np.inf:
            raise TableError(f"coefficient must be a positive number. Got {self.coefficient!r}")

    @property
    def of_distances(self) -> bool:
        """Whether t is made of half squared distances; else of inner products."""
        return self.shape == "gaussian"

    def between(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """t (n, m) between rows (n, d) and (m, d) of scaled columns."""
        t = product(left, right)
        if self.of_distances:
            t *= -1.0
            t += 0.5 * squared_lengths(left)[:, None]
            t += 0.5 * squared_lengths(right)
            np.maximum(t, 0.0, out=t)
        return np.asarray(t)

    def values(self, t: np.ndarray) -> np.ndarray:
        """h(t)."""
        if self.shape == "gaussian":
            k = np.negative(t)
            exponentiate(k.reshape(len(k), -1))
            return np.asarray(k)
        if self.shape == "polynomial":
            return _power(1.0 + self.coefficient * t, self.degree)
        return t

    def slopes(self, t: np.ndarray, k: np.ndarray) -> np.ndarray:
        """h'(t), given k = h(t) as well."""
        if self.shape == "gaussian":
            return -k
        if self.shape == "polynomial":
            power = _power(1.0 + self.coefficient * t, self.degree - 1)
            return np.asarray(self.degree * self.coefficient * power)
        return np.ones_like(k)

    def gram(self, features: Expansion, u: np.ndarray) -> np.ndarray:
        """K (n, n) with the squared scale factors u (p,)."""
        scaled = features.scaled(u)
        return self.values(self.between(scaled, scaled))

    def from_origin(self, features: Expansion, u: np.ndarray) -> np.ndarray:
        """k(x, x) - 2 k(x, 0) + k(0, 0) (n,) of each row, 0 the mean of the columns."""
        scaled = features.scaled(u)
        origin = np.zeros((1, scaled.shape[1]))
        own = np.zeros(len(scaled)) if self.of_distances else squared_lengths(scaled)
        away = self.values(self.between(scaled, origin))[:, 0]
        return np.asarray(self.values(own) - 2.0 * away + self.values(np.zeros(1)))

    def contract(self, features: Expansion, a: np.ndarray) -> np.ndarray:
        """sum_ij A_ij kappa_f(i, j) (p,) of a symmetric matrix A (n, n)."""
        return features.by_feature(self._by_column(a, features.columns, features.columns))

    def _by_column(self, a: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """sum_ij A_ij kappa_c(i, j) (d,) of each column, A (n, m) between rows (n, d), (m, d)."""
        products = column_products(left, product(a, right.T))
        if not self.of_distances:
            return products
        squares = product(a.sum(axis=1)[None], (left * left).T)[0]
        squares += product(a.sum(axis=0)[None], (right * right).T)[0]
        return np.asarray(0.5 * squares - products)


def _power(values: np.ndarray, degree: int) -> np.ndarray:
    """Values to a whole power by multiplications, which every processor does alike."""
    out = np.ones_like(values)
    for _ in range(int(degree)):
        out *= values
    return out


def gaussian_width(gamma: Any, size: int) -> float:
    """u = 2 gamma of each of `size` features of exp(-gamma |z - z'|^2); "scale" is 1 / size."""
    if gamma == "scale":
        return 2.0 / size
    if not is_number(gamma) or not 0.0 < gamma < np.inf:
        raise TableError(f"gamma must be 'scale' or a positive number. Got {gamma!r}")
    return 2.0 * gamma


@dataclass(frozen=True)
class GramSums:
    """Sums over a Gram matrix K, and their derivatives by each u_f."""

    targets: np.ndarray  # (m,): sum_ij T_ij K_ij of each target matrix T
    square: float  # sum_ij K_ij^2
    trace: float  # sum_i K_ii
    d_targets: np.ndarray  # (m, p)
    d_square: np.ndarray  # (p,)
    d_trace: np.ndarray  # (p,)


def gram_sums(
    features: Expansion,
    kernel: ScaledKernel,
    u: np.ndarray,
    sides: np.ndarray,
    targets: np.ndarray,
    *,
    square: bool = True,
    block_size: int = BLOCK_SIZE,
) -> GramSums:
    """Sums over K of squared factors u (p,), in blocks; targets sides M sides', M (m, c, c)."""
    columns, scaled = features.columns, features.scaled(u)
    (n, d), m = columns.shape, len(targets)
    by_row = [product(sides, table) for table in targets]  # m times (n, c)
    sums, slopes = np.zeros(m + 1), np.zeros((m + 1, d))
    for start in range(0, n, block_size):
        own = slice(start, start + block_size)
        for other_start in range(0, start + 1, block_size):
            other = slice(other_start, other_start + block_size)
            twice = 1.0 if start == other_start else 2.0
            t = kernel.between(scaled[own], scaled[other])
            k = kernel.values(t)
            h = kernel.slopes(t, k)
            for target in range(m):
                weights = product(by_row[target][own], sides[other])
                sums[target] += twice * (weights * k).sum()
                weights *= h
                slopes[target] += twice * kernel._by_column(weights, columns[own], columns[other])
            if square:
                sums[m] += twice * (k * k).sum()
                h *= k
                slopes[m] += 2 * twice * kernel._by_column(h, columns[own], columns[other])
    t = np.zeros(n) if kernel.of_distances else squared_lengths(scaled)
    diagonal = kernel.values(t)
    if kernel.of_distances:
        d_trace = np.zeros(features.p)
    else:
        slope = kernel.slopes(t, diagonal)[:, None]
        d_trace = features.by_feature((slope * (columns * columns)).sum(axis=0))
    by_feature = features.by_feature(slopes)
    return GramSums(
        sums[:m], float(sums[m]), float(diagonal.sum()), by_feature[:m], by_feature[m], d_trace
    )
