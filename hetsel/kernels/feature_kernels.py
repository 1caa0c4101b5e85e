"""Weighted sums of one small kernel per feature, and what a dual solution says of each."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from hetsel.kernels import sums as loops
from hetsel.tables.table import Table, content_order, ranks_and_order


@dataclass(frozen=True)
class Scaling:
    """Range of each column on the training rows, replayed on later rows.

    A continuous or ordinal value x becomes (x - low) / span, clipped to [0, 1], so that
    k_f(a, b) = 1 - |a - b| lies in [0, 1] everywhere; level codes and NaN stay as they are.

    Parameters
    ----------
    low, span : ndarray of shape (p,)
        Smallest value and range of the training rows; span is 0 for a constant column.
    nominal : ndarray of bool, shape (p,)
    """

    low: np.ndarray
    span: np.ndarray
    nominal: np.ndarray

    @classmethod
    def fit(cls, table: Table) -> Scaling:
        """Ranges of a training table, whose missing cells are resolved."""
        values = table.values
        gaps = np.isnan(values)
        low = np.where(gaps, np.inf, values).min(axis=0)
        high = np.where(gaps, -np.inf, values).max(axis=0)
        empty = gaps.all(axis=0)
        low, high = np.where(empty, 0.0, low), np.where(empty, 0.0, high)
        return cls(low, high - low, table.nominal)

    def apply(self, table: Table) -> np.ndarray:
        """Scaled values, feature by row: (p, n), contiguous."""
        varies = ~self.nominal & (self.span > 0)
        constant = ~self.nominal & ~varies
        scaled = np.ascontiguousarray(table.values.T)
        scaled = scaled.copy() if np.shares_memory(scaled, table.values) else scaled
        if varies.any():
            part = (scaled[varies] - self.low[varies, None]) / self.span[varies, None]
            scaled[varies] = np.clip(part, 0.0, 1.0)
        if constant.any():
            scaled[constant] = np.where(np.isnan(scaled[constant]), np.nan, 0.0)
        return scaled


class FeatureKernels:
    """The kernels k_f of the features of a training table: their sums and their energies.

    Parameters
    ----------
    table : Table
        Training rows (n, p), missing cells resolved.

    Attributes
    ----------
    scaling : Scaling
    values : ndarray of shape (p, n)
        Scaled values of all features.
    features : ndarray of int
        The features that the sums run over; all, or those of :meth:`subset`.
    place : ndarray of int
        Place of each of all features in the order of their content; equal ones as they came.
    n, p : int
        Rows, and number of `features`.

    Notes
    -----
    Sums over features run in an order that depends on the content of the columns only, so that
    permuting the columns permutes every result to the last bit. Other units or another order of the
    rows change last bits, except in the form of :mod:`hetsel.search.canonical`. Memory is
    O(n p + n^2).
    """

    def __init__(self, table: Table) -> None:
        self.scaling = Scaling.fit(table)
        self.nominal = self.scaling.nominal
        self.values = self.scaling.apply(table)
        self.n = self.values.shape[1]
        self._gaps = np.isnan(self.values).any(axis=1)
        self._gram = np.empty((self.n, self.n))
        ranks, self._order = ranks_and_order(table.values, self.nominal)
        self.place = np.argsort(content_order(ranks, self.nominal, self.values))
        self._set(np.arange(len(self.values)))

    def _set(self, features: np.ndarray) -> None:
        self.features = features
        self.p = len(features)
        self._by_content = self.by_content(features)
        self._sorted_features = features[self._by_content]

    def by_content(self, features: np.ndarray) -> np.ndarray:
        """Positions in `features`, ordered by the content of their columns."""
        return np.argsort(self.place[features])

    def subset(self, features: np.ndarray) -> FeatureKernels:
        """The kernels of these features only; the arrays are shared, not copied."""
        other = copy(self)
        other._set(features)
        return other

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Sum of weights_f K_f, (n, n).

        The next call, of any subset, writes over the matrix: memory that is mapped anew each time
        costs more than the arithmetic of a small table.
        """
        self._sum(self._gram, weights, True)
        loops.mirror(self._gram)
        return self._gram

    def add(self, gram: np.ndarray, weights: np.ndarray) -> None:
        """Add the weighted kernels to the lower triangle of gram (n, n)."""
        self._sum(gram, weights, False)

    def _sum(self, gram: np.ndarray, weights: np.ndarray, fresh: bool) -> None:
        ordered = weights[self._by_content]
        features = self._sorted_features
        loops.add_gram(gram, self.values, self.nominal, self._gaps, features, ordered, fresh)

    def energies(self, beta: np.ndarray) -> np.ndarray:
        """s_f = sum over problems of beta' K_f beta.

        Parameters
        ----------
        beta : ndarray of shape (problems, n)
            beta_i = alpha_i y_i of each one-versus-rest problem.

        Returns
        -------
        ndarray of shape (p,)
        """
        out = np.zeros(self.p)
        for row in beta:
            loops.energies(self.values, self._order, self.nominal, self.features, row, out)
        return out

    def products(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K_f beta (p, n) of each feature, and s_f = beta' K_f beta (p,), of beta (n,)."""
        out, norms = np.empty((self.p, self.n)), np.empty(self.p)
        loops.products(self.values, self._order, self.nominal, self.features, beta, out, norms)
        return out, norms

    def block(self, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Weighted sum of the p kernels between these rows (m,): (m, m)."""
        features = self._sorted_features
        nominal = self.nominal[features]
        nominal.flags.writeable = False  # as in a table: one signature of the loops
        gram = np.empty((len(rows), len(rows)))
        loops.add_gram(
            gram,
            self.values[features[:, None], rows],
            nominal,
            self._gaps[features],
            np.arange(self.p),
            weights[self._by_content],
            True,
        )
        loops.mirror(gram)
        return gram
