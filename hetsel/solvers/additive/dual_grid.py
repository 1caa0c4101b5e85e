"""Dual variables on a grid, so that sums in bins are exact."""

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.kernels.binned.binned_kernels import BinnedKernels

BITS = 45  # of a dual variable, as a share of the largest bound
ROOM = 61  # bits of a sum


def betas_on_grid(
    kernels: BinnedKernels, given: np.ndarray, low: np.ndarray, high: np.ndarray, largest: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Round beta (machines, n) to a grid of 2^k; return it with sums in bins, and success."""
    step = 2.0 ** (np.ceil(np.log2(largest)) - min(BITS, ROOM - kernels.n.bit_length()))
    betas, whole, balanced = np.empty_like(given), np.empty(kernels.n, dtype=np.int64), True
    sums, rests = np.empty((2, len(given), kernels.columns.starts[-1]))
    for c, own in enumerate(given):
        balanced &= put_on_grid(own, low[c], high[c], step, whole)
        betas[c] = whole * step
        exact = kernels.sums(whole)
        sums[c] = exact
        rests[c] = exact - sums[c].astype(np.int64)
    return betas, sums * step, rests * step, balanced


@compiled
def put_on_grid(beta, low, high, step, whole):
    """Round beta / step toward 0 to integers whole (n,) with the sum 0; return success."""
    total = 0
    for i in range(len(beta)):
        whole[i] = np.int64(min(max(beta[i], low[i]), high[i]) / step)
        total += whole[i]
    for i in range(len(beta)):
        if total == 0:
            return True
        if total > 0:
            move = min(total, whole[i] - np.int64(low[i] / step))
        else:
            move = max(total, whole[i] - np.int64(high[i] / step))
        whole[i] -= move
        total -= move
    return total == 0
