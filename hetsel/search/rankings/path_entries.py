"""Rankings by where features enter the path of an L1-penalized model."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Protocol

import numpy as np

from hetsel.ground.errors import TableError
from hetsel.ground.parameters import whole_number
from hetsel.ground.ties import merged
from hetsel.selection.base import BaseSelector

ENTRY_GRID = 2.0**20  # of lambda: steps well above what the default tolerances leave open


class PathStep(Protocol):
    """A step: its lambda, the features in (p,), their pulls (p,), whether its model is solved."""

    @property
    def penalty(self) -> float: ...
    @property
    def inside(self) -> np.ndarray: ...
    @property
    def pulls(self) -> np.ndarray: ...
    @property
    def converged(self) -> bool: ...


class PathSelector(BaseSelector):
    """A method that ranks features by the lambda at which they enter a path.

    Parameters
    ----------
    steps : int
        Number of steps of lambda, each the same share of the one before.
    shortest : float
        The last lambda as a share of the first, above 0 and below 1.
    tolerance : float
        By how much of the first lambda a condition of an optimum may be missed, above 0.

    Warns
    -----
    UserWarning
        A step of the path missed the tolerance.

    Notes
    -----
    The importance is the lambda at which a feature enters, read between two steps of the path as
    its pull at the last step before; a feature that never enters has its pull at the last step.
    Features of equal content share it. It is rounded to 2^-20.

    The answer's extras: `entry` (p,), the step of lambda at which the feature is in, 0 if at none.
    """

    steps: int = 100
    shortest: float = 0.05
    tolerance: float = 1e-6

    def _check(self) -> None:
        whole_number("steps", self.steps, 1)
        for name in ("shortest", "tolerance"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise TableError(f"{name} must be a number above 0 and below 1. Got {value!r}")

    def _entries(self, path: Iterable[PathStep], p: int) -> tuple[np.ndarray, np.ndarray]:
        """Importance (p,) and the lambda (p,) of the step at which each feature is in."""
        importance, entry, pulls = np.zeros((3, p))
        out, reached = np.ones(p, dtype=bool), True
        for point in path:
            new = out & point.inside
            importance[new] = np.maximum(pulls[new], point.penalty)
            entry[new] = point.penalty
            out &= ~new
            pulls, reached = point.pulls, reached and point.converged
            importance[out] = np.minimum(pulls[out], point.penalty)
        if not reached:
            warnings.warn(
                f"a step of the path missed the tolerance of {self.tolerance:g}: entries near to "
                "each other may be out of order. A larger tolerance or shortest helps",
                UserWarning,
                stacklevel=3,
            )
        return merged(np.rint(importance * ENTRY_GRID) / ENTRY_GRID, 1.5 / ENTRY_GRID), entry
