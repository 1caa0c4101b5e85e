"""Performance of held-out rows of numbers and of survival times.

Of numbers

    R^2 = 1 - sum_i (y_i - prediction_i)^2 / sum_i (y_i - mean)^2,

below 0 where the mean of all rows is the better prediction; of survival times Harrell's
concordance, the share of the pairs of rows known to differ whose earlier event has the larger risk,
equal risks counted as half. A pair is known to differ if the event of one is at a time by which the
other one is known to have had none. Rows are compared whatever the folds that hold them out.
"""

from __future__ import annotations

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground.ties import FINE_GRID, on_grid, unit_scale
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
        content = target.content  # at one time events come first
        self._order = np.argsort(content, kind="stable")
        ordered = content[self._order]
        after = np.searchsorted(ordered, ordered, side="right")
        self._after = np.where(target.events[self._order], after, len(content)).astype(np.int64)
        self._pairs = int((len(content) - self._after).sum())

    def of(self, predicted: np.ndarray) -> np.ndarray:
        """Concordance (...) of risks (..., repeats, n); 1/2 where no pair is known to differ."""
        rows = predicted.reshape(-1, len(self._order))[:, self._order]
        right = concordant_halves(rows, self._after).reshape(predicted.shape[:-1]).sum(axis=-1)
        if not self._pairs:
            return np.full(right.shape, 0.5)
        return np.asarray(right / (2 * self._pairs * predicted.shape[-2]))


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


@compiled
def concordant_halves(risks, after):
    """Twice the concordant pairs (m,), and once those of equal risk, of several risks (m, n).

    The rows are in the order of their times; after[i] is the first row that is known to be without
    an event after that of row i, n where row i is censored.
    """
    n = risks.shape[1]
    out = np.zeros(len(risks), dtype=np.int64)
    for r in range(len(risks)):
        for i in range(n):
            own, halves = risks[r, i], 0
            for j in range(after[i], n):
                halves += (own > risks[r, j]) + (own >= risks[r, j])
            out[r] += halves
    return out
