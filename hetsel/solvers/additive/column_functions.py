"""Functions of single columns: their size under a norm of kernel weights, and what bends it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hetsel.kernels.binned.binned_kernels import BinnedKernels
from hetsel.solvers.additive.conjugate_steps import Curvature
from hetsel.solvers.mkl.mkl_newton import energy_norm, mixed_power


class Functions(NamedTuple):
    """Functions of the columns, by sums of dual variables in the bins.

    Parameters
    ----------
    sums, images : ndarray of shape (machines, bins)
        B_f and K_f B_f.
    energy, weights : ndarray of shape (p,)
        s_f and mu_f.
    size : float
        ||(s_f)||_r.
    """

    sums: np.ndarray
    images: np.ndarray
    energy: np.ndarray
    weights: np.ndarray
    size: float

    @classmethod
    def of(cls, kernels: BinnedKernels, sums: np.ndarray, q: float) -> Functions:
        images, energy = kernels.images(sums)
        if np.isinf(q):
            return cls(sums, images, energy, np.ones(kernels.p), float(energy.sum()))
        power = 1.0 / (q - 1.0)
        size = energy_norm(energy, power + 1.0)
        return cls(sums, images, energy, mixed_power(energy, size, power), size)


def curvature_at(kernels: BinnedKernels, now: Functions, q: float) -> Curvature:
    """Minus the second derivative of the dual at some functions."""
    power = 0.0 if np.isinf(q) else 1.0 / (q - 1.0)
    turn = 2.0 * power / max(now.size, 1e-300)
    bends = turn * mixed_power(now.energy, now.size, power - 1.0) if power else 0.0 * now.energy
    return Curvature(
        kernels.bins, now.sums, now.images, now.energy, now.weights, bends, turn, now.size
    )


def weights_of_parts(squares: np.ndarray, q: float) -> np.ndarray:
    """mu_f (p,) that make sum ||h_f||^2 / mu_f least, of ||h_f||^2 (p,), ||mu||_q = 1."""
    if np.isinf(q) or not squares.any():
        return np.ones(len(squares))
    parts = (squares / squares.max()) ** (1.0 / (q + 1.0))
    return np.asarray(parts / (parts**q).sum() ** (1.0 / q))


def slope_of_norm(squares: np.ndarray, moving: np.ndarray, q: float) -> float:
    """Derivative of 1/2 sum ||h_f||^2 / mu_f, of ||h_f||^2 (p,) with these derivatives."""
    if np.isinf(q):
        return 0.5 * float(moving.sum())
    weights = weights_of_parts(np.maximum(squares, 0.0), q)
    return 0.5 * float(
        np.divide(moving, weights, out=np.zeros_like(moving), where=weights > 0).sum()
    )
