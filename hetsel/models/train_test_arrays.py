"""Training and test rows of one resampling, and the growth of nested subsets."""

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
    """Training and test rows of one resampling, scaled by the training rows."""

    train: np.ndarray  # (p, n), scaled by the ranges of the training rows
    test: np.ndarray  # (p, m), scaled alike and clipped
    beyond: np.ndarray  # (p, m): the test rows, not clipped
    codes: np.ndarray  # (n,): class codes of the training rows, or their strata
    nominal: np.ndarray  # (p,)
    gaps: np.ndarray  # (p,): features with missing treated as a separate value
    levels: np.ndarray  # (p,): number of levels of the nominal features
    weights: np.ndarray | None = None  # (n,); None means equal weights
    row_groups: np.ndarray | None = None  # (n,)
    tables: tuple[Table, Table] | None = None  # training and test rows as tables
    numbers: np.ndarray | None = None  # (n,): a numeric target
    times: np.ndarray | None = None  # (n,): survival times
    events: np.ndarray | None = None  # (n,): whether each time is an event

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
        """Make a split from two complete tables, with numbers or with times and events."""
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
    """Yield new features of each subset, whether it starts again, and its kernel (m, n)."""
    cross = np.zeros((split.test.shape[1], split.train.shape[1]))
    for new, anew in growth(subsets):
        if anew:
            cross[:] = 0.0
        terms = (split.nominal, split.gaps, new, np.ones(len(new)))
        energies_and_grams.add_cross(cross, split.test, split.train, *terms)
        yield new, anew, cross


def squared_distances(split: Split, subsets: Subsets) -> Iterator[np.ndarray]:
    """Yield squared distances (m, n) of test rows from training rows for each subset."""
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
    """Replace levels by their places, which `placed` (1, n) returns; NaN for unseen levels."""
    train, test = split.train.copy(), split.test.copy()
    for f in np.flatnonzero(split.nominal):
        ranks = content_ranks(train[[f]].T, np.array([True]))
        places = placed(ranks, np.ones(train.shape[1], dtype=np.int64))[0]
        known = dict(zip(train[f].tolist(), places.tolist(), strict=True))
        train[f] = places
        test[f] = [known.get(code, np.nan) for code in test[f].tolist()]
    return train, test


def growth(subsets: Subsets) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield the new features of each subset, and whether it starts again."""
    held = np.zeros(1 + max((int(subset.max()) for subset in subsets), default=0), dtype=bool)
    for place, subset in enumerate(subsets):
        known = held[subset]
        anew = bool(place == 0 or known.sum() < held.sum())
        yield np.ascontiguousarray(subset if anew else subset[~known], dtype=np.int64), anew
        held[:] = False
        held[subset] = True


def order_levels(codes: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the place (q, n) of the level of each value, with levels ordered by their classes.

    Two classes order levels by the proportion of the second class, which loses no split (Breiman et
    al. 1984, Theorem 4.5). More classes order them by the first principal component of the class
    proportions, weighted by rows (Coppersmith et al. 1999). A level without weight has the overall
    proportions.
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
    """Return the place (q, n) of the level of each value, ordered by the mean of y (n,).

    A level without weight has the overall mean. No binary split has a smaller squared error than a
    cut of this order (Breiman et al. 1984, section 8.8).
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
    """Return levels (q, n) numbered over all columns, the column of each, and first levels."""
    sizes = codes.max(axis=1) + 1
    starts = np.cumsum(sizes) - sizes
    return codes + starts[:, None], np.repeat(np.arange(len(codes)), sizes), starts


def _places_by(score: np.ndarray, column: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the place of each level in its column by a score; ties keep their order."""
    place = np.empty(len(score), dtype=np.int64)
    place[np.lexsort((score, column))] = np.arange(len(score)) - starts[column]
    return place
