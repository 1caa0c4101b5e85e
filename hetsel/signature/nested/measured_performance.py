"""How good a signature is for a target without classes: several measures with their intervals."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from hetsel.statistics.performance.rate_intervals import RateInterval


@dataclass(frozen=True)
class Measure:
    """One measure of how good the model will be on new rows.

    Parameters
    ----------
    key : str
        Such as "r2".
    label : str
        What a page calls it.
    value : RateInterval
        Its estimate and interval; the ends are NaN where there is none.
    """

    key: str
    label: str
    value: RateInterval


@dataclass(frozen=True)
class MeasuredPerformance:
    """Performance of a signature and its model on rows that they have not seen.

    Parameters
    ----------
    kind : str
        Of the target.
    measures : tuple of Measure
        The main one first.
    chance : float
        What the main one is of a model that knows nothing.
    rows : int
    inner : float
        What the cross-validation that chose the size says of the size that it chose, by the main
        measure.
    optimism : float
        Inner value less the nested one, both of models that have not seen one fold.
    learning : float
        What was added to the nested value, as models of all rows learn from more; see
        :mod:`hetsel.signature.nested.nested_performance`. 0 where the size was given.
    folds, runs : int
        K, and how many cross-validations.
    shown : dict
        Held-out rows as a page draws them, plain values.
    low_alone : float or None
        Where the interval of the main measure would begin without the test against chance; None
        where the test moved nothing.
    """

    kind: str
    measures: tuple[Measure, ...]
    chance: float
    rows: int
    inner: float
    optimism: float
    learning: float
    folds: int
    runs: int
    shown: dict[str, Any]
    low_alone: float | None = None

    @property
    def main(self) -> RateInterval:
        """The main measure."""
        return self.measures[0].value

    def __getitem__(self, key: str) -> RateInterval:
        """The measure of a key."""
        return next(one.value for one in self.measures if one.key == key)

    def frame(self) -> pd.DataFrame:
        """The measures, one row each: measure, value, low, high, rows."""
        content = [
            (one.key, one.value.rate, one.value.low, one.value.high, self.rows)
            for one in self.measures
        ]
        return pd.DataFrame(content, columns=["measure", "value", "low", "high", "rows"])

    def with_low(self, low: float) -> "MeasuredPerformance":
        """The same with another low end of the main interval, if it is another."""
        first = self.measures[0]
        if low == first.value.low:
            return self
        moved = replace(first, value=replace(first.value, low=low))
        return replace(self, measures=(moved, *self.measures[1:]), low_alone=float(first.value.low))


def with_learning(value: np.ndarray, with_less: np.ndarray, factor: float) -> np.ndarray:
    """Contributions (n,) of rows as models of all rows would give them.

    v + factor (v - v'), v' of models that have seen less, see
    :mod:`hetsel.signature.nested.nested_performance`; v where there is no v' (NaN).
    """
    return np.asarray(value + factor * np.nan_to_num(value - with_less))
