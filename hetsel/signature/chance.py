"""Is a signature better than chance? A permutation test of the whole procedure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.statistics.permutation_values import permutation_pvalue

LEVEL = 0.025  # of a one-sided test, as a 95 % interval leaves 2.5 % on either side


@dataclass(frozen=True, eq=False)
class ChanceTest:
    """Permutation test of selection, size and model together.

    The labels are permuted, weights stay with their rows, and everything that follows is done
    again: folds, selection, choice of the size, model.
    p = (1 + number of permutations whose rate is as large) / (1 + permutations).

    Parameters
    ----------
    rate : float
        Nested BCR of the labels as they are, of one cross-validation with `folds` folds.
    permuted : ndarray of shape (permutations,)
        The same of permuted labels.
    folds : int

    References
    ----------
    Phipson & Smyth (2010) Statistical Applications in Genetics and Molecular Biology 9, 39.

    Examples
    --------
    >>> ChanceTest(0.7, np.array([0.5, 0.72, 0.4]), 5).pvalue
    0.5
    """

    rate: float
    permuted: np.ndarray
    folds: int

    @property
    def pvalue(self) -> float:
        """p-value; never 0."""
        # equal on paper, whatever the last bit
        above = int((self.permuted >= self.rate - 1e-9).sum())
        return float(permutation_pvalue(above, len(self.permuted)))

    @property
    def above_chance(self) -> bool:
        """Whether p is at most 0.025, the share that a 95 % interval leaves on one side."""
        return self.pvalue <= LEVEL

    def __str__(self) -> str:
        return (
            f"BCR {self.rate:.3f} in {self.folds} folds, {np.mean(self.permuted):.3f} on average "
            f"of {len(self.permuted)} permutations, p = {self.pvalue:.3g}"
        )


def nested_rate(right: np.ndarray, truth: np.ndarray, weights: np.ndarray | None = None) -> float:
    """BCR of rows (n,) that are predicted right (1) or not (0), as they weigh."""
    own = np.ones(len(right)) if weights is None else weights
    classes = [truth == c for c in np.unique(truth)]
    return float(np.mean([np.average(right[rows], weights=own[rows]) for rows in classes]))


def fewest_permutations(level: float = LEVEL) -> int:
    """The smallest number of permutations with which p can be at or below the level.

    Examples
    --------
    >>> fewest_permutations()
    39
    """
    return int(np.ceil(1 / level - 1e-9)) - 1


def too_few(counts: Sequence[int], classes: Sequence[object], fewest: int, what: str) -> str:
    """Why a table cannot be judged: a class that has too few rows; empty where none has.

    Examples
    --------
    >>> too_few([90, 7], ["no", "yes"], 10, "rows")
    'too few rows of class yes for this: 7, and 10 are needed'
    """
    place = int(np.argmin(counts))
    if counts[place] >= fewest:
        return ""
    return (
        f"too few {what} of class {classes[place]!s} for this: {counts[place]}, and {fewest} are "
        "needed"
    )
