"""From decision values of the final model to probabilities, at the prevalence that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hetsel.statistics.probabilities.calibration_maps import CalibrationMap
from hetsel.statistics.probabilities.prevalence import shifted


@dataclass(frozen=True)
class ClassProbabilities:
    """Probabilities of the classes by a final model.

    Parameters
    ----------
    map : CalibrationMap
    shares : tuple of float
        Weighted share of each class among the rows of the fit.
    prevalence : tuple of float, or None
        Where the model is used, if it is another: each odds is multiplied by the ratio of the odds.
    """

    map: CalibrationMap
    shares: tuple[float, ...]
    prevalence: tuple[float, ...] | None = None

    def of(self, decisions: np.ndarray) -> np.ndarray:
        """Probabilities (m, C) of decision values (m,) of two classes, or (m, C)."""
        return self.at_prevalence(self.map.probabilities(decisions.reshape(len(decisions), -1)))

    def at_prevalence(self, probabilities: np.ndarray) -> np.ndarray:
        """Probabilities (m, C) at the prevalence."""
        if self.prevalence is None:
            return probabilities
        return shifted(probabilities, self.shares, self.prevalence)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        prevalence = None if self.prevalence is None else [*self.prevalence]
        return {**self.map.to_dict(), "shares": [*self.shares], "prevalence": prevalence}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> ClassProbabilities:
        """What :meth:`to_dict` wrote down."""
        wanted = content["prevalence"]
        return cls(
            CalibrationMap.from_dict(content),
            tuple(content["shares"]),
            None if wanted is None else tuple(wanted),
        )
