"""Training and test rows of one resampling, and how nested subsets of features grow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hetsel.ground import FRUGAL_CLASSIFIERS, refuse_squares
from hetsel.ground.equal_numbers import on_grid
from hetsel.kernels import energies_and_grams, training_ranges
from hetsel.models.neighbors import MISSING, add_distances
from hetsel.tables import Table, content_ranks

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
        **target: np.ndarray,
    ) -> "Split":
        """From two tables whose missing cells are resolved; numbers, or times and events."""
        scaling = training_ranges.Scaling.fit(train)
        left, right = scaling.apply(train), scaling.apply(test)
        beyond = scaling.apply(test, clip=False)
        gaps = np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1)
        levels = np.array([len(c.levels) + 1 for c in train.schema.columns])
        # for compiled functions: one type, writable
        cells = (left, right, beyond, np.array(codes), np.array(train.nominal), gaps, levels)
        return cls(*cells, weights, row_groups, (train, test), **target)

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
        energies_and_grams.add_cross(cross, split.test, split.train, *terms)
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


def order_levels(codes: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Place (q, n) of each cell's level among the levels of its column, ordered by their classes.

    By the share of the second of two classes, which loses no split (Breiman et al. 1984, Theorem
    4.5), else by the first principal component of the class shares, each level weighted by its rows
    (Coppersmith et al. 1999). A level that does not count has the shares of the whole.
    """
    n_classes = int(y.max()) + 1
    level, column, starts = _levels_of(codes)
    cells = np.bincount(
        (level * n_classes + y).ravel(),
        np.broadcast_to(weight, codes.shape).ravel(),
        minlength=len(column) * n_classes,
    ).reshape(-1, n_classes)
    rows = cells.sum(axis=1, keepdims=True)
    away = cells / np.maximum(rows, 1) - np.bincount(y, weight) / weight.sum()
    away[rows[:, 0] == 0] = 0.0
    if n_classes == 2:
        score = away[:, 1]
    else:
        spread = (rows * away)[:, :, None] * away[:, None, :]
        component = np.linalg.eigh(np.add.reduceat(spread, starts))[1][:, :, -1]
        largest = np.argmax(np.abs(on_grid(component)), axis=1)
        component *= np.sign(np.take_along_axis(component, largest[:, None], axis=1))
        score = on_grid((away * component[column]).sum(axis=1))
    return _places_by(score, column, starts)[level]


def order_levels_by_mean(codes: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Place (q, n) of each cell's level by the mean of y (n,), of those that do not count the
    whole.

    No split in two is better by squared errors than a cut of it (Breiman et al. 1984, section 8.8).
    """
    level, column, starts = _levels_of(codes)
    rows, sums = (
        np.bincount(level.ravel(), np.broadcast_to(of, codes.shape).ravel(), minlength=len(column))
        for of in (weight, weight * y)
    )
    whole = (weight * y).sum() / weight.sum()
    mean = np.divide(sums, rows, out=np.full(len(rows), whole), where=rows > 0)
    return _places_by(mean, column, starts)[level]


def _levels_of(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels (q, n) among those of all columns, the column of each, the first of each column."""
    sizes = codes.max(axis=1) + 1
    starts = np.cumsum(sizes) - sizes
    return codes + starts[:, None], np.repeat(np.arange(len(codes)), sizes), starts


def _places_by(score: np.ndarray, column: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Place of each level in its column by a score; equal ones keep their order."""
    place = np.empty(len(score), dtype=np.int64)
    place[np.lexsort((score, column))] = np.arange(len(score)) - starts[column]
    return place
