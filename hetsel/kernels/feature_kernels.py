"""Weighted sums of one kernel per feature, and energies of dual solutions."""

from copy import copy
from typing import NamedTuple

import numpy as np

from hetsel.kernels import energies_and_grams as loops
from hetsel.kernels.precise_products import precise_slopes
from hetsel.tables.content import ascending_rows, told_apart
from hetsel.tables.table import read_only


class FeatureKernels:
    """The kernels k_f of the features of the training rows: their sums and energies.

    The values (p, n) are numbers scaled to [0, 1] and level codes; NaN equals NaN only. Last bits
    depend on the order of columns and rows, so callers use the canonical order.
    """

    def __init__(self, cells: np.ndarray, nominal: np.ndarray) -> None:
        self._cells, self._nominal = cells, np.array(nominal)
        self.n = cells.shape[1]
        order = ascending_rows(cells)
        present = self.n - np.isnan(cells).sum(axis=1)
        self._gaps = present < self.n
        self._sorted = loops.Sorted(
            loops.cells_in_order(cells, order), order, present, self._nominal
        )
        # shared by all subsets; the Gram matrix is allocated on demand
        self._gram: list[np.ndarray] = []
        self._rooms: dict[int, np.ndarray] = {}
        self._held: list[_Images] = []
        self._features = np.arange(len(cells))
        self._scale: np.ndarray | None = None
        self._factors = np.ones(len(cells))

    @property
    def p(self) -> int:
        """Number of features of the sums."""
        return len(self._features)

    @property
    def nominal(self) -> np.ndarray:
        """Whether each feature (p,) of the table is nominal."""
        return read_only(self._nominal)

    def ascending(self, features: np.ndarray) -> np.ndarray:
        """Return values (k, n) of features in ascending order, missing last."""
        return np.asarray(self._sorted.ascending[features])

    def subset(self, features: np.ndarray) -> "FeatureKernels":
        """Return the kernels of these features; arrays are shared."""
        other = copy(self)
        other._features = features
        return other

    def of_rows(self, rows: np.ndarray) -> "FeatureKernels":
        """Return the kernels between some of the rows."""
        cells = np.ascontiguousarray(self._cells[np.ix_(self._features, rows)])
        other = FeatureKernels(cells, self._nominal[self._features])
        return other if self._scale is None else other.scaled(self._scale[self._features])

    def equal_rows(self, sides: np.ndarray, most: int) -> np.ndarray | None:
        """Return group numbers (n,) of equal rows of one side; None if more than `most` differ."""
        equal = sides
        for f in self._features:
            equal = told_apart(equal, self._cells[f])
            if int(equal.max()) + 1 > most:
                return None
        return equal

    def scaled(self, factors: np.ndarray) -> "FeatureKernels":
        """Return the kernels times factors (p,), one for each feature of the table."""
        other = copy(self)
        other._scale = other._factors = factors
        other._rooms, other._held = {}, []  # held images have no factors
        return other

    @property
    def exact(self) -> bool:
        """Whether sums with weight 1 are exact on the canonical grid (up to 2^29 features)."""
        return self._scale is None

    @property
    def largest(self) -> float:
        """The largest entry of a kernel: 1, or the largest factor of :meth:`scaled` kernels."""
        return 1.0 if self._scale is None else float(self._scale.max())

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of weights_f K_f (n, n); the next call overwrites it."""
        if not self._gram:
            self._gram.append(np.empty((self.n, self.n)))
        self._sum(self._gram[0], weights, True)
        loops.mirror(self._gram[0])
        return self._gram[0]

    def add(self, gram: np.ndarray, weights: np.ndarray) -> None:
        """Add the weighted kernels to the lower triangle of gram (n, n)."""
        self._sum(gram, weights, False)

    def _sum(self, gram: np.ndarray, weights: np.ndarray, fresh: bool) -> None:
        if self._scale is not None:
            weights = weights * self._scale[self._features]
        loops.add_gram(gram, self._cells, self._nominal, self._gaps, self._features, weights, fresh)

    def energies(self, beta: np.ndarray) -> np.ndarray:
        """Return s_f (p,), the sum over problems of beta' K_f beta, for beta (problems, n)."""
        out = np.zeros(self.p)
        for row in beta:
            loops.energies(self._sorted, self._features, row, out)
        return out if self._scale is None else out * self._scale[self._features]

    def moved(self, beta: np.ndarray, off: np.ndarray) -> np.ndarray:
        """Bound the change of s_f (p,) by values that move by up to off and keep their order."""
        out = np.zeros(self.p)
        for row in beta:
            loops.add_motions(self._sorted, self._features, row, out)
        return out * off[self._features] * self._factors[self._features]

    def margins(self, beta: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Return the part of the features (p,) in the margins: sum over problems of pull' K_f beta.

        Norms cannot be compared between targets: with a large C they grow as features become less
        informative.
        """
        whole, apart = self.energies(beta + pull), self.energies(beta - pull)
        return np.asarray(whole - apart) / 4.0

    def spreads(self) -> np.ndarray:
        """Return the mean distance 1 - k_f of two rows (p,), exact on the grid to 20,000 rows."""
        return np.asarray(1.0 - self.energies(np.ones((1, self.n))) / self.n**2)

    @property
    def family(self) -> loops.Family:
        """The kernels for compiled functions."""
        factors = self._factors[self._features]
        return loops.Family(self._sorted, self._cells, self._gaps, self._features, factors)

    def products(self, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return K_f beta (p, n), which the next call overwrites, and beta' K_f beta (p,)."""
        images, energies = self.images(beta[None])
        return images[0], energies[0]

    def images(self, betas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return K_f beta (problems, p, n), which the next call overwrites, and the energies."""
        held = self._held[-1] if self._held else None
        at = None if held is None else held.find(betas, self._features)
        if held is not None and at is not None and len(at) == len(held.features):
            return held.images, held.energies
        if held is None or at is None:
            images, energies = self._images(0, len(betas)), np.empty((len(betas), self.p))
            loops.set_images(self.family, betas, images, energies)
        else:  # an elimination starts where the model of more features ended
            images, energies = self._images(self._where, len(betas)), held.energies.take(at, axis=1)
            loops.keep_images(held.images, at, images)
        self.hold(betas, images, energies)
        return images, energies

    def hold(self, betas: np.ndarray, images: np.ndarray, energies: np.ndarray) -> None:
        """Keep these images for the next call of :meth:`images`."""
        self._held[:] = [_Images(betas.copy(), self._features, images, energies)]

    def other_room(self, problems: int) -> np.ndarray:
        """Return memory (problems, p, n) that does not hold the kept images."""
        return self._images(1 - self._where, problems)

    def _images(self, which: int, problems: int) -> np.ndarray:
        """Return the first or second memory, (problems, p, n)."""
        size = problems * self._cells.size
        if which not in self._rooms or len(self._rooms[which]) < size:
            self._rooms[which] = np.empty(size)
        room = self._rooms[which]
        return room[: problems * self.p * self.n].reshape(problems, self.p, self.n)

    @property
    def _where(self) -> int:
        """Return which memory holds the last images."""
        last = self._held[-1].images
        return 0 if 0 in self._rooms and np.may_share_memory(last, self._rooms[0]) else 1

    def precise_slopes(
        self, betas: np.ndarray, rests: np.ndarray, power: float = 1.0, scale: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """sum_f (s_f / scale)^power K_f (betas + rests) (2, problems, n), s_f (2, p): 32 digits."""
        slopes, energy = np.empty((2, *betas.shape)), np.empty((2, self.p))
        precise_slopes(self.family, power, scale, betas, rests, *slopes, *energy)
        return slopes, energy

    def decisions(self, weights: np.ndarray, beta: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """Compute b + sum_f w_f K_f beta (problems, n) for beta (problems, n), bias (problems,)."""
        return np.array([weights @ part for part in self.images(beta)[0]]) + bias[:, None]


class _Images(NamedTuple):
    """The images of the last call of :meth:`FeatureKernels.images`."""

    betas: np.ndarray
    features: np.ndarray
    images: np.ndarray
    energies: np.ndarray

    def find(self, betas: np.ndarray, features: np.ndarray) -> np.ndarray | None:
        """Find the images of these betas and features; None if there are none."""
        if not np.array_equal(self.betas, betas):
            return None
        at = np.minimum(np.searchsorted(self.features, features), len(self.features) - 1)
        known = np.array_equal(self.features[at], features) and (at[1:] > at[:-1]).all()
        return at if known else None
