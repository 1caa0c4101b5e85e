"""Adjust rows and probabilities to class proportions other than those of the rows at hand."""

import numpy as np
from numpy.typing import ArrayLike

from hetsel.ground import TableError
from hetsel.ground.array_types import Floats


def class_weights_for(prevalence: ArrayLike, shares: ArrayLike) -> Floats:
    """Compute class weights (C,) that give the rows the wanted class proportions.

    v_c = wanted proportion of class c / its proportion among the rows. A single number in place of
    proportions (C,) is that of the second of two classes. King & Zeng (2001) Political Analysis 9,
    137-163, section 4.2.
    """
    wanted, own = _checked(prevalence, "prevalence"), _checked(shares, "shares")
    if wanted.shape != own.shape:
        raise TableError(f"prevalence must be of {len(own)} classes. Got {len(wanted)}")
    return wanted / own


def shifted(probability: ArrayLike, from_share: ArrayLike, to_share: ArrayLike) -> Floats:
    """Shift probabilities (m,) or (m, C) to other class proportions, all else equal.

    Each odds is multiplied by the ratio of the odds of the proportions; for C classes p_c v_c /
    sum_k p_k v_k, with v_c the ratio of the proportions of class c. Saerens, Latinne & Decaestecker
    (2002) Neural Computation 14, 21-41, equation 2.4.
    """
    p = np.asarray(probability, dtype=np.float64)
    ratio = class_weights_for(to_share, from_share)
    if p.ndim == 1 and len(ratio) == 2:
        return np.asarray(p * ratio[1] / (p * ratio[1] + (1 - p) * ratio[0]), dtype=np.float64)
    if p.ndim != 2 or p.shape[1] != len(ratio):
        raise TableError(f"probability must be of {len(ratio)} classes. Got shape {p.shape}")
    odds = p * ratio
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float64)


def _checked(shares: ArrayLike, name: str) -> Floats:
    """Check proportions of two or more classes, whose sum is 1."""
    s = np.asarray(shares, dtype=np.float64)
    if s.ndim == 0:
        s = np.array([1 - s, s])
    if s.ndim != 1 or len(s) < 2 or not ((s > 0) & (s < 1)).all() or abs(s.sum() - 1) > 1e-6:
        raise TableError(
            f"{name} must be between 0 and 1, of two classes or more, with the sum 1. Got "
            f"{shares!r}"
        )
    return s / float(s.sum())
