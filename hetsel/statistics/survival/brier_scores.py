"""Brier scores of predicted survival curves, integrated over time, for each row of its own.

scikit-survival's `integrated_brier_score` is the mean of these; the rows' own values can be
averaged over parts of the rows, and with weights.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground.errors import TableError
from hetsel.statistics.survival.survival_curves import StepFunction, checked_times

Floats = NDArray[np.float64]


def integrated_brier_rows(
    times: ArrayLike,
    events: ArrayLike,
    survival: ArrayLike,
    grid: ArrayLike,
    censoring: StepFunction,
) -> Floats:
    """Integrated Brier score (m,) of each row: its weighted squared error, averaged over time.

    b_i(s) = S_i(s)^2 / G(t_i-) where the row had its event until s, (1 - S_i(s))^2 / G(s) where
    t_i > s, and 0 where it is censored until s, or at s; its integral over the grid by the
    trapezoidal rule, divided by the length of the grid. Their mean is the integrated Brier score, 0
    at best.

    Parameters
    ----------
    times, events : array-like of shape (m,)
        Times, and whether the event came at each; else the row is censored there.
    survival : array-like of shape (m, g) or (g,)
        S_i(s), the predicted share without an event at each time of the grid; (g,) of all rows.
    grid : array-like of shape (g,)
        Times, ascending, two or more.
    censoring : StepFunction
        G, the probability not to be censored until then, from training rows, see
        :func:`hetsel.statistics.survival.survival_curves.kaplan_meier_of_censoring`. Where it is 0
        a row counts 0, as in scikit-survival, which takes G(t_i) in place of its limit G(t_i-).

    Returns
    -------
    ndarray of shape (m,)

    Raises
    ------
    TableError
        Shapes that disagree, times that are no numbers of 0 or more, a grid that does not ascend.

    References
    ----------
    Graf, Schmoor, Sauerbrei and Schumacher 1999, Statistics in Medicine 18, 2529-2545, section 4.

    Examples
    --------
    >>> from hetsel.statistics.survival.survival_curves import kaplan_meier_of_censoring
    >>> times, events = [1.0, 2.0, 3.0], [True, True, True]
    >>> G = kaplan_meier_of_censoring(times, events)
    >>> integrated_brier_rows(times, events, [0.5, 0.0], [1.0, 2.0], G)
    array([0.125, 0.125, 0.625])
    """
    t, d = checked_times(times, events)
    s, predicted = np.asarray(grid, np.float64), np.asarray(survival, np.float64)
    if s.ndim != 1 or len(s) < 2 or not (np.diff(s) > 0).all():
        raise TableError(f"grid must be two or more ascending times. Got {np.size(s)} times")
    if predicted.shape not in {(len(s),), (len(t), len(s))}:
        raise TableError(
            f"survival must be of shape {(len(t), len(s))} or {(len(s),)}. Got {predicted.shape}"
        )
    own, later = _inverse(censoring.before(t)), _inverse(censoring.at(s))
    had = d[:, None] & (t[:, None] <= s)
    errors = np.where(had, predicted**2 * own[:, None], 0.0)
    errors += np.where(t[:, None] > s, (1.0 - predicted) ** 2 * later, 0.0)
    return np.asarray(np.trapezoid(errors, s, axis=1) / (s[-1] - s[0]))


def _inverse(values: Floats) -> Floats:
    """1 / values, 0 for 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)
