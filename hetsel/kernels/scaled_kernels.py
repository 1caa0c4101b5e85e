"""Kernels with a scale factor for each feature, and sums over their Gram matrices.

    k_w(x, y) = h(t),   t = sum_f u_f kappa_f(x, y),   u_f = w_f^2   (ramona2012, section III-D),

    linear      h(t) = t               kappa_f the inner product of feature f
    polynomial  h(t) = (1 + c t)^q     the same
    gaussian    h(t) = exp(-t)         kappa_f half the squared distance of feature f.

Derivatives are taken by u_f; those by w_f are 2 w_f times as large. The sums that a criterion of K
needs, such as sum_ij T_ij K_ij, are computed for blocks of rows, so that no (n, n) matrix is held.
For sums of kernels, K_u = sum_f u_f K_f, they are computed once,

    sum_ij T_ij K_ij = a' u,   sum_ij K_ij^2 = u' B u,   B_fg = <K_f, K_g>: O(p^2) a value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.compiling.arithmetic import (
    column_products,
    exponentiate,
    gram,
    matrix_vector_product,
    product,
    squared_lengths,
)
from hetsel.ground import TableError, is_number, positive, whole_number
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.kernel_products import CLINICAL, EQUAL, kernel_products

NORMS = ("trace", "norm", "none")


@dataclass(frozen=True, eq=False)
class Expansion:
    """Numeric columns z_f(x) that represent p features of every kind.

        number:   <z_f(x), z_f(y)> = (x - m)(y - m) / s^2,  m the mean, s the standard deviation
        nominal:  <z_f(x), z_f(y)> = (I(x = y) - centering) / v,  v = 1 - sum_levels share^2
        and       |z_f(x) - z_f(y)|^2 / 2 = (x - y)^2 / (2 s^2)   or   I(x != y) / v.

    Every feature has total variance 1 and a mean half squared distance of 1 over all pairs of rows.
    A factor of two levels equals its 0/1 column.
    """

    columns: np.ndarray  # (n, d), centered; without constant features
    feature: np.ndarray  # (d,): the feature of each column, ascending
    p: int  # the number of features

    @classmethod
    def of(
        cls,
        cells: np.ndarray,
        nominal: np.ndarray,
        normalize: str = "trace",
        learned: int | None = None,
    ) -> "Expansion":
        """Expand values (p, n): numbers, or codes of levels where `nominal` (p,).

        Missing numbers (NaN) lie at the mean and get an additional column. `normalize`: "trace"
        makes the trace of the centered Gram matrix n (total variance 1); "norm" does so for its
        Frobenius norm; with "none" a number has variance 1 and a level is a 0/1 column. Means and
        spreads are those of the first `learned` rows.
        """
        if normalize not in NORMS:
            raise TableError(f"normalize must be one of {', '.join(NORMS)}. Got {normalize!r}")
        parts, owners = [np.empty((0, cells.shape[1]))], [np.empty(0, dtype=np.intp)]
        for f, column in enumerate(cells):
            own = column[:learned]
            if (own != own[0]).any() and not np.isnan(own).all():
                if nominal[f]:
                    made = (column == np.unique(column)[:, None]) * 1.0
                else:
                    made = _number(column, learned)
                made -= made[:, :learned].mean(axis=1, keepdims=True)
                made *= _weight(made[:, :learned], normalize)
                parts.append(made)
                owners.append(np.full(len(made), f))
        columns = np.concatenate(parts).T
        return cls(np.ascontiguousarray(columns), np.concatenate(owners), len(cells))

    @property
    def varies(self) -> np.ndarray:
        """Whether each feature (p,) varies."""
        found = np.zeros(self.p, dtype=bool)
        found[self.feature] = True
        return found

    def by_feature(self, values: np.ndarray) -> np.ndarray:
        """Sums (..., p) over the columns (..., d) of each feature."""
        starts = np.flatnonzero(np.diff(self.feature, prepend=-1))
        sums = np.zeros((*values.shape[:-1], self.p))
        if len(starts):
            sums[..., self.feature[starts]] = np.add.reduceat(values, starts, axis=-1)
        return sums

    def scaled(self, u: np.ndarray) -> np.ndarray:
        """Columns (n, d) times the square root of u_f (p,) of their feature."""
        return self.columns * np.sqrt(u)[self.feature]

    def subset(self, features: np.ndarray) -> "Expansion":
        """The columns of these features (ascending), which become 0, 1, ..."""
        place = np.full(self.p, -1)
        place[features] = np.arange(len(features))
        kept = place[self.feature] >= 0
        columns = np.ascontiguousarray(self.columns[:, kept])
        return Expansion(columns, place[self.feature[kept]], len(features))


def _number(column: np.ndarray, learned: int | None) -> np.ndarray:
    """A standardized column (1, n); of one with gaps (2, n), the gaps in the second row."""
    gaps = np.isnan(column)
    present = column[:learned][~gaps[:learned]]
    spread = present.std() if (present != present[0]).any() else 0.0
    number = np.zeros((1, len(column)))
    if spread > 0:
        number[0, ~gaps] = (column[~gaps] - present.mean()) / spread
    return np.concatenate([number, gaps[None, :] * 1.0]) if gaps.any() else number


def _weight(made: np.ndarray, normalize: str) -> float:
    """What the centered columns (k, n) of a feature are multiplied by."""
    if normalize == "none":
        return 1.0
    n = made.shape[1]
    if normalize == "trace":
        return float(np.sqrt(n / (made * made).sum()))
    return float(np.sqrt(n / np.sqrt((gram(made) ** 2).sum())))


SHAPES = ("gaussian", "linear", "polynomial")
BLOCK_SIZE = 256  # rows whose matrices fit into the second-level cache


@dataclass(frozen=True)
class ScaledKernel:
    """The function h of a kernel with scale factors; degree and c are of the polynomial."""

    shape: str = "gaussian"
    degree: int = 3
    coefficient: float = 1.0

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise TableError(f"kernel must be one of {', '.join(SHAPES)}. Got {self.shape!r}")
        whole_number("degree", self.degree, 1)
        positive("coefficient", self.coefficient)

    @property
    def of_distances(self) -> bool:
        """Whether t sums half squared distances; otherwise inner products."""
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
    """Raise values to a whole power by multiplications, equal on every processor."""
    out = np.ones_like(values)
    for _ in range(int(degree)):
        out *= values
    return out


def gaussian_width(gamma: Any, size: int) -> float:
    """Return u = 2 gamma of exp(-gamma |z - z'|^2) for `size` features; "scale" is 1 / size."""
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
    square_sum, trace = float(sums[m]), float(diagonal.sum())
    return GramSums(sums[:m], square_sum, trace, by_feature[:m], by_feature[m], d_trace)


@dataclass(frozen=True, eq=False)
class SummedKernels:
    """Sums over the centered kernels K_f of p features."""

    products: np.ndarray  # (p, p): B, the Frobenius products <K_f, K_g>
    side_sums: np.ndarray  # (p, c, c): W' K_f W of the sides W (n, c) of the target
    traces: np.ndarray  # (p,): tr K_f; 0 for a constant feature, whose kernel is left out

    @classmethod
    def linear(cls, features: Expansion, sides: np.ndarray) -> "SummedKernels":
        """Of the inner products of features and the sides (n, c) of the target, in O(n d^2)."""
        columns = features.columns
        squares = gram(columns.T)
        squares *= squares
        products = features.by_feature(features.by_feature(squares).T)
        by_side = product(sides.T, columns.T)
        pairs = by_side[:, None, :] * by_side
        traces = features.by_feature((columns * columns).sum(axis=0))
        return cls(products, np.moveaxis(features.by_feature(pairs), -1, 0), traces)

    @classmethod
    def clinical(
        cls, cells: np.ndarray, nominal: np.ndarray, sides: np.ndarray, normalize: str = "trace"
    ) -> "SummedKernels":
        """Of the clinical kernels of cells (p, n), centered, in O(n^2 p^2), their trace or norm
        made n.
        """
        if normalize not in NORMS:
            raise TableError(f"normalize must be one of {', '.join(NORMS)}. Got {normalize!r}")
        n = cells.shape[1]
        products = kernel_products(cells, np.where(nominal, EQUAL, CLINICAL), centering="biased")
        kernels = FeatureKernels(cells, nominal)
        images, totals = kernels.products(np.ones(n))
        traces = n - totals / n
        indicators = np.ascontiguousarray(sides.T)
        centered = indicators - indicators.mean(axis=1, keepdims=True)
        parts = []
        for own in centered:
            images = kernels.products(own)[0]
            parts.append(product(images, centered))
        side_sums = np.stack(parts, axis=1)
        size = {"trace": traces, "norm": np.sqrt(np.diag(products)), "none": np.full(len(cells), n)}
        varies = traces > 0.5  # the least of a column that is not constant is 2 - 2/n
        weights = np.divide(n, size[normalize], out=np.zeros(len(cells)), where=varies)
        scaled = weights[:, None, None] * side_sums
        return cls(products * np.outer(weights, weights), scaled, traces * weights)

    @property
    def p(self) -> int:
        """Number of features."""
        return len(self.traces)

    @property
    def varies(self) -> np.ndarray:
        """Whether each feature (p,) varies."""
        return self.traces > 0

    def subset(self, features: np.ndarray) -> "SummedKernels":
        """The sums of these features."""
        products = self.products[np.ix_(features, features)]
        return SummedKernels(products, self.side_sums[features], self.traces[features])

    def sums(self, targets: np.ndarray) -> Callable[[np.ndarray], GramSums]:
        """What `gram_sums` gives of M (m, c, c), as a function of u (p,)."""
        a = product(targets.reshape(len(targets), -1), self.side_sums.reshape(self.p, -1))

        def at(u: np.ndarray) -> GramSums:
            traces, toward = self.traces, matrix_vector_product(self.products, u)
            square, trace = float((u * toward).sum()), float((traces * u).sum())
            return GramSums(matrix_vector_product(a, u), square, trace, a, 2.0 * toward, traces)

        return at
