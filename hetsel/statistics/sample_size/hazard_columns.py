"""Values of a column that multiplies the hazard, drawn for survival times that are known.

x ~ N(0, 1) over the population, and the hazard of a row is lambda(t) exp(beta x): beta is the
logarithm of the hazard ratio of a standard deviation. The share without an event by the time t is
S(t) = E exp(-L(t) exp(beta x)), which Kaplan and Meier's curve gives, and L(t) follows. The density
of x in a row of the time t with an event (d = 1) or without (d = 0) is proportional to
phi(x) exp(d beta x - L(t) exp(beta x)), if censoring does not depend on x.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.statistics.survival.survival_curves import checked_times, kaplan_meier

GRID = np.linspace(-8.0, 8.0, 401)  # of x
HAZARDS = np.geomspace(1e-8, 1e8, 1601)  # of L


def column_of_hazard(
    times: ArrayLike, events: ArrayLike, effect: float, uniform: ArrayLike
) -> NDArray[np.float64]:
    """x (n,) of rows with these times (n,) and events (n,), by uniform numbers (n,).

    An event lies in the middle of its step of the curve.

    Raises
    ------
    TableError
        Times or events that are none.

    References
    ----------
    Cox 1972, Journal of the Royal Statistical Society B 34, 187-220.

    Examples
    --------
    >>> column_of_hazard([1.0, 2.0, 3.0], [True, True, False], 1.0, [0.5, 0.5, 0.5]).round(2)
    array([ 0.68,  0.13, -0.72])
    """
    t, d = checked_times(times, events)
    curve = kaplan_meier(t, d)
    free = np.where(d, (curve.at(t) + curve.before(t)) / 2, curve.at(t))
    free = free.clip(0.5 / len(t), 1 - 0.5 / len(t))
    weight = np.exp(-(GRID**2) / 2)
    shares = np.exp(-HAZARDS[:, None] * np.exp(effect * GRID)) @ (weight / weight.sum())
    hazard = np.exp(np.interp(free, shares[::-1], np.log(HAZARDS)[::-1]))
    log_density = effect * np.outer(d, GRID) - hazard[:, None] * np.exp(effect * GRID)
    density = weight * np.exp(log_density - log_density.max(axis=1, keepdims=True))
    cumulated = np.cumsum(density, axis=1)
    below = (cumulated - density / 2) / cumulated[:, -1:]
    u = np.asarray(uniform, dtype=np.float64)
    return np.array([np.interp(one, row, GRID) for one, row in zip(u, below, strict=True)])
