"""The kernel of the classes, which weighs them alike, and its centered form.

    l(i, j) = I(y_i = y_j) n / (c n_y),

with n rows, c classes and n_y rows in the class (Song et al. 2012, section 5.2, times n / c): 1 and
0 where the classes have as many rows each. Centered, H L H = sum_c d_c d_c' with H = I - 11'/n.
"""

import numpy as np

from hetsel.compiling.arithmetic import exponentiate, product
from hetsel.ground.ties import unit_scale
from hetsel.statistics.survival.survival_curves import kaplan_meier, weights_at_times
from hetsel.tables import Classes, Numbers, Target


def class_directions(codes: np.ndarray) -> np.ndarray:
    """d_c (c, n) of each class: its centered indicator times sqrt(n / (c n_c)).

    Parameters
    ----------
    codes : ndarray of int, shape (n,)

    Examples
    --------
    >>> class_directions(np.array([0, 1, 0, 1]))
    array([[ 0.5, -0.5,  0.5, -0.5],
           [-0.5,  0.5, -0.5,  0.5]])
    """
    counts = np.bincount(codes)
    indicators = (codes == np.arange(len(counts))[:, None]) - counts[:, None] / len(codes)
    return np.asarray(indicators * np.sqrt(len(codes) / (len(counts) * counts))[:, None])


def centered_by_class(codes: np.ndarray) -> np.ndarray:
    """H L H (c, c) between a row of one class and a row of another.

    Examples
    --------
    >>> centered_by_class(np.array([0, 1, 0, 1]))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    directions = class_directions(codes)
    ends = directions[:, np.unique(codes, return_index=True)[1]]
    return np.asarray(ends.T @ ends)


# The kernel of a target of numbers, and its centered form as a sum of few directions.


ACCURACY = 1e-12  # of an entry of the kernel


def number_directions(values: np.ndarray) -> np.ndarray:
    """d (m, n) of numbers (n,) that are not all equal; the rows of it sum to 0.

    Examples
    --------
    >>> directions = number_directions(np.array([1.0, 3.0, 1.0, 3.0]))
    >>> (directions.T @ directions).round(3)
    array([[ 0.432, -0.432,  0.432, -0.432],
           [-0.432,  0.432, -0.432,  0.432],
           [ 0.432, -0.432,  0.432, -0.432],
           [-0.432,  0.432, -0.432,  0.432]])
    """
    cells = unit_scale(values[:, None])[:, 0]
    ascending, place = np.unique(cells, return_inverse=True)
    directions = gaussian_factors(ascending / cells.std())[:, place]
    return np.asarray(directions - directions.mean(axis=1, keepdims=True))


def gaussian_factors(cells: np.ndarray) -> np.ndarray:
    """Factors g (m, k) of the Gaussian kernel of width 1 of distinct numbers (k,): g' g is it.

    Examples
    --------
    >>> factors = gaussian_factors(np.array([0.0, 1.0]))
    >>> (factors.T @ factors).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """
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


# The kernel of survival times, and its centered form as a sum of few directions.


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


# The centered kernel of a target of any kind, as a sum of few directions.


def target_directions(target: Target) -> np.ndarray:
    """d (m, n), whose rows sum to 0; sum_d d d' is the centered kernel of the target.

    See :mod:`hetsel.kernels.target_kernels`, :mod:`hetsel.kernels.target_kernels` and
    :mod:`hetsel.kernels.target_kernels`. So tr(K H L H) of any kernel K is a sum of energies
    d' K d, which take O(n) steps for the kernel of one column.

    Examples
    --------
    >>> target_directions(Classes.of([0, 1, 0, 1])).shape
    (2, 4)
    """
    if isinstance(target, Classes):
        return class_directions(target.codes)
    if isinstance(target, Numbers):
        return number_directions(target.values)
    return survival_directions(target.times, target.events)
