"""The centered kernel H L H of a target, H = I - 11'/n, as a sum of a few directions d d'.

So tr(K H L H) of a kernel K is a sum of energies d' K d, in O(n) for the kernel of one column. For
c classes with n_y rows in class y, the kernel gives equal weight to the classes:

    l(i, j) = I(y_i = y_j) n / (c n_y)      (Song et al. 2012, section 5.2, times n / c).

For numbers it is exp(-(y_i - y_j)^2 / (2 s^2)), where s is the standard deviation, to 1e-12 in each
entry. It has low rank, with some tens of directions for any number of rows (pivoted Cholesky
factorization; Fine and Scheinberg 2001, Journal of Machine Learning Research 2, 243-264).

For survival times the statistic of the kernel log-rank test is

    n^2 Psi^2 = tr(K V),   V = (I - A)' (L o e e') (I - A),

with events e (0 or 1), the elementwise product o, A_ij = I(t_j >= t_i) / n_i for the n_i rows at
risk at t_i, and l(i, j) = exp(-(u_i - u_j)^2 / (2 s^2)). Here u = 1 - S(t), S is the Kaplan-Meier
estimate and s the standard deviation of u over the events. V = sum_d v v' with L = sum_d g_d g_d',
and v_j is a weighted martingale residual,

    v_j = e_j g_d(t_j) - sum over event times t <= t_j of (events at t / n_t) g_d(t)

(Fernandez, Gretton, Rindt and Sejdinovic 2023, Journal of the American Statistical Association 118,
925-936). For L = 1 and K = I(a = b) it gives the numerators of the log-rank test.
"""

import numpy as np

from hetsel.compiling.arithmetic import exponentiate, product
from hetsel.ground.equal_numbers import unit_scale
from hetsel.statistics.survival.curves_and_martingale_residuals import (
    kaplan_meier,
    weights_at_times,
)
from hetsel.tables import Classes, Numbers, TypedTarget

ACCURACY = 1e-12  # largest error of an entry of the kernel


def class_directions(codes: np.ndarray) -> np.ndarray:
    """d_c (c, n) of each class: its centered indicator times sqrt(n / (c n_c))."""
    counts = np.bincount(codes)
    indicators = (codes == np.arange(len(counts))[:, None]) - counts[:, None] / len(codes)
    return np.asarray(indicators * np.sqrt(len(codes) / (len(counts) * counts))[:, None])


def centered_by_class(codes: np.ndarray) -> np.ndarray:
    """H L H (c, c) between a row of one class and a row of another.

    >>> centered_by_class(np.array([0, 1, 0, 1])).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    directions = class_directions(codes)
    ends = directions[:, np.unique(codes, return_index=True)[1]]
    return np.asarray(ends.T @ ends)


def gaussian_factors(cells: np.ndarray) -> np.ndarray:
    """Factors g (m, k) of the Gaussian kernel of width 1 of distinct numbers (k,): g' g is it."""
    left = np.ones(len(cells))
    factors = np.empty((0, len(cells)))
    while left.max() > ACCURACY:
        pivot = int(left.argmax())
        row = -0.5 * (cells - cells[pivot]) ** 2
        exponentiate(row[None])
        known = product(factors[:, pivot][None], factors.T)[0]
        row = (row - known) / np.sqrt(left[pivot])
        factors = np.vstack([factors, row])
        left = np.maximum(left - row**2, 0.0)
        left[pivot] = 0.0
    return factors


def survival_directions(
    times: np.ndarray, events: np.ndarray, *, of_time: bool = True
) -> np.ndarray:
    """v (m, n) of times (n,) and events (n,), one at least; its rows sum to 0."""
    counts = weights_at_times(times, events)
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


def target_directions(target: TypedTarget) -> np.ndarray:
    """d (m, n), whose rows sum to 0; sum_d d d' is the centered kernel of the target."""
    if isinstance(target, Classes):
        return class_directions(target.codes)
    if isinstance(target, Numbers):
        cells = unit_scale(target.values[:, None])[:, 0]
        ascending, place = np.unique(cells, return_inverse=True)
        directions = gaussian_factors(ascending / cells.std())[:, place]
        return np.asarray(directions - directions.mean(axis=1, keepdims=True))
    return survival_directions(target.times, target.events)
