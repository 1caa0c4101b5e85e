"""Weights of kernels with lq-norm 1, of the energies s_f = beta' K_f beta (paul2015, Eq. 6 to 8).

At the optimum for 1 < q < infinity, mu_f = (s_f / S)^(r-1) with S = ||(s_f)||_r, r = q/(q - 1):
`mixed_power(energy, energy_norm(energy, r), r - 1)`. For q = 1 machines alternate with
:func:`update_weights`; for q infinite all weights are 1.
"""

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground import TableError, is_number


def checked_norm(q: float) -> float:
    """Return the norm of kernel weights, which must be at least 1."""
    if not is_number(q) or not q >= 1.0:
        raise TableError(f"q must be at least 1. Got {q!r:.60}")
    return float(q)


def update_weights(weights: np.ndarray, energy: np.ndarray, q: float) -> np.ndarray:
    """mu_f ~ ||v_f||^(2/(q+1)), ||v_f||^2 = mu_f^2 s_f, scaled to lq-norm 1."""
    if np.isinf(q):
        return weights
    norms = (weights * weights * energy) ** (1.0 / (q + 1.0))
    if not norms.any():
        return weights
    return scaled_weights(norms, q)


def scaled_weights(weights: np.ndarray, q: float) -> np.ndarray:
    """Weights (p,) >= 0 in their proportions, of lq-norm 1; even ones in place of zeros."""
    largest = weights.max()
    if largest <= 0.0:
        return np.full(len(weights), len(weights) ** (-1.0 / q))
    ratio = weights / largest
    if np.isinf(q):
        return ratio
    return ratio / (ratio**q).sum() ** (1.0 / q)


@compiled
def energy_norm(energy, r):
    """||(s_f)||_r; the smallest positive number in place of 0."""
    largest = energy.max()
    if largest <= 0.0:
        return 1e-300
    return largest * mixed_power(energy, largest, r).sum() ** (1.0 / r)


@compiled
def mixed_power(energy, size, exponent):
    """Ratios s_f / size (p,) to a power; 0 where a ratio is 0, whatever the power."""
    out = energy / size
    if exponent == 2.0:
        out *= out
    elif exponent != 1.0:
        for f in range(len(out)):
            out[f] = out[f] ** exponent if out[f] > 0.0 else 0.0
    return out
