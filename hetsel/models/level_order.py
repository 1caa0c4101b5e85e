"""Levels of nominal columns in the order of the target, so that a single cut can split them."""

import numpy as np

from hetsel.ground.ties import on_grid


def order_levels(codes: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Place (q, n) of each cell's level among the levels of its column, ordered by their classes.

    Of codes (q, n) from 0 by first appearance, classes (n,) and how often each row counts (n,).
    Places go by the share of the second of two classes, which loses no split (Breiman et al. 1984,
    Theorem 4.5), else by the first principal component of the class shares, each level weighted by
    its rows (Coppersmith et al. 1999). A level that does not count has the shares of the whole;
    equal levels keep their order.
    """
    n_classes = int(y.max()) + 1
    sizes = codes.max(axis=1) + 1
    starts = np.cumsum(sizes) - sizes
    level = codes + starts[:, None]
    cells = np.bincount(
        (level * n_classes + y).ravel(),
        np.broadcast_to(weight, codes.shape).ravel(),
        minlength=sizes.sum() * n_classes,
    ).reshape(-1, n_classes)
    rows = cells.sum(axis=1, keepdims=True)
    away = cells / np.maximum(rows, 1) - np.bincount(y, weight) / weight.sum()
    away[rows[:, 0] == 0] = 0.0
    column = np.repeat(np.arange(len(codes)), sizes)
    if n_classes == 2:
        score = away[:, 1]
    else:
        spread = (rows * away)[:, :, None] * away[:, None, :]
        component = np.linalg.eigh(np.add.reduceat(spread, starts))[1][:, :, -1]
        largest = np.argmax(np.abs(on_grid(component)), axis=1)
        component *= np.sign(np.take_along_axis(component, largest[:, None], axis=1))
        score = on_grid((away * component[column]).sum(axis=1))
    place = np.empty(len(cells), dtype=np.int64)
    place[np.lexsort((score, column))] = np.arange(len(cells)) - starts[column]
    return place[level]


def order_levels_by_mean(codes: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Place (q, n) of each cell's level by the mean of y (n,), of those that do not count the
    whole.

    No split in two is better by squared errors than a cut of it (Breiman et al. 1984, section 8.8).
    """
    sizes = codes.max(axis=1) + 1
    starts = np.cumsum(sizes) - sizes
    level = codes + starts[:, None]
    rows, sums = (
        np.bincount(level.ravel(), np.broadcast_to(of, codes.shape).ravel(), minlength=sizes.sum())
        for of in (weight, weight * y)
    )
    whole = (weight * y).sum() / weight.sum()
    mean = np.divide(sums, rows, out=np.full(len(rows), whole), where=rows > 0)
    column = np.repeat(np.arange(len(codes)), sizes)
    place = np.empty(len(mean), dtype=np.int64)
    place[np.lexsort((mean, column))] = np.arange(len(mean)) - starts[column]
    return place[level]
