from dataclasses import replace

import numpy as np

from hetsel.compiling.compiled import compiled, compiled_part
from hetsel.ground import whole_number
from hetsel.ground.equal_numbers import equalized, unit_scale
from hetsel.resampling.row_parts import content_sample, rows_taken
from hetsel.selection import SAMPLE, About, Cost, Problem, Ranking, UnivariateFilter
from hetsel.statistics.survival.curves_and_martingale_residuals import kaplan_meier

# adding it to a number in [0, 1] and subtracting it again rounds to 2^-24
ROUNDER = 1.5 * 2.0**28
MISSING = (
    -3.0
)  # at distance 1 from any value in [0, 1] and any code, at 0 from another missing value
BLOCK = 16  # rows whose distances are computed together
ONE = np.float32(1.0)


class ReliefF(UnivariateFilter):
    """Rank features by ReliefF.

    J(f) = (1/m) sum_i [sum_(c != y_i) P(c) / (1 - P(y_i)) D_f(i, c) - D_f(i, y_i)],

    with D_f(i, c) the mean of diff_f(i, j) over the k rows j of class c nearest to row i, without i
    itself, P(c) the prevalence of the class, and m the number of rows i; -1 <= J(f) <= 1. diff_f(a,
    b) = |a - b| / (max_f - min_f) for continuous and ordinal columns, I(a != b) for nominal
    columns. The distance of two rows is the sum of their diffs. Columns of all kinds and all
    targets are accepted. Prefer ReliefF if features may interact: it compares rows that are near in
    all features.

    For a numeric target the differences are weighed by the difference of the targets (RReliefF),

    J(f) = S_f / S - (T_f - S_f) / (m - S),

    with T_f the sum over i of the mean of diff_f(i, j) over the k rows j nearest to i, S that of
    diff_y(i, j) = |y_i - y_j| / (max_y - min_y), and S_f that of diff_f diff_y.

    For survival times diff_y(i, j) is the expected value of |u_i - u_j|, with u = 1 - S(t) for the
    time t of the event and S the Kaplan-Meier estimate from all rows. u_i is known for a row with
    an event. For a censored row it is uniform from 1 - S(t_i) to 1, independent of the other row.
    Neither the unit nor any increasing transformation of the times has an effect.

    Parameters
    ----------
    neighbors : int
        k, the number of nearest rows of each class, or of all rows if the target is not classes.
    rows : int, optional
        Number m of rows that are drawn to start from; None starts from every row and draws nothing.
    sample : int, optional
        A larger table is reduced to this many rows before anything else, the same ones in any order
        of the rows. Each class is sampled in proportion, see
        :func:`hetsel.resampling.row_parts.content_sample`. None uses all rows.

    Notes
    -----
    With missing="separate" a missing value has diff 1 to a present one and 0 to another missing
    one. A class with fewer than k other rows uses all of them. Rows as far as the k-th nearest
    share the remaining places, so that the order of the rows has no effect. Each diff is rounded to
    2^-24, so that distances that are mathematically equal tie. Distances are computed in single
    precision; rows that its rounding leaves undecided are then measured exactly.

    The survival ReliefF (sReliefF) of Beretta and Santaniello 2011 (Journal of Biomedical
    Informatics 44, 361-369) is another method. According to its abstract, the only text that was
    available, it compensates for censoring by reclassification and weights. Here no row is assigned
    to a class, and a censored row counts as much as any other.

    See Also
    --------
    HSIC : A filter that considers each feature alone.
    SFFS5NN : Subset search by the performance of nearest neighbors.

    References
    ----------
    Kononenko 1994, ECML, 171-182; Robnik-Sikonja and Kononenko 2003, Machine Learning 53, 23-69,
    Eq. 10 (RReliefF, here with neighbors of equal weight).

    Examples
    --------
    >>> from hetsel import ReliefF, datasets
    >>> heart = datasets.load("heart")
    >>> selector = ReliefF().fit(heart.X, heart.y)
    >>> selector.frame()[["feature", "importance"]].head(3).round(3)
          feature  importance
    0  chest pain       0.179
    1        thal       0.119
    2      gender       0.103
    """

    neighbors: int = 10
    rows: int | None = None
    sample: int | None = SAMPLE

    about = About(
        "ReliefF, continuous columns by range and nominal columns by overlap",
        paper="Kononenko 1994; Robnik-Sikonja and Kononenko 2003",
        cost=Cost("s^2 p + n p", "0.2 n p + 12 n + 4 s p"),
        flaws=("copies",),
        targets=("classes", "numbers", "survival"),
    )

    def _cost(self, problem: Problem) -> Cost | None:
        """Return the cost of all rows if no sample is used."""
        return Cost("n^2 p", "4 n p") if self.sample is None else super()._cost(problem)

    def _select(self, problem: Problem) -> Ranking:
        ranking = super()._select(problem)
        if self.sample is None or problem.n <= self.sample:
            return ranking
        return replace(ranking, sampled=sum(rows_taken(problem.target, self.sample)))

    def _score(self, problem: Problem) -> np.ndarray:
        whole_number("neighbors", self.neighbors, 1)
        if self.sample is not None:
            whole_number("sample", self.sample, 2)
        problem = content_sample(problem, self.sample)
        n, table = problem.n, problem.table
        instances = np.arange(n)
        if self.rows is not None:
            whole_number("rows", self.rows, 1)
            instances = problem.rng().permutation(n)[: self.rows]  # a head of one order
        cells = unit_scale(table.values)
        cells[:, table.nominal] = table.values[:, table.nominal]  # codes: at least 1 apart
        cells[np.isnan(cells)] = MISSING
        if problem.target.kind != "classes":
            return self._without_classes(cells, instances, problem)
        by_class = np.argsort(problem.classes.codes, kind="stable")
        place = np.empty(n, dtype=np.int64)
        place[by_class] = np.arange(n)
        cells = cells[by_class]
        starts = np.append(0, np.cumsum(problem.classes.counts))
        units = np.zeros((len(starts) - 1, len(starts) - 1, problem.p))
        add_differences(
            np.ascontiguousarray(cells.T, dtype=np.float32),
            np.ascontiguousarray(cells),
            np.sort(place[instances]),
            starts,
            self.neighbors,
            0.0 if table.nominal.all() else rounding(problem.p),
            units,
        )
        return equalized(_weighted(units, problem.classes.counts, self.neighbors) / len(instances))

    def _without_classes(
        self, cells: np.ndarray, instances: np.ndarray, problem: Problem
    ) -> np.ndarray:
        """Return the score (p,) of each feature for a numeric target or survival times."""
        if problem.target.kind == "numbers":
            told = unit_scale(problem.numbers.values[:, None])[:, 0].copy()
            censored = np.zeros(problem.n, dtype=bool)
        else:
            target = problem.survival
            told = 1.0 - kaplan_meier(target.times, target.events).at(target.times)
            censored = ~target.events
        sums = np.zeros((2, problem.p + 1))
        add_number_differences(
            np.ascontiguousarray(cells.T, dtype=np.float32),
            np.ascontiguousarray(cells),
            told,
            censored,
            np.sort(instances),
            self.neighbors,
            0.0 if problem.table.nominal.all() else rounding(problem.p),
            sums,
        )
        (apart, together), differing = sums[:, :-1], sums[0, -1]
        same = len(instances) * min(self.neighbors, problem.n - 1) - differing
        where_told = together / differing if differing > 0 else 0.0 * together
        return equalized(where_told - ((apart - together) / same if same > 0 else 0.0))


def _weighted(units: np.ndarray, counts: np.ndarray, neighbors: int) -> np.ndarray:
    """Return the weighted sum (p,) of diffs (c, c, p) by the classes of a row and its neighbors."""
    share = counts / counts.sum()
    weights = share[None, :] / (1.0 - share[:, None])
    np.fill_diagonal(weights, -1.0)
    weights /= np.minimum(neighbors, counts[None, :] - np.eye(len(counts)))
    return np.asarray((weights[:, :, None] * units).sum(axis=(0, 1)))


def rounding(p: int) -> float:
    """Return a bound on the rounding of a distance in p features in single precision.

    Values, differences and grid take at most p 2^-23, sums of four and of the rest p 2^-22, others
    p^2 2^-26.
    """
    return float(p * 2.0**-21 + p * p * 2.0**-25)


@compiled_part
def cell_difference(a, b):
    """Return diff_f of two values, a multiple of 2^-24: overlap of codes, distance in [0, 1]."""
    away = abs(a - b)
    return ((away if away < 1.0 else 1.0) + ROUNDER) - ROUNDER


@compiled
def add_differences(columns, cells, instances, starts, neighbors, margin, out):
    """Add sums of diff_f between rows and their nearest rows of each class to `out` (c, c, p).

    `out` is by the class of a row and that of its neighbors. Rows as far as the last of the nearest
    count by the proportion of the remaining places, rounded to 2^-24, so that every sum is exact.
    `columns` (p, n), in single precision, and `cells` (n, p) are the same numbers in [0, 1], level
    codes and MISSING, with the rows in the order of their classes, which begin at `starts` (c +
    1,). `instances` (m,), ascending, are the rows to start from; `margin` bounds the error.
    """
    n, p = cells.shape
    rough = np.empty((BLOCK, n), dtype=np.float32)
    nearest, nearest_rough = np.empty(neighbors), np.empty(neighbors, dtype=np.float32)
    rows, distances = np.empty(n, dtype=np.int64), np.empty(n)
    tied = np.empty(p)
    own = 0
    for start in range(0, len(instances), BLOCK):
        block = instances[start : start + BLOCK]
        fill_block(columns, block, rough)
        for b in range(len(block)):
            i, row = block[b], rough[b]
            while i >= starts[own + 1]:
                own += 1
            row[i] = np.inf
            for c in range(len(starts) - 1):
                first, last = starts[c], starts[c + 1]
                k = min(neighbors, last - first - (1 if c == own else 0))
                reach = kth_smallest(row[first:last], nearest_rough[:k]) + 2.0 * margin
                found = 0
                for j in range(first, last):
                    if row[j] <= reach:
                        rows[found] = j
                        distances[found] = distance(cells[i], cells[j]) if margin > 0 else row[j]
                        found += 1
                farthest = kth_smallest(distances[:found], nearest[:k])
                left, ties = k, 0
                tied[:] = 0.0
                for r in range(found):
                    if distances[r] < farthest:
                        left -= 1
                        add_row_differences(cells[i], cells[rows[r]], out[own, c])
                    elif distances[r] == farthest:
                        ties += 1
                        add_row_differences(cells[i], cells[rows[r]], tied)
                share = left / ties
                for f in range(p):
                    out[own, c, f] += (share * tied[f] + ROUNDER) - ROUNDER


@compiled
def add_number_differences(columns, cells, told, censored, instances, neighbors, margin, out):
    """Add sums over the nearest rows to `out` (2, p+1), as :func:`add_differences` does.

    Row 0 has diff_f and, at its end, diff_y; row 1 has diff_f diff_y. `told` (n,) is y in [0, 1],
    and `censored` (n,) is whether y is only a lower bound.
    """
    n, p = cells.shape
    rough = np.empty((BLOCK, n), dtype=np.float32)
    k = min(neighbors, n - 1)
    nearest, nearest_rough = np.empty(k), np.empty(k, dtype=np.float32)
    rows, distances = np.empty(n, dtype=np.int64), np.empty(n)
    for start in range(0, len(instances), BLOCK):
        block = instances[start : start + BLOCK]
        fill_block(columns, block, rough)
        for b in range(len(block)):
            i, row = block[b], rough[b]
            row[i] = np.inf
            reach = kth_smallest(row, nearest_rough) + 2.0 * margin
            found = 0
            for j in range(n):
                if row[j] <= reach and j != i:
                    rows[found] = j
                    distances[found] = distance(cells[i], cells[j]) if margin > 0 else row[j]
                    found += 1
            farthest = kth_smallest(distances[:found], nearest)
            left, ties = k, 0
            for r in range(found):
                left -= distances[r] < farthest
                ties += distances[r] == farthest
            for r in range(found):
                if distances[r] <= farthest:
                    j = rows[r]
                    weight = 1.0 if distances[r] < farthest else left / ties
                    away = weight * told_difference(told[i], told[j], censored[i], censored[j])
                    out[0, p] += away
                    for f in range(p):
                        apart = cell_difference(cells[i, f], cells[j, f])
                        out[0, f] += weight * apart
                        out[1, f] += away * apart


@compiled_part
def told_difference(a, b, a_is_least, b_is_least):
    """Return the expected value of |u - v|, a multiple of 2^-24.

    u is a, or uniform from a to 1; v is b, or uniform from b to 1.
    """
    if not (a_is_least or b_is_least):
        return cell_difference(a, b)
    if a_is_least and b_is_least:
        low, high = min(a, b), max(a, b)
        expected = 0.5 * (high - low)
        if low < 1.0:
            expected += (1.0 - high) * (1.0 - high) / (3.0 * (1.0 - low))
    else:
        known, least = (b, a) if a_is_least else (a, b)
        expected = 0.5 * (1.0 + least) - known
        if known > least:
            expected = ((known - least) ** 2 + (1.0 - known) ** 2) / (2.0 * (1.0 - least))
    return (expected + ROUNDER) - ROUNDER


@compiled_part
def distance(one, other):
    """Return the exact distance of two rows (p,): the sum of diff_f, four at once."""
    p = len(one)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for f in range(0, p - p % 4, 4):
        s0 += cell_difference(one[f], other[f])
        s1 += cell_difference(one[f + 1], other[f + 1])
        s2 += cell_difference(one[f + 2], other[f + 2])
        s3 += cell_difference(one[f + 3], other[f + 3])
    for f in range(p - p % 4, p):
        s0 += cell_difference(one[f], other[f])
    return (s0 + s1) + (s2 + s3)


@compiled_part
def add_row_differences(one, other, out):
    """Add diff_f of two rows to out (p,)."""
    for f in range(len(out)):
        out[f] += cell_difference(one[f], other[f])


@compiled_part
def rough_difference(a, b):
    """Return diff_f of two values in single precision."""
    away = abs(a - b)
    return away if away < ONE else ONE


@compiled_part
def fill_block(columns, block, rough):
    """Write distances (rows of the block, n) in single precision; four columns go at once."""
    p, n = columns.shape
    rough[:] = 0.0
    for f in range(0, p - p % 4, 4):
        x0, x1, x2, x3 = columns[f], columns[f + 1], columns[f + 2], columns[f + 3]
        for b in range(len(block)):
            row, i = rough[b], block[b]
            a0, a1, a2, a3 = x0[i], x1[i], x2[i], x3[i]
            for j in range(n):
                row[j] += (rough_difference(x0[j], a0) + rough_difference(x1[j], a1)) + (
                    rough_difference(x2[j], a2) + rough_difference(x3[j], a3)
                )
    for f in range(p - p % 4, p):
        column = columns[f]
        for b in range(len(block)):
            row, a = rough[b], column[block[b]]
            for j in range(n):
                row[j] += rough_difference(column[j], a)


@compiled_part
def kth_smallest(values, smallest):
    """Return the k-th smallest value, k the length of `smallest`, which gets the k smallest."""
    k, found = len(smallest), 0
    for value in values:
        if found == k:
            if value >= smallest[k - 1]:
                continue
        else:
            found += 1
        place = found - 1
        while place > 0 and value < smallest[place - 1]:
            smallest[place] = smallest[place - 1]
            place -= 1
        smallest[place] = value
    return smallest[k - 1]
