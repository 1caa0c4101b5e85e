"""Numbers as a target."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from hetsel.ground.text import shown
from hetsel.ground.ties import FINE_GRID, unit_scale
from hetsel.tables.table import ReadOnlyArrays, Table
from hetsel.tables.validation import measured_values

MOST_BINS, BIN_ROWS = 10, 5  # of numbers whose shares splits keep


@dataclass(frozen=True, eq=False)
class Numbers(ReadOnlyArrays):
    """A number of each row, measured: an outcome without classes.

    >>> target = Numbers.of([0.5, 2.0, 1.0])
    >>> target.values, target.in_words()
    (array([0.5, 2. , 1. ]), 'numbers: 3 different values')
    """

    values: np.ndarray  # (n,), finite; read-only
    name: str = ""  # of their column
    kind: ClassVar[Literal["numbers"]] = "numbers"
    told_nothing: ClassVar[str] = "rows of one value only"  # of those that do not vary

    @classmethod
    def of(cls, y: Any, n: int | None = None) -> "Numbers":
        """From an array-like y (n,), or a target as it is."""
        given = y if isinstance(y, Numbers) else None
        y = y.values if isinstance(y, Numbers) else y
        values = measured_values(y, len(y) if n is None and y is not None else n or 0)
        if given is not None:
            return given
        name = y.name if isinstance(y, pd.Series) and y.name is not None else ""
        return cls(values, str(name))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def distinct(self) -> int:
        """How many values differ."""
        return len(np.unique(self.values))

    def take(self, rows: np.ndarray) -> "Numbers":
        """The target of these rows."""
        return Numbers(self.values[rows], self.name)

    arranged = take

    def of_content(self, content: np.ndarray) -> "Numbers":
        """The target of these dense ranks (n,) of its values."""
        return Numbers(np.unique(self.values)[content], self.name)

    def canonical(self, rows: np.ndarray) -> "Numbers":
        """The target with its rows in a canonical order and its values in [0, 1], on a grid. The
        grid of 2^-24 is that of the cells of a canonical table: the unit has no part in it."""
        scaled = unit_scale(self.values[:, None])[:, 0]
        return Numbers(np.rint(scaled[rows] * FINE_GRID) / FINE_GRID, self.name)

    def standardized(self, rows: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        """The values (n,) less their mean, by their standard deviation, in this order of the rows,
        on a grid of 2^-24 deviations; `weights` (n,) are those of the rows. The sums are rounded
        once, so that neither the order of the rows nor the unit has a part in it."""
        mean, deviation = self._unit_moments(weights)
        away = (unit_scale(self.values[:, None])[:, 0] - mean) / deviation
        return np.asarray(np.rint(away[rows] * FINE_GRID) / FINE_GRID)

    def moments(self, weights: np.ndarray | None = None) -> tuple[float, float]:
        """Mean and standard deviation of the values, by the weights (n,) of the rows."""
        low, span = float(self.values.min()), float(np.ptp(self.values))
        mean, deviation = self._unit_moments(weights)
        return low + span * mean, span * deviation

    def _unit_moments(self, weights: np.ndarray | None) -> tuple[float, float]:
        """Mean and standard deviation on the scale of [0, 1]."""
        own = np.ones(len(self)) if weights is None else weights
        scaled, total = unit_scale(self.values[:, None])[:, 0], math.fsum(own)
        mean = math.fsum(own * scaled) / total
        away = scaled - mean
        return mean, math.sqrt(math.fsum(own * away * away) / total)

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """What tells it from another one: arrays (n,)."""
        return (self.values,)

    def by_content(self, table: Table) -> "Numbers":
        """Itself: numbers have no names."""
        return self

    @property
    def strata(self) -> np.ndarray:
        """Stratum (n,) of each row, whose share splits keep: a tenth of the rows by their value. Of
        fewer than 50 rows five each; rows of one value are of one stratum, of five rows or more."""
        bins = int(np.clip(len(self) // BIN_ROWS, 1, MOST_BINS))
        first = np.searchsorted(np.sort(self.values), self.values)
        raw = first * bins // len(self)
        counts = np.bincount(raw, minlength=bins)
        full, held = np.zeros(bins, dtype=np.int64), 0
        for k in range(bins - 1):  # rows of one value may leave few to a bin: the next joins it
            held += counts[k]
            full[k + 1 :] += held >= BIN_ROWS
            held = 0 if held >= BIN_ROWS else held
        if held + counts[-1] < BIN_ROWS:
            full = np.minimum(full, max(int(full[-1]) - 1, 0))
        return np.asarray(full[raw])

    @property
    def stratum_names(self) -> list[str]:
        """What a sentence on a stratum begins with."""
        strata = self.strata
        parts = [self.values[strata == k] for k in range(int(strata.max()) + 1)]
        return [f"That from {part.min():.6g} to {part.max():.6g}" for part in parts]

    @property
    def split_classes(self) -> np.ndarray:
        """Class (n,) of each row, whose share the splits of a study keep: one of all rows. So the
        splits are plain, and know nothing of the target."""
        return np.zeros(len(self), dtype=np.int64)

    def facts(self) -> dict[str, Any]:
        """What a store keeps of it: the least and the largest value, their mean and deviation."""
        found = (self.values.min(), self.values.max(), self.values.mean(), self.values.std(ddof=1))
        names = ("least", "largest", "mean", "deviation")
        told = dict(zip(names, map(float, found), strict=True))
        return {"classes": [], "class_counts": [], **told}

    @property
    def content(self) -> np.ndarray:
        """A whole number (n,) for each row, equal where the target is: its dense rank."""
        return np.unique(self.values, return_inverse=True)[1].astype(np.int64)

    @property
    def varies(self) -> bool:
        """Whether there is anything to tell: two values."""
        return self.distinct > 1

    def in_words(self) -> str:
        """What an error calls these targets."""
        where = f" in {shown(self.name)!r}" if self.name else ""
        return f"numbers: {self.distinct} different values{where}"
