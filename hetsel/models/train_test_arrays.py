"""Training and test rows of one resampling, and how nested subsets of features grow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.kernels.feature_kernels import Scaling
from hetsel.tables import Table

Subsets = Sequence[np.ndarray]


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows of one resampling, with what the training rows teach.

    Parameters
    ----------
    train, test : ndarray of shape (p, n) and (p, m)
        Cells, feature by row, scaled by the ranges of the training rows and clipped to them.
    beyond : ndarray of shape (p, m)
        The test rows, not clipped.
    codes : ndarray of int, shape (n,)
        Class codes of the training rows, 0..c-1, all present.
    nominal, gaps : ndarray of bool, shape (p,)
        Nominal features, and features with a missing cell that is a value of its own.
    levels : ndarray of int, shape (p,)
        Number of levels of the nominal features.
    weights : ndarray of shape (n,), optional
        Weight of each training row; None weighs all the same.
    row_groups : ndarray of int, shape (n,), optional
        Group of each training row.
    tables : tuple of two Tables, optional
        The training and the test rows as they were given.
    numbers : ndarray of shape (n,), optional
        The target of each training row where it holds numbers; `codes` are then its strata.
    times, events : ndarray of shape (n,), optional
        Time of each training row where the target holds survival times, and whether its event
        happened then; `codes` are then its strata.
    """

    train: np.ndarray
    test: np.ndarray
    beyond: np.ndarray
    codes: np.ndarray
    nominal: np.ndarray
    gaps: np.ndarray
    levels: np.ndarray
    weights: np.ndarray | None = None
    row_groups: np.ndarray | None = None
    tables: tuple[Table, Table] | None = None
    numbers: np.ndarray | None = None
    times: np.ndarray | None = None
    events: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        train: Table,
        test: Table,
        codes: np.ndarray,
        weights: np.ndarray | None = None,
        row_groups: np.ndarray | None = None,
        numbers: np.ndarray | None = None,
        times: np.ndarray | None = None,
        events: np.ndarray | None = None,
    ) -> "Split":
        """From two tables whose missing cells are resolved."""
        scaling = Scaling.fit(train)
        left, right = scaling.apply(train), scaling.apply(test)
        beyond = scaling.apply(test, clip=False)
        gaps = np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1)
        levels = np.array([len(c.levels) + 1 for c in train.schema.columns])
        # for compiled functions: one type, writable
        cells = (left, right, beyond, np.array(codes), np.array(train.nominal), gaps, levels)
        return cls(*cells, weights, row_groups, (train, test), numbers, times, events)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.codes.max()) + 1


def growth(subsets: Subsets) -> Iterator[tuple[np.ndarray, bool]]:
    """For each subset the features that are new in it, and whether it starts anew.

    Examples
    --------
    >>> subsets = [np.array([2]), np.array([2, 0]), np.array([1, 0])]
    >>> [(new.tolist(), anew) for new, anew in growth(subsets)]
    [([2], True), ([0], False), ([1, 0], True)]
    """
    held = np.zeros(1 + max((int(subset.max()) for subset in subsets), default=0), dtype=bool)
    for place, subset in enumerate(subsets):
        known = held[subset]
        anew = bool(place == 0 or known.sum() < held.sum())
        yield np.ascontiguousarray(subset if anew else subset[~known], dtype=np.int64), anew
        held[:] = False
        held[subset] = True
