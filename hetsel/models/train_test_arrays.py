"""Training and test rows of one resampling, and how nested subsets of features grow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.ground.memory import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.kernels.feature_kernels import Scaling
from hetsel.kernels.feature_loops import add_cross
from hetsel.models.neighbors import MISSING, add_distances
from hetsel.tables import Table
from hetsel.tables.content import content_ranks

Subsets = Sequence[np.ndarray]


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows of one resampling, with what the training rows teach."""

    train: np.ndarray  # (p, n), scaled by the ranges of the training rows
    test: np.ndarray  # (p, m), scaled alike and clipped
    beyond: np.ndarray  # (p, m): the test rows, not clipped
    codes: np.ndarray  # (n,): class codes of the training rows, all present; else the strata
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


def cross_kernels(split: Split, subsets: Subsets) -> Iterator[tuple[np.ndarray, bool, np.ndarray]]:
    """New features of each subset, whether it starts anew, and its kernel (m, n) of test rows."""
    cross = np.zeros((split.test.shape[1], split.train.shape[1]))
    for new, anew in growth(subsets):
        if anew:
            cross[:] = 0.0
        terms = (split.nominal, split.gaps, new, np.ones(len(new)))
        add_cross(cross, split.test, split.train, *terms)
        yield new, anew, cross


def squared_distances(split: Split, subsets: Subsets) -> Iterator[np.ndarray]:
    """Squared distances (m, n) of test rows from training rows in the features of each subset."""
    m, n = split.test.shape[1], split.train.shape[1]
    refuse_squares("5nn", n, m / n, FRUGAL_CLASSIFIERS)
    train, test = (np.where(np.isnan(part), MISSING, part) for part in (split.train, split.test))
    distances = np.zeros((m, n))
    for new, anew in growth(subsets):
        if anew:
            distances[:] = 0.0
        for f in new.tolist():
            add_distances(distances, test[f], train[f], 1.0)
        yield distances


def levels_in_order(
    split: Split, placed: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test cells whose levels are places `placed` (1, n); NaN where no training row
    has them.
    """
    train, test = split.train.copy(), split.test.copy()
    for f in np.flatnonzero(split.nominal):
        ranks = content_ranks(train[[f]].T, np.array([True]))
        places = placed(ranks, np.ones(train.shape[1], dtype=np.int64))[0]
        known = dict(zip(train[f].tolist(), places.tolist(), strict=True))
        train[f] = places
        test[f] = [known.get(code, np.nan) for code in test[f].tolist()]
    return train, test


def growth(subsets: Subsets) -> Iterator[tuple[np.ndarray, bool]]:
    """For each subset the features that are new in it, and whether it starts anew."""
    held = np.zeros(1 + max((int(subset.max()) for subset in subsets), default=0), dtype=bool)
    for place, subset in enumerate(subsets):
        known = held[subset]
        anew = bool(place == 0 or known.sum() < held.sum())
        yield np.ascontiguousarray(subset if anew else subset[~known], dtype=np.int64), anew
        held[:] = False
        held[subset] = True
