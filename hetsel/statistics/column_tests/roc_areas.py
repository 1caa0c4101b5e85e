"""Compute the area under the ROC curve of each column: how well it orders rows by their class."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hetsel.ground import column_blocks
from hetsel.ground.array_types import Floats
from hetsel.statistics.column_tests.chi_squared import mid_ranks


def areas_of_numbers(x: ArrayLike, y: ArrayLike) -> Floats:
    """Compute the area (p,) of columns of numbers (n, p) in the better direction.

    The area is max(A, 1 - A), or 1/2 if it is unknown, with A = U / (n_0 n_1) and Mann and
    Whitney's U. A is the proportion of pairs of rows of two classes that the column orders
    correctly, ties counting one half. For more than two classes it is the mean over all pairs of
    classes: Hand & Till (2001) Machine Learning 45, 171-186, Eq. 7. Each column leaves out its NaN.
    """

    def areas(values: Floats, second: NDArray[np.bool_]) -> Floats:
        blocks = column_blocks(*values.shape)
        return np.concatenate([_areas_of_block(values[:, block], second) for block in blocks])

    return _mean_of_pairs(x, y, areas)


def areas_of_levels(x: ArrayLike, y: ArrayLike) -> Floats:
    """Compute the area (p,) of columns of level codes (n, p), levels by their class proportion.

    No order of the levels gives a larger area, which makes columns of many levels look good. A
    missing value is a level. For more than two classes as :func:`areas_of_numbers`, with an order
    for each pair.
    """

    def areas(values: Floats, second: NDArray[np.bool_]) -> Floats:
        return np.array([_area_of_levels(column, second) for column in values.T])

    return _mean_of_pairs(x, y, areas)


def _mean_of_pairs(
    x: ArrayLike, y: ArrayLike, areas: Callable[[Floats, NDArray[np.bool_]], Floats]
) -> Floats:
    values, codes = np.asarray(x, dtype=np.float64), np.asarray(y)
    total, pairs = np.zeros(values.shape[1]), list(combinations(np.unique(codes), 2))
    for first, second in pairs:
        rows = (codes == first) | (codes == second)
        total += areas(values[rows], codes[rows] == second)
    return total / len(pairs)


def _areas_of_block(values: Floats, second: NDArray[np.bool_]) -> Floats:
    ranks, present = mid_ranks(values), ~np.isnan(values)
    n_first, n_second = present[~second].sum(axis=0), present[second].sum(axis=0)
    sums = np.where(present[second], ranks[second], 0.0).sum(axis=0)
    pairs = n_first * n_second
    area = (sums - n_second * (n_second + 1) / 2) / np.maximum(pairs, 1)
    return np.where(pairs > 0, np.maximum(area, 1 - area), 0.5)


def _area_of_levels(column: Floats, second: NDArray[np.bool_]) -> float:
    _, level = np.unique(column, return_inverse=True, equal_nan=True)
    n_second, n = np.bincount(level, second), np.bincount(level)
    order = np.argsort(n_second / n)
    n_second, n_first = n_second[order], (n - n_second)[order]
    before = np.cumsum(n_first) - n_first
    return float(n_second @ (before + n_first / 2) / (n_second.sum() * n_first.sum()))
