"""The kernel of survival times, and its centered form as a sum of few directions.

The statistic of the kernel log-rank test, of a kernel K of the columns and one of the times, is

    n^2 Psi^2 = tr(K V),   V = (I - A)' (L o e e') (I - A),

with e the events (0 or 1), o the product by entry, A_ij = I(t_j >= t_i) / n_i of the n_i rows that
are at risk at t_i, and L the kernel of two times,

    l(i, j) = exp(-(u_i - u_j)^2 / (2 s^2)),   u = 1 - S(t),

S the Kaplan-Meier estimate from all rows and s the standard deviation of u over the events, so that
neither the unit nor any other increasing function of the times has a part in it. It is the largest
sum, squared, of a weighted log-rank test with a weight of time and column in the unit ball of the
space of K L. V = sum_d v v', v = (I - A)' (e o g_d), with L = sum_d g_d g_d' as in
:mod:`hetsel.kernels.number_kernel`: v_j is a weighted martingale residual,

    v_j = e_j g_d(t_j) - sum over event times t <= t_j of (events at t / n_t) g_d(t),

and each v sums to 0. Where L = 1 there is one direction, the martingale residuals of the model
without columns, and v' K v of a nominal column, K = I(a = b), is the sum over its levels of
(observed - expected)^2, the numerators of the log-rank test.

References: Fernandez, Gretton, Rindt and Sejdinovic 2023, Journal of the American Statistical
Association 118, 925-936 (arXiv 1912.03784).
"""

from __future__ import annotations

import numpy as np

from hetsel.kernels.number_kernel import gaussian_factors
from hetsel.statistics.survival.survival_curves import counted, kaplan_meier


def survival_directions(
    times: np.ndarray, events: np.ndarray, *, of_time: bool = True
) -> np.ndarray:
    """v (m, n) of each direction; the rows of it sum to 0.

    Parameters
    ----------
    times : ndarray of shape (n,)
    events : ndarray of bool, shape (n,)
        At least one.
    of_time : bool
        Whether L is the kernel above; else it is 1.

    Examples
    --------
    >>> times, events = np.array([1.0, 2.0, 3.0]), np.array([True, False, True])
    >>> survival_directions(times, events, of_time=False).round(3)
    array([[ 0.667, -0.333, -0.333]])
    """
    counts = counted(times, events)
    had = counts.events > 0
    moments, deaths = counts.times[had], counts.events[had]
    hazards = deaths / counts.at_risk[had]
    factors = np.ones((1, len(moments)))
    if of_time and len(moments) > 1:
        happened = 1.0 - kaplan_meier(times, events).at(moments)
        mean = (deaths * happened).sum() / deaths.sum()
        spread = np.sqrt((deaths * (happened - mean) ** 2).sum() / deaths.sum())
        factors = gaussian_factors(happened / spread)
    known = np.searchsorted(moments, times, side="right")  # event times up to that of the row
    sums = np.cumsum(factors * hazards, axis=1)
    expected = np.column_stack([np.zeros(len(factors)), sums])[:, known]
    observed = np.where(events, factors[:, np.maximum(known - 1, 0)], 0.0)
    directions = observed - expected
    return np.asarray(directions - directions.mean(axis=1, keepdims=True))
