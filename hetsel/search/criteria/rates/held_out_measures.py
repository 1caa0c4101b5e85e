"""Performance of held-out rows of numbers and of survival times.

Of numbers

    R^2 = 1 - sum_i (y_i - prediction_i)^2 / sum_i (y_i - mean)^2,

below 0 where the mean of all rows is the better prediction; of survival times Harrell's
concordance, see :mod:`hetsel.statistics.survival.concordance`. Rows are compared whatever the folds
that hold them out.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground.ties import FINE_GRID, on_grid, unit_scale
from hetsel.statistics.survival.concordance import concordance
from hetsel.tables.target import Numbers
from hetsel.tables.targets.survival import Survival


class R2:
    """R^2 of predicted numbers.

    Parameters
    ----------
    target : Numbers

    Examples
    --------
    >>> R2(Numbers(np.array([5.0, 7.0, 9.0]))).of(np.array([[0.0, 0.5, 0.5]]))
    array(0.5)
    """

    def __init__(self, target: Numbers) -> None:
        self.told = scaled_numbers(target.values)
        mean = np.full((1, len(self.told)), self.told.mean())
        self._whole = float(squared_errors(mean, self.told)[0])

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Mean R^2 (...) of predictions (..., repeats, n), of the numbers scaled to [0, 1]."""
        rows = predicted.reshape(-1, len(self.told))
        errors = squared_errors(rows, self.told).reshape(predicted.shape[:-1])
        return np.asarray(on_grid(1.0 - errors.sum(axis=-1) / (self._whole * predicted.shape[-2])))


class Concordance:
    """Harrell's concordance of risks, larger is sooner.

    Parameters
    ----------
    target : Survival

    References
    ----------
    Harrell, Califf, Pryor, Lee and Rosati 1982, JAMA 247, 2543-2546.

    Examples
    --------
    >>> target = Survival(np.array([1.0, 2.0, 3.0]), np.array([True, False, True]))
    >>> Concordance(target).of(np.array([[3.0, 3.0, 1.0]]))
    array(0.75)
    """

    def __init__(self, target: Survival) -> None:
        self._told = target.times, target.events

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Mean concordance (...) of risks (..., repeats, n)."""
        rows = predicted.reshape(-1, len(self._told[0]))
        found = concordance(*self._told, rows).reshape(predicted.shape[:-1])
        return np.asarray(found.mean(axis=-1))


def scaled_numbers(values: np.ndarray) -> np.ndarray:
    """Numbers (n,) scaled to [0, 1], on a grid of 2^-24: their unit has no part in them."""
    return np.asarray(np.rint(unit_scale(values[:, None])[:, 0] * FINE_GRID) / FINE_GRID)


@compiled
def squared_errors(predicted, told):
    """Sum (m,) of the squared errors of several predictions (m, n)."""
    out = np.zeros(len(predicted))
    for r in range(len(predicted)):
        for i in range(len(told)):
            out[r] += (predicted[r, i] - told[i]) ** 2
    return out
