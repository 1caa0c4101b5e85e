"""Random forest with out-of-bag permutation importance, on scikit-learn's trees; needs no R."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import njit
from sklearn.ensemble import RandomForestClassifier

from hetsel.base import BaseSelector
from hetsel.ranking import Ranking
from hetsel.search.units import on_grid
from hetsel.table import Table, content_ranks


@dataclass(eq=False, repr=False, kw_only=True)
class RandomForestSelector(BaseSelector):
    """Rank features by the permutation importance of a random forest.

    J(f) = mean over trees of (r - r_f) / m, with m the number of rows out of the tree's bag, r how
    many of them the tree predicts right, and r_f how many once the values of f are permuted among
    these rows. A feature that a tree does not use adds 0.

    The trees see ranks. The levels of a nominal column are ordered by the share of the second
    class among their rows, which loses nothing for two classes; for more classes by the first
    principal component of their class shares. A missing cell that missing="separate" leaves goes
    to the side of each split that suits the rows of the bag better. Columns of equal content share
    their importance.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    max_features : {"sqrt", "log2"}, int, float or None
        Number of features tried at each split, as in scikit-learn.
    min_samples_leaf : int
        Number of rows that a leaf holds at least.
    n_jobs : int, optional
        Number of processors that grow the trees; None is one, -1 all. The result is the same.

    Attributes
    ----------
    standard_errors_ : ndarray of float, shape (p,)
        Standard error of each importance over the trees: what more trees would reduce.

    References
    ----------
    Breiman 2001, Machine Learning 45, 5-32; Breiman et al. 1984, Theorem 4.5 (two classes);
    Coppersmith, Hong and Hosking 1999, Data Mining and Knowledge Discovery 3, 197-217 (more).

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"noise": [1.0, 0.0] * 8, "sex": ["f"] * 8 + ["m"] * 8})
    >>> RandomForestSelector(n_estimators=50).fit(frame, [0] * 8 + [1] * 8).signature()
    array([1])
    """

    n_estimators: int = 1000
    max_features: Any = "sqrt"
    min_samples_leaf: Any = 1
    n_jobs: int | None = None

    key: ClassVar[str] = "random-forest"
    title: ClassVar[str] = "random forest, out-of-bag permutation importance"
    family: ClassVar = "embedded"
    paper: ClassVar[str] = "Breiman 2001; paul2015, section 3"

    def _select(
        self, table: Table, y: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
    ) -> Ranking:
        ranks = ordered_ranks(table, y)
        place = table.canonical_order()
        values = np.where(ranks < 0, np.nan, ranks)[place].T.astype(np.float32)
        forest = RandomForestClassifier(
            self.n_estimators,
            max_features=self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            n_jobs=self.n_jobs,
            random_state=int(rng.integers(2**31)),
        ).fit(values, y)
        mean, error = permutation_importance(forest, values, y, rng)
        twins = np.unique(ranks[place], axis=0, return_inverse=True)[1].ravel()
        share = np.bincount(twins)
        importance, self.standard_errors_ = np.empty(len(place)), np.empty(len(place))
        importance[place] = (np.bincount(twins, mean) / share)[twins]
        self.standard_errors_[place] = (np.bincount(twins, error) / share)[twins]
        return Ranking.from_importance(importance)


def ordered_ranks(table: Table, y: np.ndarray) -> np.ndarray:
    """Dense ranks (p, n) of the columns: by value, nominal ones by the classes of the level's rows.

    Missing cells have rank -1, equal levels the order of their first appearance.
    """
    ranks = content_ranks(table.values, table.nominal)
    for j in np.flatnonzero(table.nominal):
        ranks[j] = _class_order(ranks[j], y)[ranks[j]]
    return ranks


def _class_order(codes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Place (levels,) of each level among the levels of a nominal column."""
    cells = np.zeros((codes.max() + 1, y.max() + 1))
    np.add.at(cells, (codes, y), 1)
    rows = cells.sum(axis=1, keepdims=True)
    shares = cells / rows
    if shares.shape[1] == 2:
        score = shares[:, 1]
    else:
        away = shares - cells.sum(axis=0) / len(y)
        component = np.linalg.eigh((rows * away).T @ away)[1][:, -1]
        largest = component[np.argmax(np.abs(on_grid(component)))]
        score = away @ component * np.sign(largest)
    place = np.empty(len(cells), dtype=np.int64)
    place[np.argsort(on_grid(score), kind="stable")] = np.arange(len(cells))
    return place


def permutation_importance(
    forest: RandomForestClassifier, values: np.ndarray, y: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Out-of-bag permutation importance (p,) of a fitted forest, and its standard error (p,).

    Parameters
    ----------
    forest : RandomForestClassifier, fitted to `values` and `y` with bootstrap samples
    values : ndarray of float32, shape (n, p)
    y : ndarray of int, shape (n,)
        Class codes 0..c-1.
    rng : Generator
        Draws one permutation per tree and feature that the tree uses.
    """
    n, p = values.shape
    total, squares, trees = np.zeros(p), np.zeros(p), 0
    for tree, bag in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.ones(n, dtype=bool)
        out[bag] = False
        rows = np.flatnonzero(out)
        if not len(rows):
            continue
        trees += 1
        nodes = tree.tree_
        used = np.unique(nodes.feature[nodes.feature >= 0])
        donors = rng.permuted(np.tile(rows, (len(used), 1)), axis=1)
        label = np.argmax(nodes.value[:, 0, :], axis=1)
        arrays = (nodes.feature, nodes.threshold, nodes.children_left, nodes.children_right)
        drop = _accuracy_drops(
            values, y, rows, used, donors, *arrays, nodes.missing_go_to_left, label
        )
        total[used] += drop
        squares[used] += drop**2
    mean = total / max(trees, 1)
    spread = np.maximum(squares / max(trees, 1) - mean**2, 0.0)
    return mean, np.sqrt(spread / max(trees, 1))


@njit(cache=True)
def _accuracy_drops(
    values, y, rows, used, donors, feature, threshold, left, right, missing_left, label
):
    """Drop in the share of `rows` predicted right, when feature used[u] is read from donors[u]."""
    right_before = 0
    right_after = np.zeros(len(used))
    for u in range(-1, len(used)):
        for i in range(len(rows)):
            node = 0
            while left[node] >= 0:
                f = feature[node]
                source = donors[u, i] if u >= 0 and f == used[u] else rows[i]
                value = values[source, f]
                goes_left = missing_left[node] if np.isnan(value) else value <= threshold[node]
                node = left[node] if goes_left else right[node]
            if label[node] == y[rows[i]]:
                if u < 0:
                    right_before += 1
                else:
                    right_after[u] += 1
    return (right_before - right_after) / len(rows)
