"""Largest value of a smooth function of squared scale factors u >= 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

# u (p,) -> value and derivatives (p,) by u
Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]

ROUNDING = 1e-12  # relative increase of the value below which an ascent stands still


@dataclass(frozen=True, eq=False)
class Ascent:
    """Where an ascent ended.

    Parameters
    ----------
    u : ndarray of shape (p,)
    value : float
    slopes : ndarray of shape (p,)
        Derivatives at the end: 0 where u > 0 and at most 0 elsewhere, at a maximum.
    evaluations : int
    converged : bool
        Whether it ended by itself and not by the number of iterations.
    """

    u: np.ndarray
    value: float
    slopes: np.ndarray
    evaluations: int
    converged: bool


def bounded_ascent(
    objective: Objective,
    start: np.ndarray,
    scale: np.ndarray | float,
    *,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> Ascent:
    """Ascent by L-BFGS-B over u >= 0 (Byrd, Lu, Nocedal and Zhu 1995), in units of `scale`.

    Stops where no derivative by u / scale that the bounds leave open is above `tolerance` times the
    value at the start, or the value no longer grows.

    Parameters
    ----------
    objective : callable
        u (p,) -> value, derivatives (p,).
    start : ndarray of shape (p,)
    scale : float or ndarray of shape (p,)
        A usual size of u.

    Examples
    --------
    >>> def objective(u):
    ...     return -((u - np.array([2.0, -1.0])) ** 2).sum(), -2 * (u - np.array([2.0, -1.0]))
    >>> found = bounded_ascent(objective, np.ones(2), 1.0)
    >>> found.u.round(6), found.slopes.round(6) + 0.0
    (array([2., 0.]), array([ 0., -2.]))
    """
    unit = abs(objective(start)[0]) or 1.0

    def descent(v: np.ndarray) -> tuple[float, np.ndarray]:
        value, slopes = objective(np.maximum(v, 0.0) * scale)  # a step may round to below its bound
        return -value / unit, -slopes * scale / unit

    options = {
        "maxiter": iterations,
        "gtol": tolerance,
        "ftol": ROUNDING,
        "maxfun": 20 * iterations,
    }
    bounds = [(0.0, None)] * len(start)
    found = minimize(
        descent, start / scale, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    u = np.maximum(found.x, 0.0) * scale
    value, slopes = objective(u)
    return Ascent(u, value, slopes, int(found.nfev) + 2, found.nit < iterations)


def gradient_ascent(
    objective: Objective,
    start: np.ndarray,
    *,
    rate: float,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> Ascent:
    """Ascent along the gradient by w = sqrt(u), as Algorithm 1 of ramona2012 is printed.

    w / w_0 grows by `rate` times its derivative, from 1 in each component, until the value changes
    by less than `tolerance`.

    Parameters
    ----------
    objective : callable
        u (p,) -> value, derivatives (p,).
    start : ndarray of shape (p,)
        w_0^2, above 0.
    rate : float
        eta, the length of a step.

    References
    ----------
    Ramona, Richard and David 2012, Algorithm 1.

    Examples
    --------
    >>> found = gradient_ascent(lambda u: (-(u[0] - 4) ** 2, -2 * (u - 4)), np.ones(1), rate=0.02)
    >>> found.u.round(2)
    array([4.])
    """
    factors, last = np.ones(len(start)), 0.0
    for evaluations in range(1, iterations + 1):
        u = factors * factors * start
        value, slopes = objective(u)
        if evaluations > 1 and abs(value - last) < tolerance:
            return Ascent(u, value, slopes, evaluations, True)
        factors, last = factors + rate * 2.0 * factors * start * slopes, value
    return Ascent(u, value, slopes, iterations, False)
