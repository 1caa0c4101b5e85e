"""Criteria of subset search: the cross-validated performance of a classifier, kept updated.

A criterion holds the state of the selected subset. `score(f)` says what it would be with feature
f added, `add(f)` adds it. Log-likelihoods and squared distances are sums over features, so both
are updates; nothing is computed twice.

The performance is the balanced classification rate over the held-out rows of all folds together,

    BCR = (1/c) sum_classes (rows of the class predicted right) / (rows of the class)

(paul2015, Eq. 12, for any number of classes).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hetsel.search import held_out as loops
from hetsel.tables.table import Table
from hetsel.tables.ties import on_grid, unit_scale


class AdditiveCriterion(Protocol):
    """What a search asks of a criterion."""

    def score(self, feature: int) -> float:
        """Criterion of the subset with this feature added; larger is better."""

    def add(self, feature: int) -> None:
        """Add the feature to the subset."""


def stratified_folds(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold (n,) of each row, drawn so that every class is spread evenly over the folds.

    There are no more folds than rows of the rarest class, so that every class has rows to learn
    from, whichever fold is held out.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> fold = stratified_folds(y, 2, np.random.default_rng(0))
    >>> np.bincount(fold[y == 0]), np.bincount(fold[y == 1])
    (array([2, 2]), array([2, 2]))
    """
    counts = np.bincount(y)
    folds = min(folds, int(counts.min()))
    fold = np.empty(len(y), dtype=np.int64)
    start = 0
    for c in range(len(counts)):
        rows = rng.permutation(np.flatnonzero(y == c))
        fold[rows] = (start + np.arange(len(rows))) % folds
        start += len(rows)
    return fold


class NaiveBayesCriterion:
    """Cross-validated BCR of naive Bayes for mixed columns.

    A held-out row goes to the class with the largest

        log P(c) + sum_f log P(x_f | c),

    where P(c) is the share of the class in the training rows and P(x_f | c) is
    (n_cl + s) / (n_c + s L_f) for level l of a nominal column with L_f levels, and a Gaussian with
    the mean and the variance of the class for a continuous or an ordinal one (its level numbers).
    The variance is increased by `var_smoothing` times the variance over all classes, as in
    scikit-learn's GaussianNB. In a column with missing cells, missing is a level of its own: its
    smoothed share (n_c,missing + s) / (n_c + 2 s), or one minus that times the Gaussian of the
    present cells. Ties go to the class of the lower code.

    Parameters
    ----------
    table : Table of n rows and p columns
    y : ndarray of int, shape (n,)
        Class codes 0..c-1.
    fold : ndarray of int, shape (n,)
        Fold in which each row is held out.
    smoothing : float
        s, added to every count of a level.
    var_smoothing : float
        Share of a column's variance added to the variance of each class.

    Notes
    -----
    Numbers are read to 2^-32 of the range of their column and log-likelihoods to 2^-32, so that
    neither the scale of a column nor the order of the sum decides a tie.

    Examples
    --------
    >>> from hetsel import Schema
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> fold = np.array([0, 1, 0, 1])
    >>> NaiveBayesCriterion(table, np.array([0, 0, 1, 1]), fold).score(0)
    1.0
    """

    def __init__(
        self,
        table: Table,
        y: np.ndarray,
        fold: np.ndarray,
        *,
        smoothing: float = 1.0,
        var_smoothing: float = 1e-9,
    ) -> None:
        self.y, self.fold = y, fold
        self.n_classes = int(y.max()) + 1
        self.smoothing, self.var_smoothing = float(smoothing), float(var_smoothing)
        self._codes = table.values
        self._nominal = table.nominal
        self._numbers = on_grid(unit_scale(table.values))
        self._seen: dict[int, np.ndarray] = {}
        counts = np.zeros((int(fold.max()) + 1, self.n_classes))
        np.add.at(counts, (fold, y), 1)
        training = counts.sum(axis=0) - counts
        prior = np.log(training / training.sum(axis=1, keepdims=True))
        self._total = on_grid(prior[fold])

    def likelihoods(self, feature: int) -> np.ndarray:
        """Held-out log P(x_f | c), shape (n, classes); computed when first asked for."""
        if feature in self._seen:
            return self._seen[feature]
        out = np.empty(self._total.shape)
        if self._nominal[feature]:
            levels, codes = np.unique(self._codes[:, feature], return_inverse=True)
            loops.level_likelihoods(codes, len(levels), self.y, self.fold, self.smoothing, out)
        else:
            column = self._numbers[:, feature]
            loops.gaussian_likelihoods(
                column, self.y, self.fold, self.smoothing, self.var_smoothing, out
            )
        self._seen[feature] = out
        return out

    def score(self, feature: int) -> float:
        """BCR of the subset with this feature added."""
        predicted = loops.most_likely(self._total, self.likelihoods(feature))
        return float(loops.mean_recall(predicted, self.y, self.n_classes))

    def add(self, feature: int) -> None:
        """Add the feature to the subset."""
        self._total += self.likelihoods(feature)
        del self._seen[feature]


class NearestNeighborsCriterion:
    """Cross-validated BCR of nearest neighbors in the heterogeneous Euclidean-overlap metric.

        d(a, b)^2 = sum_f d_f(a_f, b_f)^2,
        d_f = I(a_f != b_f) (nominal), |a_f - b_f| / (max_f - min_f) (continuous, ordinal)

    (paul2015, Eq. 9-11), with the range of all rows of the table and d_f = 0 for a constant
    column. A missing cell is at distance 0 from another one and at distance 1 from a present one.
    A held-out row goes to the class of most of its nearest rows among the other folds; equal
    distances go to the lower row index, equal votes to the class whose nearest row is nearer.

    Parameters
    ----------
    table : Table of n rows and p columns
    y : ndarray of int, shape (n,)
        Class codes 0..c-1.
    fold : ndarray of int, shape (n,)
        Fold in which each row is held out.
    neighbors : int
        Number of rows that vote; all rows of the other folds if there are fewer.

    Notes
    -----
    The state is one (n, n) matrix, whatever the number of features. Each d_f^2 is rounded to
    2^-24, so that sums are exact and distances that are equal on paper tie.

    Examples
    --------
    >>> from hetsel import Schema
    >>> table = Schema.infer(x := np.array([[0.0, 3], [1, 1], [8, 2], [9, 3]])).encode(x)
    >>> fold = np.array([0, 1, 0, 1])
    >>> y = np.array([0, 0, 1, 1])
    >>> NearestNeighborsCriterion(table, y, fold, neighbors=1).score(0)
    1.0
    """

    def __init__(
        self, table: Table, y: np.ndarray, fold: np.ndarray, *, neighbors: int = 5
    ) -> None:
        self.y, self.fold = y, fold
        self.n_classes = int(y.max()) + 1
        self.neighbors = min(neighbors, len(y))
        columns = unit_scale(table.values)
        columns[:, table.nominal] = table.values[:, table.nominal]  # codes: a step apart or more
        columns[np.isnan(columns)] = loops.MISSING
        self._columns = columns
        self._distances = np.zeros((len(y), len(y)))

    def predict(self, feature: int) -> np.ndarray:
        """Class (n,) of every held-out row with this feature added."""
        return loops.nearest_class(
            self._distances,
            self._columns[:, feature],
            self.y,
            self.fold,
            self.neighbors,
            self.n_classes,
        )

    def score(self, feature: int) -> float:
        """BCR of the subset with this feature added."""
        return float(loops.mean_recall(self.predict(feature), self.y, self.n_classes))

    def add(self, feature: int) -> None:
        """Add the feature to the subset."""
        loops.add_distances(self._distances, self._columns[:, feature])
