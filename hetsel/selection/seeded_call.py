"""What repeats an answer that another program computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SeededCall:
    """The seed that another program got, and the columns in the order in which they entered.

    Parameters
    ----------
    seed : int
        Derived from the seed of the selector: what R's ``set.seed`` was given, say.
    columns : tuple of int
        Indices of the features.

    Examples
    --------
    >>> SeededCall(7, (1, 0)).within(np.array([3, 5]))
    SeededCall(seed=7, columns=(5, 3))
    """

    seed: int
    columns: tuple[int, ...]

    def within(self, columns: np.ndarray) -> SeededCall:
        """The same call, its features being these columns (k,) of a larger table."""
        return SeededCall(self.seed, tuple(columns[list(self.columns)].tolist()))
