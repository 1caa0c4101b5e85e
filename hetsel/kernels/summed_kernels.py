"""Weighted sums of the kernels of features: what a criterion needs of them is found once.

    K_u = sum_f u_f K_f:   sum_ij T_ij K_ij = a' u,   sum_ij K_ij^2 = u' B u,   B_fg = <K_f, K_g>,

so that a value costs O(p^2), whatever the number of rows. The kernels are those of inner products
(a linear kernel with scale factors) or the clinical ones.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hetsel.compiling.arithmetic import gram, image, product
from hetsel.ground.errors import TableError
from hetsel.kernels.expanded_features import NORMS, Expansion
from hetsel.kernels.feature_kernels import FeatureKernels
from hetsel.kernels.kernel_products import CLINICAL, EQUAL, kernel_products
from hetsel.kernels.scaled_kernels import GramSums


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
            traces, toward = self.traces, image(self.products, u)
            square, trace = float((u * toward).sum()), float((traces * u).sum())
            return GramSums(image(a, u), square, trace, a, 2.0 * toward, traces)

        return at
