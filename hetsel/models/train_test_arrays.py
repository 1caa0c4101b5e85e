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

    `codes` are the strata where the target holds numbers or survival times.
    """

    train: np.ndarray  # (p, n), scaled by the ranges of the training rows
    test: np.ndarray  # (p, m), scaled alike and clipped
    beyond: np.ndarray  # (p, m): the test rows, not clipped
    codes: np.ndarray  # (n,): class codes of the training rows, 0..c-1, all present
    nominal: np.ndarray  # (p,)
    gaps: np.ndarray  # (p,): features with a missing cell that is a value of its own
    levels: np.ndarray  # (p,): number of levels of the nominal features
    weights: np.ndarray | None = None  # (n,); None weighs all training rows the same
    row_groups: np.ndarray | None = None  # (n,)
    tables: tuple[Table, Table] | None = None  # training and test rows as they were given
    numbers: np.ndarray | None = None  # (n,): the target where it holds numbers
    times: np.ndarray | None = None  # (n,): the target where it holds survival times
    events: np.ndarray | None = None  # (n,): whether the event happened then

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
