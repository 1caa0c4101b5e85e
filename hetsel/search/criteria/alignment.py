"""Centered alignment of the clinical kernel of a subset with the target.

    A(S) = <K_S, L> / (|K_S| |L|),   K_S = sum_f H K_f H,   H = I - 11'/n,

with Frobenius products and L the centered kernel of the target. Both parts are sums over features,
<K_S, L> = sum_f <K_f, L> and |K_S|^2 = sum_f sum_g <K_f, K_g>: a candidate takes O(1) steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hetsel.compiling.compiled import compiled
from hetsel.ground.equal_numbers import on_grid
from hetsel.kernels import feature_kernels, target_kernels, training_ranges
from hetsel.kernels.energies_and_grams import similarity
from hetsel.search.criteria.criterion import SubsetState
from hetsel.selection import Problem

ROWS_BY_PAIRS = 10_000  # rows up to which all pairs are visited, for the sums of earlier versions
ROUNDING = 1e-13  # times n^2: a centered kernel with a smaller square is that of a constant column


@dataclass(frozen=True)
class Alignment:
    """Score a subset by the centered alignment of its clinical kernel with the target.

    The kernel of the target is that of :mod:`hetsel.kernels.target_kernels`. 0 <= A <= 1, and A is
    0 if all features are constant (Cortes, Mohri and Rostamizadeh 2012, Journal of Machine Learning
    Research 13, 795-828).

    <K_f, K_g> takes O(n levels) steps if one of them is nominal. For two continuous columns it
    takes O(n^2), and O(n log n) above 10,000 rows. It is computed once for each feature g that is
    added, with all f.
    """

    targets: ClassVar[tuple[str, ...]] = ("classes", "numbers", "survival")

    def start(self, problem: Problem, subset: Sequence[int] = ()) -> "AlignmentState":
        return AlignmentState(problem).extended(subset)


class AlignmentState(SubsetState):
    """<K_f, L> and <K_f, K_S> (p,) of every feature f."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        table = problem.table
        self._cells, self._nominal = training_ranges.Scaling.fit(table).apply(table), table.nominal
        self._kernels = feature_kernels.FeatureKernels(self._cells, self._nominal)
        directions = target_kernels.target_directions(problem.target)
        self._toward = self._kernels.energies(directions)
        self._target = float(np.sqrt(((directions @ directions.T) ** 2).sum()))
        sums, totals = self._kernels.products(np.ones(problem.n))
        self._sums, self._totals = sums.copy(), totals.copy()  # K_f 1 and 1' K_f 1
        squares = square_sums(self._cells, self._nominal, self._totals)
        own = squares - self._means((self._sums**2).sum(axis=1), self._totals**2)
        self._own = np.where(own > ROUNDING * problem.n**2, own, 0.0)
        self._products: dict[int, np.ndarray] = {}
        self._across = np.zeros(problem.p)

    @property
    def value(self) -> float:
        return float(self._alignment(np.zeros(1), np.zeros(1))[0])

    def values_with(self, candidates: Sequence[int]) -> np.ndarray:
        f = np.asarray(candidates, dtype=np.intp)
        return self._alignment(self._toward[f], 2.0 * self._across[f] + self._own[f])

    def values_without(self, candidates: Sequence[int]) -> np.ndarray:
        f = np.asarray(candidates, dtype=np.intp)
        return self._alignment(-self._toward[f], self._own[f] - 2.0 * self._across[f])

    def _update(self, feature: int, sign: float) -> None:
        """Sum <K_f, K_S> (p,) of every feature again, which is cheap and leaves no rounding."""
        self._across = np.zeros(len(self._own))
        for g in [*self._subset, feature] if sign > 0 else self._subset:
            self._across += self._with_all(g)

    def _alignment(self, toward: np.ndarray, square: np.ndarray) -> np.ndarray:
        """Return the alignment (k,) with these numbers (k,) added to <K_S, L> and |K_S|^2."""
        toward = toward + self._toward[self._subset].sum()
        square = square + self._across[self._subset].sum()
        varies = square > ROUNDING * (self._sums.shape[1] * (len(self._subset) + 1)) ** 2
        norm = np.sqrt(np.where(varies, square, 1.0)) * self._target
        return on_grid(np.where(varies, toward / norm, 0.0))

    def _with_all(self, g: int) -> np.ndarray:
        """Return <K_f, K_g> (p,) of every feature f, computed once."""
        if g not in self._products:
            if self._nominal[g]:
                levels = np.unique(self._cells[g])[:, None]
                same = (self._cells[g] == levels) | (np.isnan(self._cells[g]) & np.isnan(levels))
                plain = self._kernels.energies(same.astype(np.float64))
            else:
                few = self._cells.shape[1] <= ROWS_BY_PAIRS
                products = products_with if few else sorted_products
                plain = products(self._cells, self._nominal, g)
            across = self._sums @ self._sums[g]
            row = plain - self._means(across, self._totals * self._totals[g])
            row[g] = self._own[g]
            self._products[g] = row
        return self._products[g]

    def _means(self, across: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Return what centering subtracts from sum_ij k_f k_g, from r_f' r_g and the product of
        totals.
        """
        n = self._sums.shape[1]
        return np.asarray(2.0 * across / n - totals / n**2)


def square_sums(cells: np.ndarray, nominal: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return sum_ij k_f(i, j)^2 (p,) of values (p, n), from the totals sum_ij k_f(i, j).

    For numbers it is 2 sum k - m^2 + sum (a_i - a_j)^2.
    """
    gaps = np.isnan(cells)
    lost = gaps.sum(axis=1)
    present = cells.shape[1] - lost
    kept = np.where(gaps, 0.0, cells)
    spread = 2.0 * (present * (kept * kept).sum(axis=1) - kept.sum(axis=1) ** 2)
    numbers = 2.0 * (totals - lost**2) - present**2 + spread + lost**2
    return np.where(nominal, totals, numbers)


@compiled
def products_with(cells, nominal, g):
    """Return sum_ij k_f(i, j) k_g(i, j) (p,) of every feature f of values (p, n)."""
    p, n = cells.shape
    out = np.empty(p)
    row = np.empty(n)
    out[:] = n
    for i in range(n):
        for j in range(i):
            row[j] = 2.0 * similarity(cells[g, i], cells[g, j], nominal[g])
        for f in range(p):
            total = 0.0
            for j in range(i):
                total += row[j] * similarity(cells[f, i], cells[f, j], nominal[f])
            out[f] += total
    return out


def sorted_products(cells: np.ndarray, nominal: np.ndarray, g: int) -> np.ndarray:
    """Return <K_f, K_g> (p,) of every feature f with a continuous feature g, by sorting.

    `cells` are values (p, n). For rows in which both columns are numbers, x of f and z of g, within
    1 of each other,

        <K_f, K_g> = m^2 - sum_ij |x_i - x_j| - sum_ij |z_i - z_j| + sum_ij |x_i - x_j| |z_i - z_j|.

    In the order of x the last sum is twice (m sum x z - sum x sum z) minus four times the terms
    (x_j - x_i) (z_j - z_i) of the pairs that z orders differently. A merge sort by z visits these
    pairs: O(n log n), as in the distance covariance (Huo and Szekely 2016, Technometrics 58,
    435-447; Chaudhuri and Hu 2019, Computational Statistics and Data Analysis 135, 15-24). For
    levels of f it is the sum of 1 - |z_i - z_j| over the pairs of each level.
    """
    order = np.argsort(cells[g], kind="stable")
    columns = cells[:, order]
    z = columns[g]
    gaps = np.isnan(z)
    out = np.empty(len(cells))
    for f, x in enumerate(columns):
        if nominal[f]:
            levels = np.unique(x, return_inverse=True)[1]  # all NaN are one
            out[f] = of_pairs_within(z, 2 * levels + gaps)
            continue
        lost = np.isnan(x)
        both = ~lost & ~gaps
        by_z = of_pairs_within(z, np.where(lost, 2, 0) + gaps)
        if lost.any() or gaps.any():
            # rows without z that have x are near each other by x alone
            alone = gaps & ~lost
            by_z += of_pairs_within(np.sort(x[alone]), np.zeros(alone.sum(), dtype=np.int64))
            by_z -= float(alone.sum()) ** 2
        ascending = np.sort(x[both])
        by_x = of_pairs_within(ascending, np.zeros(len(ascending), dtype=np.int64))
        by_z += by_x - float(len(ascending)) ** 2
        out[f] = by_z + 2.0 * products_of_distances(z[both], x[both])
    return out


@compiled
def of_pairs_within(z, groups):
    """Return the sum of 1 - |z_i - z_j| over all pairs of one group, z (n,) ascending.

    NaN equals NaN only.
    """
    counts = np.zeros(groups.max() + 1 if len(groups) else 0)
    sums, near = np.zeros(len(counts)), 0.0
    for i in range(len(z)):
        c = groups[i]
        cell = 0.0 if np.isnan(z[i]) else z[i]
        near += 1.0 + 2.0 * (counts[c] - (counts[c] * cell - sums[c]))
        counts[c] += 1.0
        sums[c] += cell
    return near


@compiled
def products_of_distances(x, z):
    """Return the sum of |x_i - x_j| |z_i - z_j| over the pairs i < j, with x (n,) ascending."""
    n = len(x)
    total = np.zeros(3)
    for i in range(n):
        total[0] += x[i]
        total[1] += z[i]
    middle_x, middle_z = total[0] / max(n, 1), total[1] / max(n, 1)
    own, told = x - middle_x, z - middle_z
    for i in range(n):
        total[2] += own[i] * told[i]
    turned = 0.0
    next_own, next_told = np.empty(n), np.empty(n)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            count, left_x, left_z, left_xz = float(middle - start), 0.0, 0.0, 0.0
            for i in range(start, middle):
                left_x += own[i]
                left_z += told[i]
                left_xz += own[i] * told[i]
            i, j = start, middle
            for place in range(start, end):
                if j == end or (i < middle and told[i] <= told[j]):
                    count -= 1.0
                    left_x -= own[i]
                    left_z -= told[i]
                    left_xz -= own[i] * told[i]
                    next_own[place], next_told[place] = own[i], told[i]
                    i += 1
                else:
                    if i < middle:  # the rest of the first half follows row j by z
                        a, b = own[j], told[j]
                        turned += count * a * b - a * left_z - b * left_x + left_xz
                    next_own[place], next_told[place] = own[j], told[j]
                    j += 1
        own, next_own = next_own, own
        told, next_told = next_told, told
        width *= 2
    return n * total[2] - 2.0 * turned
