"""Scaling of values by the ranges of the training rows."""

from dataclasses import dataclass

import numpy as np

from hetsel.tables import Table


@dataclass(frozen=True)
class Scaling:
    """Scale columns by the ranges of the training rows: (x - low) / span, clipped to [0, 1].

    Level codes and NaN stay. Values are halved, so that no range overflows.
    """

    low: np.ndarray  # (p,): smallest value of the training rows
    half: np.ndarray  # (p,): half of their range, 0 of a constant column
    nominal: np.ndarray  # (p,)

    @classmethod
    def fit(cls, table: Table) -> "Scaling":
        """Learn the ranges of a complete training table."""
        values = table.values
        gaps = np.isnan(values)
        low = np.where(gaps, np.inf, values).min(axis=0)
        high = np.where(gaps, -np.inf, values).max(axis=0)
        empty = gaps.all(axis=0)
        low, high = np.where(empty, 0.0, low), np.where(empty, 0.0, high)
        return cls(low, high / 2 - low / 2, table.nominal)

    def apply(self, table: Table, clip: bool = True) -> np.ndarray:
        """Return scaled values (p, n), contiguous."""
        varies = ~self.nominal & (self.half > 0)
        constant = ~self.nominal & ~varies
        scaled = np.array(table.values.T, order="C")
        scaled *= np.where(varies, 0.5, 1.0)[:, None]
        scaled -= np.where(varies, self.low / 2, 0.0)[:, None]
        with np.errstate(over="ignore"):  # a row far beyond a tiny range is infinitely far
            scaled /= np.where(varies, self.half, 1.0)[:, None]
        if clip:
            lowest, highest = np.where(varies, 0.0, -np.inf), np.where(varies, 1.0, np.inf)
            np.clip(scaled, lowest[:, None], highest[:, None], out=scaled)
        if constant.any():
            scaled[constant] = np.where(np.isnan(scaled[constant]), np.nan, 0.0)
        return scaled
