"""Subsets of the rows, each within the next, every class with its share, groups kept together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hetsel.resampling.folds import units_of


def nested_subsets(
    strata: np.ndarray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Masks (K, n) of subsets of so many rows, smaller ones within larger ones.

    The rows of each class are put into a drawn order, and all into one by the share of its class
    that stands before a row; a subset has the first of them. Where rows have groups these are put
    in order, by their largest class, and a subset has as many as give it its rows or just more.

    Parameters
    ----------
    strata : ndarray of int, shape (n,)
        Class of each row.
    sizes : sequence of int
        Each in 1..n.
    rng : Generator
    groups : ndarray of int, shape (n,), optional

    Examples
    --------
    >>> y = np.repeat([0, 1], [8, 4])
    >>> found = nested_subsets(y, [3, 6], np.random.default_rng(0))
    >>> [np.bincount(y[rows]).tolist() for rows in found], bool((found[0] <= found[1]).all())
    ([[2, 1], [4, 2]], True)
    """
    unit, members = units_of(strata, groups)
    rows, main = members.sum(axis=1), members.argmax(axis=1)
    before, chance = np.empty(len(rows)), rng.permutation(len(rows))
    for stratum in np.unique(main):
        own = np.flatnonzero(main == stratum)
        own = own[np.argsort(chance[own])]
        before[own] = (np.cumsum(rows[own]) - rows[own] / 2) / rows[own].sum()
    order = np.lexsort((chance, before))
    counted = np.cumsum(rows[order])
    found = np.zeros((len(sizes), len(strata)), dtype=bool)
    for mask, size in zip(found, sizes, strict=True):
        taken = np.zeros(len(rows), dtype=bool)
        taken[order[: int(np.searchsorted(counted, size)) + 1]] = True
        mask[:] = taken[unit]
    return found
