"""Weighted sums of one small kernel per feature, and what a dual solution says of each."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hetsel.kernels import sums as loops
from hetsel.tables.content import content_order, ranks_and_order
from hetsel.tables.table import Table, read_only


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
        scaled = np.array(table.values.T, order="C")
        scaled -= np.where(varies, self.low, 0.0)[:, None]
        scaled /= np.where(varies, self.span, 1.0)[:, None]
        lowest, highest = np.where(varies, 0.0, -np.inf), np.where(varies, 1.0, np.inf)
        np.clip(scaled, lowest[:, None], highest[:, None], out=scaled)
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
    place : ndarray of int
        Place of each of all features in the order of their content; equal ones as they came.
    n, p : int
        Rows, and number of features that the sums run over: all, or those of :meth:`subset`.

    Notes
    -----
    Sums over features run in an order that depends on the content of the columns only, so that
    permuting the columns permutes every result to the last bit. Other units or another order of the
    rows change last bits, except in the form of :mod:`hetsel.search.canonical`. Memory is
    O(n p + n^2).
    """

    def __init__(self, table: Table) -> None:
        self.scaling = Scaling.fit(table)
        cells = self.scaling.apply(table)
        ranks, order = ranks_and_order(table.values, table.nominal)
        by_content = content_order(ranks, table.nominal, cells)
        self.place = np.argsort(by_content)
        # these stand in the order of the content, so that a sum passes over the memory once
        self._cells = cells.take(by_content, axis=0)
        self._order = order.take(by_content, axis=0)
        self._ascending = np.take_along_axis(self._cells, self._order, axis=1)
        self._nominal = read_only(table.nominal[by_content])
        self.n = self._cells.shape[1]
        self._present = self.n - np.isnan(self._cells).sum(axis=1)
        self._gaps = self._present < self.n
        self._gram = np.empty((self.n, self.n))
        # all subsets share what these hold
        self._rooms: list[np.ndarray] = []
        self._held: list[_Products] = []
        self._set(np.arange(len(by_content)))

    def _set(self, features: np.ndarray) -> None:
        self.p = len(features)
        self._places = self.place[features]
        self._by_content = np.argsort(self._places)
        self._ordered = self._places[self._by_content]

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
        loops.add_gram(gram, self._cells, self._nominal, self._gaps, self._ordered, ordered, fresh)

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
            loops.energies(*self._sorted(), row, out)
        return out

    def products(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K_f beta (p, n) of each feature, and s_f = beta' K_f beta (p,), of beta (n,).

        The second next call, of any subset, writes over the first of them, as in :meth:`gram`.
        """
        held = self._held.pop() if self._held else None
        room = 1 if held is None else 1 - held.room
        images, norms = self._room(room, self.n), np.empty(self.p)
        at = None if held is None else held.find(beta, self._places)
        if held is None or at is None:
            loops.products(*self._sorted(), beta, images, norms)
        else:  # an elimination starts where the model of more features ended
            held.images.take(at, axis=0, out=images, mode="clip")
            norms = held.norms[at]
        self._held.append(_Products(room, beta.copy(), self._places, images, norms))
        return images, norms

    def _sorted(self) -> tuple[np.ndarray, ...]:
        return self._ascending, self._order, self._present, self._nominal, self._places

    def block(self, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Weighted sum of the p kernels between these rows (m,): (m, m)."""
        cells = self._room(2, len(rows))
        loops.pick(self._cells, self._ordered, rows, cells)
        gram = np.empty((len(rows), len(rows)))
        loops.add_gram(
            gram,
            cells,
            read_only(self._nominal[self._ordered]),
            self._gaps[self._ordered],
            np.arange(self.p),
            weights[self._by_content],
            True,
        )
        loops.mirror(gram)
        return gram

    def _room(self, which: int, width: int) -> np.ndarray:
        """One of three arrays (p, width) for passing results."""
        if not self._rooms:
            self._rooms += [np.empty(self._cells.size) for _ in range(3)]
        return self._rooms[which][: self.p * width].reshape(self.p, width)


class _Products(NamedTuple):
    """What the last call of :meth:`FeatureKernels.products` found, and where it is held."""

    room: int
    beta: np.ndarray
    places: np.ndarray
    images: np.ndarray
    norms: np.ndarray

    def find(self, beta: np.ndarray, places: np.ndarray) -> np.ndarray | None:
        """Rows of the images that are those of this beta and these places; None if it has not."""
        if not np.array_equal(self.beta, beta):
            return None
        at = np.minimum(np.searchsorted(self.places, places), len(self.places) - 1)
        return at if np.array_equal(self.places[at], places) else None
