"""What normalizes kernels of binned columns, from their bins and how many rows each holds."""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.kernels.normalization import CenteredSums, scale_factors


def normalized(kind: str, kernels: BinnedKernels) -> BinnedKernels:
    """The kernels under "norm" or "trace", as :mod:`hetsel.kernels.normalization` has them."""
    counts = kernels.sums(np.ones(kernels.n, dtype=np.int64)).astype(np.float64)
    trace, square = np.zeros((2, kernels.p))
    plain = BinnedKernels(kernels.columns)
    image, _ = plain.images(counts[None])
    add_centered(plain.bins, counts, image[0] / kernels.n, float(kernels.n), trace, square)
    unknown = np.zeros(kernels.p)
    factors = scale_factors(kind, CenteredSums(kernels.n, trace, square, unknown, unknown))
    return BinnedKernels(kernels.columns, factors)


@compiled
def add_centered(bins, counts, means, n, trace, square):
    """trace (p,) += tr A_f and square (p,) += ||A_f||^2, A_f = H K_f H, H = I - 11'/n.

    Of the counts (bins,) of rows and the means (bins,) of a row of K_f; O(bins^2) a column.
    """
    for f in range(len(trace)):
        begin, end = bins.starts[f], bins.starts[f + 1]
        gap = end - 1 if bins.gaps[f] else -1
        whole = 0.0
        for a in range(begin, end):
            whole += counts[a] * means[a]
        whole /= n
        for a in range(begin, end):
            own = 0.0
            for b in range(begin, end):
                if bins.nominal[f] or a == gap or b == gap:
                    kernel = 1.0 if a == b else 0.0
                else:
                    kernel = 1.0 - abs(bins.positions[a] - bins.positions[b])
                entry = kernel - means[a] - means[b] + whole
                own += counts[b] * entry * entry
                if a == b:
                    trace[f] += counts[a] * entry
            square[f] += counts[a] * own
